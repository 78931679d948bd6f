import { parseCsv } from '../../../kit/text/csv-parse.ts';
import type { Row } from './rows.ts';

/** Keeps the header and the lines of some rows of the table's CSV. */
export function csvOf(rows: readonly Pick<Row, 'keys'>[], text: string): string {
  const [head, ...lines] = (parseCsv(text) ?? []).map(({ cells }) => cells);
  if (!head) return text;
  const columns = (rows[0]?.keys ?? []).map(({ dimension }) =>
    head.findIndex((name) => name === dimension || name === `${dimension}_id`),
  );
  // Cells have the value, or its name if it is an enum, a provider or missing.
  const wanted = new Set(rows.flatMap(({ keys }) => spellings(keys.map(({ value, label }) => [value ?? '', label]))));
  const isWanted = (cells: readonly string[]) =>
    wanted.has(JSON.stringify(columns.map((at) => (cells[at] ?? '').replace(/^'(?=[=+\-@])/, ''))));
  return [head, ...lines.filter(isWanted)].map((cells) => `${cells.map(quoted).join(',')}\r\n`).join('');
}

/** All combinations of one spelling per key. */
function spellings(keys: readonly (readonly string[])[]): string[] {
  const lists = keys.reduce<string[][]>(
    (starts, key) => starts.flatMap((start) => key.map((spelling) => [...start, spelling])),
    [[]],
  );
  return lists.map((list) => JSON.stringify(list));
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
