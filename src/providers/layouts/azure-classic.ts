import { fix, invalid } from '../../kit/errors/errors.ts';
import type { ListedFile } from './listing.ts';

// Classic exports of Azure Cost Management write no manifest, but a new file with the whole month to date each day:
// `export/20260401-20260430/export_<guid>.csv`. Only the newest counts, as in Microsoft's FinOps toolkit.

/** Folder and name of a file of a classic export, without the GUID of its run. */
const classicFile = /^((?:.*\/)?\d{8}-\d{8}\/[^/]+)_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.csv(?:\.gz)?$/i;

/** Leaves out the files that newer runs of a classic export replace; other files stay.
 *  @param isCopy whether modification times may be those of a copy: then the newest file must also be the largest, because a
 *    month to date grows
 *  @throws {AppError} VALIDATION_ERROR when the times do not say which file is the newest */
export function withoutSuperseded(files: readonly ListedFile[], isCopy: boolean): ListedFile[] {
  const exports = Map.groupBy(files, ({ key }) => classicFile.exec(key)?.[1] ?? key);
  return [...exports.values()].flatMap((runs) => newestOf(runs, isCopy));
}

function newestOf(runs: readonly ListedFile[], isCopy: boolean): readonly ListedFile[] {
  const [newest, ...older] = runs.toSorted((a, b) => Number(b.modifiedAt) - Number(a.modifiedAt));
  if (!newest || older.length === 0) return runs;
  const rival = older.find(
    ({ modifiedAt, sizeBytes }) =>
      Number(modifiedAt) === Number(newest.modifiedAt) || (isCopy && sizeBytes > newest.sizeBytes),
  );
  if (rival)
    throw invalid`Files "${newest.key}" and "${rival.key}" are runs of one Azure export, and their times do not say which is newer${fix}keep the newest run only, or copy the files with their modification times`;
  return [newest];
}
