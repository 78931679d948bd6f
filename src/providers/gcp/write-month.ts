import fs from 'node:fs';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { invalid } from '../../kit/errors.ts';
import { type Charge, chargeColumns } from './charge-columns.ts';
import { chargesOf, feeCharge, feeKey, hasOffset, isFee, type Reading } from './charge.ts';
import type { TextRow } from './query.ts';

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
  try {
    const lineItems = await writeRows(file, pages, reading);
    file.end();
    await written;
    return lineItems;
  } catch (error) {
    file.destroy();
    throw error;
  }
}

async function writeRows(
  file: fs.WriteStream,
  pages: AsyncIterable<readonly TextRow[]>,
  reading: Reading,
): Promise<number> {
  let lineItems = 0;
  // Whether a fee is of the newer model shows in any of its days. They are few: one for each commitment and day.
  const fees: TextRow[] = [];
  await write(file, `${chargeColumns.join(',')}\n`);
  for await (const page of pages) {
    const lines: string[] = [];
    for (const row of page) {
      refuseUnreadable(row, reading.month);
      lineItems += Number(row['line_items'] ?? 0);
      if (isFee(row)) fees.push(row);
      else lines.push(...chargesOf(row, reading).map(csvLine));
    }
    await write(file, lines.join(''));
  }
  const offset = new Set(fees.filter(hasOffset).map(feeKey));
  await write(file, fees.map((row) => csvLine(feeCharge(row, reading, offset.has(feeKey(row))))).join(''));
  return lineItems;
}

function refuseUnreadable(row: TextRow, month: string): void {
  const count = Number(row['unreadable'] ?? 0);
  if (count === 0) return;
  const where = [row['service_name'], row['sku_text'], row['project_id'], row['day']].filter(Boolean).join(', ');
  throw invalid(
    `Invoice month ${month}: ${count} ${count === 1 ? 'line has' : 'lines have'} no cost, currency, category or time (${where || 'nothing else is known of them'}); the figures before stay`,
  );
}

async function write(file: fs.WriteStream, text: string): Promise<void> {
  if (text !== '' && !file.write(text)) await once(file, 'drain');
}

function csvLine(charge: Charge): string {
  return `${chargeColumns.map((column) => csvField(charge[column])).join(',')}\n`;
}

function csvField(value: string): string {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
