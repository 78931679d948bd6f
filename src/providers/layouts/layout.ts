import { fix, invalid } from '../../kit/errors/errors.ts';
import type { Conflict, SourceFile, SourceListing } from '../contract.ts';
import { isExecutionFolder, planAwsExports } from './aws-export.ts';
import { planAwsReports } from './aws-report.ts';
import { withoutSuperseded } from './azure-classic.ts';
import { planAzureExports } from './azure-export.ts';
import { formatOf, type ListedFile, type ReadText, stemOf, type Unfinished } from './listing.ts';
import { folderOf, sourceFile } from './manifest.ts';
import { warnOfOthers } from './not-read.ts';

/** Selects the files of a listing that together have each charge once: those named by the manifests of AWS Data Exports, AWS
 *  Cost and Usage Reports and Azure Cost Management exports, and every bill file outside their trees. A listing may contain several trees.
 *  @param listing without hidden names
 *  @returns ordered by key
 *  @throws {AppError} VALIDATION_ERROR when a manifest and the files disagree, or it is ambiguous which copy counts. */
export async function planFiles(listing: readonly ListedFile[], readText: ReadText): Promise<PlannedFiles> {
  return plan(listing, readText, 'refuse');
}

/** Like `planFiles`, for a bucket or container that is written to while it is listed: files without a manifest yet come with a
 *  later sync; until then there is a warning.
 *  @throws as `planFiles` */
export async function planLiveFiles(listing: readonly ListedFile[], readText: ReadText): Promise<PlannedFiles> {
  return plan(listing, readText, 'wait');
}

type PlannedFiles = Omit<SourceListing, 'memo'>;

async function plan(listing: readonly ListedFile[], readText: ReadText, unfinished: Unfinished): Promise<PlannedFiles> {
  const aws = await planAwsExports(listing, readText, unfinished);
  const reports = await planAwsReports(listing, readText, unfinished);
  const others = listing.filter((file) => !aws.claimed.has(file.key) && !reports.claimed.has(file.key));
  const azure = await planAzureExports(others, readText, unfinished);
  const unclaimed = others.filter((file) => !azure.claimed.has(file.key));
  const underWay = unfinished === 'wait' ? unclaimed.filter(({ key }) => runWithoutManifest(key) !== null) : [];
  const plain = planPlainFiles(
    unclaimed.filter((file) => !underWay.includes(file)),
    unfinished,
  );
  const files = [...aws.files, ...reports.files, ...azure.files, ...plain.files].toSorted((a, b) =>
    a.key < b.key ? -1 : 1,
  );
  const twice = files.find((file, at) => at > 0 && files[at - 1]?.key === file.key);
  if (twice)
    throw invalid`File "${twice.key}" is named by two manifests and would count twice${fix}remove the older manifest`;
  const warnings = [
    ...aws.warnings,
    ...reports.warnings,
    ...azure.warnings,
    ...awaitedRuns(underWay),
    ...warnOfOthers(unclaimed),
  ];
  return {
    files,
    warnings,
    conflicts: plain.conflicts,
    emptied: [aws, reports, azure].flatMap(({ emptied }) => emptied),
  };
}

/** Returns warnings about runs recognized only by their files: an export's first run has no earlier manifest beside it. */
function awaitedRuns(files: readonly ListedFile[]): string[] {
  const runs = new Map(files.map(({ key }) => [folderOf(key), runWithoutManifest(key)]));
  return [...runs].map(
    ([folder, vendor]) =>
      `Run "${folder}" has no manifest yet: ${vendor} writes it last, and the next sync reads it; files that were copied without it are not read`,
  );
}

/** Every bill file that no manifest names. Its billing months are those of its rows: a month in the path
 *  (`billing_period=2026-05`) only shows how the file was stored.
 *  @throws {AppError} VALIDATION_ERROR when the listing plainly holds the same bill twice. */
function planPlainFiles(
  listing: readonly ListedFile[],
  unfinished: Unfinished,
): { files: SourceFile[]; conflicts: readonly Conflict[] } {
  const bills = listing.filter((file) => formatOf(file.key) !== null);
  const { files, conflicts } = withoutSuperseded(bills, unfinished === 'refuse');
  refuseTwins(files);
  refuseSeveralRuns(files);
  const planned = files.map((file) => {
    const delivery = runWithoutManifest(file.key) === null ? {} : { delivery: folderOf(file.key) };
    return sourceFile(file, { month: null, snapshotAt: null, expectedRows: null, ...delivery });
  });
  return { files: planned, conflicts };
}

function refuseTwins(files: readonly ListedFile[]): void {
  const seen = new Map<string, string>();
  for (const { key } of files) {
    const twin = seen.get(stemOf(key));
    if (twin)
      throw invalid`Files "${twin}" and "${key}" differ only in their format: they would count twice${fix}keep one of them`;
    seen.set(stemOf(key), key);
  }
}

const azurePeriod = /^\d{8}-\d{8}$/;
const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns the vendor of an export file by its name and folders: AWS and Azure exports have a manifest, which is written last.
 *  Null for any other file. */
function runWithoutManifest(key: string): 'AWS' | 'Azure' | null {
  const segments = key.split('/');
  const name = segments.pop() ?? '';
  if (/^part_\d+_\d+\./i.test(name)) return 'Azure';
  if (segments.some((each) => guid.test(each)) && segments.some((each) => azurePeriod.test(each))) return 'Azure';
  return segments.some(isExecutionFolder) ? 'AWS' : null;
}

/** Rejects several runs: exports that keep every run write one folder per run, and without manifests it is unknown which one
 *  counts. */
function refuseSeveralRuns(files: readonly ListedFile[]): void {
  const runs = new Map<string, string>();
  for (const { key } of files) {
    const segments = key.split('/').slice(0, -1);
    segments.forEach((segment, depth) => {
      const azure = guid.test(segment) && segments.some((other) => azurePeriod.test(other));
      if (!azure && !isExecutionFolder(segment)) return;
      const parent = segments.slice(0, depth).join('/');
      const other = runs.get(parent) ?? segment;
      runs.set(parent, other);
      if (other === segment) return;
      throw invalid`Folder "${parent}" contains several runs of one export ("${other}", "${segment}") and no manifest shows which one counts${fix}copy the export's manifests too, or keep only the newest run`;
    });
  }
}
