import type { FileHandle } from 'node:fs/promises';
import { type ListedAt, openListed } from '../../../providers/focus/in-place.ts';
import type { LoaderFile } from './protocol.ts';
import { Refusal } from './refusal.ts';

/** Folder of Linux with links to the open files of the process. DuckDB still compares their real paths with those that it may read. */
const openFiles = '/proc/self/fd/';

type Open = (listed: ListedAt) => Promise<FileHandle>;

/** Runs work with open files, under paths that lead to them whatever is put at their own paths meanwhile. Systems other than Linux have
 *  no such paths.
 *  @param given copies, and files that are read in place
 *  @param open with `openRegular`, also files that have changed since they were listed
 *  @throws {Refusal} when a file is no longer the listed one */
export async function withOpened<Result>(
  given: readonly LoaderFile[],
  work: (files: LoaderFile[]) => Promise<Result>,
  open: Open = openListed,
): Promise<Result> {
  const handles: FileHandle[] = [];
  try {
    const files: LoaderFile[] = [];
    for (const file of given) {
      const { listed, path } = file;
      const isCopy = path !== listed?.path && !path.startsWith(openFiles);
      const handle = listed === undefined || isCopy ? null : await open(listed).catch(refuse);
      if (handle) handles.push(handle);
      files.push(handle && process.platform === 'linux' ? { ...file, path: `${openFiles}${handle.fd}` } : file);
    }
    return await work(files);
  } finally {
    for (const handle of handles) await handle.close();
  }
}

/** Like `withOpened`, for one file. */
export function withOneOpened<Result>(
  file: LoaderFile,
  work: (file: LoaderFile) => Promise<Result>,
  open: Open = openListed,
): Promise<Result> {
  return withOpened([file], ([opened = file]) => work(opened), open);
}

function refuse(error: Error): never {
  throw new Refusal(error.message, { cause: error });
}
