import { open, type FileHandle } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { createZstdDecompress } from 'node:zlib';
import { Refusal } from '../refusal.ts';

// Zstandard (RFC 8878, section 3.1.1). Node's decompressor ignores the rest of a chunk after the end of a frame, but a file may have
// many frames: parallel compressors and concatenation write them.

/** Number of frames from which `crumbBytes` applies: each frame takes time, however small it is. Parallel compressors write one per
 *  few MiB. */
const minCrumbs = 10_000;
/** Minimum average size of a frame, in compressed bytes. */
const crumbBytes = 1024;

/** Reads the uncompressed content of a file.
 *  @param onRead called with the number of compressed bytes read so far
 *  @throws {Refusal} when the file has very many small frames
 *  @throws {Error} when the file is cut off or damaged */
export async function* readZstd(
  { name, path }: { readonly name: string; readonly path: string },
  onRead: (bytes: number) => void = () => {},
): AsyncGenerator<Buffer, void> {
  const file = await open(path);
  try {
    const chunks = Readable.from(chunksOf(file, name, onRead), { objectMode: false });
    yield* pipeline(chunks, createZstdDecompress({ chunkSize: 1 << 18 }), () => {});
  } finally {
    await file.close();
  }
}

/** Reads the frames with content in chunks, each of one frame. */
async function* chunksOf(
  file: FileHandle,
  name: string,
  onRead: (bytes: number) => void,
): AsyncGenerator<Buffer, void> {
  const { size } = await file.stat();
  const bytes = new Bytes(file);
  let frames = 0;
  for (let start = 0, end = 0; start < size; start = end) {
    const frame = await frameAt(bytes, start);
    ({ end } = frame);
    frames += 1;
    if (end > size) throw cutOff();
    if (frames > minCrumbs && end < frames * crumbBytes)
      throw new Refusal(
        `${name}: more than ${minCrumbs} zstd frames of less than ${crumbBytes} bytes on average; compress the file again as a whole`,
      );
    if (frame.isSkippable) continue;
    for (let at = start; at < end; at += chunkBytes) {
      yield await bytes.at(at, Math.min(chunkBytes, end - at));
      onRead(Math.min(at + chunkBytes, end));
    }
  }
}

const chunkBytes = 1 << 20;
const windowBytes = 4096;

/** Bytes of a file by position. Keeps the last ones read, since headers and small frames are close together. */
class Bytes {
  readonly #file: FileHandle;
  #start = 0;
  #window: Buffer = Buffer.alloc(0);

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /** @throws {Error} at the end of the file */
  async at(position: number, length: number): Promise<Buffer> {
    const isKnown = position >= this.#start && position + length <= this.#start + this.#window.length;
    if (!isKnown) {
      const space = Buffer.allocUnsafe(Math.max(windowBytes, length));
      const { bytesRead } = await this.#file.read(space, 0, space.length, position);
      if (bytesRead < length) throw cutOff();
      this.#window = space.subarray(0, bytesRead);
      this.#start = position;
    }
    return this.#window.subarray(position - this.#start, position - this.#start + length);
  }
}

const frameMagic = 0xfd2fb528;
const skippableMagic = 0x184d2a50;

async function frameAt(bytes: Bytes, start: number): Promise<{ end: number; isSkippable: boolean }> {
  const magic = await number(bytes, start, 4);
  if ((magic & ~0xf) === skippableMagic)
    return { end: start + 8 + (await number(bytes, start + 4, 4)), isSkippable: true };
  if (magic !== frameMagic) throw new Error('unknown frame');
  const descriptor = await number(bytes, start + 4, 1);
  const isSingle = (descriptor & 0x20) !== 0;
  const contentSize = [isSingle ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0;
  const dictionary = [0, 1, 2, 4][descriptor & 3] ?? 0;
  let at = start + 5 + (isSingle ? 0 : 1) + dictionary + contentSize;
  for (let isLast = false; !isLast;) {
    const block = await number(bytes, at, 3);
    isLast = (block & 1) === 1;
    const isRepeated = ((block >> 1) & 3) === 1;
    at += 3 + (isRepeated ? 1 : block >> 3);
  }
  return { end: at + ((descriptor & 4) === 0 ? 0 : 4), isSkippable: false };
}

async function number(bytes: Bytes, position: number, length: number): Promise<number> {
  return (await bytes.at(position, length)).readUIntLE(0, length);
}

/** Returns the error of zlib for truncated data. */
function cutOff(): Error {
  return new Error('unexpected end of file');
}
