import type { Fact, ReportDocument } from '../document.ts';
import { formatPeriod } from '../../../kit/text/format.ts';
import { countText } from './figures.ts';
import { daysBetween } from '../../../kit/time/period.ts';
import { setting } from './lines.ts';
import { colors } from './typeface.ts';
import type { Pages } from './pages.ts';
import type { Style } from './sheet.ts';

const titleStyle = { size: 25, weight: 600, color: colors.onInk } as const;
const subtitleStyle = { size: 10.5, color: colors.softOnInk } as const;
const gap = 12;

/** Draws the opening of the first page: the report's title and key figures. */
export function drawOpening(pages: Pages, report: ReportDocument): void {
  pages.next('portrait');
  drawBand(pages, report);
  drawFilters(pages, report.filters);
  drawTiles(pages, report.summary);
}

/** Draws the caveats. */
export function drawNotes(pages: Pages, notes: readonly string[]): void {
  if (notes.length === 0) return;
  const style = { size: 8.5 } as const;
  const inset = 14;
  const texts = notes.map((note) => pages.sheet.lines(note, style, { width: pages.width - 2 * inset - 10, most: 4 }));
  const height = texts.reduce((sum, lines) => sum + lines.length * 12.5 + 3, 15);
  pages.need(height + gap);
  const box = { x: pages.left, y: pages.y, width: pages.width, height };
  pages.sheet.roundBlock(box, 4, colors.notice);
  pages.sheet.block({ ...box, width: 3 }, colors.noticeLine);
  let y = pages.y + 18;
  const indent = texts.length > 1 ? 10 : 0;
  for (const lines of texts) {
    if (indent > 0) pages.sheet.text('•', { x: pages.left + inset, y }, { ...style, color: colors.soft });
    for (const line of lines) {
      pages.sheet.line(line, { x: pages.left + inset + indent, y }, style);
      y += 12.5;
    }
    y += 3;
  }
  pages.y += height + gap + 6;
}

function drawBand(pages: Pages, { title, subtitle, organization, period, currency }: ReportDocument): void {
  const { sheet, left, width } = pages;
  const titles = sheet.lines(title, titleStyle, { width, most: 2 });
  const subtitles = balanced(pages, subtitle);
  const height = 128 + titles.length * 30 + subtitles.length * 15;
  sheet.block({ x: 0, y: 0, width: pages.fullWidth, height }, colors.ink);
  sheet.block({ x: 0, y: height, width: pages.fullWidth, height: 3 }, colors.accent);
  drawMark(pages, left, 34);
  sheet.text('Costkeep', { x: left + 21, y: 45.5 }, { size: 11, weight: 600, color: colors.onInk });
  const owner = { x: left + width / 2, y: 45.5, width: width / 2, align: 'right' } as const;
  sheet.text(organization, owner, { size: 9.5, color: colors.softOnInk });
  let y = 92;
  for (const line of titles) {
    sheet.line(line, { x: left, y }, titleStyle);
    y += 30;
  }
  y -= 9;
  for (const line of subtitles) {
    sheet.line(line, { x: left, y }, subtitleStyle);
    y += 15;
  }
  const days = daysBetween(period.start, period.end) + 1;
  const facts = [
    { label: 'Period', value: formatPeriod(period.start, period.end) },
    { label: 'Length', value: countText(days, 'day', 'days') },
    { label: 'Currency', value: currency },
  ];
  drawBandFacts(pages, facts, y + 17);
  pages.y = height + 3 + 22;
}

function drawBandFacts(pages: Pages, facts: readonly Fact[], y: number): void {
  const value = { size: 9.5, weight: 600, color: colors.onInk } as const;
  let x = pages.left;
  for (const fact of facts) {
    const label = pages.sheet.text(fact.label, { x, y }, { size: 8, color: colors.softOnInk });
    const used = pages.sheet.text(fact.value, { x, y: y + 14 }, value);
    x += Math.max(label, used) + 32;
  }
}

/** Breaks the subtitle into as few and as equal lines as possible, so that no word is alone on a line. */
function balanced({ sheet, width }: Pages, subtitle: string): string[] {
  const widest = sheet.lines(subtitle, subtitleStyle, { width, most: 2 });
  const narrower = [0.55, 0.65, 0.75, 0.85].map((part) =>
    sheet.lines(subtitle, subtitleStyle, { width: width * part, most: widest.length }),
  );
  return narrower.find((lines) => lines.join(' ') === widest.join(' ')) ?? widest;
}

/** Draws the logo: three shrinking columns. */
function drawMark({ sheet }: Pages, x: number, y: number): void {
  sheet.roundBlock({ x, y, width: 14, height: 14 }, 3, '#3b74e6');
  for (const [index, height] of [8, 5.5, 3].entries()) {
    sheet.block({ x: x + 3 + index * 3, y: y + 11 - height, width: 2, height }, colors.onInk);
  }
}

function drawFilters(pages: Pages, filters: readonly Fact[]): void {
  if (filters.length === 0) return;
  const label = { size: 8.5, weight: 600, color: colors.soft } as const;
  const value = { size: 8.5 } as const;
  const indent = Math.max(...filters.map((fact) => pages.sheet.width(fact.label, label))) + 12;
  for (const fact of filters) {
    const lines = pages.sheet.lines(fact.value, value, { width: pages.width - indent, most: 3 });
    pages.sheet.text(fact.label, { x: pages.left, y: pages.y + 4 }, label);
    for (const line of lines) {
      pages.sheet.line(line, { x: pages.left + indent, y: pages.y + 4 }, value);
      pages.y += 13;
    }
  }
  pages.y += 10;
}

/** Draws the key figures in rows of equal tiles. */
function drawTiles(pages: Pages, facts: readonly Fact[]): void {
  if (facts.length === 0) return;
  const perRow = facts.length <= 4 ? facts.length : 3;
  const height = 54;
  for (const [index, fact] of facts.entries()) {
    const column = index % perRow;
    if (column === 0 && index > 0) pages.y += height + gap;
    const inRow = Math.min(perRow, facts.length - index + column);
    const width = (pages.width - gap * (inRow - 1)) / inRow;
    const box = { x: pages.left + column * (width + gap), y: pages.y, width, height };
    drawTile(pages, box, fact, index === 0);
  }
  pages.y += height + 24;
}

function drawTile(
  { sheet }: Pages,
  box: { x: number; y: number; width: number; height: number },
  { label, value }: Fact,
  isFirst: boolean,
): void {
  sheet.roundBlock(box, 5, isFirst ? colors.tint : colors.shade);
  const room = { x: box.x + 12, width: box.width - 24 };
  const small = { size: 8, color: colors.soft } as const;
  const labelSize = Math.max(6.5, Math.min(8, (7.9 * room.width) / sheet.width(label, small)));
  sheet.text(label, { ...room, y: box.y + 19 }, { ...small, size: labelSize });
  const style: Style = { size: 16, weight: 600, color: isFirst ? colors.accent : colors.ink };
  // A long figure gets a smaller font, a long name two lines.
  const size = Math.min(16, (16 * room.width) / sheet.width(value, style));
  if (size >= 9.5) return void sheet.line(setting(value), { ...room, y: box.y + 41 }, { ...style, size });
  const lines = sheet.lines(value, { ...style, size: 9.5 }, { width: room.width, most: 2 });
  for (const [index, line] of lines.entries()) {
    sheet.line(line, { ...room, y: box.y + 35 + index * 12 }, { ...style, size: 9.5 });
  }
}
