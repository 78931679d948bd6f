import { randomInt } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { constants, access, link, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { AppError, conflict, fix, invalid } from '../../../kit/errors/errors.ts';
import { isChosenByDate, type BackupFolder, type Sink } from './folder.ts';

/** Age after which an unfinished backup belongs to a dead process, in milliseconds. */
const partAgeMs = 86_400_000;

/** Backups in a folder of this machine. */
export function fileFolder(folder: string): BackupFolder {
  const fileOf = (name: string) => path.join(folder, name);
  return {
    describe: fileOf,
    create: (name) => createFile(fileOf(name)),
    async open(name) {
      const file = fileOf(name);
      const found = await stat(file).catch((error: unknown) => {
        throw unreadable(file, error);
      });
      if (!found.isFile()) throw invalid`${file} is not a file${fix}specify a backup`;
      await access(file, constants.R_OK).catch((error: unknown) => {
        throw unreadable(file, error);
      });
      return { bytes: found.size, read: async () => createReadStream(file, { highWaterMark: 2 ** 20 }) };
    },
    async list() {
      const all = await readdir(folder).catch((error: unknown) => {
        throw unlistable(folder, error);
      });
      const names = all.filter(isChosenByDate).toSorted();
      const found = names.map(async (name) => ({ name, file: await stat(fileOf(name)).catch(nullIfGone) }));
      return (await Promise.all(found)).flatMap(({ name, file }) => (file ? [{ name, bytes: file.size }] : []));
    },
    remove: (name) => rm(fileOf(name), { force: true }),
    async tidy() {
      for (const name of await readdir(folder)) {
        const found = isPart(name) ? await stat(fileOf(name)).catch(() => null) : null;
        if (found && found.mtimeMs < Date.now() - partAgeMs) await rm(fileOf(name), { force: true });
      }
    },
  };
}

/** Codes of file systems without hard links, such as exFAT and many network shares. */
const withoutLinks: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** A file may be deleted while its folder is listed. */
function nullIfGone(error: unknown): null {
  if (codeOf(error) === 'ENOENT') return null;
  throw error;
}

function isPart(name: string): boolean {
  const [, whole = ''] = /^(.+)\.\d+\.part$/.exec(name) ?? [];
  return isChosenByDate(whole);
}

/** Whether a path is an existing folder. */
export async function isFolder(at: string): Promise<boolean> {
  return (await stat(at).catch(() => null))?.isDirectory() ?? false;
}

/** Writes under a temporary name. It holds password hashes, so only its owner may read it. */
async function createFile(file: string): Promise<Sink> {
  if (await stat(file).catch(() => null)) throw taken(file);
  // Containers have equal process ids.
  const part = `${file}.${randomInt(2 ** 47)}.part`;
  const handle = await open(part, 'wx', 0o600).catch((error: unknown) => {
    throw unwritable(file, error);
  });
  const abort = async () => {
    await handle.close().catch(() => {});
    await rm(part, { force: true });
  };
  return {
    async write(chunk) {
      await handle.writeFile(chunk).catch((error: unknown) => {
        throw unwritable(file, error);
      });
    },
    async commit() {
      try {
        await handle.sync();
        await handle.close();
        // Unlike a rename, a link never replaces a file that appeared meanwhile.
        await link(part, file).catch(async (error: unknown) => {
          if (!withoutLinks.has(codeOf(error))) throw error;
          if (await stat(file).catch(() => null)) throw taken(file);
          await rename(part, file);
        });
        await rm(part, { force: true });
        await syncFolder(path.dirname(file));
      } catch (error) {
        await abort();
        if (error instanceof AppError) throw error;
        throw codeOf(error) === 'EEXIST' ? taken(file) : unwritable(file, error);
      }
    },
    abort,
  };
}

async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, 'r');
  await handle.sync();
}

function taken(file: string): AppError {
  return conflict`${file} already exists${fix}choose another name, or delete it`;
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  ENOTDIR: 'a part of its path is not a folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left on the device',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file would be too large for the file system or the limit of this process',
};

function reasonOf(error: unknown): string {
  return reasons[codeOf(error)] ?? (error instanceof Error ? error.message : String(error));
}

function unwritable(file: string, cause: unknown): AppError {
  const reason = codeOf(cause) === 'ENOENT' ? `the folder ${path.dirname(file)} does not exist` : reasonOf(cause);
  const error = invalid`${file} cannot be written: ${reason}${fix}choose a folder with enough space that this user may write to`;
  error.cause = cause;
  return error;
}

function unreadable(file: string, cause: unknown): AppError {
  const error = invalid`${file} cannot be read: ${reasonOf(cause)}${fix}specify a backup that this user may read`;
  error.cause = cause;
  return error;
}

function unlistable(folder: string, cause: unknown): AppError {
  const error = invalid`${folder} cannot be listed: ${reasonOf(cause)}${fix}specify a folder that this user may read`;
  error.cause = cause;
  return error;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
