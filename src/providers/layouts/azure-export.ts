import { invalid } from '../../kit/errors.ts';
import type { SourceFile } from '../contract.ts';
import { type AzureRun, abovePeriod, parseAzureManifest } from './azure-manifest.ts';
import { formatOf } from './format.ts';
import type { LayoutPlan, ListedFile, ReadText } from './listing.ts';
import { Listing, checkSize, folderOf, readManifest, sourceFile } from './manifest.ts';

/** Reads Azure Cost Management export trees. Folder orders differ by the export's age and settings, so only what the
 *  manifests say counts: of each scope and span of days the newest run, because the others hold the same charges.
 *  @throws {AppError} VALIDATION_ERROR when a part is missing or cut, or runs overlap so that no choice is right. */
export async function planAzureExports(listing: readonly ListedFile[], readText: ReadText): Promise<LayoutPlan> {
  const runs: AzureRun[] = [];
  for (const file of listing) {
    if (!/(^|\/)manifest\.json$/i.test(file.key)) continue;
    const run = parseAzureManifest(await readManifest(file, readText), file);
    if (run) runs.push(run);
  }
  const index = new Listing(listing);
  const claimed = claim(listing, runs, index);
  return { files: newestRuns(focusRuns(runs)).flatMap((run) => filesOf(run, index)), claimed };
}

/** Exports of other kinds may share the container; they repeat the same charges in other columns. */
function focusRuns(runs: readonly AzureRun[]): AzureRun[] {
  const focus = runs.filter((run) => run.type === null || /^focus/i.test(run.type));
  const [other] = runs;
  if (focus.length === 0 && other) {
    throw invalid(
      `Manifest "${other.file.key}" is of an export of type ${other.type}: create one of type "Cost and usage details (FOCUS)"`,
    );
  }
  return focus;
}

/** Newest first, leaving out every run whose days a newer one of the same scope already holds. */
function newestRuns(runs: readonly AzureRun[]): AzureRun[] {
  const kept: AzureRun[] = [];
  const newestFirst = runs.toSorted(
    (a, b) => b.submittedAt.getTime() - a.submittedAt.getTime() || (a.file.key < b.file.key ? -1 : 1),
  );
  for (const run of newestFirst) {
    const rivals = kept.filter((other) => other.subject === run.subject && overlaps(other, run));
    const [rival] = rivals;
    if (!rival) kept.push(run);
    else if (!rivals.some((other) => replaces(other, run))) throw overlapping(rival, run);
  }
  return kept;
}

function overlaps(a: AzureRun, b: AzureRun): boolean {
  // Without days, the run's own folder is all there is to go by: two runs side by side are the same snapshot, remade.
  if (!a.days || !b.days) return true;
  return a.days.first <= b.days.last && b.days.first <= a.days.last;
}

/** A newer run stands for an older one when it starts on the same day (month to date grows) or covers all its days. */
function replaces(newer: AzureRun, older: AzureRun): boolean {
  if (!newer.days || !older.days || newer.days.first === older.days.first) return true;
  return newer.days.first <= older.days.first && older.days.last <= newer.days.last;
}

function overlapping(newer: AzureRun, older: AzureRun): Error {
  const span = (run: AzureRun): string => `"${run.file.key}" (${run.days?.first} to ${run.days?.last})`;
  return invalid(
    `Runs ${span(newer)} and ${span(older)} of one scope overlap without one covering the other, so some days would count twice: ` +
      'export whole months, and remove one of the two',
  );
}

/** Everything that lies in a run's folder or period folder belongs to the export; what no manifest names there is of a
 *  run that is still being written, or was replaced. */
function claim(listing: readonly ListedFile[], runs: readonly AzureRun[], index: Listing): Set<string> {
  const folders = new Set(
    runs.flatMap((run) => [folderOf(run.file.key), abovePeriod(run.file.key)?.folder ?? []].flat()),
  );
  const roots = new Set(runs.flatMap((run) => abovePeriod(run.file.key)?.root ?? []));
  const claimed = new Set(runs.flatMap((run) => run.blobs.flatMap((blob) => locate(run, blob.name, index)?.key ?? [])));
  for (const run of runs) claimed.add(run.file.key);
  for (const { key } of listing) {
    const period = abovePeriod(key);
    if (folders.has(folderOf(key)) || (period && folders.has(period.folder))) claimed.add(key);
    else if (period && roots.has(period.root) && formatOf(key) && !claimed.has(key)) {
      throw invalid(
        `File "${key}" is of a period that has no manifest.json: Azure writes it last; wait for the run to end, or copy its manifest too`,
      );
    }
  }
  return claimed;
}

function filesOf(run: AzureRun, index: Listing): SourceFile[] {
  return run.blobs.map((blob) => {
    const found = locate(run, blob.name, index);
    if (!found)
      throw invalid(`File "${blob.name}", named by manifest "${run.file.key}", is missing: copy the run again`);
    checkSize(found, blob.byteCount, run.file.key);
    return sourceFile(found, { month: monthOf(run), snapshotAt: run.submittedAt, expectedRows: blob.rowCount });
  });
}

/** The run's billing month; null when it spans several, or does not say. */
function monthOf({ days }: AzureRun): string | null {
  return days && days.first.slice(0, 7) === days.last.slice(0, 7) ? days.first.slice(0, 7) : null;
}

/** Blob names are relative to the container, which the listing may start anywhere under: look beside the manifest's own
 *  ancestors only, so that a copy of another export with equal names is never taken for this one. */
function locate(run: AzureRun, blobName: string, index: Listing): ListedFile | null {
  const bases: string[] = [];
  for (let folder = folderOf(run.file.key); folder !== ''; folder = folderOf(folder.slice(0, -1))) bases.push(folder);
  return index.findTail(blobName, [...bases, '']);
}
