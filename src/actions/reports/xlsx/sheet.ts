import { type Column, type Row, type Section, substituteOf, type Value } from '../document.ts';
import { styleOf, styles } from './styles.ts';

/** Excel's limit of characters per cell. */
const mostCharacters = 32_767;
const msPerDay = 86_400_000;
/** Excel's day 0, which accounts for the leap day that 1900 did not have. */
const epoch = Date.UTC(1899, 11, 30);

/** Escapes text for XML. Characters that XML 1.0 does not allow are dropped; `_x0041_`, which spreadsheets would decode, is
 *  preserved (ECMA-376, ST_Xstring). */
export function xmlText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu, '')
    .replaceAll(/_(?=x[\da-f]{4}_)/gi, '_x005F_')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\r', '&#13;');
}

/** Builds a text cell. It is never a formula, and its style keeps it text when edited. */
function textCell(at: string, text: string, style: number): string {
  const kept = text.length > mostCharacters ? `${text.slice(0, mostCharacters - 1)}…` : text;
  return `<c r="${at}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${xmlText(kept)}</t></is></c>`;
}

/** Builds a cell of its column's type; empty without a value.
 *  @param isTotal whether it is in the totals row */
function cell(at: string, column: Column, value: Value, isTotal = false): string {
  const style = isTotal ? styleOf(column).total : styleOf(column).plain;
  const substitute = isTotal ? undefined : substituteOf(column, value);
  if (substitute !== undefined) return textCell(at, substitute, styles.absent);
  if (value === null) return '';
  const number = isTotal && typeof value === 'string' ? null : numberOf(column, value);
  if (number === null) return textCell(at, String(value), isTotal ? styles.textTotal : styles.text);
  return `<c r="${at}" s="${style}"><v>${number}</v></c>`;
}

/** Returns the number that represents a value; null for texts. */
function numberOf({ type }: Column, value: string | number): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (type === 'date' || type === 'month') return serial(type === 'date' ? value : `${value}-01`);
  return type === 'instant' ? serial(value) : null;
}

/** Returns days since Excel's epoch, in UTC; null for invalid instants, or before 1900-03-01, where Excel's calendar is
 *  wrong. */
function serial(text: string): number | null {
  const days = (Date.parse(text) - epoch) / msPerDay;
  return days >= 61 ? Math.round(days * msPerDay) / msPerDay : null;
}

/** Returns `A`, `Z`, `AA` for 0, 25, 26. */
function columnName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : columnName(Math.floor(index / 26) - 1) + letter;
}

/** Excel's limit of rows per sheet, minus header and totals. */
const mostRows = 1_048_576 - 2;
/** Rows sampled for column widths. */
const sampled = 200;
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const widths = { text: 12, money: 14, percent: 10, integer: 10, number: 12, date: 12, month: 10, instant: 20 } as const;

/** Yields the sheets of a table: one, unless it has more rows than fit on a sheet. Each must be written before the next is
 *  requested. */
export async function* sheetsOf(section: Section, rowsPerSheet = mostRows): AsyncGenerator<AsyncIterable<string>> {
  const rows = section.rows[Symbol.asyncIterator]();
  const state = { rows, next: await rows.next() };
  do yield sheet(section, state, rowsPerSheet);
  while (state.next.done !== true);
}

interface Reading {
  readonly rows: AsyncIterator<Row>;
  next: IteratorResult<Row>;
}

async function* sheet({ columns, totals }: Section, reading: Reading, rowsPerSheet: number): AsyncGenerator<string> {
  const sample: Row[] = [];
  let count = 0;
  const take = async (): Promise<Row | null> => {
    if (reading.next.done === true || count === rowsPerSheet) return null;
    const row = reading.next.value;
    count += 1;
    reading.next = await reading.rows.next();
    return row;
  };
  for (let row = await take(); row; row = sample.length < sampled ? await take() : null) sample.push(row);
  yield head(columns, sample);
  yield rowXml(
    1,
    columns.map((column, index) => headingCell(column, `${columnName(index)}1`)),
  );
  yield sample.map((row, index) => dataRow(columns, row, index + 2)).join('');
  for (let bunch = await takeMany(take); bunch.length > 0; bunch = await takeMany(take)) {
    const first = count - bunch.length + 2;
    yield bunch.map((row, index) => dataRow(columns, row, first + index)).join('');
  }
  if (totals && reading.next.done === true) yield totalRow(columns, totals, count + 2);
  yield foot(columns.length, count + 1);
}

async function takeMany(take: () => Promise<Row | null>): Promise<Row[]> {
  const bunch: Row[] = [];
  for (let row = await take(); row; row = bunch.length < 500 ? await take() : null) bunch.push(row);
  return bunch;
}

/** Builds the sheet's head, with a frozen header row. */
function head(columns: readonly Column[], sample: readonly Row[]): string {
  const cols = columns.map((column, index) => {
    const width = widthOf(column, sample, index);
    return `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`;
  });
  const view =
    '<sheetView workbookViewId="0" showGridLines="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView>';
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<worksheet xmlns="${main}"><sheetViews>${view}</sheetViews><sheetFormatPr defaultRowHeight="15"/><cols>${cols.join('')}</cols><sheetData>`;
}

function foot(columns: number, rows: number): string {
  const filter = `<autoFilter ref="A1:${columnName(columns - 1)}${rows}"/>`;
  return `</sheetData>${filter}<pageMargins left="0.5" right="0.5" top="0.6" bottom="0.6" header="0.3" footer="0.3"/><pageSetup orientation="landscape"/></worksheet>`;
}

function widthOf(column: Column, sample: readonly Row[], index: number): number {
  const label = labelOf(column).length + 4;
  const textOf = (value: Value) => substituteOf(column, value) ?? String(value ?? '');
  const texts = column.type === 'text' ? sample.map((row) => textOf(row[index] ?? null).length) : [];
  return Math.min(60, Math.max(widths[column.type], label, ...texts.map((length) => length + 2)));
}

function labelOf({ label, currency }: Column): string {
  return currency ? `${label} (${currency})` : label;
}

function headingCell(column: Column, at: string): string {
  const isNumber = ['money', 'percent', 'integer', 'number'].includes(column.type);
  return textCell(at, labelOf(column), isNumber ? styles.headingRight : styles.heading);
}

function dataRow(columns: readonly Column[], row: Row, number: number): string {
  return rowXml(
    number,
    columns.map((column, index) => cell(`${columnName(index)}${number}`, column, row[index] ?? null)),
  );
}

function totalRow(columns: readonly Column[], row: Row, number: number): string {
  const cells = columns.map((column, index) => cell(`${columnName(index)}${number}`, column, row[index] ?? null, true));
  return rowXml(number, cells);
}

function rowXml(number: number, cells: readonly string[]): string {
  return `<row r="${number}">${cells.join('')}</row>`;
}

/** Builds a sheet of labelled texts; a line without a text is a heading. */
export function noteSheet(lines: readonly { label: string; text: string | null; isTitle?: boolean }[]): string[] {
  const rows = lines.map(({ label, text, isTitle }, index) => {
    const number = index + 1;
    const first = label === '' ? '' : textCell(`A${number}`, label, isTitle ? styles.title : styles.label);
    return rowXml(number, [first, text === null ? '' : textCell(`B${number}`, text, styles.wrapped)]);
  });
  const cols = '<col min="1" max="1" width="28" customWidth="1"/><col min="2" max="2" width="90" customWidth="1"/>';
  return [
    `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0" showGridLines="0"/></sheetViews><sheetFormatPr defaultRowHeight="15"/><cols>${cols}</cols><sheetData>${rows.join('')}</sheetData></worksheet>`,
  ];
}
