import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  paginateListObjectsV2,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { type Bucket, MissingObject, withPrefix } from './bucket.ts';

/** Connection settings of an S3 bucket. Credentials come from the SDK's default chain. */
interface S3Place {
  readonly bucket: string;
  readonly prefix: string;
  /** Null: AWS. */
  readonly endpoint: string | null;
  /** Region of the first request; Amazon S3 redirects to the bucket's. */
  readonly region: string;
}

/** The SDK cannot resend a stream, so a failed upload starts over. */
const uploadAttempts = 3;

/** Errors are thrown; the SDK would also print some. */
const quiet = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };

/** Maximum keys per delete request. */
const keysPerRemoval = 1000;

/** Returns a client of Amazon S3 or an S3-compatible store. */
export function s3Client({ endpoint, region }: Pick<S3Place, 'endpoint' | 'region'>): S3Client {
  return new S3Client({
    region,
    followRegionRedirects: true,
    logger: quiet,
    // Other stores support neither checksum trailers nor bucket names as hosts.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(endpoint === null ? {} : { endpoint, forcePathStyle: true }),
  });
}

/** Returns a bucket of Amazon S3 or an S3-compatible store. */
export function s3Bucket({ bucket: Bucket, prefix, ...place }: S3Place): Bucket {
  const client = s3Client(place);
  const nameOf = (key: string) => withPrefix(prefix, key);
  return {
    name: `S3 bucket "${Bucket}"`,
    async upload(key, file) {
      const [{ size }, md5] = await Promise.all([stat(file), md5Of(file)]);
      const send = () =>
        client.send(
          new PutObjectCommand({
            Bucket,
            Key: nameOf(key),
            Body: createReadStream(file),
            ContentLength: size,
            ContentMD5: md5,
          }),
        );
      await again(send, uploadAttempts);
    },
    async download(key, file) {
      try {
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: nameOf(key) }));
        await pipeline(Body as Readable, createWriteStream(file));
      } catch (error) {
        if (isNamed(error, 'NoSuchKey')) throw new MissingObject(key, { cause: error });
        throw error;
      }
    },
    async remove(keys) {
      for (let start = 0; start < keys.length; start += keysPerRemoval) {
        const Objects = keys.slice(start, start + keysPerRemoval).map((key) => ({ Key: nameOf(key) }));
        const { Errors = [] } = await client.send(
          new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }),
        );
        const [first] = Errors;
        if (first) throw new Error(`S3 bucket "${Bucket}": ${first.Key} cannot be deleted: ${first.Message}`);
      }
    },
    async *list() {
      const Prefix = withPrefix(prefix, '');
      for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket, Prefix })) {
        for (const { Key = '', LastModified } of Contents)
          if (LastModified) yield { key: Key.slice(Prefix.length), modifiedAt: LastModified };
      }
    },
  };
}

async function again<Result>(work: () => Promise<Result>, attempts: number): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (attempts <= 1) throw error;
    return again(work, attempts - 1);
  }
}

async function md5Of(file: string): Promise<string> {
  const hash = createHash('md5');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('base64');
}

function isNamed(error: unknown, name: string): boolean {
  return error instanceof Error && error.name === name;
}
