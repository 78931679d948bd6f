import type { Row } from '../document.ts';

/** Rows in bunches, so that a writer hands over no text of a single row.
 *  @param size rows of every bunch but the last */
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
