import type { Readable } from 'node:stream';
import type { BlobItem, ContainerClient } from '@azure/storage-blob';
import type { ListedFile } from '../layouts/listing.ts';
import { blobFault } from './blob-faults.ts';
import { type Page, listPages } from './bounds.ts';
import { inTime } from './in-time.ts';
import type { ObjectStore } from './object-store.ts';
import { type Transfer, probe, receiveFile, receiveText } from './transfer.ts';

/** How the owner of the account knows a container. */
export interface BlobNames {
  readonly storageAccount: string;
  readonly container: string;
}

interface Place {
  readonly client: ContainerClient;
  readonly names: BlobNames;
  readonly name: string;
}

type Wanted = Pick<ListedFile, 'key' | 'token' | 'sizeBytes'>;

const pageSize = 5_000;

/** A container of Azure Blob Storage, or of Data Lake Storage Gen2.
 *  @param client with time-outs and retries; what its credential throws is handed on when it is an AppError or TryLater */
export function blobStore(client: ContainerClient, names: BlobNames): ObjectStore {
  const name = `Blob container "${names.container}" of storage account "${names.storageAccount}"`;
  const place: Place = { client, names, name };
  return {
    name,
    list: (prefix, signal) => listPages(name, (token) => page(place, { prefix, token }, signal)),
    readText: (file, signal) => receiveText(transferOf(place, file), signal),
    probe: (file, signal) => probe(transferOf(place, file), signal),
    download: (file, path, signal) => receiveFile(transferOf(place, file), path, signal),
  };
}

async function page(
  place: Place,
  { prefix, token }: { prefix: string; token: string | undefined },
  signal: AbortSignal,
): Promise<Page> {
  return asked(place, null, signal, async (abortSignal) => {
    const blobs = place.client.listBlobsFlat({ prefix, abortSignal });
    const pages = blobs.byPage({ maxPageSize: pageSize, ...(token !== undefined && { continuationToken: token }) });
    const { value, done } = await pages.next();
    if (done) return { files: [], next: null };
    return { files: value.segment.blobItems.map(listed), next: value.continuationToken || null };
  });
}

function listed({ name, properties }: BlobItem): ListedFile {
  return {
    key: name,
    token: properties.etag.replaceAll('"', ''),
    sizeBytes: properties.contentLength ?? 0,
    modifiedAt: properties.lastModified,
  };
}

function transferOf(place: Place, file: Wanted): Transfer {
  return {
    what: `Blob "${file.key}" of ${place.name}`,
    sizeBytes: file.sizeBytes,
    open: async (offset, signal) => {
      // The SDK's own resuming hides a transfer that stalls; ours does the same with a bound.
      const answer = await asked(place, file.key, signal, (abortSignal) =>
        place.client.getBlobClient(file.key).download(offset, undefined, {
          abortSignal,
          maxRetryRequests: 0,
          conditions: { ifMatch: `"${file.token}"` },
        }),
      );
      const from = Number(/^bytes (\d+)-/.exec(answer.contentRange ?? '')?.[1] ?? 0);
      return { body: bodyOf(answer.readableStreamBody), from, length: answer.contentLength ?? null };
    },
  };
}

function bodyOf(body: NodeJS.ReadableStream | undefined): Readable {
  if (!body || !('destroy' in body)) throw new TypeError('The SDK answers a blob without a stream');
  return body as Readable;
}

function asked<T>(
  { names, name }: Place,
  key: string | null,
  signal: AbortSignal,
  send: (abortSignal: AbortSignal) => Promise<T>,
): Promise<T> {
  return inTime(signal, send, (error, isLate) => blobFault(error, { ...names, name, key, isLate }));
}
