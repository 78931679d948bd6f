import type { FactFile } from './fact-set.ts';

/** Keeps fact files, by key: immutable once written. */
export interface FactStore {
  /** Absolute folder of the local paths that `lease` returns. */
  readonly folder: string;
  /** Of the local copies; null where files are local. */
  readonly cache: CacheFigures | null;
  /** Makes a file durable under a key. Consumes the local file. */
  put(key: string, localPath: string): Promise<void>;
  /** Local paths of files, which stay until the lease is released.
   *  @throws {AppError} SERVICE_UNAVAILABLE when a file was deleted since its key was read: reading again gives newer keys */
  lease(files: readonly FactFile[], signal?: AbortSignal): Promise<FactLease>;
  /** Deletes files; absent ones are no error. */
  remove(keys: readonly string[]): Promise<void>;
  /** Every file of the store. */
  list(): AsyncIterable<StoredFact>;
}

/** How a cache is doing. */
export interface CacheFigures {
  bytes: number;
  hits: number;
  misses: number;
}

/** Fact files that may be opened. */
export interface FactLease {
  /** @param key of a leased file */
  pathOf(key: string): string;
  release(): void;
}

/** A file as the store lists it. */
export interface StoredFact {
  readonly key: string;
  readonly modifiedAt: Date;
}

/** Refuses a key that would leave the store.
 *  @throws {Error} when the key is not a relative path of plain names */
export function checkKey(key: string): void {
  if (!/^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/.test(key)) throw new Error(`"${key}" cannot be the key of a fact file`);
}
