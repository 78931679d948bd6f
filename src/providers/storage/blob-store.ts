import type { Readable } from 'node:stream';
import type { BlobItem, ContainerClient } from '@azure/storage-blob';
import { AppError, arg, fix, invalid } from '../../kit/errors/errors.ts';
import { networkCode, networkFault, retryAfterMs, TryLater } from '../faults.ts';
import type { ListedFile } from '../layouts/listing.ts';
import {
  changed,
  inTime,
  listPages,
  type Page,
  probe,
  receiveFile,
  receiveText,
  sizeOf,
  type Transfer,
} from './transfer.ts';
import type { ObjectStore } from './object-store.ts';

/** Names of a container in the account's settings. */
interface BlobNames {
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

/** Returns a container of Azure Blob Storage or Data Lake Storage Gen2.
 *  @param client with timeouts and retries; AppErrors and TryLater of its credential are passed on */
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
    sizeBytes: sizeOf(properties.contentLength),
    modifiedAt: properties.lastModified,
  };
}

function transferOf(place: Place, file: Wanted): Transfer {
  return {
    what: `Blob "${file.key}" of ${place.name}`,
    sizeBytes: file.sizeBytes,
    open: async (offset, signal) => {
      // The SDK's own resume hides a stalled transfer; ours has a time limit.
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
  if (!body || !('destroy' in body)) throw new TypeError('The SDK returned a blob without a stream');
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

/** Context of a failed request. */
interface BlobRequest {
  readonly storageAccount: string;
  readonly container: string;
  /** Name of the container in messages. */
  readonly name: string;
  /** Null for a listing. */
  readonly key: string | null;
  /** Our own timeout expired. */
  readonly isLate: boolean;
}

/** The safe parts of an SDK error, without its request and bearer token. */
interface SafeError {
  readonly code: string;
  readonly status: number;
  readonly retryAfterMs: number | null;
}

/** Converts a Blob Storage error to a message for the account's owner.
 *  @returns an AppError VALIDATION_ERROR naming container, blob or role; TryLater; or the error itself if it is neither the
 *  store's nor the network's */
function blobFault(error: unknown, request: BlobRequest): unknown {
  if (error instanceof AppError || error instanceof TryLater) return error;
  if (request.isLate) return new TryLater(`${request.name} did not respond in time`);
  const safe = safeErrorOf(error);
  // A web page of a proxy is not XML, or lacks the parts that the SDK expects.
  if (error instanceof TypeError || safe?.status === 200)
    return new TryLater(`${request.name} returned an unreadable response`);
  if (!safe) return unanswered(error, request);
  if (safe.status === 429 || safe.status >= 500) return passing(safe, request);
  return (request.key === null ? null : blobGone(safe, request, request.key)) ?? refused(safe, request);
}

function safeErrorOf(error: unknown): SafeError | null {
  if (!(error instanceof Error) || !('statusCode' in error) || typeof error.statusCode !== 'number') return null;
  const { details, response, code } = error as { details?: unknown; response?: unknown; code?: unknown };
  const detail = (details as { errorCode?: unknown } | undefined)?.errorCode;
  const headers = (response as { headers?: { get?: (name: string) => string | undefined } } | undefined)?.headers;
  return {
    code: [detail, code].find((each) => typeof each === 'string')?.toString() ?? 'no code',
    status: error.statusCode,
    retryAfterMs: retryAfterMs(headers?.get?.('retry-after'), Date.now()),
  };
}

/** Converts an error without a response. Every storage account has its own host, so an unresolved name does not exist. */
function unanswered(error: unknown, { storageAccount, name }: BlobRequest): unknown {
  if (networkCode(error) === 'ENOTFOUND')
    return invalid`${arg('settings.storage_account', storageAccount)} does not exist${fix}correct it`;
  return networkFault(error, `The store of ${name}`) ?? error;
}

function passing(safe: SafeError, { name }: BlobRequest): TryLater {
  const isThrottled = safe.status === 429 || safe.status === 503;
  const what = isThrottled ? 'limits the request rate' : 'had an internal error';
  return new TryLater(`${name} ${what} (${safe.code}, ${safe.status})`, { retryAfterMs: safe.retryAfterMs });
}

function blobGone({ code, status }: SafeError, { name }: BlobRequest, key: string): Error | null {
  const what = `Blob "${key}" of ${name}`;
  if (status === 412) return changed(what, 'differs from the listed one');
  if (status === 416) return changed(what, 'is shorter than was listed');
  if (code === 'BlobNotFound' || code === 'ResourceNotFound') return changed(what, 'no longer exists');
  if (code === 'BlobArchived' || code === 'BlobBeingRehydrated')
    return invalid`${what} is archived and cannot be read${fix}move it to the hot or cool tier`;
  return null;
}

function refused({ code, status }: SafeError, { name, storageAccount, container }: BlobRequest): Error {
  switch (code) {
    case 'ContainerNotFound':
    case 'ContainerBeingDeleted':
    case 'ResourceNotFound':
    case 'FilesystemNotFound':
      return invalid`${arg('settings.container', container)} does not exist in storage account "${storageAccount}"${fix}correct it`;
    case 'AuthorizationPermissionMismatch':
    case 'InsufficientAccountPermissions':
      return invalid`Role "Storage Blob Data Reader" is missing on container "${container}" of storage account "${storageAccount}"${fix}assign it to the service principal; it can take some minutes to take effect`;
    case 'AuthorizationFailure':
    case 'PublicAccessNotPermitted':
      return invalid`${name} refuses this server's address (${code})${fix}allow it in the storage account's network settings`;
    case 'InvalidAuthenticationInfo':
    case 'AuthenticationFailed':
    case 'NoAuthenticationInformation':
      return invalid`${arg('credentials.tenant_id')} must be the tenant of the storage account: ${name} does not accept the service principal's token (${code})`;
    case 'AccountIsDisabled':
      return invalid`Storage account "${storageAccount}" is disabled${fix}enable its subscription`;
    case 'InvalidResourceName':
    case 'InvalidUri':
      return invalid`${arg('settings.container', container)} is not a valid name${fix}correct it`;
    default:
      return status === 403
        ? invalid`${name} denies read access (${code}, 403)${fix}assign role "Storage Blob Data Reader" on the container`
        : invalid`${name} refuses the request (${code}, ${status})`;
  }
}
