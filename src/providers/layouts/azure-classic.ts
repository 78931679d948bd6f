import { type AppError, fix, invalid } from '../../kit/errors/errors.ts';
import { addDays, monthsIn, parseDay } from '../../kit/time/period.ts';
import type { Conflict } from '../contract.ts';
import type { ListedFile } from './listing.ts';

// Classic exports of Azure Cost Management write no manifest, but a new file with the whole month to date each day:
// `export/20260401-20260430/export_<guid>.csv`. Only the newest counts, as in Microsoft's FinOps toolkit.

/** Folder and name of a file of a classic export, without the GUID of its run. */
const classicFile = /^((?:.*\/)?(\d{8})-(\d{8})\/[^/]+)_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.csv(?:\.gz)?$/i;

/** Files of a listing, without those that newer runs of a classic export replace. */
interface CurrentFiles {
  readonly files: readonly ListedFile[];
  /** Runs whose times do not show which is the newest. */
  readonly conflicts: readonly Conflict[];
}

/** Leaves out the files that newer runs of a classic export replace; other files stay.
 *  @param isCopy whether modification times may be those of a copy: then the newest file must also be the largest, because a
 *    month to date grows */
export function withoutSuperseded(listing: readonly ListedFile[], isCopy: boolean): CurrentFiles {
  const exports = Map.groupBy(listing, ({ key }) => (monthsOf(key).length > 0 && classicFile.exec(key)?.[1]) || key);
  const files: ListedFile[] = [];
  const conflicts: Conflict[] = [];
  for (const runs of exports.values()) {
    const [newest, ...older] = runs.toSorted((a, b) => Number(b.modifiedAt) - Number(a.modifiedAt));
    if (!newest) continue;
    const rival = older.find(
      ({ modifiedAt, sizeBytes }) =>
        Number(modifiedAt) === Number(newest.modifiedAt) || (isCopy && sizeBytes > newest.sizeBytes),
    );
    if (!rival) files.push(newest);
    else {
      const { statement } = ambiguous(newest, rival);
      conflicts.push({ keys: runs.map(({ key }) => key), months: monthsOf(newest.key), statement });
    }
  }
  return { files, conflicts };
}

/** Returns the months of the period that a classic export's folder names; none for any other file. */
function monthsOf(key: string): string[] {
  const [, , first = '', last = ''] = classicFile.exec(key) ?? [];
  const [start, end] = [first, last].map((text) => parseDay(text.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3')));
  return start && end && start <= end ? monthsIn({ start, end: addDays(end, 1) }) : [];
}

function ambiguous(newest: ListedFile, rival: ListedFile): AppError {
  return invalid`Files "${newest.key}" and "${rival.key}" are runs of one Azure export, and their times do not show which is newer${fix}keep the newest run only, or copy the files with their modification times`;
}
