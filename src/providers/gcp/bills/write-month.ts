import fs from 'node:fs';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { csvLine } from '../../../kit/csv.ts';
import { invalid } from '../../../kit/errors.ts';
import { type Charge, chargeColumns } from './charge-columns.ts';
import { CoveredUsage } from './amortize.ts';
import { chargesOf, feeCharges, feeKey, hasOffset, isFee, isPaidByFee, type Reading } from './charge.ts';
import type { TextRow } from '../query.ts';

/** Writes the charges of a month as a FOCUS file, page by page.
 *  @param path of a file that is not there yet
 *  @param pages rows of `chargesQuery`
 *  @returns the lines of the export that they stand for
 *  @throws {AppError} VALIDATION_ERROR when a line cannot be counted */
export async function writeMonth(
  path: string,
  pages: AsyncIterable<readonly TextRow[]>,
  reading: Reading,
): Promise<number> {
  const file = fs.createWriteStream(path, { flags: 'wx', mode: 0o600 });
  // Waited for below; without a listener of its own a failure in between would end the process.
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
  // Whether a fee is of the newer model shows in any of its days. They are few: one for each commitment and day.
  const fees: TextRow[] = [];
  await write(file, csvLine(chargeColumns));
  for await (const page of pages) {
    const lines: string[] = [];
    for (const row of page) {
      refuseUnreadable(row, reading.month);
      lineItems += Number(row['line_items'] ?? 0);
      if (isFee(row)) fees.push(row);
      else lines.push(...(await linesOf(row, reading, covered)));
    }
    await write(file, lines.join(''));
  }
  const offset = new Set(fees.filter(hasOffset).map(feeKey));
  const charges = fees.flatMap((row) => feeCharges(row, reading, offset.has(feeKey(row)) ? null : covered));
  await write(file, charges.map(lineOf).join(''));
  for await (const charge of covered.charges()) await write(file, lineOf(charge));
  return lineItems;
}

/** The charges of a row that is no fee, but for those that wait for the fees. */
async function linesOf(row: TextRow, reading: Reading, covered: CoveredUsage): Promise<string[]> {
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
  throw invalid`Invoice month ${month}: ${count} ${count === 1 ? 'line has' : 'lines have'} no cost, currency, category or time (${where || 'nothing else is known of them'}); the figures before stay`;
}

async function write(file: fs.WriteStream, text: string): Promise<void> {
  if (text !== '' && !file.write(text)) await once(file, 'drain');
}

function lineOf(charge: Charge): string {
  return csvLine(chargeColumns.map((column) => charge[column]));
}
