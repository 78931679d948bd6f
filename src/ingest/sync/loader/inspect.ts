import { billingMonth } from './columns.ts';
import type { Duck } from './duck.ts';
import { readLayout } from './headers.ts';
import { describeReadError, locateFault } from './locate.ts';
import type { LoaderFile } from './protocol.ts';

/** The billing months of a file, from that one column.
 *  @param lenient pass over bad rows, and answer null where the file cannot be read at all
 *  @throws {Refusal} naming the file, row and column, unless lenient */
export async function inspectMonths(
  duck: Duck,
  file: LoaderFile,
  lenient: boolean,
): Promise<{ months: string[] | null }> {
  try {
    const layout = await readLayout(duck, file);
    const month = `strftime(${billingMonth(layout.columns, lenient)}, '%Y-%m')`;
    const rows = await duck
      .rows(`SELECT DISTINCT ${month} AS month FROM ${layout.from([file.path])} ORDER BY 1`)
      .catch(async (error: unknown) => {
        throw (await locateFault(duck, file, layout)) ?? describeReadError(file, error);
      });
    return { months: rows.flatMap((row) => row['month'] ?? []) };
  } catch (error) {
    if (lenient) return { months: null };
    throw error;
  }
}
