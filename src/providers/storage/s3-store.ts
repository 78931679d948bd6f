import type { Readable } from 'node:stream';
import {
  GetObjectCommand,
  type GetObjectCommandOutput,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  type S3Client,
} from '@aws-sdk/client-s3';
import { invalid } from '../../kit/errors.ts';
import type { ListedFile } from '../layouts/listing.ts';
import { type Page, listPages } from './bounds.ts';
import { inTime } from './in-time.ts';
import type { ObjectStore } from './object-store.ts';
import { type S3Request, s3Fault } from './s3-faults.ts';
import { type Transfer, changed, probe, receiveFile, receiveText } from './transfer.ts';

interface Bucket {
  readonly client: S3Client;
  readonly bucket: string;
  readonly name: string;
}

type Wanted = Pick<ListedFile, 'key' | 'token' | 'sizeBytes'>;

/** A bucket of Amazon S3, or of a store that speaks its protocol.
 *  @param client of a session (`aws/session.ts`), which lets nothing but reading through, retries, and throws no SDK's errors */
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
  const next = answer.NextContinuationToken ?? null;
  // A store that knows only the older listing answers the first page of it, whatever it is asked.
  if (answer.IsTruncated && next === null)
    throw invalid`${place.name} lists its first objects and does not say where the others are: the store must know ListObjectsV2, or the prefix hold no more objects than one of its pages`;
  return { files: (answer.Contents ?? []).map(listed), next: answer.IsTruncated ? next : null };
}

function listed(object: NonNullable<ListObjectsV2CommandOutput['Contents']>[number]): ListedFile {
  return {
    key: object.Key ?? '',
    token: tokenOf(object.ETag ?? ''),
    sizeBytes: object.Size ?? 0,
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
      // Not every store heeds the condition.
      if (answer.ETag !== undefined && tokenOf(answer.ETag) !== file.token) {
        body.destroy();
        throw changed(what, 'is another than was listed');
      }
      return { body, from: startOf(answer), length: answer.ContentLength ?? null };
    },
  };
}

function bodyOf({ Body }: GetObjectCommandOutput): Readable {
  if (!Body || !('pipe' in Body)) throw new TypeError('The SDK answers an object without a stream');
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
