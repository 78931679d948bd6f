import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { S3Client } from '@aws-sdk/client-s3';
import { z } from 'zod';
import { type AppError, arg, fix, invalid, mention } from '../../kit/errors/errors.ts';
import { type CostSource, fileFormats, type SourceFile, type SourceListing, type SourceMemo } from '../contract.ts';
import { type AwsManifest, awsManifestPlace, madeAt, parseAwsManifest } from '../layouts/aws-export.ts';
import type { ListedFile } from '../layouts/listing.ts';
import { checkSize, folderOf, readManifest, sourceFile } from '../layouts/manifest.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import { s3Store } from '../storage/s3-store.ts';
import type { AwsSession, BucketClient } from './session.ts';

/** Reads the files of a Data Export (FOCUS or CUR 2.0) by its manifests; the newest manifest of each month counts. Unchanged
 *  manifests are not read again. */
export function exportSource(session: AwsSession, place: ExportPlace): CostSource {
  let opened: { bucket: BucketClient; store: ObjectStore } | null = null;
  const open = (region: string | null) => {
    const bucket = session.s3(S3Client, region);
    return { bucket, store: s3Store(bucket.client, place.bucket) };
  };
  return {
    isInPlace: false,
    async list(memo, signal) {
      const before = readExportMemo(memo, placeName(place));
      opened ??= open(before.region);
      const { store, bucket } = opened;
      const manifests = await readManifests(store, place, before, signal);
      return listingOf(manifests, place, bucket.region());
    },
    async fetch(file, folder, signal) {
      opened ??= open(null);
      const target = path.join(folder, `${randomUUID()}.${file.format}`);
      await opened.store.download(file, target, signal);
      return target;
    },
  };
}

/** Returns the listed manifests, reading only new ones.
 *  @throws {AppError} VALIDATION_ERROR when there is none */
async function readManifests(
  store: ObjectStore,
  place: ExportPlace,
  before: ExportMemo,
  signal: AbortSignal,
): Promise<Record<string, ReadManifest>> {
  const listed = await store.list(`${place.root}metadata/`, signal);
  const manifests = listed.filter((file) => awsManifestPlace(file.key)?.root === place.root);
  if (manifests.length === 0) throw notDelivered(place);
  const read: Record<string, ReadManifest> = {};
  for (const file of manifests) {
    const known = before.manifests[file.key];
    read[file.key] = known?.token === file.token ? known : await readOne(store, place, file, signal);
  }
  return read;
}

/** Error for an export without manifests at the configured location.
 *  @param instead what is there instead; empty if nothing */
export function notDelivered({ bucket, root, exportName }: ExportPlace, instead = ''): AppError {
  return invalid`${arg('settings.bucket')} has no manifest under s3://${bucket}/${root}metadata/: the export "${exportName}" has not delivered yet (the first delivery takes up to 24 hours), or it delivers elsewhere${instead}${fix}correct it, ${mention('settings.prefix')} or ${mention('settings.export_name')}`;
}

async function readOne(
  store: ObjectStore,
  place: ExportPlace,
  file: ListedFile,
  signal: AbortSignal,
): Promise<ReadManifest> {
  const manifest = await readExportManifest(store, place, file, signal);
  const keys = manifest.dataFiles.map(({ uri }) => keyInExport(uri, place, file.key));
  const objects = await listAll(store, keys, signal);
  return {
    token: file.token,
    month: manifest.month,
    madeAt: madeAt(manifest),
    files: manifest.dataFiles.map(({ size }, at) => dataFile(manifest, objects, keys[at] ?? '', size)),
  };
}

/** @throws {AppError} VALIDATION_ERROR when it cannot be read or is not a manifest */
export async function readExportManifest(
  store: ObjectStore,
  place: ExportPlace,
  file: ListedFile,
  signal: AbortSignal,
): Promise<AwsManifest> {
  const content = await readManifest(file, () => store.readText(file, signal));
  const month = awsManifestPlace(file.key)?.month ?? '';
  return parseAwsManifest(content, file, { root: place.root, month });
}

/** Returns sizes and ETags of the files, with one listing per folder: the manifest is not a reliable source of either. */
async function listAll(
  store: ObjectStore,
  keys: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, ListedFile>> {
  const found = new Map<string, ListedFile>();
  for (const folder of new Set(keys.map(folderOf))) {
    for (const object of await store.list(folder, signal)) found.set(object.key, object);
  }
  return found;
}

function dataFile(
  manifest: AwsManifest,
  objects: ReadonlyMap<string, ListedFile>,
  key: string,
  size: number | null,
): SourceFile {
  const { file, month, snapshotAt } = manifest;
  const object = objects.get(key);
  if (!object)
    throw invalid`Object "${key}", named by manifest "${file.key}", is missing${fix}sync again in case a newer delivery is under way; otherwise remove the manifest, or let AWS deliver the month again`;
  const keyMonth = /billing_period=(\d{4}-\d{2})\//i.exec(key)?.[1];
  if (keyMonth !== undefined && keyMonth !== month)
    throw invalid`Manifest "${file.key}" of month ${month} names "${key}" of month ${keyMonth}${fix}let AWS deliver the month again`;
  checkSize(object, size, file.key);
  return sourceFile(object, { month, snapshotAt, expectedRows: null });
}

/** Two manifests of a month, for example after AWS changed the letter case of its folders, are two snapshots; the later one
 *  counts. */
function listingOf(manifests: Record<string, ReadManifest>, place: ExportPlace, region: string): SourceListing {
  const latest = new Map<string, ReadManifest>();
  for (const manifest of Object.values(manifests)) {
    const other = latest.get(manifest.month);
    if (!other || manifest.madeAt > other.madeAt) latest.set(manifest.month, manifest);
  }
  const files = [...latest.values()].flatMap((manifest) => manifest.files);
  const seen = new Set<string>();
  for (const { key } of files) {
    if (seen.has(key))
      throw invalid`Object "${key}" is named twice by manifests under s3://${place.bucket}/${place.root}metadata/, so its charges would count twice${fix}let AWS deliver the month again`;
    seen.add(key);
  }
  return {
    files: files.toSorted((a, b) => (a.key < b.key ? -1 : 1)),
    memo: writeExportMemo({ region, manifests }, placeName(place)),
    warnings: [],
    emptied: [...latest.values()]
      .filter((manifest) => manifest.files.length === 0)
      .map(({ month }) => ({ month, folder: '' })),
  };
}

function placeName({ bucket, root }: ExportPlace): string {
  return `s3://${bucket}/${root}`;
}

/** Location of a Data Export. */
export interface ExportPlace {
  readonly bucket: string;
  readonly exportName: string;
  /** Folder of the export in the bucket, ending with `/`. */
  readonly root: string;
}

/** @param prefix with or without surrounding slashes; '' for none */
export function exportPlace(bucket: string, prefix: string, exportName: string): ExportPlace {
  const folders = [...prefix.split('/'), exportName].filter((name) => name !== '');
  return { bucket, exportName, root: `${folders.join('/')}/` };
}

/** Returns the key of a data file named by a manifest: as a full URI, a key of the bucket, or one of the export's folder.
 *  @throws {AppError} VALIDATION_ERROR when it is in another bucket or folder: a manifest must not lead elsewhere */
export function keyInExport(uri: string, place: ExportPlace, manifestKey: string): string {
  const remote = /^s3[an]?:\/\/([^/]+)\/(.*)$/is.exec(uri);
  const [, bucket = place.bucket, rest = uri] = remote ?? [];
  const trimmed = rest.replace(/^\/+/, '');
  const key = !remote && trimmed.startsWith('data/') ? place.root + trimmed : trimmed;
  const isInside = key.startsWith(`${place.root}data/`) && !key.split('/').includes('..');
  if (bucket === place.bucket && isInside) return key;
  throw invalid`Manifest "${manifestKey}" names "${uri}", which is not in s3://${place.bucket}/${place.root}data/${fix}connect the bucket and prefix that the export itself delivers to; copies of another export are not read`;
}

/** Cached content of a manifest. */
interface ReadManifest {
  /** ETag of the manifest. */
  readonly token: string;
  readonly month: string;
  /** When AWS made the snapshot, in milliseconds; the later of two manifests of a month counts. */
  readonly madeAt: number;
  readonly files: readonly SourceFile[];
}

/** Memo of a Data Export's last listing. */
interface ExportMemo {
  /** Region of the bucket; null: unknown. */
  readonly region: string | null;
  /** By manifest key. */
  readonly manifests: Readonly<Record<string, ReadManifest>>;
}

const fileShape = z.object({
  key: z.string(),
  token: z.string(),
  sizeBytes: z.number(),
  format: z.enum(fileFormats),
  month: z.string().nullable(),
  snapshotAt: z.iso
    .datetime()
    .transform((text) => new Date(text))
    .nullable(),
  expectedRows: z.number().nullable(),
  speaksFor: z.enum(['all', 'billed', 'effective']),
});
const memoShape = z.object({
  of: z.string(),
  region: z.string().nullable(),
  manifests: z.record(
    z.string(),
    z.object({ token: z.string(), month: z.string(), madeAt: z.number(), files: z.array(fileShape) }),
  ),
});

/** Parses a memo.
 *  @param of expected export: after a change of settings, the memo belongs to another one
 *  @returns an empty memo if it is unusable */
function readExportMemo(memo: SourceMemo, of: string): ExportMemo {
  const read = memoShape.safeParse(memo);
  return read.success && read.data.of === of ? read.data : { region: null, manifests: {} };
}

/** Serializes the memo to JSON. */
function writeExportMemo(memo: ExportMemo, of: string): SourceMemo {
  return JSON.parse(JSON.stringify({ of, ...memo }));
}
