import { literal } from '../../../engine/sql.ts';
import { billingMonth } from './columns.ts';
import type { Duck } from './duck.ts';
import { verifyGzip } from './gzip.ts';
import { readLayout } from './headers.ts';
import type { Layout } from './layout.ts';
import { describeReadError, locateFault } from './locate.ts';
import type { LoaderFile } from './protocol.ts';

/** The billing months of a file, from that one column.
 *  @throws {Refusal} naming the file, row and column */
export async function inspectMonths(duck: Duck, file: LoaderFile): Promise<string[]> {
  const layout = await readLayout(duck, file);
  const only = await onlyMonth(duck, file, layout);
  if (only) return [only];
  const rows = await duck
    .rows(distinctMonths(billingMonth(layout.columns, false), layout.from([file.path])))
    .catch(async (error: unknown) => {
      throw (await locateFault(duck, file, layout)) ?? describeReadError(file, error);
    });
  return rows.flatMap((row) => row['month'] ?? []);
}

/** The month of a Parquet file whose own statistics say that it holds no other: its rows need not be read for that. */
async function onlyMonth(duck: Duck, file: LoaderFile, { own }: Layout): Promise<string | null> {
  const column = own.month;
  // What has a time zone is written in local time, and text may be cut short.
  if (file.format !== 'parquet' || (column?.type !== 'TIMESTAMP' && column?.type !== 'DATE')) return null;
  const month = (value: string) => `strftime(try_cast(${value} AS TIMESTAMP), '%Y-%m')`;
  const [row] =
    await duck.rows(`SELECT min(${month('stats_min_value')}) AS first, max(${month('stats_max_value')}) AS last,
    bool_and(coalesce(stats_null_count = 0 AND stats_min_value IS NOT NULL AND stats_max_value IS NOT NULL, false)) AS known
    FROM parquet_metadata(${literal(file.path)}) WHERE path_in_schema = ${literal(column.name)}`);
  return row?.['known'] === 'true' && row['first'] === row['last'] ? (row['first'] ?? null) : null;
}

/** The billing months that the rows of a broken file show, as far as they can be read. */
export async function guessMonths(duck: Duck, file: LoaderFile): Promise<{ months: string[]; isComplete: boolean }> {
  try {
    if (file.format === 'csv.gz') await verifyGzip(file);
    const layout = await readLayout(duck, file);
    const rows = await duck.rows(distinctMonths(billingMonth(layout.columns, true), layout.from([file.path])));
    const months = rows.flatMap((row) => row['month'] ?? []);
    return { months, isComplete: months.length === rows.length };
  } catch {
    return { months: [], isComplete: false };
  }
}

function distinctMonths(month: string, from: string): string {
  return `SELECT DISTINCT strftime(${month}, '%Y-%m') AS month FROM ${from} ORDER BY 1`;
}
