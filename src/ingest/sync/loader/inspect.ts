import { billingMonth } from './columns.ts';
import type { Duck } from './duck.ts';
import { verifyGzip } from './gzip.ts';
import { readLayout } from './headers.ts';
import { describeReadError, locateFault } from './locate.ts';
import type { LoaderFile } from './protocol.ts';

/** The billing months of a file, from that one column.
 *  @throws {Refusal} naming the file, row and column */
export async function inspectMonths(duck: Duck, file: LoaderFile): Promise<string[]> {
  const layout = await readLayout(duck, file);
  const rows = await duck
    .rows(distinctMonths(billingMonth(layout.columns, false), layout.from([file.path])))
    .catch(async (error: unknown) => {
      throw (await locateFault(duck, file, layout)) ?? describeReadError(file, error);
    });
  return rows.flatMap((row) => row['month'] ?? []);
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
