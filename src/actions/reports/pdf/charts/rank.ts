import type { RankChart } from '../../document.ts';
import { figureText, shortText } from '../figures.ts';
import { colors, seriesColor } from '../typeface.ts';
import type { Box, Sheet } from '../sheet.ts';

const name = { size: 8.5 } as const;
const figure = { size: 8.5, weight: 600 } as const;
const rowHeight = 18;
const donutSize = 132;

/** Returns the height of a ranking or share chart. */
export function rankHeight({ kind, items }: RankChart, isNarrow: boolean): number {
  const rows = items.length * rowHeight;
  if (kind === 'bars') return rows + 4;
  return isNarrow ? donutSize + 14 + rows : Math.max(donutSize, rows);
}

/** Draws a ranking as bars from a baseline, with negative values on the other side. */
export function drawBars(sheet: Sheet, { x, y, width }: Box, { items, unit }: RankChart): void {
  const figures = items.map(({ value }) => figureText(value, unit));
  const room = Math.max(...figures.map((text) => sheet.width(text, figure))) + 8;
  const names = Math.min(Math.max(...items.map(({ label }) => sheet.width(label, name))) + 1, width * 0.36);
  const track = { x: x + names + 10, width: width - names - 10 - room };
  // `Other` is not ranked: its bar would dwarf the others.
  const ranked = items.filter(({ label }) => label !== 'Other').map(({ value }) => value);
  const least = Math.min(0, ...ranked);
  const greatest = Math.max(0, ...ranked);
  const span = greatest - least || 1;
  const zero = track.x + (-least / span) * track.width;
  for (const [index, { label, value }] of items.entries()) {
    const top = y + index * rowHeight;
    const length = (Math.abs(value) / span) * track.width;
    const color = label === 'Other' ? { color: colors.soft } : {};
    sheet.text(label, { x, y: top + 11.5, width: names }, { ...name, ...color });
    if (label !== 'Other') {
      sheet.roundBlock({ x: track.x, y: top + 4, width: track.width, height: 10 }, 2, colors.shade);
      const bar = { x: value < 0 ? zero - length : zero, y: top + 4, width: Math.max(length, 0.8), height: 10 };
      sheet.roundBlock(bar, Math.min(2, bar.width / 2), seriesColor(value < 0 ? 1 : 0, label));
    }
    const place = { x: x + width - room, y: top + 11.5, width: room, align: 'right' } as const;
    sheet.line(figures[index] ?? '', place, { ...figure, ...color });
  }
  if (least < 0) {
    const end = y + items.length * rowHeight;
    sheet.rule({ x: zero, y: y + 1 }, { x: zero, y: end }, { color: colors.faint, width: 0.8 });
  }
}

/** Draws shares as a ring, with names, figures and percentages beside it, or below if the box is narrow. */
export function drawShare(sheet: Sheet, { x, y, width }: Box, { items, unit }: RankChart): void {
  const isNarrow = width < 340;
  const total = items.reduce((sum, { value }) => sum + value, 0);
  const radius = donutSize / 2;
  const middle = { x: isNarrow ? x + width / 2 : x + radius, y: y + radius };
  drawRing(sheet, middle, { items, total });
  const size = Math.min(
    15,
    (15 * radius) / Math.max(1, sheet.width(shortText(total, unit), { size: 15, weight: 600 })),
  );
  const room = { x: middle.x - radius, width: donutSize, align: 'center' } as const;
  sheet.text('Total', { ...room, y: middle.y - 6 }, { size: 8, color: colors.soft });
  sheet.line(shortText(total, unit), { ...room, y: middle.y + 11 }, { size, weight: 600 });
  const list = isNarrow
    ? { x, y: y + donutSize + 14, width }
    : {
        x: x + donutSize + 36,
        y: y + Math.max(0, (donutSize - items.length * rowHeight) / 2),
        width: width - donutSize - 36,
      };
  drawParts(sheet, list, { items, unit, total });
}

function drawRing(
  { document }: Sheet,
  middle: { x: number; y: number },
  { items, total }: { items: RankChart['items']; total: number },
): void {
  const [outer, inner] = [donutSize / 2, donutSize / 2 - 21];
  // A ring is a thick circle, drawn as arcs along its middle line.
  const line = (outer + inner) / 2;
  if (total <= 0) {
    document
      .circle(middle.x, middle.y, line)
      .lineWidth(outer - inner)
      .stroke(colors.shade);
    return;
  }
  const shown = items.filter(({ value }) => value > 0).length;
  const gap = shown > 1 ? 1.4 / line : 0;
  let start = -Math.PI / 2;
  for (const [index, { label, value }] of items.entries()) {
    const angle = (value / total) * 2 * Math.PI;
    // Keeps a sliver visible next to the gaps.
    const end = start + Math.max(angle - gap, Math.min(angle, 0.012));
    if (value > 0) drawArc(document, middle, { line, start, end });
    if (value > 0)
      document
        .lineWidth(outer - inner)
        .lineCap('butt')
        .stroke(seriesColor(index, label));
    start += angle;
  }
}

/** Draws an arc as curves of at most a quarter each, accurate to a thousandth of the radius. */
function drawArc(
  document: PDFKit.PDFDocument,
  { x, y }: { x: number; y: number },
  { line, start, end }: { line: number; start: number; end: number },
): void {
  const pieces = Math.max(1, Math.ceil((end - start) / (Math.PI / 2)));
  const step = (end - start) / pieces;
  const pull = (4 / 3) * Math.tan(step / 4) * line;
  const on = (angle: number) => ({ x: x + line * Math.cos(angle), y: y + line * Math.sin(angle) });
  const first = on(start);
  document.moveTo(first.x, first.y);
  for (let piece = 0; piece < pieces; piece += 1) {
    const [a, b] = [start + piece * step, start + (piece + 1) * step];
    const [from, to] = [on(a), on(b)];
    document.bezierCurveTo(
      from.x - pull * Math.sin(a),
      from.y + pull * Math.cos(a),
      to.x + pull * Math.sin(b),
      to.y - pull * Math.cos(b),
      to.x,
      to.y,
    );
  }
}

function drawParts(
  sheet: Sheet,
  { x, y, width }: Omit<Box, 'height'>,
  { items, unit, total }: Pick<RankChart, 'items' | 'unit'> & { total: number },
): void {
  const figures = items.map(({ value }) => figureText(value, unit));
  const amounts = Math.max(...figures.map((text) => sheet.width(text, figure))) + 2;
  const percents = 44;
  for (const [index, { label, value }] of items.entries()) {
    const base = y + index * rowHeight + 12;
    const percent = total > 0 ? figureText((value / total) * 100, { kind: 'percent' }) : '–';
    sheet.roundBlock({ x, y: base - 8, width: 9, height: 9 }, 2, seriesColor(index, label));
    sheet.text(label, { x: x + 16, y: base, width: width - 16 - amounts - percents - 8 }, name);
    const right = x + width - percents;
    sheet.line(figures[index] ?? '', { x: right - amounts, y: base, width: amounts, align: 'right' }, figure);
    sheet.line(percent, { x: right, y: base, width: percents, align: 'right' }, { size: 8.5, color: colors.soft });
  }
}
