import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { LoaderFile } from '../protocol.ts';
import { readBytes } from './compression.ts';

// DuckDB reads CSV strictly only if all lines end alike, and no rows at all if a quote follows the byte order mark. Such files are
// rewritten with one line end, or without the mark; quoted text stays as it is.

const [quote, lineFeed, carriageReturn] = [0x22, 0x0a, 0x0d];

/** Rewritten files by the original path. They live as long as the job's folder. */
const rewritten = new Map<string, LoaderFile>();

/** Returns the file to read in place of another: its rewritten form, if there is one. */
export function withOneLineEnd(file: LoaderFile): LoaderFile {
  return rewritten.get(file.path) ?? file;
}

/** Rewrites a text file whose lines end in different ways.
 *  @returns whether they did */
export async function unifyLineEnds(file: LoaderFile, jobDir: string): Promise<boolean> {
  if (file.format === 'parquet') return false;
  const ends = new Set<string>();
  const lines = withLineFeeds(readBytes(withOneLineEnd(file)), (end) => ends.add(end));
  return rewrite(file, jobDir, { text: lines, isWanted: () => ends.size > 1 });
}

/** Rewrites a text file that starts with a byte order mark and a quote, as Excel writes `"sep=;"`, without the mark. */
export async function dropMark(file: LoaderFile, jobDir: string): Promise<void> {
  if (file.format === 'parquet' || rewritten.has(file.path)) return;
  const mark = Buffer.from('\uFEFF"');
  let head = Buffer.alloc(0);
  for await (const chunk of readBytes(file)) {
    head = Buffer.concat([head, chunk]);
    if (head.length >= mark.length) break;
  }
  if (!head.subarray(0, mark.length).equals(mark)) return;
  await rewrite(file, jobDir, { text: from(readBytes(file), mark.length - 1), isWanted: () => true });
}

async function rewrite(
  file: LoaderFile,
  jobDir: string,
  { text, isWanted }: { readonly text: AsyncIterable<Buffer>; readonly isWanted: () => boolean },
): Promise<boolean> {
  const path = join(jobDir, `lines-${randomUUID()}.csv`);
  await pipeline(text, createWriteStream(path, { mode: 0o600 }));
  if (isWanted()) rewritten.set(file.path, { ...file, path, format: 'csv' });
  else await rm(path);
  return isWanted();
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

/** Returns a chunk with line feeds as line ends. A return at its end is left to the next chunk. */
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
