import type { Column, Row, Section } from '../document.ts';
import { cellText, columnTitle } from './figures.ts';
import { page } from './typeface.ts';
import type { Layout } from './pages.ts';
import type { Sheet, Style } from './sheet.ts';

/** The layout of a table's columns across a page. */
export interface Grid {
  readonly layout: Layout;
  /** Font size of the rows, in points. */
  readonly size: number;
  readonly columns: readonly GridColumn[];
}

/** A column's place on the page. */
export interface GridColumn {
  readonly column: Column;
  readonly title: string;
  /** Distance from the left edge of the table, in points. */
  readonly x: number;
  readonly width: number;
  readonly isFigure: boolean;
}

/** Gap between columns, in points: smaller if there are many. */
const gutterOf = (columns: number) => (columns > 9 ? 6.5 : 10);
/** Maximum width of text, in points; longer text is wrapped. */
const widest = 230;
/** Minimum width of text per point of font size; narrower is unreadable. */
const narrowest = 7.5;
/** Maximum rows of a table that stays portrait even if it is tight. */
const fewRows = 20;
const sizes = [8.5, 8, 7.5, 7, 6.5, 6, 5.5, 5];

interface Need {
  readonly natural: number;
  readonly least: number;
  readonly isFigure: boolean;
}

/** Lays out the columns based on a sample of rows: portrait if they fit, else landscape, else in a smaller font. */
export function layOut(sheet: Sheet, { columns, totals }: Section, sample: readonly Row[]): Grid {
  const rows = totals ? [...sample, totals] : sample;
  const needsAt = (size: number) => columns.map((column, index) => needOf(sheet, column, { rows, index, size }));
  for (const { size, layout, ease } of attempts(sample.length, columns.length)) {
    const needs = needsAt(size);
    const width = roomOf(layout, columns.length);
    if (sum(needs.map((need) => leastOf(need, ease))) <= width)
      return { layout, size, columns: place(columns, share(needs, width)) };
  }
  const width = roomOf('landscape', columns.length);
  const even = columns.map(() => Math.max(8, width / columns.length));
  return { layout: 'landscape', size: sizes.at(-1) ?? 5, columns: place(columns, even) };
}

/** Returns the width available to columns, without the gaps. */
function roomOf(layout: Layout, columns: number): number {
  return (layout === 'portrait' ? page.short : page.long) - 2 * page.side - gutterOf(columns) * (columns - 1);
}

interface Attempt {
  readonly size: number;
  readonly layout: Layout;
  /** Minimum fraction of a text's width that is kept before it wraps, in portrait. */
  readonly ease: number;
}

/** Lists the layouts to try. A few rows are not worth a landscape page; many are wrapped or set in landscape before the font
 *  shrinks. */
function attempts(rows: number, columns: number): Attempt[] {
  const upright = (size: number, ease: number) => ({ size, layout: 'portrait', ease }) as const;
  const across = (size: number) => ({ size, layout: 'landscape', ease: 0 }) as const;
  const short = rows <= fewRows ? sizes.filter((size) => size >= 6.5).map((size) => upright(size, 0)) : [];
  return [...short, ...sizes.flatMap((size) => [upright(size, columns > 3 ? 0.55 : 0), across(size)])];
}

function leastOf({ least, natural, isFigure }: Need, ease: number): number {
  return isFigure ? least : Math.max(least, natural * ease);
}

function needOf(
  sheet: Sheet,
  column: Column,
  { rows, index, size }: { rows: readonly Row[]; index: number; size: number },
): Need {
  const isFigure = column.type !== 'text';
  const widths = rows.map((row) => sheet.width(cellText(row[index] ?? null, column), { size }));
  const cells = Math.max(0, ...widths);
  const words = columnTitle(column).split(/\s+/);
  const title = Math.max(...words.map((word) => sheet.width(word, headStyle(size))));
  if (isFigure) {
    // Digits never wrap; column titles can.
    const whole = sheet.width(columnTitle(column), headStyle(size));
    return { natural: Math.max(cells, whole) + 0.5, least: Math.max(cells, title) + 0.5, isFigure };
  }
  const natural = Math.max(Math.min(cells, widest), title) + 0.5;
  return { natural, least: Math.min(natural, Math.max(title, narrowest * size)) + 0.5, isFigure };
}

/** Distributes the width: natural widths with the rest added to texts, or minimum widths with the rest shared in proportion
 *  to what is missing from the natural ones. */
function share(needs: readonly Need[], width: number): number[] {
  const natural = sum(needs.map((need) => need.natural));
  const texts = needs.filter((need) => !need.isFigure);
  if (natural <= width) {
    const takers = texts.length > 0 ? texts : needs;
    const extra = (width - natural) / Math.max(1, takers.length);
    return needs.map((need) => need.natural + (takers.includes(need) ? extra : 0));
  }
  const spare = width - sum(needs.map(({ least }) => least));
  const wished = sum(needs.map((need) => need.natural - need.least));
  return needs.map((need) => need.least + (wished > 0 ? ((need.natural - need.least) / wished) * spare : 0));
}

function place(columns: readonly Column[], widths: readonly number[]): GridColumn[] {
  let x = 0;
  return columns.map((column, index) => {
    const width = widths[index] ?? 0;
    const placed = { column, title: columnTitle(column), x, width, isFigure: standsRight(column) };
    x += width + gutterOf(columns.length);
    return placed;
  });
}

/** Returns the style of column titles. */
export function headStyle(size: number): Style {
  return { size: size - 0.5, weight: 600 };
}

/** Returns whether a column is right-aligned, so that digits line up. */
function standsRight({ type }: Column): boolean {
  return type === 'money' || type === 'percent' || type === 'integer' || type === 'number';
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
