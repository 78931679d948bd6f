import type { Row, Section } from '../document.ts';
import { headStyle, layOut, type Grid, type GridColumn } from './columns.ts';
import { cellText, countText } from './figures.ts';
import { colors } from './typeface.ts';
import type { Pages } from './pages.ts';
import type { Style } from './sheet.ts';

/** Maximum rows of a table in PDF, more than 2,000 pages. Other formats have all rows. */
export const tableRows = 100_000;

/** Rows sampled for column widths. */
const sampleRows = 250;
const mostLines = 3;
const padding = 3.8;
/** Distance that shading and rules extend beyond the text, in points. */
const reach = 6;

/** Draws a table over as many pages as needed, with its column titles repeated on each.
 *  @param breathe waits for the consumer to catch up
 *  @throws {Error} errors from reading the rows */
export async function drawTable(pages: Pages, section: Section, breathe: () => Promise<void>): Promise<void> {
  const rows = section.rows[Symbol.asyncIterator]();
  try {
    const sample = await take(rows, sampleRows);
    if (sample.length === 0) return drawEmpty(pages, section);
    const grid = layOut(pages.sheet, section, sample);
    startTable(pages, section, grid);
    let shown = 0;
    let isCut = false;
    for await (const { row, isLast } of lastMarked(follow(sample, rows))) {
      const isFull = shown + 1 === tableRows;
      if (drawRow(pages, { section, grid, row, index: shown, isLast: isLast || isFull })) await breathe();
      shown += 1;
      isCut = isFull && !isLast;
      if (isFull) break;
    }
    drawEnd(pages, section, { grid, shown, isCut });
  } finally {
    await rows.return?.();
  }
}

async function take(rows: AsyncIterator<Row>, most: number): Promise<Row[]> {
  const taken: Row[] = [];
  while (taken.length < most) {
    const { done, value } = await rows.next();
    if (done) break;
    taken.push(value);
  }
  return taken;
}

async function* follow(first: readonly Row[], rest: AsyncIterator<Row>): AsyncGenerator<Row> {
  yield* first;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

async function* lastMarked(rows: AsyncIterable<Row>): AsyncGenerator<{ readonly row: Row; readonly isLast: boolean }> {
  let held: Row | null = null;
  for await (const row of rows) {
    if (held) yield { row: held, isLast: false };
    held = row;
  }
  if (held) yield { row: held, isLast: true };
}

function drawEmpty(pages: Pages, section: Section): void {
  pages.need(90);
  drawTitle(pages, section.title, section.rowCount);
  const height = 40;
  pages.sheet.roundBlock({ x: pages.left, y: pages.y, width: pages.width, height }, 4, colors.shade);
  const at = { x: pages.left, y: pages.y + 23, width: pages.width, align: 'center' } as const;
  pages.sheet.text('No data for this period and these filters.', at, { size: 9, color: colors.soft });
  pages.y += height + 26;
}

/** Draws the title of a table, on a page in its orientation with space for some rows. */
function startTable(pages: Pages, { title, rowCount }: Section, grid: Grid): void {
  const isTurned = (grid.layout === 'landscape') !== pages.fullWidth > 700;
  if (isTurned || pages.room < 150) pages.next(grid.layout);
  drawTitle(pages, title, rowCount);
  drawHead(pages, grid);
}

function drawTitle(pages: Pages, title: string, rowCount: number | null): void {
  const { sheet } = pages;
  sheet.document.outline.addItem(title);
  const y = pages.y + 14;
  sheet.text(title, { x: pages.left, y, width: pages.width - 110 }, { size: 13, weight: 600 });
  if (rowCount !== null && rowCount > 0) {
    const at = { x: pages.right - 100, y, width: 100, align: 'right' } as const;
    sheet.text(countText(rowCount, 'row', 'rows'), at, { size: 8.5, color: colors.soft });
  }
  pages.y += 26;
}

function drawHead(pages: Pages, { columns, size }: Grid): void {
  const style = { ...headStyle(size), color: colors.soft };
  const leading = style.size * 1.25;
  const titles = columns.map(({ title, width }) => pages.sheet.lines(title, style, { width, most: 3 }));
  const deepest = Math.max(...titles.map((lines) => lines.length));
  const bottom = pages.y + deepest * leading + 2 * padding;
  for (const [index, column] of columns.entries()) {
    const lines = titles[index] ?? [];
    // Titles of unequal height are aligned at the bottom.
    drawLines(pages, column, { lines, style, leading, y: bottom - padding - (lines.length - 1) * leading - 1.5 });
  }
  drawRule(pages, bottom, { color: colors.ink, width: 0.9 });
  pages.y = bottom;
}

interface RowPlace {
  readonly section: Section;
  readonly grid: Grid;
  readonly row: Row;
  /** 0-based. */
  readonly index: number;
  /** Whether only the totals follow. */
  readonly isLast: boolean;
}

/** Draws a row.
 *  @returns whether it started a new page */
function drawRow(pages: Pages, { section, grid, row, index, isLast }: RowPlace): boolean {
  const set = setRow(pages, grid, row, {});
  // Keeps the last row with the totals, which are meaningless on a page without rows.
  const below = isLast ? (setTotals(pages, grid, section)?.height ?? 0) : 0;
  const isFull = pages.room < set.height + below;
  if (isFull) {
    pages.next(grid.layout);
    drawContinued(pages, section.title);
    drawHead(pages, grid);
  }
  if (index % 2 === 1) {
    const box = { x: pages.left - reach, y: pages.y, width: pages.width + 2 * reach, height: set.height };
    pages.sheet.block(box, colors.shade);
  }
  drawSet(pages, grid, set);
  return isFull;
}

function drawContinued(pages: Pages, title: string): void {
  const style = { size: 9, weight: 600 } as const;
  const x = pages.left;
  const used = pages.sheet.text(title, { x, y: pages.y + 8, width: pages.width - 80 }, style);
  pages.sheet.text('continued', { x: x + used + 6, y: pages.y + 8 }, { size: 8.5, color: colors.soft });
  pages.y += 14;
}

/** A row with its text broken into lines. */
interface SetRow {
  readonly cells: readonly { readonly lines: readonly string[]; readonly style: Style }[];
  readonly height: number;
  readonly leading: number;
}

function setRow(pages: Pages, { columns, size }: Grid, row: Row, weight: Pick<Style, 'weight'>): SetRow {
  const leading = size * 1.3;
  const cells = columns.map(({ column, width, isFigure }, index) => {
    const value = row[index] ?? null;
    const text = cellText(value, column);
    const style: Style = { size, ...weight, ...(value === null && { color: colors.faint }) };
    if (!isFigure) return { lines: pages.sheet.names(text, style, { width, most: mostLines }), style };
    // A figure is never truncated: if it is wider than its column, it gets a smaller font.
    const natural = pages.sheet.width(text, style);
    return { lines: [text], style: natural > width ? { ...style, size: (size * width) / natural } : style };
  });
  const deepest = Math.max(...cells.map(({ lines }) => lines.length));
  return { cells, height: deepest * leading + 2 * padding, leading };
}

function setTotals(pages: Pages, grid: Grid, { totals }: Section): SetRow | null {
  if (!totals) return null;
  const blank = totals.map((value) => value ?? '');
  return setRow(pages, grid, blank, { weight: 600 });
}

function drawSet(pages: Pages, { columns }: Grid, { cells, height, leading }: SetRow): void {
  for (const [index, column] of columns.entries()) {
    const cell = cells[index];
    if (cell) drawLines(pages, column, { ...cell, leading, y: pages.y + padding + leading * 0.78 });
  }
  pages.y += height;
}

interface Lines {
  readonly lines: readonly string[];
  readonly style: Style;
  readonly leading: number;
  readonly y: number;
}

function drawLines(pages: Pages, { x, width, isFigure }: GridColumn, { lines, style, leading, y }: Lines): void {
  const align = isFigure ? 'right' : 'left';
  for (const [index, line] of lines.entries()) {
    pages.sheet.line(line, { x: pages.left + x, y: y + index * leading, width, align }, style);
  }
}

function drawRule({ sheet, left, right }: Pages, y: number, stroke: { color: string; width?: number }): void {
  sheet.rule({ x: left - reach, y }, { x: right + reach, y }, stroke);
}

/** Draws the end of a table: the totals, and a note on omitted rows. */
function drawEnd(
  pages: Pages,
  section: Section,
  { grid, shown, isCut }: { grid: Grid; shown: number; isCut: boolean },
): void {
  const { title, rowCount } = section;
  const totals = setTotals(pages, grid, section);
  if (totals) {
    if (pages.room < totals.height) {
      pages.next(grid.layout);
      drawContinued(pages, title);
      drawHead(pages, grid);
    }
    drawRule(pages, pages.y, { color: colors.ink, width: 0.9 });
    drawSet(pages, grid, totals);
  } else {
    drawRule(pages, pages.y, { color: colors.line });
  }
  pages.y += 8;
  if (isCut) {
    pages.need(30, grid.layout);
    const text = `The first ${shown.toLocaleString('en-US')} rows${rowCount === null ? '' : ` of ${rowCount.toLocaleString('en-US')}`} are shown. The XLSX and JSON formats of this report contain all of them.`;
    pages.sheet.text(text, { x: pages.left, y: pages.y + 10, width: pages.width }, { size: 8.5, color: colors.soft });
    pages.y += 18;
  }
  pages.y += 22;
}
