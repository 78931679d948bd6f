import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/kit/config/config.ts';
import type { Connection } from '../../../src/providers/contract.ts';
import { openFocusStorage } from '../../../src/providers/focus/open.ts';
import type { CloudEndpoints, FocusSettings } from '../../../src/providers/spec.ts';
import { type FakeS3, refuseWrites, startS3 } from '../../support/clouds/s3.ts';

const signal = new AbortController().signal;
const credentials = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'secret', sessionToken: null };
let s3: FakeS3;
let folder = '';
let endpoints: CloudEndpoints;

beforeAll(async () => {
  s3 = await startS3();
  folder = await mkdtemp(path.join(tmpdir(), 'costkeep-storage-'));
  endpoints = { ...readConfig({ DATA_DIR: folder }).clouds, s3Endpoint: s3.url, focusEndpoints: [s3.url] };
});
afterEach(() => {
  refuseWrites(s3.proxy.log);
  s3.proxy.heal();
});
afterAll(async () => {
  await s3.stop();
  await rm(folder, { recursive: true });
});

const open = (settings: Partial<FocusSettings> & { bucket: string }): Promise<Connection> =>
  openFocusStorage(
    {
      provider: 'focus',
      credentials,
      trustExternalId: 'x',
      settings: { prefix: '', endpoint: null, region: null, ...settings },
    },
    endpoints,
  );

const refused = (message: RegExp): object => ({ code: 'VALIDATION_ERROR', message: expect.stringMatching(message) });

async function putExport(bucket: string, month: string, execution: string): Promise<void> {
  const data = `e/x/data/billing_period=${month}/${execution}/x-00001.csv.gz`;
  await s3.put(bucket, data, `rows of ${execution}`);
  const manifest = { executionId: execution, columns: [{ name: 'BilledCost' }], dataFiles: [`s3://${bucket}/${data}`] };
  await s3.put(bucket, `e/x/metadata/billing_period=${month}/x-Manifest.json`, JSON.stringify(manifest));
}

describe('FOCUS files in a bucket', () => {
  it('are found only under the prefix, as plain files of any vendor, without hidden ones', async () => {
    await s3.put('vendor', 'focus/2026/05.csv', 'x');
    await s3.put('vendor', 'focus/06.parquet', 'x');
    await s3.put('vendor', 'focus/.tmp/06.csv', 'x');
    await s3.put('vendor', 'focus/readme.txt', 'x');
    await s3.put('vendor', 'focus/june.xlsx', 'x');
    await s3.put('vendor', 'focus-other/05.csv', 'x');
    const { costs } = await open({ bucket: 'vendor', prefix: 'focus', endpoint: s3.url, region: 'auto' });
    const { files, warnings } = await costs.list(null, signal);
    expect(files.map(({ key, format, month }) => [key, format, month])).toEqual([
      ['06.parquet', 'parquet', null],
      ['2026/05.csv', 'csv', null],
    ]);
    expect(warnings).toEqual(['1 file was not read (spreadsheet; export CSV or Parquet instead): june.xlsx']);
    expect(s3.proxy.log).toHaveLength(1);
  });

  it('of an AWS export are those of the latest manifests, each read once', async () => {
    await putExport('aws', '2026-04', '20260501T010000Z-a');
    await putExport('aws', '2026-05', '20260520T010000Z-b');
    await putExport('aws', '2026-05', '20260521T010000Z-c');
    const { costs } = await open({ bucket: 'aws', prefix: 'e' });
    const first = await costs.list(null, signal);
    expect(first.files.map(({ key, month }) => [key, month])).toEqual([
      ['x/data/billing_period=2026-04/20260501T010000Z-a/x-00001.csv.gz', '2026-04'],
      ['x/data/billing_period=2026-05/20260521T010000Z-c/x-00001.csv.gz', '2026-05'],
    ]);
    expect(s3.proxy.log).toHaveLength(3);
    expect(JSON.stringify(first.memo)).not.toContain('BilledCost');

    s3.proxy.heal();
    const memo: unknown = JSON.parse(JSON.stringify(first.memo));
    const second = await costs.list(memo, signal);
    expect(second).toEqual(first);
    expect(s3.proxy.log).toHaveLength(1);

    await putExport('aws', '2026-05', '20260522T010000Z-d');
    s3.proxy.heal();
    const third = await costs.list(memo, signal);
    expect(third.files.map(({ key }) => key)).toContain(
      'x/data/billing_period=2026-05/20260522T010000Z-d/x-00001.csv.gz',
    );
    expect(s3.proxy.log).toHaveLength(2);
  });

  it('of a month in delivery are read by a later sync', async () => {
    await putExport('live', '2026-04', '20260501T010000Z-a');
    await s3.put('live', 'e/x/data/billing_period=2026-05/20260502T010000Z-b/x-00001.csv.gz', 'half of it');
    const { costs } = await open({ bucket: 'live', prefix: 'e' });
    const { files, warnings } = await costs.list(null, signal);
    expect(files.map(({ month }) => month)).toEqual(['2026-04']);
    expect(warnings).toEqual([expect.stringMatching(/^Month 2026-05 of export "x\/" has no manifest yet/)]);
  });

  it.each([
    ['Azure', 'e/20261101-20261130/7c5b3e0a-1111-4222-8333-944445555666/part_0_0001.csv'],
    ['Azure', 'e/mtd/regen-42/part_1_0001.csv.gz'],
    ['AWS', 'x/data/BILLING_PERIOD=2026-11/20261102T010000Z-9a/x-00001.csv.gz'],
  ])('of the first run of %s are read after it has ended: %s', async (vendor, key) => {
    s3.server.createBucket('first');
    await s3.put('first', `${key.length}/${key}`, 'half of it');
    const { costs } = await open({ bucket: 'first', prefix: String(key.length) });
    const { files, warnings } = await costs.list(null, signal);
    expect(files).toEqual([]);
    expect(warnings).toEqual([
      expect.stringContaining(`Run "${key.slice(0, key.lastIndexOf('/') + 1)}" has no manifest yet: ${vendor} writes`),
    ]);
  });

  it('are downloaded unchanged', async () => {
    await s3.put('vendor', 'one/05.csv', 'BilledCost\n1\n');
    const { costs } = await open({ bucket: 'vendor', prefix: 'one' });
    const [file] = (await costs.list({ of: 'another version' }, signal)).files;
    if (!file) throw new Error('nothing was listed');
    const local = await costs.fetch(file, folder, signal);
    expect(path.dirname(local)).toBe(folder);
    expect(path.basename(local)).toMatch(/^[0-9a-f-]{36}\.csv$/);
    expect(await readFile(local, 'utf8')).toBe('BilledCost\n1\n');
  });
});

describe('check', () => {
  it('lists, and requests one object', async () => {
    await s3.put('vendor', 'two/05.csv', 'x');
    const { check } = await open({ bucket: 'vendor', prefix: 'two', endpoint: s3.url });
    expect(await check(signal)).toEqual({ externalId: `s3://${new URL(s3.url).host}/vendor/two`, warnings: [] });
    expect(s3.proxy.log).toHaveLength(2);
  });

  it('names a prefix without bills', async () => {
    s3.server.createBucket('vendor');
    const { check } = await open({ bucket: 'vendor', prefix: 'nothing' });
    await expect(check(signal)).rejects.toMatchObject(
      refused(/^settings\.prefix matches no bills in S3 bucket "vendor" under prefix "nothing\/": .*; correct it/),
    );
  });

  it('names an endpoint that the operator does not allow', async () => {
    await expect(open({ bucket: 'vendor', endpoint: 'https://elsewhere.example' })).rejects.toMatchObject(
      refused(/"https:\/\/elsewhere\.example" is not one of the stores/),
    );
  });
});
