import { createHash, type Hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { extract } from 'tar-stream';
import { z } from 'zod';
import { AppError, fix, invalid, message } from '../../../kit/errors/errors.ts';
import { damaged, edited, quoted } from './faults.ts';
import {
  archiveFormat,
  digestName,
  type EntryDigest,
  type Header,
  headerName,
  headerSchema,
  keyOf,
  type Manifest,
  manifestName,
  manifestSchema,
  maxPartBytes,
  tableOf,
} from './format.ts';

/** An entry of an archive. Read its content before the next entry. */
export interface Entry {
  readonly name: string;
  readonly bytes: number;
  readonly content: AsyncIterable<Buffer>;
}

/** A verified archive. */
export interface Verified {
  readonly header: Header;
  readonly manifest: Manifest;
}

/** Largest entry that is read into memory. */
const maxTextBytes = 512 * 2 ** 20;

/** Reads the entries of an archive in their order.
 *  @throws {AppError} VALIDATION_ERROR if it is not a tar file, or is truncated; SERVICE_UNAVAILABLE if the connection is lost */
export async function* entriesOf(source: Readable): AsyncGenerator<Entry> {
  const tar = extract();
  // The generator's own loop reports the failure.
  const fed = pipeline(source, tar as unknown as NodeJS.WritableStream);
  fed.catch(() => {});
  try {
    for await (const entry of tar) {
      const { name, size, type } = entry.header;
      if (type !== 'file') throw edited(`its entry ${quoted(name)} is not a file`);
      yield { name, bytes: size, content: contentOf(entry as AsyncIterable<Buffer>, source) };
    }
    await fed;
  } catch (error) {
    throw explained(error, source);
  } finally {
    source.destroy();
  }
}

/** A truncated file fails while its last entry is read. */
async function* contentOf(entry: AsyncIterable<Buffer>, source: Readable): AsyncGenerator<Buffer> {
  try {
    yield* entry;
  } catch (error) {
    throw explained(error, source);
  }
}

/** A lost connection says nothing about the archive. */
function explained(error: unknown, { errored }: Readable): unknown {
  if (errored && !isTarError(errored)) return lost(errored);
  return isTarError(error) ? unreadable(error) : error;
}

function isTarError(error: unknown): error is Error {
  return (
    error instanceof Error &&
    /unexpected end of data|invalid tar header|premature close|stream was destroyed/i.test(error.message)
  );
}

function lost(cause: Error): AppError {
  if (cause instanceof AppError) return cause;
  const statement = message`The backup cannot be read completely: ${cause.message}${fix}check the connection or the disk, then run the command again`;
  return new AppError('SERVICE_UNAVAILABLE', statement, { cause });
}

function unreadable(cause: Error): AppError {
  const error = damaged(isTruncation(cause) ? 'it is truncated' : 'it is not a readable tar file');
  error.cause = cause;
  return error;
}

function isTruncation({ message: text }: Error): boolean {
  return /unexpected end|premature|destroyed/i.test(text);
}

/** Verifies that an archive is complete and unchanged: every entry has the size and digest of the manifest.
 *  @param onRead called with the number of bytes of each chunk
 *  @throws {AppError} VALIDATION_ERROR naming the damage, or the version that can read it */
export async function verify(source: Readable, onRead: (bytes: number) => void = () => {}): Promise<Verified> {
  const found: EntryDigest[] = [];
  const texts = new Map<string, string>();
  for await (const entry of entriesOf(source)) {
    const isText = [headerName, manifestName, digestName].includes(entry.name) && entry.bytes <= maxTextBytes;
    const { digest, text } = await read(entry, isText, onRead);
    if (found.length === 0 && entry.name !== headerName) throw notABackup();
    if (isText) texts.set(entry.name, text);
    // Checked at once: the rest of a newer format may be anything.
    if (entry.name === headerName) refuseNewer(text);
    found.push(digest);
  }
  if (found.length === 0) throw notABackup();
  const [manifestText, digestText] = [texts.get(manifestName), texts.get(digestName)];
  if (manifestText === undefined || digestText === undefined) throw damaged('it is truncated');
  if (sha256(manifestText) !== digestText.trim()) throw damaged('its manifest was changed');
  const manifest = parse(manifestSchema, manifestText);
  compare(found.slice(0, -2), manifest.entries);
  checkEntries(manifest);
  return { header: parse(headerSchema, texts.get(headerName) ?? ''), manifest };
}

async function read(entry: Entry, isText: boolean, onRead: (bytes: number) => void) {
  const hash: Hash = createHash('sha256');
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of entry.content) {
    hash.update(chunk);
    bytes += chunk.length;
    if (isText) chunks.push(chunk);
    onRead(chunk.length);
  }
  const digest: EntryDigest = { name: entry.name, bytes, sha256: hash.digest('hex') };
  return { digest, text: Buffer.concat(chunks).toString('utf8') };
}

/** The entries of the manifest are all but itself and its digest. */
function compare(found: readonly EntryDigest[], expected: readonly EntryDigest[]): void {
  if (found.length !== expected.length)
    throw damaged(`it has ${found.length} entries where the manifest has ${expected.length}`);
  for (const [index, due] of expected.entries()) {
    const entry = found[index];
    if (entry?.name !== due.name)
      throw damaged(`${quoted(entry?.name ?? '')} is where the manifest has ${quoted(due.name)}`);
    if (entry.bytes !== due.bytes || entry.sha256 !== due.sha256) throw damaged(`${quoted(due.name)} was changed`);
  }
}

/** After the header, an archive has only parts of the listed tables and the files of bills. */
function checkEntries({ tables, jobs, files, entries: [, ...entries] }: Manifest): void {
  const names = new Set([...tables, jobs].map(({ name }) => name));
  for (const { name, bytes } of entries) {
    if (keyOf(name) !== null) continue;
    if (!names.has(tableOf(name) ?? '')) throw edited(`it has an unexpected entry ${quoted(name)}`);
    if (bytes > maxPartBytes) throw edited(`its entry ${quoted(name)} is too large`);
  }
  const found = entries.filter(({ name }) => keyOf(name) !== null).length;
  if (found !== files) throw edited(`it has ${found} fact files, but its manifest lists ${files}`);
}

function refuseNewer(text: string): void {
  const { format, costkeep } = parse(headerSchema.pick({ format: true, costkeep: true }), text);
  if (format <= archiveFormat) return;
  throw invalid`The backup was made by Costkeep ${costkeep}, which is newer and writes another format${fix}restore it with that version or a newer one`;
}

function parse<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    const issue = cause instanceof z.ZodError ? cause.issues[0] : undefined;
    const reason = issue ? `: ${issue.path.join('.')}: ${issue.message}` : '';
    throw edited(`its description is not readable${reason}`, cause);
  }
}

function notABackup(): AppError {
  return invalid`This is not a Costkeep backup${fix}specify a file that "backup" wrote`;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
