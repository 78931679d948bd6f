import { copyFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { inWorkspace } from '../../../../src/ingest/sync/bills/downloads.ts';
import { syncBills, type SyncResult } from '../../../../src/ingest/sync/bills/run.ts';
import type { CostSource, SourceFile } from '../../../../src/providers/contract.ts';
import { TryLater } from '../../../../src/providers/faults.ts';
import { aLine } from '../../../support/focus.ts';
import { billsOfFile, monthsOf, type Bills } from '../../world.ts';

// A source that copies its files to disk, like a bucket; its manifests name the months.

const connect = billsOfFile();
const months = ['2026-01', '2026-02', '2026-03', '2026-04', '2026-05', '2026-06'];

interface Bucket {
  readonly source: CostSource;
  /** Fetched keys, in order. */
  readonly fetched: string[];
  /** The largest number of files on disk at the same time. */
  most: number;
}

function bucketOf(
  bills: Bills,
  keys: Record<string, string>,
  before: (key: string) => Promise<void> = async () => {},
): Bucket {
  const files = Object.entries(keys).map(([key, token]): SourceFile => {
    const month = key.slice(0, 7);
    return {
      key,
      token,
      sizeBytes: 1000,
      format: 'csv',
      month,
      snapshotAt: null,
      expectedRows: null,
      speaksFor: 'all',
    };
  });
  const seen: Bucket = {
    source: {
      isInPlace: false,
      list: async () => ({ files, memo: null, warnings: [] }),
      async fetch({ key }, folder) {
        const at = path.join(folder, `${seen.fetched.push(key)}.csv`);
        await before(key);
        await copyFile(path.join(bills.folder, key), at);
        seen.most = Math.max(seen.most, (await readdir(folder)).length);
        return at;
      },
    },
    fetched: [],
    most: 0,
  };
  return seen;
}

function sync(bills: Bills, { source }: Bucket, workerConcurrency = 2): Promise<SyncResult> {
  const deps = { ...bills.deps, config: { ...bills.deps.config, workerConcurrency } };
  const { signal } = new AbortController();
  const { accountId } = bills;
  return inWorkspace(deps.config.dataDir, accountId, (workspace) =>
    syncBills(deps, bills.scope, { accountId, source, workspace, signal, onProgress: () => {} }),
  );
}

async function aYear(bills: Bills): Promise<Record<string, string>> {
  for (const month of months)
    for (const [part, day] of [
      ['a', '03'],
      ['b', '04'],
    ])
      await bills.put(`${month}-${part}.csv`, [aLine({ day: `${month}-${day}`, cost: '1' })]);
  return Object.fromEntries(months.flatMap((month) => ['a', 'b'].map((part) => [`${month}-${part}.csv`, '1'])));
}

it('reads the newest month first, keeps the files of at most three months on disk, and fetches only those of a changed month again', async () => {
  const bills = await connect();
  const keys = await aYear(bills);
  const bucket = bucketOf(bills, keys);
  expect((await sync(bills, bucket)).lineItems).toBe(12);
  expect(bucket.fetched).toEqual(months.toReversed().flatMap((month) => [`${month}-a.csv`, `${month}-b.csv`]));
  expect(bucket.most).toBeLessThanOrEqual(6);
  expect(await readdir(path.join(bills.deps.config.dataDir, 'jobs'))).not.toContain(bills.accountId);

  await bills.put('2026-02-b.csv', [aLine({ day: '2026-02-05', cost: '5' })]);
  const later = bucketOf(bills, { ...keys, '2026-02-b.csv': '2' });
  expect((await sync(bills, later)).months.map(({ month }) => month)).toEqual(['2026-02']);
  expect(later.fetched.toSorted()).toEqual(['2026-02-a.csv', '2026-02-b.csv']);
  expect(await monthsOf(bills)).toMatchObject({ '2026-01': '2', '2026-02': '6', '2026-06': '2' });
});

it('keeps loaded months when the provider requests a later retry, and then reads the others', async () => {
  const bills = await connect();
  const keys = await aYear(bills);
  const busy = bucketOf(bills, keys, async (key) => {
    if (key.startsWith('2026-02')) throw new TryLater('busy');
  });
  await expect(sync(bills, busy)).rejects.toThrow('busy');
  const loaded = Object.keys(await monthsOf(bills));
  expect(loaded.length).toBeGreaterThanOrEqual(3);
  const again = bucketOf(bills, keys);
  await sync(bills, again);
  expect(again.fetched.filter((key) => loaded.slice(-3).includes(key.slice(0, 7)))).toEqual([]);
  expect(Object.values(await monthsOf(bills))).toEqual(months.map(() => '2'));
});

it('lets another account sync during a slow download, and continues afterwards', async () => {
  const [slow, other] = [await connect(), await connect()];
  const arrival = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const bucket = bucketOf(slow, await aYear(slow), async (key) => {
    if (!key.startsWith('2026-04')) return;
    begun.resolve();
    await arrival.promise;
  });
  const slowSync = sync(slow, bucket, 1);
  await begun.promise;
  await sync(other, bucketOf(other, await aYear(other)), 1);
  expect(Object.values(await monthsOf(other))).toEqual(months.map(() => '2'));
  expect(Object.keys(await monthsOf(slow))).toEqual(['2026-05', '2026-06']);
  arrival.resolve();
  expect((await slowSync).lineItems).toBe(12);
  expect(Object.values(await monthsOf(slow))).toEqual(months.map(() => '2'));
});

it('ends prefetches of a plan with wrong months before it reads again', async () => {
  const bills = await connect();
  const keys = await aYear(bills);
  // The first file has a charge of a month other than its manifest states.
  await bills.put('2026-06-a.csv', [aLine({ day: '2026-06-03', cost: '1' }), aLine({ day: '2026-05-05', cost: '1' })]);
  const ends: string[] = [];
  const bucket = bucketOf(bills, keys);
  const { fetch } = bucket.source;
  let isFirst = true;
  const source: CostSource = {
    ...bucket.source,
    async fetch(file, folder, signal) {
      if (file.key !== '2026-05-a.csv' || !isFirst) return fetch(file, folder, signal);
      isFirst = false;
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      ends.push(bucket.fetched.join(' '));
      throw signal.reason;
    },
  };
  await sync(bills, { ...bucket, source });
  expect(ends).toEqual(['2026-06-a.csv 2026-06-b.csv 2026-05-b.csv']);
  expect(bucket.fetched.slice(3)).toEqual(Object.keys(keys));
  expect(await monthsOf(bills)).toMatchObject({ '2026-01': '2', '2026-05': '3', '2026-06': '2' });
});
