import { readFileSync } from 'node:fs';
import type { z } from 'zod';

/** Reads a table of the sample: tab-separated, with a header; trailing empty cells are omitted.
 *  @throws {Error} if a cell is invalid */
export function readTable<Row extends z.ZodObject>(table: URL, row: Row): z.output<Row>[] {
  const lines = readFileSync(table, 'utf8').split('\n').filter(Boolean);
  const [header = [], ...rows] = lines.map((line) => line.split('\t'));
  return rows.map((cells) => row.parse(Object.fromEntries(header.map((column, at) => [column, cells[at] ?? '']))));
}

/** Returns the entry that a cell names.
 *  @throws {Error} if it is unknown */
export function entryOf<Value>(values: Readonly<Record<string, Value>>, name: string): Value {
  const value = values[name];
  if (value === undefined) throw new Error(`"${name}" is not one of ${Object.keys(values).join(', ')}`);
  return value;
}
