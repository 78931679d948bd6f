import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { FactStore } from '../../../engine/stores/fact-store.ts';
import { AppError, fix, invalid, message } from '../../../kit/errors/errors.ts';
import type { EntryDigest } from '../archive/format.ts';
import type { Entry } from '../archive/reader.ts';

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
