import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { damagedGzip } from './gzip.ts';
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
