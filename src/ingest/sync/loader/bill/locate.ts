import { literal } from '../../../../engine/sql.ts';
import type { Duck } from '../duck.ts';
import { isTextType } from './columns.ts';
import type { Layout } from './layout.ts';
import { tagForm, tagsText } from './line-items.ts';
import type { LoaderFile } from '../protocol.ts';
import { isLongSum, longSum, Refusal, shown, type UnreadableTags } from '../refusal.ts';
import { withoutForm } from '../month/tags.ts';

/** Finds the first invalid row of a file and describes the error. Run it only after a failure, because numbering the rows takes
 *  a second, ordered pass.
 *  @returns null when every row of this file is valid */
export async function locateFault(
  duck: Duck,
  file: LoaderFile,
  layout: { readonly own: Pick<Layout['own'], 'from' | 'headerRows' | 'checks'> },
): Promise<Refusal | null> {
  const { checks } = layout.own;
  const fault = checks.map((check, index) => `WHEN ${check.bad} THEN ${index}`).join('\n');
  const value = checks.map((check, index) => `WHEN ${index} THEN (${check.value})::VARCHAR`).join('\n');
  const sql = `
    SELECT "row", fault, CASE fault ${value} END AS value FROM (
      SELECT *, CASE ${fault} END AS fault, row_number() OVER () AS "row" FROM ${layout.own.from([file.path])}
    ) WHERE fault IS NOT NULL ORDER BY "row" LIMIT 1`;
  try {
    const [found] = await duck.rows(sql);
    const check = checks[Number(found?.['fault'])];
    if (!found || !check) return null;
    const row = layout.own.headerRows + Number(found['row']);
    const given = found['value'] ?? null;
    const says = given === null ? `no value; expected ${check.expected}` : `${shown(given)} is not ${check.expected}`;
    return new Refusal(`${file.name}, row ${row}, column ${check.column}: ${says}`);
  } catch (error) {
    return describeReadError(file, error);
  }
}

/** Finds the first row of a file with these tags. */
export async function locateTags(
  duck: Duck,
  file: LoaderFile,
  layout: Layout,
  { raw, reason, cause }: UnreadableTags,
): Promise<Refusal> {
  const { from, headerRows, tags } = layout.own;
  const text = tagsText(tags.sql, literal(tagForm(layout)));
  const numbered = `SELECT row_number() OVER () AS "row", ${text} AS tags FROM ${from([file.path])}`;
  const row = await duck.value(`SELECT min("row") FROM (${numbered}) WHERE tags = ${literal(raw)}`);
  const where = `${file.name}, row ${headerRows + Number(row)}, column ${tags.column}: ${shown(withoutForm(raw))}`;
  const type = layout.columns.get(tags.column.toLowerCase())?.type ?? 'VARCHAR';
  const says = isTextType(type)
    ? reason
    : `is not a set of tags: the column has the type ${shown(type)}; deliver it as a map, a struct, or JSON text`;
  return new Refusal(`${where} ${says}`, { cause });
}

/** DuckDB's messages for a file that is not CSV, and ours. */
const known: readonly (readonly [RegExp, string])[] = [
  [/unterminated quote/, 'has an unclosed quote, or text after a closing quote'],
  [/invalid state/, 'is not valid CSV (RFC 4180): mixed line endings, or an unclosed quote'],
  [/Maximum line size/, 'is longer than 2,000,000 bytes'],
  [/unicode|utf-?8/i, 'is not UTF-8 text'],
];

/** Converts a DuckDB read error into a message for the file's owner. */
export function describeReadError(file: LoaderFile, error: unknown): Refusal {
  if (isLongSum(error)) return longSum([{ file }], error);
  const message = error instanceof Error ? error.message : String(error);
  const line = /CSV Error on Line: (\d+)/.exec(message)?.[1];
  const columns = /Expected Number of Columns: (\d+) Found: (\d+)/.exec(message);
  const reason = columns
    ? `has ${columns[2]} ${columns[2] === '1' ? 'column' : 'columns'} where the header has ${columns[1]}`
    : (known.find(([pattern]) => pattern.test(message))?.[1] ??
      (file.format === 'parquet' ? 'is damaged, or not valid Parquet' : 'is not valid CSV (RFC 4180)'));
  return new Refusal(`${file.name}${line ? `, row ${line}` : ''}: ${reason}; replace it with an intact file`, {
    cause: error,
  });
}
