import { once } from 'node:events';
import fs from 'node:fs';
import { finished } from 'node:stream/promises';
import { csvLine } from '../../../kit/text/csv.ts';
import { invalid } from '../../../kit/errors/errors.ts';
import { nameOf } from '../input.ts';
import type { Query, TextRow } from '../query.ts';
import { CoveredUsage } from './amortize.ts';
import { chargesOf, feeCharges, feeKey, hasOffset, isFee, isPaidByFee, type Reading } from './charge.ts';
import { chargeColumns, type Charge } from './columns.ts';
import { linesOf } from './lines.ts';
import { firstDay, type MonthState, monthToken } from './months.ts';
import type { TableState } from './table.ts';

/** Writes the charges of a month as a FOCUS file, page by page.
 *  @param path of a file that does not exist yet
 *  @param pages rows of `chargesQuery`
 *  @returns the number of export lines that they represent
 *  @throws {AppError} VALIDATION_ERROR when a line cannot be counted */
export async function writeMonth(
  path: string,
  pages: AsyncIterable<readonly TextRow[]>,
  reading: Reading,
): Promise<number> {
  const file = fs.createWriteStream(path, { flags: 'wx', mode: 0o600 });
  // Awaited below; without a handler, an error before that would end the process.
  const written = finished(file);
  written.catch(() => {});
  const covered = new CoveredUsage(`${path}.covered`);
  try {
    const lineItems = await writeRows({ file, covered }, pages, reading);
    file.end();
    await written;
    return lineItems;
  } catch (error) {
    file.destroy();
    throw error;
  } finally {
    await covered.remove();
  }
}

async function writeRows(
  { file, covered }: { file: fs.WriteStream; covered: CoveredUsage },
  pages: AsyncIterable<readonly TextRow[]>,
  reading: Reading,
): Promise<number> {
  let lineItems = 0;
  // Fees are kept until the end: any day may show that a commitment uses the newer model. They are few: one per commitment and
  // day.
  const fees: TextRow[] = [];
  await write(file, csvLine(chargeColumns));
  for await (const page of pages) {
    const lines: string[] = [];
    for (const row of page) {
      refuseUnreadable(row, reading.month);
      lineItems += Number(row['line_items'] ?? 0);
      if (isFee(row)) fees.push(row);
      else lines.push(...(await chargeLines(row, reading, covered)));
    }
    await write(file, lines.join(''));
  }
  const offset = new Set(fees.filter(hasOffset).map(feeKey));
  const charges = fees.flatMap((row) => feeCharges(row, reading, offset.has(feeKey(row)) ? null : covered));
  await write(file, charges.map(lineOf).join(''));
  for await (const charge of covered.charges()) await write(file, lineOf(charge));
  return lineItems;
}

/** Returns the charges of a non-fee row, except those that wait for the fees. */
async function chargeLines(row: TextRow, reading: Reading, covered: CoveredUsage): Promise<string[]> {
  const lines: string[] = [];
  for (const charge of chargesOf(row, reading)) {
    if (isPaidByFee(charge, row)) await covered.add(charge);
    else lines.push(lineOf(charge));
  }
  return lines;
}

function refuseUnreadable(row: TextRow, month: string): void {
  const count = Number(row['unreadable'] ?? 0);
  if (count === 0) return;
  const where = [row['service_name'], row['sku_text'], row['project_id'], row['day']].filter(Boolean).join(', ');
  throw invalid`Invoice month ${month}: ${count} ${count === 1 ? 'line has' : 'lines have'} no cost, currency, category or time (${where || 'no further details'}); the previous figures are kept`;
}

async function write(file: fs.WriteStream, text: string): Promise<void> {
  if (text !== '' && !file.write(text)) await once(file, 'drain');
}

function lineOf(charge: Charge): string {
  return csvLine(chargeColumns.map((column) => charge[column]));
}

/** After any export. */
const lastDay = '2200-01-01';

/** Returns the query that sums an invoice month's lines by day and all group keys. It covers exactly the listed lines, without
 *  later ones. */
export function chargesQuery(state: TableState, month: MonthState, location: string): Query {
  const { keys, sums, unreadable, month: invoiceMonth, exportedAt } = linesOf(state);
  const { newest } = monthToken(month);
  const { partition } = state;
  const conditions = [
    `${invoiceMonth} = @month`,
    ...(partition !== null
      ? [`(DATE(${partition}) BETWEEN CAST(@first AS DATE) AND CAST(@last AS DATE) OR ${partition} IS NULL)`]
      : []),
    ...(exportedAt !== null && newest !== ''
      ? [`(${exportedAt} <= TIMESTAMP_MICROS(CAST(@newest AS INT64)) OR ${exportedAt} IS NULL)`]
      : []),
  ];
  const inner = Object.entries({ ...keys, ...sums }).map(([name, sql]) => `${sql} AS ${name}`);
  const outer = [
    ...Object.keys(keys),
    ...Object.keys(sums).map((name) => `CAST(SUM(${name}) AS STRING) AS ${name}`),
    'CAST(SUM(unreadable) AS STRING) AS unreadable',
    'CAST(COUNT(*) AS STRING) AS line_items',
  ];
  const sql = `WITH charges AS (
  SELECT ${inner.join(',\n    ')},
    CASE WHEN ${unreadable} THEN 1 ELSE 0 END AS unreadable
  FROM \`${nameOf(state.ref)}\` WHERE ${conditions.join(' AND ')}
)
SELECT ${outer.join(', ')} FROM charges GROUP BY ${Object.keys(keys).join(', ')}`;
  const isUsed = (name: string) => new RegExp(`@${name}\\b`).test(sql);
  const params = Object.entries({
    month: month.month,
    first: month.first ?? firstDay,
    last: month.last ?? lastDay,
    newest,
  });
  return {
    sql,
    params: Object.fromEntries(params.filter(([name]) => isUsed(name))),
    location,
  };
}

/** Returns the query that detects whether a FOCUS table's costs include credits: sums over lines with credits. */
export function creditsQuery(state: TableState, location: string): Query {
  const { sums } = linesOf(state);
  const { partition } = state;
  const where = partition === null ? '' : ` WHERE (DATE(${partition}) >= CAST(@first AS DATE) OR ${partition} IS NULL)`;
  const inner = ['billed', 'effective', 'contracted', 'credits'].map((name) => `${sums[name] ?? '0'} AS ${name}`);
  const outer = ['billed', 'effective', 'contracted', 'credits'].map(
    (name) => `CAST(SUM(${name}) AS STRING) AS ${name}`,
  );
  return {
    sql: `WITH charges AS (SELECT ${inner.join(', ')} FROM \`${nameOf(state.ref)}\`${where})
SELECT ${outer.join(', ')} FROM charges WHERE credits <> 0`,
    params: where === '' ? {} : { first: firstDay },
    location,
  };
}
