import type { FactFile } from '../fact-set.ts';

/** Stores immutable files by key: facts and uploaded bills. */
export interface FactStore {
  /** Where the files are, such as `/data/facts` or `S3 bucket "costs"`. */
  readonly name: string;
  /** Absolute folder of the paths that `lease` returns. */
  readonly folder: string;
  /** Figures of the local cache; null if the files are local. */
  readonly cache: CacheFigures | null;
  /** Stores a file durably under a key. Consumes the local file. */
  put(key: string, localPath: string): Promise<void>;
  /** Returns whether the store itself, not its cache, has a file. */
  has(key: string): Promise<boolean>;
  /** Returns local paths of files that stay valid until the lease is released.
   *  @throws {AppError} SERVICE_UNAVAILABLE when a file is missing or has another size, or the store does not respond */
  lease(files: readonly StoredFile[], signal?: AbortSignal): Promise<FactLease>;
  /** Deletes files; missing ones are ignored. */
  remove(keys: readonly string[]): Promise<void>;
  /** Lists every file of the store. */
  list(): AsyncIterable<StoredFact>;
}

/** A file by its key, with the size that was written. */
export type StoredFile = Pick<FactFile, 'key' | 'bytes'>;

/** Cache figures. */
export interface CacheFigures {
  bytes: number;
  hits: number;
  misses: number;
}

/** Fact files pinned for reading. */
export interface FactLease {
  /** @param key of a leased file */
  pathOf(key: string): string;
  release(): void;
}

/** A listed file. */
export interface StoredFact {
  readonly key: string;
  readonly modifiedAt: Date;
}

/** Rejects a key that would escape the store.
 *  @throws {Error} when the key is not a relative path of plain names */
export function checkKey(key: string): void {
  if (!/^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/.test(key)) throw new Error(`"${key}" cannot be the key of a fact file`);
}
