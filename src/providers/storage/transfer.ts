import { open } from 'node:fs/promises';
import { addAbortSignal, type Readable } from 'node:stream';
import { fix, invalid } from '../../kit/errors/errors.ts';
import { followPages, networkCode, TryLater, withRetries } from '../faults.ts';
import type { ListedFile } from '../layouts/listing.ts';

/** Response to a request for an object, or for the rest of it. */
export interface ObjectBody {
  readonly body: Readable;
  /** Offset in the object at which the body starts: stores without range support return the whole object. */
  readonly from: number;
  /** Content length in bytes; null if unknown. */
  readonly length: number | null;
}

/** Transfer of an object. */
export interface Transfer {
  /** Name in messages: `Object "a.csv" of S3 bucket "bills"`. */
  readonly what: string;
  /** According to the listing. */
  readonly sizeBytes: number;
  /** Requests the object from an offset, on condition that it is the listed one.
   *  @throws {AppError} {TryLater} as the store's requests do */
  open(offset: number, signal: AbortSignal): Promise<ObjectBody>;
}

/** Maximum milliseconds without data. */
const stallMs = 60_000;
/** After this many bytes since it broke, a transfer counts as making progress. */
const progressBytes = 1024 * 1024;
/** Bytes per write: network chunks are small, and each write costs as much as several reads. */
const writeBytes = 1024 * 1024;
/** Maximum consecutive stalls: a sync that waits for an unresponsive store blocks others, so it is retried later instead. */
const mostStalls = 2;

/** The transfer broke off; the received bytes are valid. */
class Broken extends Error {}

/** The transfer broke off because it stalled. */
class Stalled extends Broken {}

/** Writes an object to a new local file that only the server's user may read.
 *  @throws {AppError} VALIDATION_ERROR when its size differs from the listing
 *  @throws {TryLater} when it breaks repeatedly */
export async function receiveFile(transfer: Transfer, path: string, signal: AbortSignal): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  let chunks: Buffer[] = [];
  let bytes = 0;
  const flush = async (): Promise<void> => {
    if (bytes === 0) return;
    const { bytesWritten } = await file.writev(chunks);
    if (bytesWritten !== bytes) throw new Error(`${bytesWritten} of ${bytes} bytes were written to the disk`);
    [chunks, bytes] = [[], 0];
  };
  const write = async (chunk: Buffer): Promise<void> => {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= writeBytes) await flush();
  };
  try {
    await receive(transfer, write, signal);
    await flush();
  } finally {
    await file.close();
  }
}

/** Reads a complete object as UTF-8.
 *  @throws as `receiveFile` */
export async function receiveText(transfer: Transfer, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  await receive(transfer, async (chunk) => void chunks.push(chunk), signal);
  return Buffer.concat(chunks).toString('utf8');
}

/** Requests an object and discards the response.
 *  @throws as `Transfer.open` */
export async function probe(transfer: Transfer, signal: AbortSignal): Promise<void> {
  const { body } = await transfer.open(0, signal);
  body.on('error', ignore).destroy();
}

/** Passes on an object's bytes, each once and in order, and resumes a broken transfer.
 *  @throws as `receiveFile` */
export async function receive(
  transfer: Transfer,
  write: (chunk: Buffer) => Promise<void>,
  signal: AbortSignal,
  stallAfterMs = stallMs,
): Promise<void> {
  let done = 0;
  let stalls = 0;
  const advance = async (chunk: Buffer): Promise<void> => {
    await write(chunk);
    done += chunk.length;
  };
  const attempt = async (): Promise<void> => {
    const before = done;
    try {
      await receiveFrom(transfer, { offset: before, stallAfterMs }, advance, signal);
    } catch (error) {
      if (!(error instanceof Broken)) throw error;
      if (done - before >= progressBytes) return void (stalls = 0);
      if (error instanceof Stalled && ++stalls === mostStalls) throw new TryLater(error.message, { cause: error });
      throw error;
    }
  };
  const advise = (error: unknown) => (error instanceof Broken ? { reason: error.message, waitMs: null } : null);
  do await withRetries(signal, attempt, advise);
  while (done < transfer.sizeBytes);
}

async function receiveFrom(
  transfer: Transfer,
  { offset, stallAfterMs }: { offset: number; stallAfterMs: number },
  write: (chunk: Buffer) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const { what, sizeBytes } = transfer;
  const { body, from, length } = await transfer.open(offset, signal);
  const stall = setTimeout(() => body.destroy(new Stalled(`The transfer of ${what} stalled`)), stallAfterMs);
  let at = from;
  try {
    if (from > offset || (length !== null && from + length !== sizeBytes)) throw otherLength(what, from, length);
    for await (const chunk of addAbortSignal(signal, body)) {
      if (!Buffer.isBuffer(chunk)) throw new TypeError(`${what} is returned as text`);
      stall.refresh();
      const skipped = Math.max(0, offset - at);
      at += chunk.length;
      if (at > sizeBytes) throw changed(what, `has more than the ${sizeBytes} bytes that were listed`);
      if (skipped < chunk.length) await write(skipped > 0 ? chunk.subarray(skipped) : chunk);
    }
  } catch (error) {
    signal.throwIfAborted();
    throw broken(error, what);
  } finally {
    clearTimeout(stall);
    body.on('error', ignore).destroy();
  }
  if (at < sizeBytes) throw new Broken(`${what} ended after ${at} of ${sizeBytes} bytes`);
}

const ignore = (): void => undefined;

function broken(error: unknown, what: string): unknown {
  // The bytes are already on disk, and it is unknown which are wrong.
  if (error instanceof Error && /checksum mismatch/i.test(error.message))
    return new TryLater(`${what} was damaged in transfer: its checksum differs`);
  const code = networkCode(error);
  // The caller has not aborted: Node and Azure's SDK also use these for a connection that ended early.
  const isCut =
    code !== null || (error instanceof Error && (error.message === 'aborted' || error.name === 'AbortError'));
  return isCut ? new Broken(`The transfer of ${what} was interrupted (${code ?? 'aborted'})`) : error;
}

function otherLength(what: string, from: number, length: number | null): Error {
  return changed(what, `returned ${length ?? 'an unknown number of'} bytes from byte ${from} on, unlike its listing`);
}

/** Error for an object that differs from its listing. */
export function changed(what: string, how: string): Error {
  return invalid`${what} ${how}: it changed while it was being read${fix}sync again when the export is complete`;
}

/** Time limit of a request in milliseconds, including the SDK's own attempts. */
const requestMs = 180_000;

/** Sends a request with a timeout of three minutes. The response body has its own limit.
 *  @param fault converts an error to a message for the account's owner */
export async function inTime<T>(
  signal: AbortSignal,
  send: (abortSignal: AbortSignal) => Promise<T>,
  fault: (error: unknown, isLate: boolean) => unknown,
): Promise<T> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), requestMs);
  try {
    return await send(AbortSignal.any([signal, late.signal]));
  } catch (error) {
    signal.throwIfAborted();
    throw fault(error, late.signal.aborted);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the listed size of an object in bytes; 0, so that its transfer is rejected, if it is not a size. */
export function sizeOf(listed: unknown): number {
  return Number.isSafeInteger(listed) && Number(listed) >= 0 ? Number(listed) : 0;
}

/** Maximum objects of a listing: a prefix with more is not an export, or contains many of them. */
const maxObjects = 100_000;
/** Maximum pages of a listing; pages may be partly filled. */
const maxPages = 1_000;

/** One page of a listing. */
export interface Page {
  readonly files: readonly ListedFile[];
  /** Token of the next page; null after the last. */
  readonly next: string | null;
}

/** Reads a listing page by page, without folder placeholders.
 *  @param name of the bucket or container, for messages
 *  @returns ordered by key
 *  @throws {AppError} VALIDATION_ERROR for more than 100,000 objects, or when paging never ends */
export async function listPages(
  name: string,
  pageAfter: (token: string | undefined) => Promise<Page>,
): Promise<ListedFile[]> {
  const files: ListedFile[] = [];
  const endless = () =>
    invalid`The listing of ${name} returned the same page twice (endless paging)${fix}ask the store's operator`;
  for await (const page of followPages(pageAfter, ({ next }) => next, maxPages, endless)) {
    files.push(...page.files.filter((file) => !file.key.endsWith('/')));
    if (files.length > maxObjects)
      throw invalid`The prefix of ${name} contains more than ${maxObjects} objects${fix}use a longer prefix`;
  }
  return files.sort((a, b) => (a.key < b.key ? -1 : 1));
}
