import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import { type Entry, fromFdPromise, type ZipFile } from 'yauzl';
import { AppError, fix, invalid } from '../../../kit/errors/errors.ts';
import type { FileFormat, SourceFile } from '../../../providers/contract.ts';
import { openListed } from '../../../providers/focus/in-place.ts';
import { formatOf, isHidden } from '../../../providers/layouts/listing.ts';
import { whyNotRead } from '../../../providers/layouts/not-read.ts';
import type { LoaderFile, PassedOver } from '../loader/protocol.ts';
import { NotABill } from './not-a-bill.ts';

/** A source file on the local disk. */
interface Fetched {
  readonly path: string;
  /** Whether it is a copy of our own, which may be deleted. */
  readonly isCopy: boolean;
}

interface Target {
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Called with a file of an archive that is not a bill by its name. */
  readonly onPassedOver?: (file: PassedOver) => void;
}

/** Returns the bill files of a fetched file: itself, or the files of an archive, which are unpacked into the folder. Their formats
 *  are those of their contents.
 *  @throws {AppError} VALIDATION_ERROR when an archive cannot be unpacked; {NotABill} when it contains no bill */
export async function unpack(
  { key, token, format: named, ...other }: SourceFile,
  { path, isCopy }: Fetched,
  target: Target,
): Promise<readonly LoaderFile[]> {
  const listed = isCopy ? null : { key, path, token };
  await using file = await (listed ? openListed(listed) : open(path));
  const format = await formatOfContent(file, named);
  const { expectedRows, speaksFor, delivery } = other;
  const known = { key, expectedRows, speaksFor, ...(delivery !== undefined && { delivery }) };
  if (format !== 'zip') return [{ ...known, name: key, path, format, ...(listed && { listed }) }];
  try {
    const members = await unzip({ key, file }, target);
    return members.map((member) => ({ ...member, ...known }));
  } finally {
    if (isCopy) await rm(path, { force: true });
  }
}

/** First bytes of the binary formats. */
const magic: readonly (readonly [FileFormat, string])[] = [
  ['csv.gz', '1f8b'],
  ['csv.zst', '28b52ffd'],
  // A frame that parallel compressors begin with.
  ['csv.zst', '502a4d18'],
  ['zip', '504b0304'],
  ['zip', '504b0506'],
  ['parquet', '50415231'],
];

/** Returns a file's format by its first bytes; text and damaged files have that of their name. */
async function formatOfContent(file: FileHandle, named: FileFormat): Promise<FileFormat> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
  const start = buffer.toString('hex', 0, bytesRead);
  return magic.find(([, bytes]) => start.startsWith(bytes))?.[0] ?? named;
}

// Limits of archives, against decompression bombs. Real exports inflate to less than 60 times their size.
const maxMembers = 10_000;
const maxRatio = 200;
const minBombBytes = 256 << 20;

type Member = Pick<LoaderFile, 'name' | 'path' | 'format'>;

interface Archive {
  readonly key: string;
  readonly file: FileHandle;
}

async function unzip(archive: Archive, target: Target): Promise<Member[]> {
  const members: Member[] = [];
  try {
    const zip = await fromFdPromise(archive.file.fd);
    for (const entry of await billsIn(archive.key, zip, target)) {
      const path = join(target.folder, randomUUID());
      const name = `${archive.key}/${entry.fileName}`;
      members.push({ name, path, format: 'csv' });
      await extract(zip, entry, path, target.signal);
      await using unpacked = await open(path);
      const format = await formatOfContent(unpacked, formatOf(entry.fileName) ?? 'csv');
      if (format === 'zip') throw invalid`"${name}" is an archive inside an archive${fix}deliver its files directly`;
      members.splice(-1, 1, { name, path, format });
    }
    return members;
  } catch (error) {
    for (const { path } of members) await rm(path, { force: true });
    target.signal.throwIfAborted();
    throw error instanceof AppError || isSystem(error) ? error : unreadable(archive, error);
  }
}

/** Returns whether an error is from the operating system, such as a full disk. */
function isSystem(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}

function unreadable({ key }: Archive, error: unknown): AppError {
  const reason = error instanceof Error ? error.message : String(error);
  return new AppError(
    'VALIDATION_ERROR',
    `${key}: the ZIP archive is truncated or damaged (${reason}); replace it with an intact file`,
    { cause: error },
  );
}

/** Returns the entries that are bills by their names.
 *  @throws {AppError} VALIDATION_ERROR when the archive is encrypted or too large; {NotABill} when there are none */
async function billsIn(key: string, zip: ZipFile, { onPassedOver }: Target): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of zip.eachEntry()) {
    entries.push(entry);
    if (entries.length > maxMembers)
      throw invalid`Archive "${key}" contains more than ${maxMembers} files${fix}split it`;
  }
  const bills = entries.filter(({ fileName }) => isBillName(fileName));
  const sum = (size: (entry: Entry) => number) => bills.reduce((total, entry) => total + size(entry), 0);
  const inflated = sum(({ uncompressedSize }) => uncompressedSize);
  // The entries of a bomb may share their compressed bytes.
  const isBomb =
    sum(({ compressedSize }) => compressedSize) > zip.fileSize ||
    (inflated > minBombBytes && inflated > zip.fileSize * maxRatio);
  if (isBomb)
    throw new AppError(
      'VALIDATION_ERROR',
      `${key}: inflates to more than ${maxRatio} times its size; it is not a billing export`,
    );
  const twice = bills.find(({ fileName }, at) => bills.findIndex((other) => other.fileName === fileName) < at);
  if (twice) throw invalid`Archive "${key}" contains two files named "${twice.fileName}"${fix}remove one of them`;
  const locked = bills.find((entry) => !entry.canDecodeFileData());
  if (locked)
    throw invalid`File "${locked.fileName}" of archive "${key}" is encrypted or compressed with an unsupported method${fix}deliver an archive without a password, compressed with "deflate"`;
  if (bills.length > 0) {
    for (const { fileName } of entries.filter((entry) => !isAside(entry.fileName))) {
      const because = whyNotRead(fileName);
      if (because !== null) onPassedOver?.({ key, name: `${key}/${fileName}`, because });
    }
    return bills;
  }
  const isExcel = entries.some(({ fileName }) => fileName === 'xl/workbook.xml');
  throw new NotABill(
    key,
    isExcel ? 'Excel workbook; export CSV or Parquet instead' : 'archive without CSV or Parquet files',
  );
}

function isBillName(name: string): boolean {
  return !isAside(name) && formatOf(name) !== null;
}

/** Returns whether an entry is a folder or hidden. */
function isAside(name: string): boolean {
  return name.endsWith('/') || name.split('/').some((part) => isHidden(part) || part === '__MACOSX');
}

/** Unpacks an entry. Its actual size cannot exceed the stated one, which was checked. */
async function extract(zip: ZipFile, entry: Entry, path: string, signal: AbortSignal): Promise<void> {
  let sum = 0;
  const summed = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sum = crc32(chunk, sum);
      done(null, chunk);
    },
  });
  const content = await zip.openReadStreamPromise(entry);
  await pipeline(content, summed, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal });
  if (sum !== entry.crc32) throw new Error(`incorrect checksum of "${entry.fileName}"`);
}
