import { createReadStream } from 'node:fs';
import { Writable, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { LoaderFile } from './protocol.ts';
import { Refusal } from './refusal.ts';

const maxHeaderBytes = 1 << 20;

/** The first row of a CSV file, without its byte order mark and line end.
 *  @throws {Refusal} when the file is empty, or is not UTF-8 text */
export async function readHeaderRow(file: LoaderFile): Promise<string> {
  const row = textOf(file, await readFirstRow(file)).replace(/^\uFEFF/, '');
  if (row.trim() === '')
    throw new Refusal(`${file.name}: the file is empty; a FOCUS file starts with a row of column names`);
  return row;
}

async function readFirstRow(file: LoaderFile): Promise<Buffer> {
  let head = Buffer.alloc(0);
  try {
    for await (const chunk of open(file)) {
      head = Buffer.concat([head, chunk]);
      const end = endOfRow(head);
      if (end !== null) return head.subarray(0, end);
      if (head.length > maxHeaderBytes)
        throw new Refusal(`${file.name}: no line ends within the first MiB; it is not a CSV file`);
    }
  } catch (error) {
    if (error instanceof Refusal || file.format !== 'csv.gz') throw error;
    throw damagedGzip(file, error);
  }
  return head;
}

function open(file: LoaderFile): Readable {
  const source = createReadStream(file.path);
  if (file.format !== 'csv.gz') return source;
  const inflated = createGunzip();
  source.on('error', (error) => inflated.destroy(error));
  inflated.on('close', () => source.destroy());
  return source.pipe(inflated);
}

/** Where the first row ends: at a line end outside quotes. */
function endOfRow(bytes: Buffer): number | null {
  let isQuoted = false;
  for (const [at, byte] of bytes.entries()) {
    if (byte === 0x22) isQuoted = !isQuoted;
    else if (!isQuoted && (byte === 0x0a || byte === 0x0d)) return at;
  }
  return null;
}

function textOf(file: LoaderFile, bytes: Buffer): string {
  const isUtf16 =
    bytes.includes(0) || (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  try {
    if (!isUtf16) return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // Told below.
  }
  throw new Refusal(`${file.name}, row 1: is not UTF-8 text${isUtf16 ? ' but UTF-16' : ''}: deliver the file as UTF-8`);
}

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
function damagedGzip(file: LoaderFile, error: unknown): Refusal {
  const reason = error instanceof Error ? error.message : String(error);
  return new Refusal(`${file.name}: the gzip data is cut off or damaged (${reason}): deliver the file again`, {
    cause: error,
  });
}
