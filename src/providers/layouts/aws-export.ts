import { z } from 'zod';
import { fix, invalid } from '../../kit/errors/errors.ts';
import type { SourceFile } from '../contract.ts';
import { formatOf, type ListedFile, type LivePlan, type ReadText, type Unfinished } from './listing.ts';
import { Listing, checkSize, readManifest, sourceFile } from './manifest.ts';

// AWS Data Exports ("Understanding your export delivery"): <root>/data/<PART>/… and
// <root>/metadata/<PART>/<export>-Manifest.json with PART = BILLING_PERIOD=YYYY-MM, in either case. With "create new" the data
// is one folder deeper, one folder per execution, and each execution keeps a copy of its manifest there.
const manifestKey = /^(?<root>(?:.*\/)?)metadata\/billing_period=(?<month>\d{4}-\d{2})\/[^/]+-manifest\.json$/i;
const dataKey = /^(?<root>(?:.*\/)?)data\/billing_period=(?<month>\d{4}-\d{2})\//i;
const executionTime = /(\d{4})-?(\d{2})-?(\d{2})T(\d{2}):?(\d{2}):?(\d{2})(?:\.\d+)?Z-/i;

const dataFile = z.union([
  z.string().transform((uri) => ({ uri, size: null })),
  z
    .object({ s3Uri: z.string(), size: z.number().optional() })
    .transform((f) => ({ uri: f.s3Uri, size: f.size ?? null })),
  z.object({ key: z.string(), size: z.number().optional() }).transform((f) => ({ uri: f.key, size: f.size ?? null })),
]);
const manifestShape = z.object({ executionId: z.string().nullish(), dataFiles: z.array(dataFile) });

/** A manifest of one month. */
export interface AwsManifest {
  readonly file: ListedFile;
  /** Folder of the export: '' or ending with `/`. */
  readonly root: string;
  readonly month: string;
  readonly dataFiles: readonly { readonly uri: string; readonly size: number | null }[];
  readonly snapshotAt: Date | null;
}

/** Returns whether a folder is one execution of a "create new" export, `<timestamp>-<executionId>`, or run of a legacy report,
 *  `<timestamp>`. */
export function isExecutionFolder(name: string): boolean {
  return executionTime.exec(`${name}-`)?.index === 0;
}

/** Plans AWS Data Exports trees: for each month, only the files of its latest manifest, because earlier executions stay in the
 *  folder and would count again.
 *  @throws {AppError} VALIDATION_ERROR when a file of a manifest is missing, or a month of the tree has no manifest yet. */
export async function planAwsExports(
  listing: readonly ListedFile[],
  readText: ReadText,
  unfinished: Unfinished = 'refuse',
): Promise<LivePlan> {
  const manifests = await readManifests(listing, readText);
  const roots = new Set([...manifests.values()].map((manifest) => manifest.root));
  const claimed = new Set(listing.filter((file) => isInside(file.key, roots)).map((file) => file.key));
  const awaited = awaitedMonths(listing, manifests, roots);
  const [first] = awaited.values();
  if (first !== undefined && unfinished === 'refuse') throw withoutManifest(first);
  const index = new Listing(listing.filter((file) => claimed.has(file.key)));
  return {
    files: [...manifests.values()].flatMap((manifest) => filesOf(manifest, index)),
    claimed,
    warnings: [...awaited.values()].map(
      ({ root, month }) =>
        `Month ${month} of export "${root}" has no manifest yet: AWS writes it last, and the next sync reads it`,
    ),
    emptied: [...manifests.values()]
      .filter(({ dataFiles }) => dataFiles.length === 0)
      .map(({ month, root }) => ({ month, folder: root })),
  };
}

async function readManifests(listing: readonly ListedFile[], readText: ReadText): Promise<Map<string, AwsManifest>> {
  const latest = new Map<string, AwsManifest>();
  for (const file of listing) {
    const place = awsManifestPlace(file.key);
    if (!place) continue;
    const { root, month } = place;
    const manifest = parseAwsManifest(await readManifest(file, readText), file, place);
    const other = latest.get(root + month);
    if (!other || madeAt(manifest) > madeAt(other)) latest.set(root + month, manifest);
  }
  return latest;
}

/** Returns the export's folder and the month of a manifest key; null for any other key. */
export function awsManifestPlace(key: string): { root: string; month: string } | null {
  const { root = '', month } = manifestKey.exec(key)?.groups ?? {};
  return month === undefined ? null : { root, month };
}

/** Returns when the provider made the snapshot; otherwise when the manifest was written. */
export function madeAt(manifest: AwsManifest): number {
  return (manifest.snapshotAt ?? manifest.file.modifiedAt).getTime();
}

/** @param content the parsed manifest
 *  @throws {AppError} VALIDATION_ERROR when it lists no files in any format that AWS has used */
export function parseAwsManifest(
  content: unknown,
  file: ListedFile,
  place: { root: string; month: string },
): AwsManifest {
  const parsed = manifestShape.safeParse(content);
  if (!parsed.success) {
    throw invalid`Manifest "${file.key}" has no usable "dataFiles" list: it is not that of an AWS Data Export, or its copy is damaged`;
  }
  const { executionId, dataFiles } = parsed.data;
  const time = executionTime.exec(`${executionId ?? ''}-`) ?? executionTime.exec(dataFiles[0]?.uri ?? '');
  return { file, ...place, dataFiles, snapshotAt: time ? instant(time) : null };
}

function instant([, year, month, day, hour, minute, second]: RegExpExecArray): Date | null {
  const at = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(at.getTime()) ? null : at;
}

function isInside(key: string, roots: ReadonlySet<string>): boolean {
  const root = /^(?<root>(?:.*\/)?)(?:data|metadata)\/billing_period=\d{4}-\d{2}\//i.exec(key)?.groups?.['root'];
  return root !== undefined && roots.has(root);
}

interface AwaitedMonth {
  readonly root: string;
  readonly month: string;
  /** One of its files. */
  readonly key: string;
}

/** Returns months without a manifest, which AWS writes last: a delivery in progress, or an incomplete copy of the tree. */
function awaitedMonths(
  listing: readonly ListedFile[],
  manifests: ReadonlyMap<string, AwsManifest>,
  roots: ReadonlySet<string>,
): Map<string, AwaitedMonth> {
  const awaited = new Map<string, AwaitedMonth>();
  for (const { key } of listing) {
    const { root = '', month } = dataKey.exec(key)?.groups ?? {};
    if (month === undefined || !formatOf(key) || !roots.has(root)) continue;
    if (!manifests.has(root + month)) awaited.set(root + month, { root, month, key });
  }
  return awaited;
}

function withoutManifest({ root, month, key }: AwaitedMonth): Error {
  return invalid`File "${key}" belongs to month ${month}, which has no manifest under "${root}metadata/": AWS writes it last${fix}wait for the delivery to end, or copy the metadata folder too`;
}

function filesOf(manifest: AwsManifest, index: Listing): SourceFile[] {
  const seen = new Set<string>();
  return manifest.dataFiles.map(({ uri, size }) => {
    const path = uri.replace(/^s3[an]?:\/\/[^/]+\//i, '');
    const month = dataKey.exec(path)?.groups?.['month'] ?? manifest.month;
    if (month !== manifest.month) {
      throw invalid`Manifest "${manifest.file.key}" of month ${manifest.month} names "${uri}" of month ${month}${fix}copy the metadata folder again`;
    }
    const found = index.findTail(path, [manifest.root, `${manifest.root}data/`]);
    if (!found)
      throw invalid`File "${uri}", named by manifest "${manifest.file.key}", is missing${fix}copy the data folder as well, or copy it again`;
    if (seen.has(found.key))
      throw invalid`Manifest "${manifest.file.key}" names "${uri}" twice${fix}copy the metadata folder again`;
    seen.add(found.key);
    checkSize(found, size, manifest.file.key);
    return sourceFile(found, {
      month: manifest.month,
      snapshotAt: manifest.snapshotAt,
      expectedRows: null,
      delivery: manifest.file.key,
    });
  });
}
