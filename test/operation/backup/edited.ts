import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { type Header as TarHeader, pack } from 'tar-stream';
import {
  digestName,
  type Header,
  headerName,
  type Manifest,
  manifestName,
  partName,
} from '../../../src/operation/backup/archive/format.ts';
import { entriesOf } from '../../../src/operation/backup/archive/reader.ts';

/** An unpacked backup, to be edited. */
export interface Unpacked {
  header: Header;
  manifest: Omit<Manifest, 'entries'>;
  /** Parts of tables and files. */
  entries: { name: string; content: Buffer; type?: TarHeader['type'] }[];
}

/** Writes an edited copy of a backup whose digests are right. */
export async function editBackup(from: string, to: string, edit: (backup: Unpacked) => void): Promise<void> {
  const entries: { name: string; content: Buffer }[] = [];
  for await (const { name, content } of entriesOf(createReadStream(from))) {
    const chunks: Buffer[] = [];
    for await (const chunk of content) chunks.push(chunk);
    entries.push({ name, content: Buffer.concat(chunks) });
  }
  const textOf = (of: string) => entries.find(({ name }) => name === of)?.content.toString() ?? '';
  const { entries: _digests, ...manifest } = JSON.parse(textOf(manifestName)) as Manifest;
  const backup = { header: JSON.parse(textOf(headerName)) as Header, manifest, entries: entries.slice(1, -2) };
  edit(backup);
  await write(backup, to);
}

async function write({ header, manifest, entries }: Unpacked, to: string): Promise<void> {
  const all = [{ name: headerName, content: Buffer.from(JSON.stringify(header)) }, ...entries];
  const digests = all.map(({ name, content }) => ({ name, bytes: content.length, sha256: sha256(content) }));
  const listed = Buffer.from(JSON.stringify({ ...manifest, entries: digests }));
  const tar = pack();
  const written = pipeline(tar as unknown as NodeJS.ReadableStream, createWriteStream(to));
  for (const { name, content, type = 'file' } of all as Unpacked['entries'])
    if (type === 'file') tar.entry({ name }, content);
    else tar.entry({ name, type, linkname: '/etc/passwd' });
  tar.entry({ name: manifestName }, listed);
  tar.entry({ name: digestName }, sha256(listed));
  tar.finalize();
  await written;
}

/** Edits the rows of a table, which have one part. */
export function editRows({ manifest, entries }: Unpacked, table: string, edit: (rows: string) => string): void {
  const part = entries.find(({ name }) => name === partName(table, 1));
  const listed = manifest.tables.find(({ name }) => name === table);
  if (!part || !listed) throw new Error(`The backup has no rows of ${table}`);
  const rows = Buffer.from(edit(zstdDecompressSync(part.content).toString()));
  part.content = zstdCompressSync(rows);
  listed.sha256 = sha256(rows);
  listed.rows = rows.toString().split('\n').length - 1;
}

function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
