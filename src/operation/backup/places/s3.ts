import type { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  type CompletedPart,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  paginateListObjectsV2,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { s3Client } from '../../../engine/stores/s3.ts';
import { type AppError, conflict, fix, invalid } from '../../../kit/errors/errors.ts';
import { type BackupFolder, isChosenByDate, type PlaceConfig, type Sink } from './folder.ts';

/** Size of the first parts, in bytes. A multipart upload has at most 10,000 parts, which may differ in size. */
const partBytes = 16 * 2 ** 20;
/** Number of parts after which parts are 16 times as large, so that an upload can have about 2 TiB. */
const smallParts = 2_000;

/** Backups in a bucket of Amazon S3 or an S3-compatible store.
 *  @param prefix empty, or with a slash at its end */
export function s3Folder({ clouds, connectorEnvironment }: PlaceConfig, Bucket: string, prefix: string): BackupFolder {
  const region = connectorEnvironment['AWS_REGION'] ?? 'us-east-1';
  const client = s3Client({ endpoint: clouds.s3Endpoint, region });
  const describe = (name: string) => `s3://${Bucket}/${prefix}${name}`;
  const at = (name: string) => ({ Bucket, Key: prefix + name });
  return {
    describe,
    async create(name) {
      const found = await client.send(new HeadObjectCommand(at(name))).catch((error: unknown) => {
        if (isMissing(error)) return null;
        throw failed(describe(name), 'written', error);
      });
      if (found) throw conflict`${describe(name)} already exists${fix}choose another name, or delete it`;
      return upload(client, at(name), describe(name));
    },
    async open(name) {
      const fail = (error: unknown) => {
        throw failed(describe(name), 'read', error);
      };
      const { ContentLength: bytes = 0, ETag } = await client.send(new HeadObjectCommand(at(name))).catch(fail);
      // The second read must be of the object that the first one verified.
      const read = async () =>
        (await client.send(new GetObjectCommand({ ...at(name), IfMatch: ETag })).catch(fail)).Body as Readable;
      return { bytes, read };
    },
    async list() {
      const found: { name: string; bytes: number }[] = [];
      try {
        for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket, Prefix: prefix }))
          for (const { Key = '', Size = 0 } of Contents) found.push({ name: Key.slice(prefix.length), bytes: Size });
      } catch (error) {
        throw failed(describe(''), 'listed', error);
      }
      return found.filter(({ name }) => isChosenByDate(name)).toSorted((a, b) => (a.name < b.name ? -1 : 1));
    },
    // Uploads that were never completed are invisible; a lifecycle rule of the bucket deletes them.
    tidy: async () => {},
    remove: async (name) => void (await client.send(new DeleteObjectCommand(at(name)))),
  };
}

/** Uploads in parts: the object appears when the upload is completed. */
async function upload(client: S3Client, at: { Bucket: string; Key: string }, description: string): Promise<Sink> {
  const fail = (error: unknown) => {
    throw failed(description, 'written', error);
  };
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(at)).catch(fail);
  const parts: CompletedPart[] = [];
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  const flush = async () => {
    const PartNumber = parts.length + 1;
    const part = { ...at, UploadId, PartNumber, Body: Buffer.concat(waiting) };
    [waiting, waitingBytes] = [[], 0];
    const { ETag } = await client.send(new UploadPartCommand(part)).catch(fail);
    parts.push({ PartNumber, ETag });
  };
  return {
    async write(chunk) {
      waiting.push(chunk);
      waitingBytes += chunk.length;
      if (waitingBytes >= (parts.length < smallParts ? partBytes : partBytes * 16)) await flush();
    },
    async commit() {
      if (waitingBytes > 0) await flush();
      const done = { ...at, UploadId, MultipartUpload: { Parts: parts } };
      await client.send(new CompleteMultipartUploadCommand(done)).catch(fail);
    },
    abort: async () =>
      void (await client.send(new AbortMultipartUploadCommand({ ...at, UploadId })).catch(() => undefined)),
  };
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && ['NotFound', 'NoSuchKey'].includes(error.name);
}

function failed(place: string, verb: 'read' | 'written' | 'listed', cause: unknown): AppError {
  const reason = isMissing(cause) ? 'it does not exist' : cause instanceof Error ? cause.message || cause.name : cause;
  const error = invalid`${place} cannot be ${verb}: ${String(reason)}${fix}check the name, the credentials and their permissions`;
  error.cause = cause;
  return error;
}
