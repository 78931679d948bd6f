import { z } from 'zod';
import { fix, invalid } from '../../kit/errors/errors.ts';
import type { SourceFile } from '../contract.ts';
import { chooseRuns, type ChosenRun, monthOf, type AzureRun } from './azure-runs.ts';
import { formatOf, type ListedFile, type LivePlan, type ReadText, type Unfinished } from './listing.ts';
import { checkSize, folderOf, Listing, readManifest, sourceFile } from './manifest.ts';

/** Plans Azure Cost Management export trees. Folder structures differ by the export's age and settings, so only manifests
 *  count: for each scope and range of days the newest run, because the others have the same charges.
 *  @throws {AppError} VALIDATION_ERROR when a part is missing or truncated, or runs overlap ambiguously. */
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
    throw invalid`File "${first}" belongs to a period without a manifest.json, which Azure writes last${fix}wait for the run to end, or copy its manifest too`;
  }
  const chosen = chooseRuns(runs);
  return {
    files: chosen.flatMap((each) => filesOf(each, index)),
    claimed,
    warnings: [...new Set(awaited.flatMap((key) => abovePeriod(key)?.folder ?? []))].map(
      (folder) => `Run "${folder}" has no manifest.json yet: Azure writes it last, and the next sync reads it`,
    ),
    emptied: chosen.flatMap(({ run }) => {
      const month = monthOf(run);
      const folder = abovePeriod(run.file.key)?.root ?? folderOf(run.file.key);
      return run.blobs.length === 0 && month !== null ? [{ month, folder }] : [];
    }),
  };
}

/** Assigns files to the export: everything in a run's folder or period folder belongs to it; files there that no manifest names
 *  are from a run that is still being written, or was replaced. Periods without any manifest are awaited. */
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
      delivery: run.file.key,
    });
  });
}

/** Finds a blob. Blob names are relative to the container, and the listing may start anywhere in it; search only the manifest's
 *  own ancestors, so that a copy of another export with equal names is never mistaken for this one. */
function locate(run: AzureRun, blobName: string, index: Listing): ListedFile | null {
  const bases: string[] = [];
  for (let folder = folderOf(run.file.key); folder !== ''; folder = folderOf(folder.slice(0, -1))) bases.push(folder);
  return index.findTail(blobName, [...bases, '']);
}

// Manifest versions 2021-01-01 (without exportConfig and runInfo) and 2024-04-01 of Cost Management exports.
const shape = z.object({
  blobCount: z.number().nullish(),
  exportConfig: z
    .object({ exportName: z.string().nullish(), resourceId: z.string().nullish(), type: z.string().nullish() })
    .nullish(),
  runInfo: z
    .object({ submittedTime: z.string().nullish(), startDate: z.string().nullish(), endDate: z.string().nullish() })
    .nullish(),
  blobs: z
    .array(z.object({ blobName: z.string(), byteCount: z.number().nullish(), dataRowCount: z.number().nullish() }))
    .nullish(),
});

const period = /(?:^|\/)(\d{4})(\d{2})(\d{2})-(\d{4})(\d{2})(\d{2})\//;

/** Returns the part of a key above its period folder (`yyyymmdd-yyyymmdd`), or null without one. */
function abovePeriod(key: string): { root: string; folder: string } | null {
  const found = period.exec(key);
  if (!found) return null;
  const start = found.index + (found[0].startsWith('/') ? 1 : 0);
  return { root: key.slice(0, start), folder: key.slice(0, found.index + found[0].length) };
}

/** Parses an Azure manifest; null if the JSON is something else that happens to be named `manifest.json`.
 *  @throws {AppError} VALIDATION_ERROR when it is inconsistent. */
function parseAzureManifest(content: unknown, file: ListedFile): AzureRun | null {
  const parsed = shape.safeParse(content);
  if (!parsed.success || (parsed.data.blobs == null && parsed.data.blobCount == null)) return null;
  const { blobs, blobCount, exportConfig, runInfo } = parsed.data;
  const parts = blobs ?? [];
  if (blobCount != null && blobCount !== parts.length) {
    throw invalid`Manifest "${file.key}" lists ${parts.length} ${parts.length === 1 ? 'file' : 'files'}, but its blob count is ${blobCount}${fix}copy the run again`;
  }
  return {
    file,
    subject: subjectOf(exportConfig, file.key),
    type: exportConfig?.type ?? typeOf(file.key),
    submittedAt: instant(runInfo?.submittedTime) ?? file.modifiedAt,
    days: daysOf(runInfo, file.key),
    blobs: parts.map((blob) => ({
      name: blob.blobName,
      byteCount: blob.byteCount ?? null,
      rowCount: blob.dataRowCount ?? null,
    })),
  };
}

/** Two exports of one scope (month to date, and the closed month) have the same charges, so the scope identifies them, not the
 *  name. */
function subjectOf(
  config: { resourceId?: string | null | undefined; exportName?: string | null | undefined } | null | undefined,
  key: string,
): string {
  const id = config?.resourceId?.toLowerCase();
  if (id) return id.split('/providers/microsoft.costmanagement/exports/')[0] ?? id;
  if (config?.exportName) return `export ${withoutKind(config.exportName.toLowerCase())}`;
  return `folder ${withoutKind(abovePeriod(key)?.root ?? folderOf(folderOf(key).slice(0, -1)))}`;
}

/** Removes the cost type from a name: if a manifest has neither scope nor type, only their names distinguish exports of actual
 *  and amortized costs of one scope. */
function withoutKind(name: string): string {
  return name.replace(/[-_ ]?(actual|amorti[sz]ed)[-_ ]?(costs?)?/gi, '');
}

function typeOf(key: string): string | null {
  const root = abovePeriod(key)?.root ?? key;
  if (/amorti[sz]ed/i.test(root)) return 'AmortizedCost';
  return /actual[-_ ]?cost/i.test(root) ? 'ActualCost' : null;
}

function daysOf(
  run: { startDate?: string | null | undefined; endDate?: string | null | undefined } | null | undefined,
  key: string,
): AzureRun['days'] {
  const [, y1, m1, d1, y2, m2, d2] = period.exec(key) ?? [];
  const first = dayOf(run?.startDate) ?? (y1 ? `${y1}-${m1}-${d1}` : null);
  if (!first) return null;
  const last = dayOf(run?.endDate) ?? (y2 ? `${y2}-${m2}-${d2}` : null);
  return { first, last: last ?? `${first.slice(0, 7)}-31` };
}

function dayOf(text: string | null | undefined): string | null {
  return text && /^\d{4}-\d{2}-\d{2}/.test(text) ? text.slice(0, 10) : null;
}

/** Parses a time. Azure writes seven decimal places of a second, and sometimes no zone: UTC. */
function instant(text: string | null | undefined): Date | null {
  if (!text) return null;
  const at = new Date(/(Z|[+-]\d{2}:?\d{2})$/i.test(text) ? text : `${text}Z`);
  return Number.isNaN(at.getTime()) ? null : at;
}
