import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { z } from 'zod';
import { arg, fix, invalid } from '../../kit/errors/errors.ts';
import type { CostSource, SourceListing, SourceMemo } from '../contract.ts';
import { acceptedEndings, isBillOrManifest, isHidden, type ListedFile, type ReadText } from '../layouts/listing.ts';
import { warnOfOthers } from '../layouts/not-read.ts';
import { planLiveFiles } from '../layouts/layout.ts';
import type { ObjectStore } from '../storage/object-store.ts';

/** A folder of a bucket or container. */
export interface StoragePlace {
  readonly store: ObjectStore;
  /** '' or ending with `/`. */
  readonly prefix: string;
  /** Selects the files to read; `planLiveFiles` by default. */
  readonly plan?: PlanListing;
}

/** Selects the files that contain the bills. */
export type PlanListing = (listing: readonly ListedFile[], readText: ReadText) => Promise<Omit<SourceListing, 'memo'>>;

/** Cached manifests by key; the token shows whether one is unchanged. */
const memoShape = z.object({ manifests: z.record(z.string(), z.object({ token: z.string(), text: z.string() })) });
type Manifests = z.infer<typeof memoShape>['manifests'];

/** Maximum characters of cached manifests: enough for years of them. */
const maxMemoChars = 4 * 1024 * 1024;

/** Reads FOCUS exports of any vendor from object storage: AWS and Azure exports by their manifests, and plain files. */
export function storageSource(place: StoragePlace): CostSource {
  return {
    isInPlace: false,
    list: (memo, signal) => list(place, memo, signal),
    async fetch(file, folder, signal) {
      const local = path.join(folder, `${randomUUID()}.${file.format}`);
      await place.store.download({ ...file, key: place.prefix + file.key }, local, signal);
      return local;
    },
  };
}

/** Checks whether the bills can be listed and read.
 *  @throws as `CostSource.list` */
export async function checkStorage(place: StoragePlace, signal: AbortSignal): Promise<void> {
  const wanted = (await listAll(place, signal)).filter(({ key }) => isBillOrManifest(key));
  const [smallest] = wanted.toSorted((a, b) => a.sizeBytes - b.sizeBytes);
  if (smallest) await place.store.probe({ ...smallest, key: place.prefix + smallest.key }, signal);
}

async function list(place: StoragePlace, memo: SourceMemo, signal: AbortSignal): Promise<SourceListing> {
  const known = memoShape.safeParse(memo).data?.manifests ?? {};
  const listing = await listAll(place, signal);
  const byKey = new Map(listing.map((file) => [file.key, file]));
  const read: Manifests = {};
  const plan = place.plan ?? planLiveFiles;
  const planned = await plan(listing, async (key) => {
    const file = byKey.get(key);
    if (!file) throw new Error(`"${key}" was not listed`);
    const before = known[key];
    const text =
      before?.token === file.token
        ? before.text
        : withoutColumns(await place.store.readText({ ...file, key: place.prefix + key }, signal));
    read[key] = { token: file.token, text };
    return text;
  });
  return { ...planned, memo: { manifests: bounded(read) } };
}

/** Lists files, with keys relative to the prefix.
 *  @throws {AppError} VALIDATION_ERROR when none is a bill or a manifest */
async function listAll({ store, prefix }: StoragePlace, signal: AbortSignal): Promise<ListedFile[]> {
  const all = (await store.list(prefix, signal))
    .map((file) => ({ ...file, key: file.key.slice(prefix.length) }))
    .filter(({ key }) => !key.split('/').some(isHidden));
  if (all.some(({ key }) => isBillOrManifest(key))) return all;
  const others = warnOfOthers(all).map((warning) => `. ${warning}`);
  const where = prefix === '' ? store.name : `${store.name} under prefix "${prefix}"`;
  throw invalid`${arg('settings.prefix')} matches no bills in ${where}: files whose names end with ${acceptedEndings} are read, in subfolders too${others.join('')}${fix}correct it, or wait for the first delivery`;
}

/** Removes the list of columns, which is unused and most of an AWS manifest. */
function withoutColumns(text: string): string {
  try {
    const content: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    if (typeof content !== 'object' || content === null || Array.isArray(content)) return text;
    return JSON.stringify({ ...content, columns: undefined });
  } catch {
    // The parser reports the error.
    return text;
  }
}

/** Keeps as many manifests as fit; the others are read again. */
function bounded(manifests: Manifests): Manifests {
  let left = maxMemoChars;
  return Object.fromEntries(
    Object.entries(manifests).filter(([key, { text }]) => (left -= key.length + text.length + 100) > 0),
  );
}
