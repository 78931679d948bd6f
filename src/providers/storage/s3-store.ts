import type { Readable } from 'node:stream';
import {
  GetObjectCommand,
  type GetObjectCommandOutput,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  type S3Client,
} from '@aws-sdk/client-s3';
import { AppError, arg, fix, invalid } from '../../kit/errors/errors.ts';
import { AwsFault } from '../aws/faults.ts';
import { TryLater } from '../faults.ts';
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

interface Bucket {
  readonly client: S3Client;
  readonly bucket: string;
  readonly name: string;
}

type Wanted = Pick<ListedFile, 'key' | 'token' | 'sizeBytes'>;

/** Returns a bucket of Amazon S3 or an S3-compatible store.
 *  @param client of a session (`aws/session.ts`), which is read-only, retries, and throws no SDK errors */
export function s3Store(client: S3Client, bucket: string): ObjectStore {
  const place: Bucket = { client, bucket, name: `S3 bucket "${bucket}"` };
  return {
    name: place.name,
    list: (prefix, signal) => listPages(place.name, (token) => page(place, { prefix, token }, signal)),
    readText: (file, signal) => receiveText(transferOf(place, file), signal),
    probe: (file, signal) => probe(transferOf(place, file), signal),
    download: (file, path, signal) => receiveFile(transferOf(place, file), path, signal),
  };
}

async function page(
  place: Bucket,
  { prefix, token }: { prefix: string; token: string | undefined },
  signal: AbortSignal,
): Promise<Page> {
  const command = new ListObjectsV2Command({
    Bucket: place.bucket,
    Prefix: prefix,
    ...(token !== undefined && { ContinuationToken: token }),
  });
  const answer: ListObjectsV2CommandOutput = await asked(
    place,
    { action: 's3:ListBucket', key: null },
    signal,
    (abortSignal) => place.client.send(command, { abortSignal }),
  );
  // The SDK reads a web page of a proxy as an empty listing, so the files of the other pages would count as the complete listing.
  if (answer.IsTruncated === undefined) throw new TryLater(`${place.name} returned an unreadable response`);
  const next = answer.NextContinuationToken ?? null;
  // A store that supports only the older listing always returns its first page.
  if (answer.IsTruncated && next === null)
    throw invalid`${place.name} returned a partial list without a continuation token: the store must support ListObjectsV2, or the objects under the prefix must fit on one page`;
  return { files: (answer.Contents ?? []).map(listed), next: answer.IsTruncated ? next : null };
}

function listed(object: NonNullable<ListObjectsV2CommandOutput['Contents']>[number]): ListedFile {
  return {
    key: object.Key ?? '',
    token: tokenOf(object.ETag ?? ''),
    sizeBytes: sizeOf(object.Size),
    modifiedAt: object.LastModified ?? new Date(0),
  };
}

function tokenOf(etag: string): string {
  return etag.replace(/^W\//, '').replaceAll('"', '');
}

function transferOf(place: Bucket, file: Wanted): Transfer {
  const what = `Object "${file.key}" of ${place.name}`;
  return {
    what,
    sizeBytes: file.sizeBytes,
    open: async (offset, signal) => {
      const command = new GetObjectCommand({
        Bucket: place.bucket,
        Key: file.key,
        IfMatch: `"${file.token}"`,
        ...(offset > 0 ? { Range: `bytes=${offset}-` } : {}),
      });
      const answer = await asked(place, { action: 's3:GetObject', key: file.key }, signal, (abortSignal) =>
        place.client.send(command, { abortSignal }),
      );
      const body = bodyOf(answer);
      // Not every store honors the condition.
      if (answer.ETag !== undefined && tokenOf(answer.ETag) !== file.token) {
        body.destroy();
        throw changed(what, 'differs from the listed one');
      }
      return { body, from: startOf(answer), length: answer.ContentLength ?? null };
    },
  };
}

function bodyOf({ Body }: GetObjectCommandOutput): Readable {
  if (!Body || !('pipe' in Body)) throw new TypeError('The SDK returned an object without a stream');
  return Body;
}

function startOf({ ContentRange }: GetObjectCommandOutput): number {
  return Number(/^bytes (\d+)-/.exec(ContentRange ?? '')?.[1] ?? 0);
}

function asked<T>(
  { bucket, name }: Bucket,
  what: Pick<S3Request, 'action' | 'key'>,
  signal: AbortSignal,
  send: (abortSignal: AbortSignal) => Promise<T>,
): Promise<T> {
  return inTime(signal, send, (error, isLate) => s3Fault(error, { bucket, name, ...what, isLate }));
}

/** Context of a failed request. */
interface S3Request {
  readonly bucket: string;
  /** Name of the bucket in messages. */
  readonly name: string;
  /** Required permission. */
  readonly action: 's3:ListBucket' | 's3:GetObject';
  /** Null for a listing. */
  readonly key: string | null;
  /** Our own timeout expired. */
  readonly isLate: boolean;
}

/** Converts an S3 error to a message for the account's owner.
 *  @param error of a guarded client
 *  @returns an AppError VALIDATION_ERROR naming bucket, object or permission; TryLater; or the error itself */
function s3Fault(error: unknown, request: S3Request): unknown {
  if (error instanceof AppError || error instanceof TryLater) return error;
  if (request.isLate) return new TryLater(`${request.name} did not respond in time`);
  if (!(error instanceof AwsFault)) return error;
  if (error.status === 200) return new TryLater(`${request.name} returned an unreadable response`);
  return (request.key === null ? null : objectFault(error, request, request.key)) ?? bucketFault(error, request);
}

function objectFault(fault: AwsFault, { name }: S3Request, key: string): Error | null {
  const what = `Object "${key}" of ${name}`;
  if (fault.status === 412) return changed(what, 'differs from the listed one');
  if (fault.status === 416) return changed(what, 'is shorter than was listed');
  if (fault.code === 'NoSuchKey' || (fault.status === 404 && fault.code !== 'NoSuchBucket'))
    return changed(what, 'no longer exists');
  if (fault.code === 'InvalidObjectState')
    return invalid`${what} is archived and cannot be read${fix}restore it, and keep the export out of archive storage classes`;
  if (!/^KMS\.|\bkms:/i.test(`${fault.code} ${storeMessage(fault)}`)) return null;
  return invalid`${what} is encrypted with a KMS key that may not be used${fix}allow kms:Decrypt on the bucket's key, in the account's policy and in the key's own (${storeMessage(fault)})`;
}

function bucketFault(fault: AwsFault, { name, bucket, action, key }: S3Request): Error {
  switch (fault.code) {
    case 'NoSuchBucket':
      return invalid`${arg('settings.bucket', bucket)} does not exist${fix}correct it`;
    case 'InvalidBucketName':
      return invalid`${arg('settings.bucket', bucket)} is not a valid name${fix}correct it`;
    case 'PermanentRedirect':
    case 'AuthorizationHeaderMalformed':
    case 'IllegalLocationConstraintException':
      return invalid`${arg('settings.region')} is not that of bucket "${bucket}"${fix}set it to the bucket's (${storeMessage(fault)})`;
  }
  if (!fault.isDenied)
    return invalid`${name} refuses ${action} (${fault.code}, ${fault.status}): ${storeMessage(fault)}`;
  const [on, arn] = key === null ? ['', bucket] : [` for "${key}"`, `${bucket}/*`];
  return invalid`${name}: permission ${action} is missing${on}${fix}allow it on arn:aws:s3:::${arn} (${fault.code}: ${storeMessage(fault)})`;
}

/** Returns the store's own message as one line. */
function storeMessage({ message }: AwsFault): string {
  return message.replaceAll(/[\p{Cc}\s]+/gu, ' ').slice(0, 300);
}
