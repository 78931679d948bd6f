import { arg, fix, invalid } from '../../../kit/errors.ts';
import { explain } from '../explain.ts';
import type { DatasetRef } from '../identifiers.ts';
import type { GoogleSession } from '../session.ts';
import { isMissing, listExports, readTable, type TableState } from './table.ts';

/** Which export of a dataset is asked for. */
export interface ExportChoice {
  readonly dataset: DatasetRef;
  /** The settings' own; null: the best one in the dataset. */
  readonly table: string | null;
  /** What the last listing read, so that no look at the dataset is needed. */
  readonly lastTable: string | null;
  readonly location: string;
}

/** Finds the export and looks at it.
 *  @throws {AppError} VALIDATION_ERROR naming dataset, table, location or permission
 *  @throws {TryLater} */
export async function openTable(
  session: GoogleSession,
  choice: ExportChoice,
  signal: AbortSignal,
): Promise<TableState> {
  const { dataset, location } = choice;
  let table = choice.table ?? choice.lastTable;
  const place = () => ({ session, dataset, table, location });
  try {
    table ??= await bestTable(session, dataset, signal);
    const state = await readTable(session, { ...dataset, table }, signal).catch(async (error: unknown) => {
      // The export may have been made anew under another billing account.
      if (choice.table !== null || !isMissing(error)) throw error;
      table = await bestTable(session, dataset, signal);
      return readTable(session, { ...dataset, table }, signal);
    });
    checkLocation(state, location);
    return state;
  } catch (error) {
    throw explain(error, place());
  }
}

function checkLocation({ location, ref }: TableState, expected: string): void {
  if (location === '' || location.toLowerCase() === expected.toLowerCase()) return;
  throw invalid`${arg('settings.location', expected)} is not the location of dataset ${ref.project}.${ref.dataset}, which is in ${location}: BigQuery reads it from there alone`;
}

async function bestTable(session: GoogleSession, dataset: DatasetRef, signal: AbortSignal): Promise<string> {
  const exports = await listExports(session, dataset, signal);
  const [first] = exports;
  const name = `${dataset.project}.${dataset.dataset}`;
  if (first === undefined)
    throw invalid`${arg('settings.dataset')} names BigQuery dataset ${name}, which has no billing export${fix}turn on the detailed usage cost export in Cloud Billing (it takes up to a day until its table is there), or set it to where the export is`;
  const alike = exports.filter(({ kind }) => kind === first.kind);
  if (alike.length > 1)
    throw invalid`${arg('settings.table')} is required because BigQuery dataset ${name} has exports of several billing accounts${fix}set it to one of ${alike.map(({ table }) => table).join(', ')}, and connect the others as accounts of their own`;
  return first.table;
}
