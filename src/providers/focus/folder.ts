import type { BigIntStats, Dirent } from 'node:fs';
import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { arg, fix, invalid, type Part, phrase, type Subject } from '../../kit/errors/errors.ts';
import type { CostSource, SourceFile, SourceListing } from '../contract.ts';
import { planFiles } from '../layouts/layout.ts';
import { acceptedEndings, formatOf, isBillOrManifest, isHidden, type ListedFile } from '../layouts/listing.ts';
import { notRead, warnOfOthers } from '../layouts/not-read.ts';
import { changed, openListed, tokenOf } from './in-place.ts';
import { isWithin, normalizeFocusPath, resolveInside, unreadable } from './path.ts';

/** Resolved location of a connected folder. */
interface Place {
  /** Real path of FOCUS_ROOT. */
  readonly root: string;
  /** Real path of the connected folder, or of the connected file's folder. */
  readonly top: string;
  /** File name if a single file is connected. */
  readonly only: string | null;
  /** The path as given by the user. */
  readonly name: string;
}

/** Opens a folder or single file of FOCUS exports in FOCUS_ROOT. Reads files in place, without copying.
 *  @param focusRoot absolute path of FOCUS_ROOT; null rejects every path
 *  @param given `settings.path`, relative to the root
 *  @throws {AppError} VALIDATION_ERROR when the path leaves the root, does not exist or has no bills. */
export async function openFocusFolder(focusRoot: string | null, given: string): Promise<CostSource> {
  const place = await locate(focusRoot, given);
  return {
    isInPlace: true,
    list: async (_memo, signal) => ({ ...(await list(place, signal)), memo: null }),
    fetch: async (file, _folder, signal) => {
      signal.throwIfAborted();
      return current(place, file);
    },
    verify: async (file) => {
      await current(place, file);
    },
  };
}

/** Returns the real path of a connected folder or file, relative to FOCUS_ROOT with `/` between folders: the same for every
 *  name and link that leads there. `.` is the root itself.
 *  @throws {AppError} VALIDATION_ERROR as for opening it */
export async function realFocusPath(focusRoot: string | null, given: string): Promise<string> {
  const { root, top, only } = await locate(focusRoot, given);
  const real = only === null ? top : path.join(top, only);
  return path.relative(root, real).split(path.sep).join('/') || '.';
}

async function locate(focusRoot: string | null, given: string): Promise<Place> {
  if (focusRoot === null) {
    throw invalid`Local paths are disabled${fix}start the server with FOCUS_ROOT set to the folder that holds the exports, then name a path under it`;
  }
  const name = normalizeFocusPath(given);
  const root = await realpath(focusRoot).catch(() => {
    throw invalid`The folder in FOCUS_ROOT does not exist, or the server cannot read it${fix}create it, or set FOCUS_ROOT to another`;
  });
  const asked = arg('settings.path', name);
  const real = await resolveInside(root, path.join(root, name), asked);
  const found = await statOf(real, asked);
  if (found.isDirectory()) return { root, top: real, only: null, name };
  if (!found.isFile())
    throw invalid`${asked} is neither a folder nor a file${fix}specify a folder of ${acceptedEndings} files`;
  if (!formatOf(real)) throw invalid`${asked} is not a FOCUS file: its name must end with ${acceptedEndings}`;
  return { root, top: path.dirname(real), only: path.basename(real), name };
}

async function list(place: Place, signal: AbortSignal): Promise<Omit<SourceListing, 'memo'>> {
  const { root, top, only, name } = place;
  const found = only === null ? await listFolder(root, top, signal) : { files: [await one(place, only)], misnamed: [] };
  const { files, misnamed } = found;
  const unread = misnamed.length > 0 ? [notRead(misnamed, 'name not in UTF-8; rename the file or folder')] : [];
  if (!files.some((file) => isBillOrManifest(file.key))) {
    const others = [...warnOfOthers(files), ...unread].map((warning) => `. ${warning}`);
    throw invalid`${arg('settings.path', name)} contains no bills: files whose names end with ${acceptedEndings} are read, in subfolders too${others.join('')}`;
  }
  const tokens = new Map(files.map(({ key, token }) => [key, token]));
  const plan = await planFiles(files, async (key) => {
    const real = await resolveInside(root, path.join(top, key), phrase`"${key}"`);
    await using file = await openListed({ key, path: real, token: tokens.get(key) ?? '' });
    return file.readFile('utf8');
  });
  return { ...plan, warnings: [...plan.warnings, ...unread], unreadable: misnamed };
}

async function one(place: Place, key: string): Promise<ListedFile> {
  return listed(key, await statOf(path.join(place.top, key), phrase`"${key}"`));
}

/** Returns the real path of a file, after checking that it is unchanged since it was listed. */
async function current(place: Place, file: SourceFile): Promise<string> {
  const name = phrase`"${file.key}"`;
  const real = await resolveInside(place.root, path.join(place.top, file.key), name);
  if (tokenOf(await statOf(real, name)) !== file.token) throw changed(file.key);
  return real;
}

/** Limits of a listing: a larger folder is not an export, and would block the server. */
const listBounds = { files: 100_000, depth: 32 } as const;

interface Walk {
  /** Real path of FOCUS_ROOT. */
  readonly root: string;
  /** Real path of the connected folder. */
  readonly top: string;
  readonly signal: AbortSignal;
  readonly files: ListedFile[];
  /** Keys of files and folders whose names are not UTF-8: Node cannot open them. */
  readonly misnamed: Set<string>;
}

/** Lists a folder recursively without hidden names, ordered by key. Follows symbolic links in the root, except those back into
 *  the connected folder, whose targets are listed anyway.
 *  @param root real path of FOCUS_ROOT
 *  @param top real path of the folder
 *  @throws {AppError} VALIDATION_ERROR above `listBounds`, or for entries that cannot be read for another reason than their name. */
async function listFolder(
  root: string,
  top: string,
  signal: AbortSignal,
): Promise<{ files: ListedFile[]; misnamed: string[] }> {
  const walk: Walk = { root, top, signal, files: [], misnamed: new Set() };
  await listInto(walk, top, []);
  return { files: walk.files, misnamed: [...walk.misnamed] };
}

async function listInto(walk: Walk, folder: string, names: readonly string[]): Promise<void> {
  walk.signal.throwIfAborted();
  const label = names.join('/') || '.';
  if (names.length > listBounds.depth)
    throw invalid`Folder "${label}" is more than ${listBounds.depth} levels deep${fix}connect a folder closer to the files`;
  const entries = await readdir(folder, { withFileTypes: true }).catch((cause: unknown) => {
    throw unreadable(phrase`"${label}"`, cause);
  });
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (isHidden(entry.name)) continue;
    const at = path.join(folder, entry.name);
    const inside = [...names, entry.name];
    if (await isMisnamed(entry.name, at)) walk.misnamed.add(inside.join('/'));
    else await listEntry(walk, entry, at, inside);
  }
}

/** Returns whether a name is not UTF-8: Node lists it with U+FFFD in place of other bytes, and nothing has that name. */
async function isMisnamed(name: string, at: string): Promise<boolean> {
  if (!name.includes('\u{fffd}')) return false;
  return lstat(at).then(
    () => false,
    (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT',
  );
}

async function listEntry(walk: Walk, entry: Dirent, at: string, names: readonly string[]): Promise<void> {
  const key = names.join('/');
  const real = entry.isSymbolicLink() ? await resolveInside(walk.root, at, phrase`"${key}"`) : at;
  if (real !== at && isWithin(walk.top, real)) return;
  const found = real === at && entry.isDirectory() ? null : await statOf(real, phrase`"${key}"`);
  if (!found || found.isDirectory()) return listInto(walk, real, names);
  const isWanted = isBillOrManifest(key);
  if (!found.isFile() && !isWanted) return;
  if (!found.isFile())
    throw invalid`"${key}" is not a regular file${fix}remove it, or remove the extension from its name`;
  if (walk.files.length >= listBounds.files && !isWanted) return;
  if (walk.files.length >= listBounds.files)
    throw invalid`The folder contains more than ${listBounds.files} files${fix}connect a smaller one`;
  walk.files.push(listed(key, found));
}

/** @param name of the file in messages
 *  @throws {AppError} VALIDATION_ERROR when it cannot be read. */
async function statOf(absolute: string, name: Subject | readonly Part[]): Promise<BigIntStats> {
  return stat(absolute, { bigint: true }).catch((cause: unknown) => {
    throw unreadable(name, cause);
  });
}

function listed(key: string, found: BigIntStats): ListedFile {
  return {
    key,
    token: tokenOf(found),
    sizeBytes: Number(found.size),
    modifiedAt: new Date(Number(found.mtimeMs)),
  };
}
