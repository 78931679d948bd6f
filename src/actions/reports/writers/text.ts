import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Column, type ReportDocument, type Row, type Section, substituteOf, type Value } from '../document.ts';
import { csvText, inertCell } from '../../../kit/text/spreadsheet.ts';

/** Groups rows into batches, so that writers do not emit a chunk per row.
 *  @param size rows of every batch except the last */
export async function* bunches(rows: AsyncIterable<Row>, size = 100): AsyncGenerator<Row[]> {
  let bunch: Row[] = [];
  for await (const row of rows) {
    bunch.push(row);
    if (bunch.length < size) continue;
    yield bunch;
    bunch = [];
  }
  if (bunch.length > 0) yield bunch;
}

/** Writes a document's main table as CSV (RFC 4180) in UTF-8, with column keys as the header. The last columns have what
 *  applies to all rows: the excluded costs and the currency. If all costs are excluded, the only row says so. Numbers are plain
 *  decimals with a point; a missing value is the column's substitute or an empty cell; no cell runs as a formula. */
export async function writeCsv(document: ReportDocument, out: Writable): Promise<void> {
  await pipeline(Readable.from(lines(document)), out);
}

async function* lines({ sections: [main], excluded }: ReportDocument): AsyncGenerator<string> {
  if (!main) throw new Error('The document has no table');
  const { columns } = main;
  const currency = borrowedCurrency(main);
  const common = [
    ...(excluded === undefined ? [] : [{ key: 'excluded', value: excluded }]),
    ...(currency === null ? [] : [{ key: 'currency', value: currency }]),
  ];
  const last = common.map(({ value }) => value);
  yield csvText([[...columns, ...common].map(({ key }) => key)]);
  let isEmpty = true;
  for await (const rows of bunches(main.rows)) {
    isEmpty = false;
    // Money is rounded to 6 decimals, and so never has an exponent.
    yield csvText(rows.map((row) => [...columns.map((column, index) => cell(column, row[index] ?? null)), ...last]));
  }
  if (isEmpty && excluded) yield csvText([[...columns.map(() => null), ...last]]);
}

function cell(column: Column, value: Value): Value {
  const shown = substituteOf(column, value) ?? value;
  return typeof shown === 'string' ? inertCell(shown) : shown;
}

/** Returns the currency of a table whose rows do not have one, so that no amount is without currency. */
function borrowedCurrency({ columns }: Section): string | null {
  if (columns.some(({ key }) => key === 'currency')) return null;
  return columns.find(({ type, currency }) => type === 'money' && currency)?.currency ?? null;
}

/** Writes a document as one JSON object with all tables. `tables.<key>.rows` contains objects by column key. */
export async function writeJson(document: ReportDocument, out: Writable): Promise<void> {
  await pipeline(Readable.from(pieces(document)), out);
}

async function* pieces(document: ReportDocument): AsyncGenerator<string> {
  const { title, subtitle, organization, period, currency, generatedAt, filters, summary, notes, sections } = document;
  const head = {
    title,
    subtitle,
    organization,
    start_date: period.start,
    end_date: period.end,
    currency,
    generated_at: generatedAt.toISOString(),
    filters,
    summary,
    notes,
  };
  yield `${JSON.stringify(head).slice(0, -1)},"tables":{`;
  for (const [index, section] of sections.entries()) {
    if (index > 0) yield ',';
    yield* table(section);
  }
  yield '}}\n';
}

async function* table({ key, title, columns, rows }: Section): AsyncGenerator<string> {
  const described = columns.map((column) => ({
    key: column.key,
    label: column.label,
    type: column.type,
    currency: column.currency ?? null,
  }));
  yield `\n${JSON.stringify(key)}:{"title":${JSON.stringify(title)},"columns":${JSON.stringify(described)},"rows":[`;
  let isFirst = true;
  for await (const bunch of bunches(rows)) {
    const texts = bunch.map((row) => JSON.stringify(objectOf(columns, row)));
    yield `${isFirst ? '' : ','}\n${texts.join(',\n')}`;
    isFirst = false;
  }
  yield ']}';
}

function objectOf(columns: readonly Column[], row: Row): Record<string, unknown> {
  return Object.fromEntries(columns.map(({ key }, index) => [key, row[index] ?? null]));
}
