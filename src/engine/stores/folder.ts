import { randomUUID } from 'node:crypto';
import { constants, copyFile, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { mapConcurrently } from '../../kit/process/limiter.ts';
import { checkKey, type FactStore, type StoredFile } from './fact-store.ts';
import { FileLost, storeFailed, wrongSize } from '../failures.ts';

const checksAtOnce = 8;

/** Stores files in a local folder.
 *  @param folder absolute; created with the first file */
export function folderStore(folder: string): FactStore {
  const pathOf = (key: string) => {
    checkKey(key);
    return path.join(folder, key);
  };
  return {
    name: folder,
    folder,
    cache: null,
    put: async (key, localPath) => moveDurably(localPath, pathOf(key)),
    async has(key) {
      const found = await stat(pathOf(key)).catch((error: unknown) => {
        if (isCode(error, 'ENOENT')) return null;
        throw error;
      });
      return found !== null;
    },
    async lease(files, signal) {
      await mapConcurrently(files, checksAtOnce, async (file) => {
        signal?.throwIfAborted();
        await checkFile(pathOf(file.key), file);
      });
      return { pathOf, release: () => {} };
    },
    async remove(keys) {
      for (const key of keys) await rm(pathOf(key), { force: true });
    },
    list: () => listFolder(folder),
  };
}

/** @throws {AppError} SERVICE_UNAVAILABLE when the file is missing or differs in size from what was written */
async function checkFile(file: string, { key, bytes }: StoredFile): Promise<void> {
  const found = await stat(file).catch((error: unknown) => {
    throw isCode(error, 'ENOENT') ? new FileLost(key, 'is missing', error) : storeFailed('facts folder', error);
  });
  if (found.size !== bytes) throw wrongSize(key, { found: found.size, written: bytes });
}

/** Moves a file so that it survives a power loss: syncs its content, then its name, then any new folders. */
async function moveDurably(from: string, to: string): Promise<void> {
  await syncPath(from);
  const firstNew = await mkdir(path.dirname(to), { recursive: true });
  await rename(from, to).catch((error: unknown) => {
    if (isCode(error, 'EXDEV')) return copyDurably(from, to);
    throw error;
  });
  const top = firstNew === undefined ? path.dirname(to) : path.dirname(firstNew);
  for (let folder = path.dirname(to); ; folder = path.dirname(folder)) {
    await syncPath(folder);
    if (folder === top) return;
  }
}

/** Copies to another device under a temporary name, so that no reader sees a partial file. */
async function copyDurably(from: string, to: string): Promise<void> {
  const part = `${to}.${randomUUID()}.part`;
  try {
    await copyFile(from, part, constants.COPYFILE_FICLONE);
    await syncPath(part);
    await rename(part, to);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  await rm(from, { force: true });
}

async function syncPath(file: string): Promise<void> {
  // Windows cannot open folders.
  if (process.platform === 'win32') return;
  await using handle = await open(file, 'r');
  await handle.sync();
}

async function* listFolder(folder: string): AsyncGenerator<{ key: string; modifiedAt: Date }> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    if (isCode(error, 'ENOENT')) return [];
    throw error;
  });
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const found = await stat(file).catch(() => null);
    if (found) yield { key: path.relative(folder, file).split(path.sep).join('/'), modifiedAt: found.mtime };
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
