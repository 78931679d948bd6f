import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { LoaderFile } from '../protocol.ts';
import { readBytes } from './compression.ts';

// DuckDB reads CSV strictly only if all lines end alike. A file whose lines end in different ways is rewritten with one line end;
// quoted text stays as it is.

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
  if (file.format === 'parquet' || rewritten.has(file.path)) return false;
  const ends = new Set<string>();
  const path = join(jobDir, `lines-${rewritten.size}.csv`);
  await pipeline(
    () => withLineFeeds(readBytes(file), (end) => ends.add(end)),
    createWriteStream(path, { mode: 0o600 }),
  );
  const isMixed = ends.size > 1;
  if (isMixed) rewritten.set(file.path, { ...file, path, format: 'csv' });
  else await rm(path);
  return isMixed;
}

async function* withLineFeeds(
  chunks: AsyncIterable<Buffer>,
  onEnd: (end: string) => void,
): AsyncGenerator<Buffer, void> {
  let isQuoted = false;
  let isAfterReturn = false;
  for await (const chunk of chunks) {
    const out = Buffer.allocUnsafe(chunk.length + 1);
    let length = 0;
    for (const byte of chunk) {
      if (isAfterReturn) {
        onEnd(byte === lineFeed ? '\r\n' : '\r');
        out[length++] = lineFeed;
        isAfterReturn = false;
        if (byte === lineFeed) continue;
      }
      if (byte === quote) isQuoted = !isQuoted;
      if (!isQuoted && byte === carriageReturn) isAfterReturn = true;
      else {
        if (!isQuoted && byte === lineFeed) onEnd('\n');
        out[length++] = byte;
      }
    }
    yield out.subarray(0, length);
  }
  if (!isAfterReturn) return;
  onEnd('\r');
  yield Buffer.from([lineFeed]);
}
