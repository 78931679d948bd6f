import { mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openSession } from '../../../src/providers/aws/session.ts';
import type { ListedFile } from '../../../src/providers/layouts/listing.ts';
import type { ObjectStore } from '../../../src/providers/storage/object-store.ts';
import { s3Store } from '../../../src/providers/storage/s3-store.ts';
import { type FakeS3, startS3, writerTo, refuseWrites } from '../../support/clouds/s3.ts';

const signal = new AbortController().signal;
let s3: FakeS3;
let folder = '';

beforeAll(async () => {
  s3 = await startS3();
  s3.server.createBucket('empty');
  await s3.put('bills', 'a/b.csv', 'some bytes');
});
afterAll(() => s3.stop());
beforeEach(async () => {
  s3.proxy.heal();
  folder = await mkdtemp(path.join(tmpdir(), 'costkeep-s3-'));
});
afterEach(async () => {
  refuseWrites(s3.proxy.log);
  await rm(folder, { recursive: true });
});

function storeOf(bucket: string): ObjectStore {
  const session = openSession({
    credentials: { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'secret', sessionToken: 'token' },
    trustExternalId: 'x',
    region: null,
    endpoints: { awsEndpoint: s3.url, s3Endpoint: s3.url },
  });
  return s3Store(session.s3(S3Client, null).client, bucket);
}

async function only(bucket: string, key: string): Promise<ListedFile> {
  const found = (await storeOf(bucket).list(key, signal)).find((file) => file.key === key);
  if (!found) throw new Error(`${key} is not there`);
  return found;
}

async function downloaded(file: ListedFile, bucket = 'bills'): Promise<Buffer> {
  const target = path.join(folder, 'file');
  await storeOf(bucket).download(file, target, signal);
  return readFile(target);
}

const refused = (message: RegExp): object => ({ code: 'VALIDATION_ERROR', message: expect.stringMatching(message) });
const later = (message: RegExp): object => ({ name: 'TryLater', message: expect.stringMatching(message) });
const xml = (code: string, message = code): string =>
  `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`;

describe('listing', () => {
  it('contains all pages of the prefix, ordered', async () => {
    const names = Array.from({ length: 1_005 }, (_, at) => `p/${String(at).padStart(4, '0')}.csv`);
    await Promise.all(names.map((name) => s3.put('many', name, 'x')));
    await s3.put('many', 'other/x.csv', 'x');
    await s3.put('many', 'p/', '');
    const files = await storeOf('many').list('p/', signal);
    expect(files).toHaveLength(1_005);
    expect(files.at(-1)).toMatchObject({ key: 'p/1004.csv', sizeBytes: 1, token: '9dd4e461268c8034f5c8564e155c67a6' });
    expect(s3.proxy.log).toHaveLength(2);
  });

  it('can be empty', async () => {
    expect(await storeOf('empty').list('', signal)).toEqual([]);
  });

  it.each(['<html><body>Sign in to the network</body></html>', 'offline'])(
    'is postponed if a proxy returns %j',
    async (body) => {
      s3.proxy.fail(/./, { kind: 'answer', status: 200, body });
      await expect(storeOf('bills').list('', signal)).rejects.toMatchObject(
        later(/^S3 bucket "bills" returned an unreadable response$/),
      );
    },
  );

  it.each(['many', '-5', '1e30'])('accepts no content of an object whose size is "%s"', async (size) => {
    s3.proxy.fail(/list-type/, { kind: 'rewrite', body: (body) => body.replace(/<Size>\d+/g, `<Size>${size}`) });
    const file = await only('bills', 'a/b.csv');
    await expect(downloaded(file)).rejects.toMatchObject(
      refused(/^Object "a\/b\.csv" of S3 bucket "bills" returned 10 /),
    );
  });

  it('is rejected if its pages repeat', async () => {
    const again = (body: string): string =>
      body
        .replace(/<IsTruncated>\w+</, '<IsTruncated>true<')
        .replace('</ListBucketResult>', '<NextContinuationToken>same</NextContinuationToken></ListBucketResult>');
    s3.proxy.fail(/./, { kind: 'rewrite', body: again });
    await expect(storeOf('bills').list('', signal)).rejects.toMatchObject(refused(/endless paging/));
    expect(s3.proxy.log).toHaveLength(2);
  });

  it('is rejected if it is truncated without a continuation token', async () => {
    const cut = (body: string) => body.replace('<IsTruncated>false<', '<IsTruncated>true<');
    s3.proxy.fail(/./, { kind: 'rewrite', body: cut });
    await expect(storeOf('bills').list('', signal)).rejects.toMatchObject(refused(/must support ListObjectsV2/));
  });
});

describe('object', () => {
  it('is downloaded completely to a private file', async () => {
    const content = Buffer.alloc(3_000_000, 'abcdefg');
    await s3.put('bills', 'big.csv', content);
    expect((await downloaded(await only('bills', 'big.csv'))).equals(content)).toBe(true);
    expect((await stat(path.join(folder, 'file'))).mode & 0o777).toBe(0o600);
  });

  it('is downloaded as stored, despite its content encoding', async () => {
    const content = gzipSync('a,b\n1,2\n');
    const put = { Bucket: 'bills', Key: 'z.csv.gz', Body: content, ContentEncoding: 'gzip' };
    const writer = writerTo(`http://127.0.0.1:${s3.server.port}`);
    await writer.send(new PutObjectCommand(put));
    writer.destroy();
    expect((await downloaded(await only('bills', 'z.csv.gz'))).equals(content)).toBe(true);
  });

  it('can be empty', async () => {
    await s3.put('bills', 'none.csv', '');
    expect(await downloaded(await only('bills', 'none.csv'))).toHaveLength(0);
  });

  it('is resumed where a transfer was interrupted', async () => {
    const content = Buffer.from(Array.from({ length: 300_000 }, (_, at) => at % 251));
    await s3.put('bills', 'cut.csv', content);
    const file = await only('bills', 'cut.csv');
    s3.proxy.heal();
    s3.proxy.fail(/cut\.csv/, { kind: 'cut', after: 100_000 }, 2);
    expect((await downloaded(file)).equals(content)).toBe(true);
    expect(s3.proxy.log).toHaveLength(3);
  });

  it('is postponed after repeated interruptions', async () => {
    const file = await only('bills', 'a/b.csv');
    s3.proxy.fail(/b\.csv/, { kind: 'cut', after: 0 });
    await expect(downloaded(file)).rejects.toMatchObject(later(/"a\/b\.csv" of S3 bucket "bills" was interrupted/));
  }, 20_000);

  it('is rejected if it changed since the listing, at the start or in the middle', async () => {
    await s3.put('bills', 'moving.csv', 'first version');
    const file = await only('bills', 'moving.csv');
    s3.proxy.fail(/moving/, { kind: 'cut', after: 5 }, 1);
    s3.proxy.fail(/moving/, { kind: 'before', run: () => s3.put('bills', 'moving.csv', 'other version') }, 1);
    await expect(downloaded(file)).rejects.toMatchObject(
      refused(/"moving\.csv".* differs from the listed one: it changed/),
    );
    await rm(path.join(folder, 'file'));
    await expect(downloaded(file)).rejects.toMatchObject(refused(/differs from the listed one/));
    await s3.remove('bills', 'moving.csv');
    await rm(path.join(folder, 'file'));
    await expect(downloaded(file)).rejects.toMatchObject(refused(/no longer exists/));
  });

  it('is rejected if its length differs from the listing', async () => {
    const file = await only('bills', 'a/b.csv');
    s3.proxy.fail(/b\.csv/, { kind: 'shorten', to: 4 });
    await expect(downloaded(file)).rejects.toMatchObject(
      refused(/returned 4 bytes from byte 0 on, unlike its listing/),
    );
  });

  it('is rejected if it changed in a store that ignores conditions', async () => {
    const file = { ...(await only('bills', 'a/b.csv')), token: 'old' };
    s3.proxy.fail(/b\.csv/, {
      kind: 'answer',
      status: 200,
      headers: { etag: '"new"', 'content-length': '10' },
      body: '0123456789',
    });
    await expect(downloaded(file)).rejects.toMatchObject(refused(/differs from the listed one/));
  });

  it('is postponed if its checksum differs', async () => {
    const file = await only('bills', 'a/b.csv');
    s3.proxy.fail(/b\.csv/, { kind: 'rewrite', body: (body) => body.replace('s', 'S') });
    await expect(downloaded(file)).rejects.toMatchObject(later(/its checksum differs/));
  });

  it('stops downloading when its sync is cancelled', async () => {
    const file = await only('bills', 'a/b.csv');
    s3.proxy.fail(/b\.csv/, { kind: 'stall', after: 2 });
    const cancel = new AbortController();
    const download = storeOf('bills').download(file, path.join(folder, 'file'), cancel.signal);
    setTimeout(() => cancel.abort(new Error('cancelled')), 200);
    await expect(download).rejects.toThrow('cancelled');
  });

  it('is probed without a download', async () => {
    await storeOf('bills').probe(await only('bills', 'a/b.csv'), signal);
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('error', () => {
  it('names a missing bucket', async () => {
    await expect(storeOf('nowhere').list('', signal)).rejects.toMatchObject(
      refused(/^settings\.bucket "nowhere" does not exist; correct it/),
    );
  });

  it.each([
    ['AccessDenied', 403, /permission s3:ListBucket is missing; allow it on arn:aws:s3:::bills \(AccessDenied/],
    ['AuthorizationHeaderMalformed', 400, /settings\.region is not that of bucket/],
    ['InvalidAccessKeyId', 403, /access_key_id/],
    ['SignatureDoesNotMatch', 403, /secret_access_key/],
    ['ExpiredToken', 400, /session_token has expired/],
    ['RequestTimeTooSkewed', 403, /clock/],
  ])('explains what a listing lacks: %s', async (code, status, message) => {
    s3.proxy.fail(/./, { kind: 'answer', status, body: xml(code) });
    await expect(storeOf('bills').list('', signal)).rejects.toMatchObject(refused(message));
  });

  it.each([
    ['AccessDenied', 'no', /permission s3:GetObject is missing for "a\/b\.csv"; allow it on arn:aws:s3:::bills\/\*/],
    [
      'AccessDenied',
      'not authorized to perform: kms:Decrypt on resource: arn:aws:kms:x',
      /allow kms:Decrypt on.*arn:aws:kms:x/,
    ],
    ['KMS.DisabledException', 'the key is disabled', /KMS key that may not be used/],
    ['InvalidObjectState', 'no', /is archived/],
  ])('explains what an object lacks: %s, %s', async (code, words, message) => {
    const file = await only('bills', 'a/b.csv');
    s3.proxy.fail(/b\.csv/, { kind: 'answer', status: 403, body: xml(code, words) });
    await expect(storeOf('bills').probe(file, signal)).rejects.toMatchObject(refused(message));
    await expect(storeOf('bills').readText(file, signal)).rejects.toMatchObject(refused(message));
  });
});

describe('busy store', () => {
  it('is retried after the requested wait', async () => {
    const slow = { status: 503, headers: { 'retry-after': '1' }, body: xml('SlowDown') };
    s3.proxy.fail(/./, { kind: 'answer', ...slow }, 1);
    const start = performance.now();
    expect(await storeOf('bills').list('a/', signal)).toHaveLength(1);
    expect(performance.now() - start).toBeGreaterThan(950);
  });

  it.each([
    ['SlowDown', 503, { 'retry-after': '3600' }, 3_600_000],
    ['SlowDown', 429, { 'retry-after': '3600' }, 3_600_000],
    ['InternalError', 500, { 'retry-after': '60' }, 60_000],
  ])('is postponed if it requests a long wait: %s, %i', async (code, status, headers, retryAfterMs) => {
    s3.proxy.fail(/./, { kind: 'answer', status, headers, body: xml(code) });
    const error = storeOf('bills').list('', signal);
    await expect(error).rejects.toMatchObject({ ...later(new RegExp(code)), retryAfterMs });
    expect(s3.proxy.log).toHaveLength(1);
  });

  it('is postponed if it does not respond', async () => {
    await storeOf('bills').list('a/', signal);
    s3.proxy.heal();
    s3.proxy.fail(/./, { kind: 'hang' });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const outcome = storeOf('bills')
      .list('', signal)
      .catch((reason: unknown) => reason);
    while (s3.proxy.log.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await vi.advanceTimersByTimeAsync(200_000);
    expect(await outcome).toMatchObject(later(/./));
  });

  it('is retried if it names no wait', async () => {
    s3.proxy.fail(/./, { kind: 'answer', status: 500, body: xml('InternalError') }, 2);
    expect(await storeOf('bills').list('a/', signal)).toHaveLength(1);
  });
});

it('keeps request signatures out of errors', async () => {
  s3.proxy.fail(/./, { kind: 'answer', status: 403, body: xml('AccessDenied') });
  const error: unknown = await storeOf('bills')
    .list('', signal)
    .catch((reason: unknown) => reason);
  const { inspect } = await import('node:util');
  expect(inspect(error, { depth: 20, showHidden: true })).not.toMatch(/authorization|AWS4|x-amz-security-token/i);
});
