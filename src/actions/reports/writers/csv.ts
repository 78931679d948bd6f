import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { csvText, inertCell } from '../../../kit/spreadsheet.ts';
import { substituteOf, type Column, type ReportDocument, type Section, type Value } from '../document.ts';
import { bunches } from './text.ts';

/** Writes a document's main table as CSV (RFC 4180) in UTF-8, with the keys of its columns as header. Numbers are plain
 *  decimals with a point; a missing value is what its column says, or an empty cell; no cell runs as a formula. */
export async function writeCsv(document: ReportDocument, out: Writable): Promise<void> {
  await pipeline(Readable.from(lines(document)), out);
}

async function* lines({ sections: [main] }: ReportDocument): AsyncGenerator<string> {
  if (!main) throw new Error('A document has at least one table');
  const { columns } = main;
  const borrowed = borrowedCurrency(main);
  const last = borrowed === null ? [] : [borrowed];
  // Money is rounded to 6 decimals, and so never has an exponent.
  yield csvText([[...columns.map(({ key }) => key), ...last.map(() => 'currency')]]);
  for await (const rows of bunches(main.rows))
    yield csvText(rows.map((row) => [...columns.map((column, index) => cell(column, row[index] ?? null)), ...last]));
}

function cell(column: Column, value: Value): Value {
  const shown = substituteOf(column, value) ?? value;
  return typeof shown === 'string' ? inertCell(shown) : shown;
}

/** The currency of a table whose rows do not name it, so that no amount stands alone. */
function borrowedCurrency({ columns }: Section): string | null {
  if (columns.some(({ key }) => key === 'currency')) return null;
  return columns.find(({ type, currency }) => type === 'money' && currency)?.currency ?? null;
}
