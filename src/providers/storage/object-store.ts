import type { ListedFile } from '../layouts/listing.ts';

/** A bucket or container, read-only. Keys are whole: from the bucket's root on. */
export interface ObjectStore {
  /** How a message calls it: `S3 bucket "bills"`, `Blob container "exports" of storage account "acme"`. */
  readonly name: string;
  /** Every object whose key starts with the prefix, ordered by key. The token is the ETag.
   *  @throws {AppError} VALIDATION_ERROR naming bucket or container and permission; beyond 100,000 objects
   *  @throws {TryLater} */
  list(prefix: string, signal: AbortSignal): Promise<ListedFile[]>;
  /** A text object as it was listed, whole: who asks looks at its size first, as `readManifest` does.
   *  @throws {AppError} VALIDATION_ERROR when it changed since, or may not be read
   *  @throws {TryLater} */
  readText(file: ListedFile, signal: AbortSignal): Promise<string>;
  /** Whether an object may be read, without reading it.
   *  @throws as `readText` */
  probe(file: ListedFile, signal: AbortSignal): Promise<void>;
  /** Writes an object to a local file, to the last byte as it was listed: the ETag is a condition of the request, and the bytes
   *  are counted. A broken transfer goes on where it broke.
   *  @throws {AppError} VALIDATION_ERROR when it changed or vanished since
   *  @throws {TryLater} when it cannot be read whole after several attempts, or nothing comes for a minute */
  download(file: Pick<ListedFile, 'key' | 'token' | 'sizeBytes'>, path: string, signal: AbortSignal): Promise<void>;
}
