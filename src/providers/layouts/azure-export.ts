import { fix, invalid } from '../../kit/errors.ts';
import type { SourceFile } from '../contract.ts';
import { type AzureRun, abovePeriod, parseAzureManifest } from './azure-manifest.ts';
import { type ChosenRun, chooseRuns, monthOf } from './azure-runs.ts';
import { formatOf } from './format.ts';
import type { ListedFile, LivePlan, ReadText, Unfinished } from './listing.ts';
import { Listing, checkSize, folderOf, readManifest, sourceFile } from './manifest.ts';

/** Reads Azure Cost Management export trees. Folder orders differ by the export's age and settings, so only what the
 *  manifests say counts: of each scope and span of days the newest run, because the others hold the same charges.
 *  @throws {AppError} VALIDATION_ERROR when a part is missing or cut, or runs overlap so that no choice is right. */
export async function planAzureExports(
  listing: readonly ListedFile[],
  readText: ReadText,
  unfinished: Unfinished = 'refuse',
): Promise<LivePlan> {
  const runs: AzureRun[] = [];
  for (const file of listing) {
    if (!/(^|\/)manifest\.json$/i.test(file.key)) continue;
    const run = parseAzureManifest(await readManifest(file, readText), file);
    if (run) runs.push(run);
  }
  const index = new Listing(listing);
  const { claimed, awaited } = claim(listing, runs, index);
  const [first] = awaited;
  if (first !== undefined && unfinished === 'refuse') {
    throw invalid`File "${first}" is of a period that has no manifest.json: Azure writes it last${fix}wait for the run to end, or copy its manifest too`;
  }
  return {
    files: chooseRuns(runs).flatMap((chosen) => filesOf(chosen, index)),
    claimed,
    warnings: [...new Set(awaited.flatMap((key) => abovePeriod(key)?.folder ?? []))].map(
      (folder) => `Run "${folder}" has no manifest.json yet: Azure writes it last, and the next sync reads it`,
    ),
  };
}

/** Everything that lies in a run's folder or period folder belongs to the export; what no manifest names there is of a
 *  run that is still being written, or was replaced. Periods without any manifest are awaited. */
function claim(
  listing: readonly ListedFile[],
  runs: readonly AzureRun[],
  index: Listing,
): { claimed: Set<string>; awaited: string[] } {
  const folders = new Set(
    runs.flatMap((run) => [folderOf(run.file.key), abovePeriod(run.file.key)?.folder ?? []].flat()),
  );
  const roots = new Set(runs.flatMap((run) => abovePeriod(run.file.key)?.root ?? []));
  const claimed = new Set(runs.flatMap((run) => run.blobs.flatMap((blob) => locate(run, blob.name, index)?.key ?? [])));
  const awaited: string[] = [];
  for (const run of runs) claimed.add(run.file.key);
  for (const { key } of listing) {
    const period = abovePeriod(key);
    if (folders.has(folderOf(key)) || (period && folders.has(period.folder))) claimed.add(key);
    else if (period && roots.has(period.root) && formatOf(key) && !claimed.has(key)) awaited.push(key);
  }
  for (const key of awaited) claimed.add(key);
  return { claimed, awaited };
}

function filesOf({ run, speaksFor }: ChosenRun, index: Listing): SourceFile[] {
  return run.blobs.map((blob) => {
    const found = locate(run, blob.name, index);
    if (!found)
      throw invalid`File "${blob.name}", named by manifest "${run.file.key}", is missing${fix}copy the run again`;
    checkSize(found, blob.byteCount, run.file.key);
    return sourceFile(found, {
      month: monthOf(run),
      snapshotAt: run.submittedAt,
      expectedRows: blob.rowCount,
      speaksFor,
    });
  });
}

/** Blob names are relative to the container, which the listing may start anywhere under: look beside the manifest's own
 *  ancestors only, so that a copy of another export with equal names is never taken for this one. */
function locate(run: AzureRun, blobName: string, index: Listing): ListedFile | null {
  const bases: string[] = [];
  for (let folder = folderOf(run.file.key); folder !== ''; folder = folderOf(folder.slice(0, -1))) bases.push(folder);
  return index.findTail(blobName, [...bases, '']);
}
