import { createReadStream } from 'node:fs';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { LoaderFile } from './protocol.ts';
import { Refusal } from './refusal.ts';

/** How far a file may inflate before it is taken for a decompression bomb. Real exports stay below 60; gzip ends at 1032. */
const maxRatio = 200;
const minBombBytes = 256 << 20;

/** Inflates a file to its end, because a reader of lines does not notice one that is cut between two of them.
 *  @throws {Refusal} when the checksum, the length or the end is wrong, or it inflates beyond reason */
export async function verifyGzip(file: LoaderFile): Promise<void> {
  let inflated = 0;
  const source = createReadStream(file.path, { highWaterMark: 1 << 20 });
  const sink = new Writable({
    highWaterMark: 1 << 20,
    write(chunk: Buffer, _encoding, done) {
      inflated += chunk.length;
      const bomb = inflated > minBombBytes && inflated > source.bytesRead * maxRatio;
      done(
        bomb
          ? new Refusal(`${file.name}: inflates to more than ${maxRatio} times its size; it is not a billing export`)
          : null,
      );
    },
  });
  try {
    await pipeline(source, createGunzip({ chunkSize: 1 << 18 }), sink);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw damagedGzip(file, error);
  }
}

/** What inflating a file failed with, in words for the file's owner. */
export function damagedGzip(file: LoaderFile, error: unknown): Refusal {
  const reason = error instanceof Error ? error.message : String(error);
  return new Refusal(`${file.name}: the gzip data is cut off or damaged (${reason}): deliver the file again`, {
    cause: error,
  });
}
