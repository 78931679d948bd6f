import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { LoaderFile } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import { readBytes } from './compression.ts';

// DuckDB reads CSV strictly only if all lines end alike, and no rows at all if a quote follows the byte order mark. Such files are
// rewritten with one line end, or without the mark; quoted text stays as it is.

const [quote, lineFeed, carriageReturn] = [0x22, 0x0a, 0x0d];

/** Paths of rewritten files. */
const rewritten = new Set<string>();

/** Deletes those of the files that are rewritten ones: call it when they are no longer read. */
export async function removeRewritten(files: Iterable<LoaderFile>): Promise<void> {
  for (const { path } of files) if (rewritten.delete(path)) await rm(path, { force: true });
}

/** Reads files, and again with one line end if DuckDB cannot split one into rows and columns. On success,
 *  the rewritten files stay until `removeRewritten`.
 *  @param read gets the files, or their rewritten forms
 *  @throws {Refusal} the first one of `read` if no file has different line ends */
export async function readRepaired<Result>(
  given: readonly LoaderFile[],
  jobDir: string,
  read: (files: readonly LoaderFile[]) => Promise<Result>,
): Promise<Result> {
  const files = [...given];
  const replace = async (form: (file: LoaderFile) => Promise<LoaderFile | null>): Promise<boolean> => {
    let isAny = false;
    for (const [at, file] of files.entries()) {
      // A damaged archive is reported by the reading.
      const other = await form(file).catch(ifRefused);
      if (!other) continue;
      await removeRewritten([file]);
      files[at] = other;
      isAny = true;
    }
    return isAny;
  };
  try {
    await replace((file) => withoutMark(file, jobDir));
    try {
      return await read(files);
    } catch (error) {
      if (!isOfText(error) || !(await replace((file) => withOneLineEnd(file, jobDir)))) throw error;
      return await read(files);
    }
  } catch (error) {
    await removeRewritten(files);
    throw error;
  }
}

/** Returns whether DuckDB could not split a text file into rows and columns. */
function isOfText(error: unknown): boolean {
  return error instanceof Refusal && error.cause instanceof Error && /\bCSV\b/.test(error.cause.message);
}

function ifRefused(error: unknown): null {
  if (error instanceof Refusal) return null;
  throw error;
}

/** Rewrites a text file whose lines end in different ways; null if they do not. */
async function withOneLineEnd(file: LoaderFile, jobDir: string): Promise<LoaderFile | null> {
  if (file.format === 'parquet') return null;
  const ends = new Set<string>();
  const text = withLineFeeds(readBytes(file), (end) => ends.add(end));
  return rewrite(file, jobDir, { text, isWanted: () => ends.size > 1 });
}

/** Rewrites a text file that starts with a byte order mark and a quote, as Excel writes `"sep=;"`, without the mark; null if it does
 *  not. */
async function withoutMark(file: LoaderFile, jobDir: string): Promise<LoaderFile | null> {
  if (file.format === 'parquet') return null;
  const mark = Buffer.from('\uFEFF"');
  let head = Buffer.alloc(0);
  for await (const chunk of readBytes(file)) {
    head = Buffer.concat([head, chunk]);
    if (head.length >= mark.length) break;
  }
  if (!head.subarray(0, mark.length).equals(mark)) return null;
  return rewrite(file, jobDir, { text: from(readBytes(file), mark.length - 1), isWanted: () => true });
}

async function rewrite(
  file: LoaderFile,
  jobDir: string,
  { text, isWanted }: { readonly text: AsyncIterable<Buffer>; readonly isWanted: () => boolean },
): Promise<LoaderFile | null> {
  const path = join(jobDir, `lines-${randomUUID()}.csv`);
  rewritten.add(path);
  const other: LoaderFile = { ...file, path, format: 'csv' };
  try {
    await pipeline(text, createWriteStream(path, { mode: 0o600 }));
    if (isWanted()) return other;
  } catch (error) {
    await removeRewritten([other]);
    throw error;
  }
  await removeRewritten([other]);
  return null;
}

async function* from(chunks: AsyncIterable<Buffer>, start: number): AsyncGenerator<Buffer, void> {
  let left = start;
  for await (const chunk of chunks) {
    yield chunk.subarray(left);
    left = Math.max(0, left - chunk.length);
  }
}

async function* withLineFeeds(
  chunks: AsyncIterable<Buffer>,
  onEnd: (end: string) => void,
): AsyncGenerator<Buffer, void> {
  const state = { isQuoted: false, isAfterReturn: false };
  for await (const chunk of chunks) yield unified(chunk, state, onEnd);
  if (!state.isAfterReturn) return;
  onEnd('\r');
  yield Buffer.from([lineFeed]);
}

/** Returns a chunk with line feeds as line ends. A carriage return at its end is left to the next chunk. */
function unified(
  chunk: Buffer,
  state: { isQuoted: boolean; isAfterReturn: boolean },
  onEnd: (end: string) => void,
): Buffer {
  const out = Buffer.allocUnsafe(chunk.length + 1);
  let length = 0;
  for (const byte of chunk) {
    const wasAfterReturn = state.isAfterReturn;
    if (wasAfterReturn) {
      onEnd(byte === lineFeed ? '\r\n' : '\r');
      out[length++] = lineFeed;
    }
    if (byte === quote) state.isQuoted = !state.isQuoted;
    state.isAfterReturn = !state.isQuoted && byte === carriageReturn;
    if (state.isAfterReturn || (wasAfterReturn && byte === lineFeed)) continue;
    if (!state.isQuoted && byte === lineFeed) onEnd('\n');
    out[length++] = byte;
  }
  return out.subarray(0, length);
}
