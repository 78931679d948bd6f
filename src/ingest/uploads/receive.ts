import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { AppError, fix, message } from '../../kit/errors/errors.ts';
import { endBytes, startBytes } from './content.ts';

/** Age in milliseconds after which a file that a killed server was receiving is deleted. */
const staleMs = 86_400_000;

/** A received file in a temporary place. */
export interface Received {
  readonly path: string;
  readonly sizeBytes: number;
  /** In hexadecimal digits. */
  readonly sha256: string;
  /** Its first `startBytes` and its last `endBytes`, or fewer if it is shorter. */
  readonly first: Buffer;
  readonly last: Buffer;
}

/** Writes a stream to a temporary file, with one chunk in memory, and deletes the file after the work.
 *  @param folder absolute; created if needed
 *  @throws {AppError} PAYLOAD_TOO_LARGE above the limit; SERVICE_UNAVAILABLE when the disk is full; the stream's own error */
export async function received<Result>(
  body: AsyncIterable<Buffer>,
  { folder, maxMiB }: { readonly folder: string; readonly maxMiB: number },
  work: (file: Received) => Promise<Result>,
): Promise<Result> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeStale(folder);
  const file = path.join(folder, randomUUID());
  try {
    return await work({ path: file, ...(await write(body, file, maxMiB)) });
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT'))
      throw storeFull(error);
    throw error;
  } finally {
    await rm(file, { force: true });
  }
}

/** @throws {AppError} PAYLOAD_TOO_LARGE */
export function refuseSize(bytes: number, maxMiB: number): void {
  if (bytes <= maxMiB * 2 ** 20) return;
  throw new AppError(
    'PAYLOAD_TOO_LARGE',
    message`The file is larger than ${maxMiB} MiB${fix}compress or split it, or have the operator raise UPLOAD_MAX_MIB`,
  );
}

async function write(body: AsyncIterable<Buffer>, file: string, maxMiB: number): Promise<Omit<Received, 'path'>> {
  const hash = createHash('sha256');
  let [first, last] = [Buffer.alloc(0), Buffer.alloc(0)];
  let sizeBytes = 0;
  await using handle = await open(file, 'wx', 0o600);
  for await (const chunk of body) {
    sizeBytes += chunk.length;
    refuseSize(sizeBytes, maxMiB);
    hash.update(chunk);
    if (first.length < startBytes) first = Buffer.concat([first, chunk.subarray(0, startBytes - first.length)]);
    last = Buffer.concat([last, chunk.subarray(-endBytes)]).subarray(-endBytes);
    await handle.appendFile(chunk);
  }
  return { sizeBytes, sha256: hash.digest('hex'), first, last };
}

/** The error when there is no room for a file. */
export function storeFull(cause: unknown): AppError {
  return new AppError(
    'SERVICE_UNAVAILABLE',
    message`The server cannot store the file; nothing was kept${fix}try again; if it fails again, have the operator check the disk space`,
    { cause, headers: { 'Retry-After': '60' } },
  );
}

async function removeStale(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = path.join(folder, name);
    const found = await stat(file).catch(() => null);
    if (found && found.mtimeMs < Date.now() - staleMs) await rm(file, { force: true });
  }
}
