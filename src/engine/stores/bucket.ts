import type { StoredFact } from '../fact-store.ts';

/** Fact files in a remote store, by key. */
export interface Bucket {
  /** As errors name it: `S3 bucket "costs"`. */
  readonly name: string;
  /** Makes a file durable. */
  upload(key: string, file: string): Promise<void>;
  /** @throws {MissingObject} when the key is not there */
  download(key: string, file: string): Promise<void>;
  /** Deletes keys; absent ones are no error. */
  remove(keys: readonly string[]): Promise<void>;
  list(): AsyncIterable<StoredFact>;
}

/** A key that the store does not hold. */
export class MissingObject extends Error {}

/** The name of an object in the store: the key below the prefix. */
export function withPrefix(prefix: string, key: string): string {
  return prefix === '' ? key : `${prefix}/${key}`;
}
