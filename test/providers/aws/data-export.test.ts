import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CostSource, SourceListing, SourceMemo } from '../../../src/providers/contract.ts';
import { checkExport } from '../../../src/providers/aws/open.ts';
import { exportPlace, exportSource } from '../../../src/providers/aws/data-export.ts';
import { type AwsSession, openSession } from '../../../src/providers/aws/session.ts';
import { type FakeS3, refuseWrites, startS3 } from '../../support/clouds/s3.ts';
import type { FakeAws } from '../../support/clouds/aws/fake.ts';
import { account, externalId, keys, startAccount } from './account.ts';

let s3: FakeS3;
let aws: FakeAws;
let session: AwsSession;
const { signal } = new AbortController();
const root = 'exports/daily';

beforeAll(async () => {
  [s3, aws] = await Promise.all([startS3(), startAccount()]);
  const endpoints = { awsEndpoint: aws.url, s3Endpoint: s3.url };
  session = openSession({ credentials: keys, trustExternalId: externalId, region: null, endpoints });
});

afterAll(async () => {
  await Promise.all([s3.stop(), aws.stop()]);
});

let bucket: string;
let count = 0;

beforeEach(() => {
  bucket = `bills-${++count}`;
  s3.server.createBucket(bucket);
  s3.proxy.heal();
});

afterEach(() => {
  refuseWrites(s3.proxy.log);
});

function source(prefix = 'exports', name = 'daily'): CostSource {
  return exportSource(session, exportPlace(bucket, prefix, name));
}

/** A listing whose memo was serialized as in the database. */
async function list(memo: SourceMemo = null, of = source()): Promise<SourceListing> {
  const listing = await of.list(memo, signal);
  return { ...listing, memo: JSON.parse(JSON.stringify(listing.memo)) as SourceMemo };
}

async function deliver(
  month: string,
  files: Record<string, string>,
  more: { part?: string; manifest?: object; at?: string } = {},
) {
  const part = more.part ?? `BILLING_PERIOD=${month}`;
  const at = more.at ?? root;
  for (const [name, content] of Object.entries(files)) await s3.put(bucket, `${at}/data/${part}/${name}`, content);
  const dataFiles = Object.keys(files).map((name) => `s3://${bucket}/${at}/data/${part}/${name}`);
  const manifest = { executionId: 'e', dataFiles, ...more.manifest };
  await s3.put(bucket, `${at}/metadata/${part}/daily-Manifest.json`, JSON.stringify(manifest));
}

const keysOf = ({ files }: SourceListing) => files.map(({ key }) => key);

describe('files of a Data Export', () => {
  it('are those in the manifest of each month, and no others in the bucket', async () => {
    await deliver('2026-09', { 'daily-00001.csv.gz': 'a', 'daily-00002.csv.gz': 'bc' });
    await deliver('2026-10', { 'daily-00001.snappy.parquet': 'd' }, { part: 'billing_period=2026-10' });
    await s3.put(bucket, `${root}/data/BILLING_PERIOD=2026-09/daily-00009.csv.gz`, 'left behind');
    await s3.put(bucket, 'exports/other/metadata/BILLING_PERIOD=2026-09/other-Manifest.json', '{"dataFiles":[]}');
    const { files } = await list();
    expect(files).toMatchObject([
      {
        key: `${root}/data/BILLING_PERIOD=2026-09/daily-00001.csv.gz`,
        month: '2026-09',
        sizeBytes: 1,
        format: 'csv.gz',
      },
      { key: `${root}/data/BILLING_PERIOD=2026-09/daily-00002.csv.gz`, month: '2026-09', sizeBytes: 2 },
      { key: `${root}/data/billing_period=2026-10/daily-00001.snappy.parquet`, month: '2026-10', format: 'parquet' },
    ]);
  });

  it('are those of the newest execution with "create new"', async () => {
    const executions = ['20260902T060000Z-aaaa', '20260903T060000Z-bbbb'];
    for (const execution of executions) {
      await deliver(
        '2026-09',
        { [`${execution}/daily-00001.csv.gz`]: execution },
        { manifest: { executionId: execution } },
      );
      const copy = `${root}/metadata/BILLING_PERIOD=2026-09/${execution}/daily-Manifest.json`;
      await s3.put(
        bucket,
        copy,
        JSON.stringify({
          dataFiles: [`s3://${bucket}/${root}/data/BILLING_PERIOD=2026-09/${execution}/daily-00001.csv.gz`],
        }),
      );
    }
    const { files } = await list();
    expect(files.map(({ key, snapshotAt }) => [key, snapshotAt?.toISOString()])).toEqual([
      [`${root}/data/BILLING_PERIOD=2026-09/20260903T060000Z-bbbb/daily-00001.csv.gz`, '2026-09-03T06:00:00.000Z'],
    ]);
  });

  it('with "create new" are found behind more than a page of copied manifests, without reading those', async () => {
    await deliver('2026-09', { 'b/daily-00001.csv.gz': 'b' });
    await deliver('2026-10', { 'c/daily-00001.csv.gz': 'c' });
    const copies = Array.from(
      { length: 1_001 },
      (_, at) => `2026-${at % 2 === 0 ? '09' : '10'}/20261001T060000Z-${at}`,
    );
    await Promise.all(
      copies.map((copy) => s3.put(bucket, `${root}/metadata/BILLING_PERIOD=${copy}/daily-Manifest.json`, 'no JSON')),
    );
    const { files, memo } = await list();
    expect(files.map(({ month }) => month)).toEqual(['2026-09', '2026-10']);
    expect(JSON.stringify(memo).length).toBeLessThan(2_000);
    s3.proxy.heal();
    await list(memo);
    expect(s3.proxy.log.map((line) => line.slice(0, `GET /${bucket}/?`.length))).toEqual(
      Array<string>(2).fill(`GET /${bucket}/?`),
    );
  }, 30_000);

  it('are those of the later snapshot if a month has two spellings', async () => {
    await deliver('2026-09', { 'a.csv.gz': 'old' }, { manifest: { executionId: '20260902T060000Z-aaaa' } });
    await deliver(
      '2026-09',
      { 'b.csv.gz': 'new' },
      { part: 'billing_period=2026-09', manifest: { executionId: '20260903T060000Z-bbbb' } },
    );
    expect(keysOf(await list())).toEqual([`${root}/data/billing_period=2026-09/b.csv.gz`]);
  });

  it.each([
    ['a key of the bucket', (key: string) => key],
    ['a key of the export', (key: string) => key.slice(`${root}/`.length)],
    ['an object with a URI and a size', (key: string) => ({ s3Uri: `s3://${bucket}/${key}`, size: 3 })],
    ['an object with a key', (key: string) => ({ key })],
  ])('are found if named by %s', async (_name, spell) => {
    const key = `${root}/data/BILLING_PERIOD=2026-09/a.csv.gz`;
    await deliver('2026-09', { 'a.csv.gz': 'abc' }, { manifest: { dataFiles: [spell(key)] } });
    expect(keysOf(await list())).toEqual([key]);
  });

  it('can be at the root of the bucket', async () => {
    await deliver('2026-09', { 'a.csv.gz': 'abc' }, { at: 'daily' });
    expect(keysOf(await list(null, source('')))).toEqual(['daily/data/BILLING_PERIOD=2026-09/a.csv.gz']);
    expect(keysOf(await list(null, source('/')))).toHaveLength(1);
  });

  it('exclude a month without a manifest', async () => {
    await deliver('2026-09', { 'a.csv.gz': 'abc' });
    await s3.put(bucket, `${root}/data/BILLING_PERIOD=2026-10/a.csv.gz`, 'half of it');
    expect(keysOf(await list())).toEqual([`${root}/data/BILLING_PERIOD=2026-09/a.csv.gz`]);
  });

  it('can be empty for a month', async () => {
    await deliver('2026-09', {});
    expect(await list()).toMatchObject({ files: [] });
  });
});

describe('listing memo', () => {
  it('limits a listing to one request without changes, and two more per changed month', async () => {
    await deliver('2026-08', { 'a.csv.gz': 'a' });
    await deliver('2026-09', { 'a.csv.gz': 'b' });
    const first = await list();
    s3.proxy.heal();
    const second = await list(first.memo);
    expect(s3.proxy.log).toHaveLength(1);
    expect(second).toEqual(first);

    await deliver('2026-09', { 'a.csv.gz': 'restated' }, { manifest: { executionId: 'f' } });
    s3.proxy.heal();
    const third = await list(second.memo);
    expect(s3.proxy.log).toHaveLength(3);
    expect(third.files[0]).toEqual(first.files[0]);
    expect(third.files[1]).toMatchObject({ key: first.files[1]?.key, sizeBytes: 8 });
    expect(third.files[1]?.token).not.toBe(first.files[1]?.token);
  });

  it('is ignored if another export wrote it', async () => {
    await deliver('2026-09', { 'a.csv.gz': 'a' });
    const { memo } = await list();
    await deliver('2026-09', { 'b.csv.gz': 'b' }, { at: 'exports/daily2' });
    expect(keysOf(await list(memo, source('exports', 'daily2')))).toEqual([
      'exports/daily2/data/BILLING_PERIOD=2026-09/b.csv.gz',
    ]);
    for (const odd of [
      1,
      'x',
      [],
      { manifests: 7 },
      { ...(memo as object), manifests: { k: { files: [{ key: 1 }] } } },
    ])
      expect(keysOf(await list(odd))).toEqual([`${root}/data/BILLING_PERIOD=2026-09/a.csv.gz`]);
  });
});

describe('manifest', () => {
  const key = `${root}/data/BILLING_PERIOD=2026-09/a.csv.gz`;
  it.each([
    [
      'another bucket',
      's3://someone-elses/exports/daily/data/BILLING_PERIOD=2026-09/a.csv.gz',
      /names "s3:\/\/someone-elses\/.*not in s3:/,
    ],
    ['another folder', 'secrets/data/BILLING_PERIOD=2026-09/a.csv.gz', /not in s3:/],
    ['a parent folder', `${root}/data/../../../a.csv.gz`, /not in s3:/],
    ['another month', `${root}/data/BILLING_PERIOD=2026-08/a.csv.gz`, /of month 2026-09 names .* of month 2026-08/],
    [
      'a missing file',
      `${root}/data/BILLING_PERIOD=2026-09/gone.csv.gz`,
      /gone.csv.gz", named by manifest .*, is missing/,
    ],
    ['another size', { s3Uri: key, size: 4 }, /has 3 bytes, but manifest .* lists 4/],
    ['a file that is not a bill', `${root}/data/BILLING_PERIOD=2026-09/a.pdf`, /neither CSV .* nor Parquet/],
  ])('is rejected for %s', async (_name, file, message) => {
    await s3.put(bucket, `${root}/data/BILLING_PERIOD=2026-08/a.csv.gz`, 'abc');
    await s3.put(bucket, `${root}/data/BILLING_PERIOD=2026-09/a.pdf`, 'abc');
    await deliver('2026-09', { 'a.csv.gz': 'abc' }, { manifest: { dataFiles: [file] } });
    await expect(list()).rejects.toThrow(message);
  });

  it('is rejected if it cannot be read', async () => {
    await deliver('2026-09', {}, { manifest: { dataFiles: { a: 1 } } });
    await expect(list()).rejects.toThrow(/has no usable "dataFiles" list/);
    await s3.put(bucket, `${root}/metadata/BILLING_PERIOD=2026-09/daily-Manifest.json`, '{"dataFil');
    await expect(list()).rejects.toThrow(/is not valid JSON/);
  });
});

describe('fetch', () => {
  it('downloads a complete file, and rejects one that changed since the listing', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'export-'));
    await deliver('2026-09', { 'a.csv.gz': 'abc' });
    const of = source();
    const { files } = await of.list(null, signal);
    const [file] = files;
    if (!file) throw new Error('No file');
    const local = await of.fetch(file, folder, signal);
    expect(local.startsWith(`${folder}/`)).toBe(true);
    expect(await readFile(local, 'utf8')).toBe('abc');
    await deliver('2026-09', { 'a.csv.gz': 'abd' });
    await expect(of.fetch(file, folder, signal)).rejects.toThrow(/a\.csv\.gz.* differs from the listed one/);
    await rm(folder, { recursive: true });
  });
});

describe('check before connecting', () => {
  const check = (prefix = 'exports', name = 'daily', where = bucket) =>
    checkExport(session, exportPlace(where, prefix, name), signal);

  it('returns the account id of the credentials', async () => {
    await deliver('2026-09', { 'a.csv.gz': 'abc' });
    expect(await check()).toEqual({ externalId: account, warnings: [] });
  });

  it('names each problem', async () => {
    await deliver('2026-09', { 'a.csv.gz': 'abc' });
    await expect(check('exports', 'daily', 'no-such-bucket')).rejects.toThrow(
      /^settings\.bucket "no-such-bucket" does not exist/,
    );
    await expect(check('exports', 'dayly')).rejects.toThrow(
      /export "dayly" has not delivered yet .*; s3:\/\/.* contains "daily"/,
    );
    await s3.put(bucket, 'exports/old/20260901-20261001/old-Manifest.json', '{}');
    await expect(check('exports', 'old')).rejects.toThrow(/contains a legacy Cost and Usage Report/);
    await expect(check('export')).rejects.toThrow(/no manifest under s3:\/\/.*\/export\/daily\/metadata\//);
    s3.proxy.fail(/list-type=2/, { kind: 'answer', status: 403, body: '<Error><Code>AccessDenied</Code></Error>' });
    await expect(check()).rejects.toThrow(/s3:ListBucket/);
    s3.proxy.heal();
    s3.proxy.fail(/Manifest\.json/, { kind: 'answer', status: 403, body: '<Error><Code>AccessDenied</Code></Error>' });
    await expect(check()).rejects.toThrow(/s3:GetObject/);
    s3.proxy.heal();
    s3.proxy.fail(/^GET [^?]*a\.csv\.gz/, {
      kind: 'answer',
      status: 403,
      body: '<Error><Code>AccessDenied</Code></Error>',
    });
    await expect(check()).rejects.toThrow(/s3:GetObject is missing for ".*a\.csv\.gz"/);
  });
});

const shared = path.resolve(import.meta.dirname, '../../../../shared/data/costroid/testdata/aws-focus-s3');

describe.skipIf(!existsSync(shared))('trees of another project (skipped without ../shared/data)', () => {
  it('are read: overwritten next to new executions, then a restated and a corrected month', async () => {
    bucket = 'demo';
    const of = source('exports', 'costroid-demo');
    await s3.upload('demo', path.join(shared, 'fixture/demo'));
    const first = await list(null, of);
    expect(first.files.map(({ key, month }) => `${month} ${path.basename(key)}`)).toEqual([
      '2026-05 costroid-demo-00001.csv.gz',
      '2026-05 costroid-demo-00002.csv.gz',
      '2026-06 costroid-demo-00001.csv.gz',
    ]);
    await s3.upload('demo', path.join(shared, 'restated/demo'));
    await s3.upload('demo', path.join(shared, 'corrections/demo'));
    const { files } = await list(first.memo, of);
    expect(files.slice(0, 2)).toEqual(first.files.slice(0, 2));
    expect(files.slice(2).map(({ key, month }) => `${month} ${key.split('/').at(-2)}`)).toEqual([
      '2026-06 20260715T090000Z-e5f6a7b8',
      '2026-07 20260801T060000Z-c7d8e9f0',
    ]);
  });
});
