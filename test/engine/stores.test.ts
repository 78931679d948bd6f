import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { FactFile } from '../../src/engine/fact-set.ts';
import type { FactStore } from '../../src/engine/stores/fact-store.ts';
import { openFactStore } from '../../src/engine/stores/open.ts';
import { type Bucket, MissingObject } from '../../src/engine/stores/bucket.ts';
import { cachedStore } from '../../src/engine/stores/cached.ts';
import { type Environment, readConfig } from '../../src/kit/config/config.ts';
import { isDatabaseAway } from '../../src/kit/database/away.ts';
import { startAzurite, type Azurite } from '../support/clouds/azure/azurite.ts';
import { startS3, type FakeS3 } from '../support/clouds/s3.ts';
import { aFolder } from './folder.ts';

let s3: FakeS3;
let azurite: Azurite;

beforeAll(async () => {
  [s3, azurite] = await Promise.all([startS3(), startAzurite()]);
  s3.server.createBucket('costs');
  await azurite.container('costs');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIAIOSFODNN7EXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'x'.repeat(40));
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await Promise.all([s3.stop(), azurite.stop()]);
});

const azureKey = Buffer.alloc(32, 7).toString('base64');

const places: Record<string, () => Environment> = {
  'a folder': () => ({ FACTS_URL: `file://${aFolder()}/new/facts` }),
  'an S3 bucket': () => ({ FACTS_URL: 's3://costs/some/prefix/', S3_ENDPOINT: s3.url }),
  'a Blob container': () => ({
    FACTS_URL: `azure://${azurite.account}/costs/prefix`,
    AZURE_BLOB_ENDPOINT: azurite.endpoint,
    AZURE_STORAGE_KEY: azureKey,
  }),
};

const open = (environment: Environment) =>
  openFactStore(readConfig({ DATA_DIR: aFolder(), LOG_LEVEL: 'silent', ...environment }));

function aFile(content: string): string {
  const file = path.join(aFolder(), 'facts.parquet');
  writeFileSync(file, content);
  return file;
}

const fileOf = (key: string, content: string): FactFile => ({
  key,
  grain: 'day',
  rows: 1,
  bytes: content.length,
  decimals: '',
  version: 2,
});

async function keysOf(store: FactStore): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key, modifiedAt } of store.list()) {
    expect(Math.abs(modifiedAt.getTime() - Date.now())).toBeLessThan(60_000);
    keys.push(key);
  }
  return keys.sort();
}

describe.each(Object.keys(places))('%s', (name) => {
  it('stores, lists and deletes files', async () => {
    const store = await open(places[name]?.() ?? {});
    const [first, second] = [`${randomUUID()}/2026-01/a-days-0.parquet`, `${randomUUID()}/2026-02/b-months-0.parquet`];
    const local = aFile('first');
    await store.put(first, local);
    await store.put(second, aFile('second'));

    expect(existsSync(local)).toBe(false);
    expect(await keysOf(store)).toEqual([first, second].sort());
    const lease = await store.lease([fileOf(first, 'first'), fileOf(second, 'second')]);
    expect(lease.pathOf(first).startsWith(store.folder)).toBe(true);
    expect(readFileSync(lease.pathOf(first), 'utf8')).toBe('first');
    expect(readFileSync(lease.pathOf(second), 'utf8')).toBe('second');
    lease.release();
    await store.remove([first, 'never/was.parquet']);
    expect(await keysOf(store)).toEqual([second]);
    await store.remove([second]);
    expect(await keysOf(store)).toEqual([]);
  });

  it('can be read by another server', async () => {
    const environment = places[name]?.() ?? {};
    const [writer, reader] = [await open(environment), await open(environment)];
    const key = `${randomUUID()}/2026-01/a-days-0.parquet`;
    await writer.put(key, aFile('written'));
    const lease = await reader.lease([fileOf(key, 'written')]);
    expect(readFileSync(lease.pathOf(key), 'utf8')).toBe('written');
    lease.release();
    await writer.remove([key]);
  });

  it('rejects a key that leads outside the store', async () => {
    const store = await open(places[name]?.() ?? {});
    for (const key of ['../up', 'a/../../b', '/etc/passwd', 'a//b', '', 'a/.hidden'])
      await expect(store.put(key, aFile('x'))).rejects.toThrow(/cannot be the key/);
  });
});

describe('folder store', () => {
  it('is unavailable when a file is missing or has another size', async () => {
    const folder = aFolder();
    const store = await open({ FACTS_URL: folder });
    await store.put('a/cut.parquet', aFile('cut'));
    const gone = expect.objectContaining({
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringMatching(/a\/gone.parquet" is missing/),
    });
    await expect(store.lease([fileOf('a/gone.parquet', 'x')])).rejects.toEqual(gone);
    writeFileSync(path.join(folder, 'a/cut.parquet'), 'cu');
    const cut = expect.objectContaining({
      code: 'SERVICE_UNAVAILABLE',
      message:
        'The stored file "a/cut.parquet" has 2 bytes where 3 were written; have the operator restore it from a backup',
    });
    await expect(store.lease([fileOf('a/cut.parquet', 'cut')])).rejects.toEqual(cut);
  });
});

describe('remote store', () => {
  it('reports a failed write with an error that is not mistaken for a database failure', async () => {
    const refusal = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const bucket: Bucket = {
      name: 'bucket',
      upload: () => Promise.reject(refusal),
      download: () => Promise.reject(refusal),
      remove: async () => {},
      async *list() {},
    };
    const store = await cachedStore(bucket, aFolder(), 100);
    const error = await store.put('a/b.parquet', aFile('x')).catch((reason: unknown) => reason);
    expect(error).toEqual(new Error('bucket: a/b.parquet cannot be written: connect ECONNREFUSED'));
    expect(isDatabaseAway(error as Error)).toBe(false);
  });

  it('is unavailable when a file is missing or has another size', async () => {
    const store = await open(places['an S3 bucket']?.() ?? {});
    const gone = expect.objectContaining({
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringMatching(/a\/gone.parquet" is missing/),
    });
    await expect(store.lease([fileOf('a/gone.parquet', 'x')])).rejects.toEqual(gone);
    await s3.put('costs', 'some/prefix/a/cut.parquet', 'ab');
    const cut = expect.objectContaining({ message: expect.stringMatching(/has 2 bytes where 3 were written/) });
    await expect(store.lease([fileOf('a/cut.parquet', 'abc')])).rejects.toEqual(cut);
    await s3.remove('costs', 'some/prefix/a/cut.parquet');
  });

  it.each([
    ['s3://nowhere/', () => ({ S3_ENDPOINT: s3.url }), /"s3:\/\/nowhere" cannot be used \(.*bucket/i],
    [
      'azure://devaccount/nowhere',
      places['a Blob container'],
      /"azure:\/\/devaccount\/nowhere" cannot be used \(.*container/i,
    ],
    ['/dev/null/facts', () => ({}), /"\/dev\/null\/facts" cannot be used \(.*ENOTDIR/],
  ] as const)('stops the start when %s cannot be used', async (url, environment, message) => {
    const opened = open({ ...environment?.(), FACTS_URL: url });
    await expect(opened).rejects.toThrow(message);
    await expect(opened).rejects.toHaveProperty('name', 'ConfigError');
  });

  it.each(['facts', 'ftp://a/b', 's3://', 's3://Costs', 's3://costs/../up', 'azure://account', 'file://host/facts'])(
    'rejects %s as FACTS_URL',
    (url) => {
      expect(() => readConfig({ DATA_DIR: aFolder(), FACTS_URL: url })).toThrow(
        `FACTS_URL: "${url}" is invalid; set it to an absolute path, s3://bucket/prefix or azure://account/container/prefix`,
      );
    },
  );
});

describe('file cache', () => {
  /** A bucket in memory that counts downloads, each of which can be held until it is released. */
  function aBucket(contents: Record<string, string>) {
    const downloads: string[] = [];
    const waiting: (() => void)[] = [];
    let isHeld = false;
    const bucket: Bucket = {
      name: 'bucket',
      upload: async (key, file) => void (contents[key] = readFileSync(file, 'utf8')),
      async download(key, file) {
        downloads.push(key);
        if (isHeld) await new Promise<void>((resolve) => waiting.push(resolve));
        const content = contents[key];
        if (content === undefined) throw new MissingObject(key);
        writeFileSync(file, content);
      },
      remove: async (keys) => keys.forEach((key) => delete contents[key]),
      async *list() {},
    };
    const hold = () => (isHeld = true);
    const release = () => waiting.splice(0).forEach((go) => go());
    return { bucket, downloads, hold, release };
  }

  const ten = 'x'.repeat(10);
  const contents = () => ({ a: ten, b: ten, c: ten, d: ten });
  const file = (key: string) => fileOf(key, ten);
  const names = (folder: string) => readdirSync(folder).sort();

  it('stays within its limit by dropping the least recently used file', async () => {
    const folder = aFolder();
    const { bucket, downloads } = aBucket(contents());
    const store = await cachedStore(bucket, folder, 30);
    for (const key of ['a', 'b', 'c', 'a', 'd']) (await store.lease([file(key)])).release();
    expect(names(folder)).toEqual(['a', 'c', 'd']);
    expect(downloads).toEqual(['a', 'b', 'c', 'd']);
    expect(store.cache).toEqual({ bytes: 30, hits: 1, misses: 4 });
  });

  it('never drops a leased file, even above its limit', async () => {
    const folder = aFolder();
    const store = await cachedStore(aBucket(contents()).bucket, folder, 20);
    const lease = await store.lease(['a', 'b', 'c'].map(file));
    expect(names(folder)).toEqual(['a', 'b', 'c']);
    lease.release();
    await vi.waitFor(() => expect(names(folder)).toEqual(['b', 'c']));
    expect(store.cache?.bytes).toBe(20);
    (await store.lease([file('d')])).release();
    expect(names(folder)).toEqual(['c', 'd']);
  });

  it('counts the size of a download that readers no longer wait for', async () => {
    const { bucket, downloads, hold, release } = aBucket(contents());
    const folder = aFolder();
    const store = await cachedStore(bucket, folder, 0);
    hold();
    const leaving = new AbortController();
    const left = store.lease([file('a')], leaving.signal).catch((error: unknown) => error);
    await vi.waitFor(() => expect(downloads).toEqual(['a']));
    expect(store.cache?.bytes).toBe(10);
    leaving.abort(new Error('left'));
    expect(await left).toEqual(new Error('left'));
    release();
    await vi.waitFor(() => expect(store.cache?.bytes).toBe(0));
    await vi.waitFor(() => expect(names(folder)).toEqual([]));
  });

  it('downloads a truncated copy again', async () => {
    const folder = aFolder();
    const { bucket, downloads } = aBucket(contents());
    const store = await cachedStore(bucket, folder, 100);
    (await store.lease([file('a')])).release();
    writeFileSync(path.join(folder, 'a'), 'x');
    expect(readFileSync((await store.lease([file('a')])).pathOf('a'), 'utf8')).toBe(ten);
    expect(downloads).toEqual(['a', 'a']);
  });

  it('downloads a file once for concurrent readers, even if one of them aborts', async () => {
    const { bucket, downloads, hold, release } = aBucket(contents());
    const store = await cachedStore(bucket, aFolder(), 100);
    hold();
    const leaving = new AbortController();
    const left = store.lease([file('a')], leaving.signal).catch((error: unknown) => error);
    const stays = store.lease([file('a')]);
    await vi.waitFor(() => expect(downloads).toEqual(['a']));
    leaving.abort(new Error('left'));
    expect(await left).toEqual(new Error('left'));
    release();
    expect(readFileSync((await stays).pathOf('a'), 'utf8')).toBe(ten);
    expect(downloads).toEqual(['a']);
  });

  it('takes over the files of the previous server, and downloads files dropped by another one again', async () => {
    const folder = aFolder();
    const { bucket, downloads } = aBucket(contents());
    (await (await cachedStore(bucket, folder, 100)).lease(['a', 'b'].map(file))).release();
    const next = await cachedStore(bucket, folder, 100);
    (await next.lease([file('a')])).release();
    expect(downloads.toSorted()).toEqual(['a', 'b']);
    expect(next.cache).toEqual({ bytes: 20, hits: 1, misses: 0 });
    await (await cachedStore(bucket, folder, 0)).lease([file('c')]);
    expect(existsSync(path.join(folder, 'b'))).toBe(false);
    const lease = await next.lease([file('b')]);
    expect(readFileSync(lease.pathOf('b'), 'utf8')).toBe(ten);
  });

  it('discards a failed download', async () => {
    const held: Record<string, string> = {};
    const { bucket } = aBucket(held);
    const folder = aFolder();
    const store = await cachedStore(bucket, folder, 100);
    await expect(store.lease([file('a')])).rejects.toThrow(/is missing/);
    expect(names(folder)).toEqual([]);
    held['a'] = ten;
    expect(readFileSync((await store.lease([file('a')])).pathOf('a'), 'utf8')).toBe(ten);
    expect(store.cache?.bytes).toBe(10);
  });
});
