import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import type { FactStore } from '../../../engine/stores/fact-store.ts';
import { AppError, fix, invalid, message } from '../../../kit/errors/errors.ts';
import { edited, quoted } from '../archive/faults.ts';
import { type EntryDigest, keyOf, type Manifest } from '../archive/format.ts';
import type { Entry } from '../archive/reader.ts';
import { listFiles } from '../snapshot.ts';

/** Checks that the archive has the files that the restored months and uploads reference, and no others.
 *  @throws {AppError} VALIDATION_ERROR if not */
export async function checkFiles(client: pg.ClientBase, { entries }: Manifest): Promise<void> {
  const found = new Map(entries.map(({ name, bytes }) => [keyOf(name), bytes]));
  const referenced = await listFiles(client);
  for (const { key, bytes } of referenced) {
    const size = found.get(key);
    if (size === undefined) throw edited(`the fact file ${quoted(key)} is missing`);
    if (size !== bytes) throw edited(`the fact file ${quoted(key)} has ${size} bytes instead of ${bytes}`);
    if (size === 0) throw edited(`the fact file ${quoted(key)} is empty`);
  }
  const keys = new Set(referenced.map(({ key }) => key));
  const unused = [...found.keys()].find((key) => key !== null && !keys.has(key));
  if (unused) throw edited(`no month or upload uses its fact file ${quoted(unused)}`);
}

/** Puts the files of an archive into the fact store. */
export class FileLoader {
  readonly #store: FactStore;
  readonly #scratch: string;
  /** Files that were there before, which a failed restore keeps. */
  readonly #known: ReadonlySet<string>;
  readonly #added: string[] = [];

  private constructor(store: FactStore, scratch: string, known: ReadonlySet<string>) {
    this.#store = store;
    this.#scratch = scratch;
    this.#known = known;
  }

  static async open(store: FactStore, dataDir: string): Promise<FileLoader> {
    const jobs = path.join(dataDir, 'jobs');
    await mkdir(jobs, { recursive: true, mode: 0o700 });
    const known = new Set<string>();
    for await (const { key } of store.list()) known.add(key);
    return new FileLoader(store, await mkdtemp(path.join(jobs, 'restore-')), known);
  }

  /** Number of files that were stored. */
  get stored(): number {
    return this.#added.length;
  }

  /** Number of files that were already there. */
  get replaced(): number {
    return this.#added.filter((key) => this.#known.has(key)).length;
  }

  /** @throws {AppError} VALIDATION_ERROR if the content is not that of the manifest */
  async add(key: string, entry: Entry, expected: EntryDigest | undefined): Promise<void> {
    const file = path.join(this.#scratch, 'file');
    const hash = createHash('sha256');
    const hashed = async function* () {
      for await (const chunk of entry.content) {
        hash.update(chunk);
        yield chunk;
      }
    };
    await pipeline(hashed, createWriteStream(file, { mode: 0o600 }));
    if (hash.digest('hex') !== expected?.sha256)
      throw invalid`"${entry.name}" changed while the backup was read${fix}restore from a file that nothing writes to`;
    this.#added.push(key);
    await this.#store.put(key, file).catch((cause: unknown) => {
      const reason = cause instanceof Error ? cause.message : String(cause);
      const statement = message`The file "${key}" cannot be stored: ${reason}${fix}make space at FACTS_URL, or set it to another location`;
      throw new AppError('SERVICE_UNAVAILABLE', statement, { cause });
    });
  }

  /** Deletes the files that only this restore added. */
  async undo(): Promise<void> {
    await this.#store.remove(this.#added.filter((key) => !this.#known.has(key))).catch(() => {});
  }

  async close(): Promise<void> {
    await rm(this.#scratch, { recursive: true, force: true });
  }
}
