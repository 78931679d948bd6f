import { z } from 'zod';
import { fix, invalid } from '../../kit/errors/errors.ts';
import { awsManifestPlace } from './aws-export.ts';
import { formatOf, type ListedFile, type LivePlan, type ReadText, type Unfinished } from './listing.ts';
import { folderOf, Listing, readManifest, sourceFile } from './manifest.ts';

// Legacy Cost and Usage Reports ("Viewing your Cost and Usage Reports"): <root>/<yyyymmdd-yyyymmdd>/<report>-Manifest.json names
// the files of the newest run. With "create new", each run has a folder <assembly id> there, a GUID or since 2022 its time, with a
// copy of its manifest. Parquet is in <root>/<report>/year=2026/month=5/ instead, beside a table of the delivery's status.

const shape = z.object({
  reportKeys: z.array(z.string()),
  billingPeriod: z.object({ start: z.string().regex(/^\d{8}T/) }),
});
const periodKey = /^(?<period>(?<root>(?:.*\/)?)\d{8}-\d{8}\/)(?<assembly>(?:[0-9a-f-]{36}|\d{8}T\d{6}Z)\/)?[^/]+$/i;
const statusTable = /(?:^|\/)cost_and_usage_data_status\/[^/]+$/i;

/** A manifest of one run. */
interface Run {
  readonly file: ListedFile;
  /** Folder of the billing period. */
  readonly period: string;
  /** Folder of the report: '' or ending with `/`. */
  readonly root: string;
  readonly month: string;
  readonly keys: readonly string[];
  /** Its manifest is the period's own, which AWS overwrites with each run. */
  readonly isLatest: boolean;
}

/** Plans legacy Cost and Usage Reports: for each billing period, only the files of its newest run.
 *  @throws {AppError} VALIDATION_ERROR when a file of a manifest is missing, or it is unknown which run is the newest */
export async function planAwsReports(
  listing: readonly ListedFile[],
  readText: ReadText,
  unfinished: Unfinished,
): Promise<LivePlan> {
  const runs: Run[] = [];
  for (const file of listing) {
    const run =
      /-manifest\.json$/i.test(file.key) && !awsManifestPlace(file.key) ? await readRun(file, readText) : null;
    if (run) runs.push(run);
  }
  const index = new Listing(listing);
  const newest = [...Map.groupBy(runs, ({ period }) => period).values()].map((of) => newestOf(of, unfinished));
  const files = newest.flatMap((run) => filesOf(run, index));
  const periods = new Set(runs.map(({ period }) => period));
  // A copy may be next to other bills: there, only its own files are claimed.
  const named = new Set(files.map(({ key }) => key));
  const folders = new Set(files.map(({ key }) => folderOf(key)).filter((folder) => /(^|\/)month=\d+\/$/i.test(folder)));
  const isOurs = ({ key }: ListedFile) =>
    periods.has(periodKey.exec(key)?.groups?.['period'] ?? '') ||
    named.has(key) ||
    folders.has(folderOf(key)) ||
    (runs.length > 0 && statusTable.test(key));
  const roots = new Set(runs.map(({ root }) => root));
  const awaited = unfinished === 'wait' ? listing.filter((file) => !isOurs(file) && isAwaited(file, roots)) : [];
  return {
    files,
    claimed: new Set([...listing.filter(isOurs), ...awaited].map(({ key }) => key)),
    warnings: [...new Set(awaited.map(({ key }) => folderOf(key)))].map(
      (folder) => `Run "${folder}" has no manifest yet: AWS writes it last, and the next sync reads it`,
    ),
    emptied: newest.filter(({ keys }) => keys.length === 0).map(({ month, root }) => ({ month, folder: root })),
  };
}

async function readRun(file: ListedFile, readText: ReadText): Promise<Run | null> {
  const { period, root = '', assembly } = periodKey.exec(file.key)?.groups ?? {};
  if (period === undefined) return null;
  const parsed = shape.safeParse(await readManifest(file, readText));
  if (!parsed.success) return null;
  const { reportKeys, billingPeriod } = parsed.data;
  const month = `${billingPeriod.start.slice(0, 4)}-${billingPeriod.start.slice(4, 6)}`;
  return { file, period, root, month, keys: reportKeys, isLatest: assembly === undefined };
}

/** Returns the run that the period's own manifest names; in a copy without it, the one whose manifest is the newest. */
function newestOf(runs: readonly Run[], unfinished: Unfinished): Run {
  const byTime = runs.toSorted((a, b) => Number(b.file.modifiedAt) - Number(a.file.modifiedAt));
  const [newest, second] = byTime;
  const latest = runs.find(({ isLatest }) => isLatest) ?? newest;
  if (!latest) throw new Error('a period has no run');
  const isUnclear = !latest.isLatest && Number(second?.file.modifiedAt) === Number(latest.file.modifiedAt);
  if (isUnclear && unfinished === 'refuse')
    throw invalid`Folder "${latest.period}" contains several runs of one report, and their times do not show which is the newest${fix}copy the manifest of the folder itself too, or keep the newest run only`;
  return latest;
}

function filesOf(run: Run, index: Listing) {
  return run.keys.map((key) => {
    const found = index.findTail(key, [run.period, run.root, '']);
    if (!found) throw invalid`File "${key}", named by manifest "${run.file.key}", is missing${fix}copy the run again`;
    return sourceFile(found, { month: run.month, snapshotAt: null, expectedRows: null, delivery: run.file.key });
  });
}

/** Returns whether a file belongs to a run of one of these reports, whose manifest is yet to come. */
function isAwaited({ key }: ListedFile, roots: ReadonlySet<string>): boolean {
  const { root, assembly } = periodKey.exec(key)?.groups ?? {};
  return root !== undefined && assembly !== undefined && roots.has(root) && formatOf(key) !== null;
}
