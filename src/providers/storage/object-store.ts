import type { ListedFile } from '../layouts/listing.ts';

/** A bucket or container, read-only. Keys are relative to its root. */
export interface ObjectStore {
  /** Name in messages: `S3 bucket "bills"`, `Blob container "exports" of storage account "acme"`. */
  readonly name: string;
  /** Lists every object whose key starts with the prefix, ordered by key. The token is the ETag.
   *  @throws {AppError} VALIDATION_ERROR naming bucket or container and permission; for more than 100,000 objects
   *  @throws {TryLater} */
  list(prefix: string, signal: AbortSignal): Promise<ListedFile[]>;
  /** Reads a complete text object as it was listed. Check its size first, as `readManifest` does.
   *  @throws {AppError} VALIDATION_ERROR when it has changed since, or may not be read
   *  @throws {TryLater} */
  readText(file: ListedFile, signal: AbortSignal): Promise<string>;
  /** Checks whether an object may be read, without reading it.
   *  @throws as `readText` */
  probe(file: ListedFile, signal: AbortSignal): Promise<void>;
  /** Downloads an object to a local file, exactly as it was listed: the request is conditional on the ETag, and the bytes are
   *  counted. Resumes a broken transfer.
   *  @throws {AppError} VALIDATION_ERROR when it has changed or disappeared since
   *  @throws {TryLater} when it cannot be read completely after several attempts, or stalls for a minute */
  download(file: Pick<ListedFile, 'key' | 'token' | 'sizeBytes'>, path: string, signal: AbortSignal): Promise<void>;
}
