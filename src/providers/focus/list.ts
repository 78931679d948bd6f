import type { BigIntStats, Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { fix, invalid, phrase, type Part, type Subject } from '../../kit/errors.ts';
import { formatOf, isHidden } from '../layouts/format.ts';
import type { ListedFile } from '../layouts/listing.ts';
import { isWithin, resolveInside, unreadable } from './path.ts';

/** Bounds of a listing: a folder beyond them is no export, and would hold the server up. */
const listBounds = { files: 100_000, depth: 32 } as const;

interface Walk {
  /** Real path of FOCUS_ROOT. */
  readonly root: string;
  /** Real path of the connected folder. */
  readonly top: string;
  readonly signal: AbortSignal;
  readonly files: ListedFile[];
}

/** Lists a folder with everything under it, hidden names left out, ordered by key. Symbolic links are followed inside the
 *  root; one that points back into the connected folder is left out, because what it points to is listed already.
 *  @param root real path of FOCUS_ROOT
 *  @param top real path of the folder
 *  @throws {AppError} VALIDATION_ERROR beyond `listBounds`, or for what cannot be read. */
export async function listFolder(root: string, top: string, signal: AbortSignal): Promise<ListedFile[]> {
  const walk: Walk = { root, top, signal, files: [] };
  await listInto(walk, top, []);
  return walk.files;
}

async function listInto(walk: Walk, folder: string, names: readonly string[]): Promise<void> {
  walk.signal.throwIfAborted();
  const label = names.join('/') || '.';
  if (names.length > listBounds.depth)
    throw invalid`Folder "${label}" lies more than ${listBounds.depth} levels deep${fix}connect a folder nearer to the files`;
  const entries = await readdir(folder, { withFileTypes: true }).catch((cause: unknown) => {
    throw unreadable(phrase`"${label}"`, cause);
  });
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (!isHidden(entry.name)) await listEntry(walk, entry, path.join(folder, entry.name), [...names, entry.name]);
  }
}

async function listEntry(walk: Walk, entry: Dirent, at: string, names: readonly string[]): Promise<void> {
  const key = names.join('/');
  const real = entry.isSymbolicLink() ? await resolveInside(walk.root, at, phrase`"${key}"`) : at;
  if (real !== at && isWithin(walk.top, real)) return;
  const found = real === at && entry.isDirectory() ? null : await statOf(real, phrase`"${key}"`);
  if (!found || found.isDirectory()) return listInto(walk, real, names);
  if (!isWanted(key)) return;
  if (!found.isFile()) throw invalid`"${key}" is not a regular file${fix}remove it, or leave the ending off its name`;
  if (walk.files.length >= listBounds.files)
    throw invalid`The folder holds more than ${listBounds.files} files${fix}connect a smaller one`;
  walk.files.push(listed(key, found));
}

/** Bill files, and the manifests that speak for them. */
function isWanted(key: string): boolean {
  return formatOf(key) !== null || /manifest\.json$/i.test(key);
}

/** @param name what the message calls the file
 *  @throws {AppError} VALIDATION_ERROR when it cannot be read. */
export async function statOf(absolute: string, name: Subject | readonly Part[]): Promise<BigIntStats> {
  return stat(absolute, { bigint: true }).catch((cause: unknown) => {
    throw unreadable(name, cause);
  });
}

/** A file with its change token: a write changes size or modification time, a replacement the inode. */
export function listed(key: string, found: BigIntStats): ListedFile {
  return {
    key,
    token: `${found.size}-${found.mtimeNs}-${found.ino}`,
    sizeBytes: Number(found.size),
    modifiedAt: new Date(Number(found.mtimeMs)),
  };
}
