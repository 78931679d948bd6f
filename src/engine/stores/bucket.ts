import type { StoredFact } from './fact-store.ts';

/** Remote storage of fact files, by key. */
export interface Bucket {
  /** Name in error messages: `S3 bucket "costs"`. */
  readonly name: string;
  /** Stores a file durably. */
  upload(key: string, file: string): Promise<void>;
  /** @throws {MissingObject} when the key does not exist */
  download(key: string, file: string): Promise<void>;
  /** Deletes keys; missing ones are ignored. */
  remove(keys: readonly string[]): Promise<void>;
  list(): AsyncIterable<StoredFact>;
}

/** The key does not exist in the store. */
export class MissingObject extends Error {}

/** Returns the name of an object in the store: prefix and key. */
export function withPrefix(prefix: string, key: string): string {
  return prefix === '' ? key : `${prefix}/${key}`;
}
