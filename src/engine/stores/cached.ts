import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { mapConcurrently } from '../../kit/process/limiter.ts';
import { FileLost, storeFailed, wrongSize } from '../failures.ts';
import { type CacheFigures, checkKey, type FactLease, type FactStore, type StoredFile } from './fact-store.ts';
import { type Bucket, MissingObject } from './bucket.ts';

const downloadsAtOnce = 8;

/** Age in milliseconds after which an unfinished download of a dead server is deleted. */
const partAgeMs = 86_400_000;

interface Entry {
  readonly bytes: number;
  leases: number;
  /** Resolves when the file is complete. */
  ready: Promise<void>;
}

/** Returns a bucket with a local LRU cache.
 *  @param folder absolute, of the local copies
 *  @param limitBytes total size of the copies; leased ones may exceed it */
export async function cachedStore(bucket: Bucket, folder: string, limitBytes: number): Promise<FactStore> {
  const cache = new Cache(bucket, folder, limitBytes);
  await cache.open();
  return cache;
}

class Cache implements FactStore {
  readonly name: string;
  readonly folder: string;
  readonly cache: CacheFigures = { bytes: 0, hits: 0, misses: 0 };
  readonly #bucket: Bucket;
  readonly #limitBytes: number;
  /** Least recently used first. */
  readonly #entries = new Map<string, Entry>();

  constructor(bucket: Bucket, folder: string, limitBytes: number) {
    this.name = bucket.name;
    this.folder = folder;
    this.#bucket = bucket;
    this.#limitBytes = limitBytes;
  }

  /** Adopts the copies of an earlier process. */
  async open(): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const found: { key: string; bytes: number; usedAt: number }[] = [];
    for (const entry of await readdir(this.folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const file = path.join(entry.parentPath, entry.name);
      const { size, atimeMs, mtimeMs } = await stat(file);
      const key = path.relative(this.folder, file).split(path.sep).join('/');
      if (!key.endsWith('.part')) found.push({ key, bytes: size, usedAt: atimeMs });
      else if (mtimeMs < Date.now() - partAgeMs) await rm(file, { force: true });
    }
    for (const { key, bytes } of found.sort((a, b) => a.usedAt - b.usedAt)) this.#add(key, bytes, Promise.resolve());
    await this.#evict();
  }

  async put(key: string, localPath: string): Promise<void> {
    const file = this.#pathOf(key);
    const { size } = await stat(localPath);
    await this.#bucket.upload(key, localPath).catch((error: unknown) => {
      throw new Error(`${this.#bucket.name}: ${key} cannot be written: ${reasonOf(error)}`);
    });
    // Newly loaded facts are likely to be read next.
    const entry = this.#add(key, size, move(localPath, file));
    entry.leases += 1;
    await entry.ready.catch(() => this.#forget(key));
    entry.leases -= 1;
    await this.#evict();
  }

  async has(key: string): Promise<boolean> {
    const file = path.join(this.folder, `${randomUUID()}.part`);
    try {
      await this.#bucket.download(key, file);
      return true;
    } catch (error) {
      if (error instanceof MissingObject) return false;
      throw error;
    } finally {
      await rm(file, { force: true });
    }
  }

  async lease(files: readonly StoredFile[], signal?: AbortSignal): Promise<FactLease> {
    const leased: Entry[] = [];
    const release = () => this.#release(leased.splice(0));
    try {
      await mapConcurrently(files, downloadsAtOnce, async (file) => {
        signal?.throwIfAborted();
        const entry = this.#use(file);
        leased.push(entry);
        await unlessAborted(entry.ready, signal);
      });
      return { pathOf: (key) => this.#pathOf(key), release };
    } catch (error) {
      release();
      throw error;
    }
  }

  async remove(keys: readonly string[]): Promise<void> {
    await this.#bucket.remove(keys);
    for (const key of keys) await this.#drop(key);
  }

  list() {
    return this.#bucket.list();
  }

  /** Leases the copy of a file, which becomes the most recently used. Concurrent readers share a download. */
  #use({ key, bytes }: StoredFile): Entry {
    let entry = this.#entries.get(key);
    if (entry) {
      this.cache.hits += 1;
      this.#entries.delete(key);
      this.#entries.set(key, entry);
      if (entry.leases === 0) this.#await(entry, (entry.ready = entry.ready.then(() => this.#check(key, bytes))));
    } else {
      this.cache.misses += 1;
      entry = this.#add(key, bytes, this.#download(key, bytes));
      this.#await(entry, entry.ready);
    }
    entry.leases += 1;
    return entry;
  }

  /** Holds a lease while a copy is in progress, even if no reader is waiting any longer: an entry evicted before its copy
   *  completes would leave the file on disk, uncounted. */
  #await(entry: Entry, ready: Promise<void>): void {
    entry.leases += 1;
    const release = () => this.#release([entry]);
    ready.then(release, release);
  }

  /** Releases leases, then evicts what exceeded the limit meanwhile. */
  #release(entries: readonly Entry[]): void {
    for (const entry of entries) entry.leases -= 1;
    // If a copy cannot be deleted, the next release tries again.
    this.#evict().catch(() => {});
  }

  /** Verifies a copy: another process on the same folder may have evicted it, or a power loss may have truncated it. */
  async #check(key: string, bytes: number): Promise<void> {
    const found = await stat(this.#pathOf(key)).catch(() => null);
    if (found?.size !== bytes) return this.#download(key, bytes);
    // Records the last use for the next process. Keeps the modification time, by which DuckDB caches metadata.
    await utimes(this.#pathOf(key), new Date(), found.mtime).catch(() => {});
  }

  async #download(key: string, bytes: number): Promise<void> {
    const file = this.#pathOf(key);
    const part = `${file}.${randomUUID()}.part`;
    try {
      await mkdir(path.dirname(file), { recursive: true });
      await this.#evict();
      await this.#bucket.download(key, part);
      const { size } = await stat(part);
      if (size !== bytes) throw wrongSize(key, { found: size, written: bytes });
      await rename(part, file);
    } catch (error) {
      await rm(part, { force: true });
      this.#forget(key);
      if (error instanceof FileLost) throw error;
      throw error instanceof MissingObject
        ? new FileLost(key, 'is missing', error)
        : storeFailed(this.#bucket.name, error);
    }
  }

  #add(key: string, bytes: number, ready: Promise<void>): Entry {
    this.#forget(key);
    const entry = { bytes, leases: 0, ready };
    // Avoids an unhandled rejection; readers await it too.
    ready.catch(() => {});
    this.#entries.set(key, entry);
    this.cache.bytes += bytes;
    return entry;
  }

  #forget(key: string): void {
    this.cache.bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.delete(key);
  }

  /** Deletes unleased copies, least recently used first, down to the limit. */
  async #evict(): Promise<void> {
    for (const [key, { leases }] of this.#entries) {
      if (this.cache.bytes <= this.#limitBytes) return;
      if (leases === 0) await this.#drop(key);
    }
  }

  async #drop(key: string): Promise<void> {
    const entry = this.#entries.get(key);
    if (!entry || entry.leases > 0) return;
    this.#forget(key);
    await rm(this.#pathOf(key), { force: true });
  }

  #pathOf(key: string): string {
    checkKey(key);
    return path.join(this.folder, key);
  }
}

/** Returns only the message: the error's code, such as ECONNREFUSED, could be mistaken for the database's. */
function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}

async function move(from: string, to: string): Promise<void> {
  await mkdir(path.dirname(to), { recursive: true });
  const part = `${to}.${randomUUID()}.part`;
  await rename(from, part).catch(async () => {
    await copyFile(from, part);
    await rm(from, { force: true });
  });
  await rename(part, to);
}

async function unlessAborted(work: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (!signal) return work;
  let abort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
  });
  try {
    await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
