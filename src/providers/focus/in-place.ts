import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { type AppError, fix, invalid, phrase } from '../../kit/errors/errors.ts';
import { unreadable } from './path.ts';

// Others may write to the folder: between its listing and its reading, a file can be replaced by a link that leaves the root, or by a
// pipe. So the open file is compared with the listed one, not its path.

/** A file as it was listed. */
export interface ListedAt {
  /** Name in messages. */
  readonly key: string;
  /** Absolute path. */
  readonly path: string;
  readonly token: string;
}

/** Returns the change token of a file: a write changes size or modification time, a replacement the inode. */
export function tokenOf({ size, mtimeNs, ino }: BigIntStats): string {
  return `${size}-${mtimeNs}-${ino}`;
}

/** Opens a listed file.
 *  @throws {AppError} VALIDATION_ERROR when it has changed since, or cannot be read. */
export function openListed({ key, path, token }: ListedAt): Promise<FileHandle> {
  return openIf({ key, path }, (found) => tokenOf(found) === token);
}

/** Opens a file, which may have changed since it was listed.
 *  @throws {AppError} VALIDATION_ERROR when it is not a regular file, or cannot be read. */
export function openRegular(listed: ListedAt): Promise<FileHandle> {
  return openIf(listed, (found) => found.isFile());
}

async function openIf(
  { key, path }: Pick<ListedAt, 'key' | 'path'>,
  isWanted: (found: BigIntStats) => boolean,
): Promise<FileHandle> {
  // Opening a pipe would otherwise wait for its writer.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((cause: unknown) => {
    throw unreadable(phrase`"${key}"`, cause);
  });
  try {
    if (!isWanted(await file.stat({ bigint: true }))) throw changed(key);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Returns the error for a file that is no longer the listed one. */
export function changed(key: string): AppError {
  return invalid`File "${key}" changed while it was being read${fix}sync again when the export is complete`;
}
