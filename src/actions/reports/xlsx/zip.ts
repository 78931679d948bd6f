import { createDeflateRaw, crc32 } from 'node:zlib';
import { Readable } from 'node:stream';

/** A file of an archive, whose text is read once. */
export interface ZipEntry {
  readonly name: string;
  readonly text: AsyncIterable<string> | Iterable<string>;
}

interface Written {
  readonly name: Buffer;
  readonly crc: number;
  readonly compressed: number;
  readonly size: number;
  readonly offset: number;
}

/** Above it an archive needs ZIP64, which not every reader of spreadsheets knows. */
const most = 0xffff_ffff;
/** Sizes stand behind the data, because they are not known before; names are UTF-8. */
const flags = 0x0008 | 0x0800;
const deflated = 8;
const version = 20;
/** The first day that the format knows: an archive of the same content is the same bytes. */
const firstDay = 0x0021;

/** Writes a ZIP archive (PKWARE APPNOTE 6.3) as a stream; no file of it is held in memory.
 *  @throws {Error} when a file or the archive comes to 4 GiB */
export async function* zip(entries: AsyncIterable<ZipEntry> | Iterable<ZipEntry>): AsyncGenerator<Buffer> {
  const written: Written[] = [];
  let offset = 0;
  for await (const entry of entries) {
    const sums = { crc: 0, compressed: 0, size: 0 };
    const name = Buffer.from(entry.name);
    const start = offset;
    for await (const bytes of fileOf(name, entry.text, sums)) {
      offset += bytes.length;
      yield bytes;
    }
    if (sums.size > most || offset > most) throw new Error(`${entry.name} is larger than a spreadsheet can be`);
    written.push({ name, offset: start, ...sums });
  }
  const directory = Buffer.concat(written.map(directoryEntry));
  yield directory;
  yield endOf(written.length, directory.length, offset);
}

async function* fileOf(
  name: Buffer,
  text: ZipEntry['text'],
  sums: { crc: number; compressed: number; size: number },
): AsyncGenerator<Buffer> {
  yield Buffer.concat([localHeader(name), name]);
  const deflate = createDeflateRaw();
  const source = Readable.from(counted(text, sums));
  // An error of the source must end the reading of what it is piped into.
  source.once('error', (error) => deflate.destroy(error));
  for await (const chunk of source.pipe(deflate)) {
    const bytes = Buffer.from(chunk);
    sums.compressed += bytes.length;
    yield bytes;
  }
  yield descriptor(sums);
}

async function* counted(text: ZipEntry['text'], sums: { crc: number; size: number }): AsyncGenerator<Buffer> {
  for await (const piece of text) {
    const bytes = Buffer.from(piece);
    sums.crc = crc32(bytes, sums.crc);
    sums.size += bytes.length;
    yield bytes;
  }
}

function localHeader(name: Buffer): Buffer {
  return fields([
    [4, 0x0403_4b50],
    [2, version],
    [2, flags],
    [2, deflated],
    [2, 0],
    [2, firstDay],
    [4, 0],
    [4, 0],
    [4, 0],
    [2, name.length],
    [2, 0],
  ]);
}

function descriptor({ crc, compressed, size }: Pick<Written, 'crc' | 'compressed' | 'size'>): Buffer {
  return fields([
    [4, 0x0807_4b50],
    [4, crc],
    [4, compressed],
    [4, size],
  ]);
}

function directoryEntry({ name, crc, compressed, size, offset }: Written): Buffer {
  const head = fields([
    [4, 0x0201_4b50],
    [2, version],
    [2, version],
    [2, flags],
    [2, deflated],
    [2, 0],
    [2, firstDay],
    [4, crc],
    [4, compressed],
    [4, size],
    [2, name.length],
    [2, 0],
    [2, 0],
    [2, 0],
    [2, 0],
    [4, 0],
    [4, offset],
  ]);
  return Buffer.concat([head, name]);
}

function endOf(count: number, size: number, offset: number): Buffer {
  return fields([
    [4, 0x0605_4b50],
    [2, 0],
    [2, 0],
    [2, count],
    [2, count],
    [4, size],
    [4, offset],
    [2, 0],
  ]);
}

/** Little-endian numbers, each with its length in bytes. */
function fields(values: readonly (readonly [2 | 4, number])[]): Buffer {
  const bytes = Buffer.alloc(values.reduce((sum, [length]) => sum + length, 0));
  let at = 0;
  for (const [length, value] of values) at = bytes.writeUIntLE(value, at, length);
  return bytes;
}
