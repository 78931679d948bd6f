import { createReadStream } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { createZstdDecompress } from 'node:zlib';

// Zstandard (RFC 8878, section 3.1.1). Node's decompressor ends after the first frame and ignores the rest, but a file may have
// many: parallel compressors and concatenation write them.

interface Frame {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

/** Reads the uncompressed content of a file.
 *  @param onRead called with the number of compressed bytes read so far
 *  @throws {Error} when the file is cut off or damaged */
export async function* readZstd(
  path: string,
  onRead: (bytes: number) => void = () => {},
): AsyncGenerator<Buffer, void> {
  for await (const { start, end } of framesOf(path)) {
    const source = createReadStream(path, { start, end: end - 1, highWaterMark: 1 << 20 });
    const inflated = source.pipe(createZstdDecompress({ chunkSize: 1 << 18 }));
    source.on('error', (error) => inflated.destroy(error));
    try {
      for await (const chunk of inflated) {
        onRead(start + source.bytesRead);
        yield chunk;
      }
    } finally {
      source.destroy();
    }
  }
}

/** Finds the frames with content by their headers. */
async function* framesOf(path: string): AsyncGenerator<Frame, void> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    for (let start = 0; start < size;) {
      const { end, isSkippable } = await frameAt(file, start);
      if (end > size) throw cutOff();
      if (!isSkippable) yield { start, end };
      start = end;
    }
  } finally {
    await file.close();
  }
}

const frameMagic = 0xfd2fb528;
const skippableMagic = 0x184d2a50;

async function frameAt(file: FileHandle, start: number): Promise<{ end: number; isSkippable: boolean }> {
  const magic = await number(file, start, 4);
  if ((magic & ~0xf) === skippableMagic)
    return { end: start + 8 + (await number(file, start + 4, 4)), isSkippable: true };
  if (magic !== frameMagic) throw new Error('unknown frame');
  const descriptor = await number(file, start + 4, 1);
  const isSingle = (descriptor & 0x20) !== 0;
  const contentSize = [isSingle ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0;
  const dictionary = [0, 1, 2, 4][descriptor & 3] ?? 0;
  let at = start + 5 + (isSingle ? 0 : 1) + dictionary + contentSize;
  for (let isLast = false; !isLast;) {
    const block = await number(file, at, 3);
    isLast = (block & 1) === 1;
    const isRepeated = ((block >> 1) & 3) === 1;
    at += 3 + (isRepeated ? 1 : block >> 3);
  }
  return { end: at + ((descriptor & 4) === 0 ? 0 : 4), isSkippable: false };
}

async function number(file: FileHandle, position: number, bytes: number): Promise<number> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, position);
  if (bytesRead < bytes) throw cutOff();
  return buffer.readUIntLE(0, bytes);
}

/** Returns the error of zlib for truncated data. */
function cutOff(): Error {
  return new Error('unexpected end of file');
}
