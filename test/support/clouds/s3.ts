import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { DeleteObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { type FauxqsServer, startFauxqs } from 'fauxqs';
import { type FaultyProxy, startFaultyProxy } from './faulty.ts';

/** S3 on loopback, behind a proxy that logs every request and can inject faults. */
export interface FakeS3 {
  /** The endpoint for the code under test. */
  readonly url: string;
  readonly proxy: FaultyProxy;
  readonly server: FauxqsServer;
  /** Bypasses the proxy, so it is not logged. */
  put(bucket: string, key: string, content: string | Uint8Array): Promise<void>;
  remove(bucket: string, key: string): Promise<void>;
  /** Copies a complete folder into a bucket. */
  upload(bucket: string, folder: string, prefix?: string): Promise<void>;
  stop(): Promise<void>;
}

/** Starts an empty one. */
export async function startS3(): Promise<FakeS3> {
  const server = await startFauxqs({ port: 0, host: '127.0.0.1', logger: false });
  const address = `http://127.0.0.1:${server.port}`;
  const proxy = await startFaultyProxy(address);
  const writer = writerTo(address);
  const put: FakeS3['put'] = async (bucket, key, content) => {
    server.createBucket(bucket);
    await writer.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: Buffer.from(content) }));
  };
  return {
    url: proxy.url,
    proxy,
    server,
    put,
    remove: async (bucket, key) => void (await writer.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }))),
    async upload(bucket, folder, prefix = '') {
      for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile()) continue;
        const file = path.join(entry.parentPath, entry.name);
        await put(bucket, prefix + path.relative(folder, file).split(path.sep).join('/'), await readFile(file));
      }
    },
    async stop() {
      writer.destroy();
      await proxy.stop();
      await server.stop();
    },
  };
}

/** A client with write access for test setup. */
export function writerTo(url: string): S3Client {
  const credentials = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'x'.repeat(40) };
  return new S3Client({ endpoint: url, region: 'us-east-1', forcePathStyle: true, credentials });
}

/** Throws if a log of requests contains a write. */
export function refuseWrites(log: readonly string[]): void {
  const writes = log.filter((line) => !/^(GET|HEAD) /.test(line));
  if (writes.length > 0) throw new Error(`Something would be changed: ${writes.join(', ')}`);
}
