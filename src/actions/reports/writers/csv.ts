import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { csvText, inertCell } from '../../../kit/spreadsheet.ts';
import type { ReportDocument, Section } from '../document.ts';
import { bunches } from './text.ts';

/** Writes a document's main table as CSV (RFC 4180) in UTF-8, with the keys of its columns as header. Numbers are plain
 *  decimals with a point; where there is no value, a cell is empty; no cell runs as a formula. */
export async function writeCsv(document: ReportDocument, out: Writable): Promise<void> {
  await pipeline(Readable.from(lines(document)), out);
}

async function* lines({ sections: [main] }: ReportDocument): AsyncGenerator<string> {
  if (!main) throw new Error('A document has at least one table');
  const borrowed = borrowedCurrency(main);
  const last = borrowed === null ? [] : [borrowed];
  // Money is rounded to 6 decimals, and so never has an exponent.
  yield csvText([[...main.columns.map(({ key }) => key), ...last.map(() => 'currency')]]);
  for await (const rows of bunches(main.rows))
    yield csvText(
      rows.map((row) => [...row, ...last].map((value) => (typeof value === 'string' ? inertCell(value) : value))),
    );
}

/** The currency of a table whose rows do not name it, so that no amount stands alone. */
function borrowedCurrency({ columns }: Section): string | null {
  if (columns.some(({ key }) => key === 'currency')) return null;
  return columns.find(({ type, currency }) => type === 'money' && currency)?.currency ?? null;
}
