import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { Downloads } from '../../../../src/ingest/sync/bills/downloads.ts';
import type { CostSource, SourceFile } from '../../../../src/providers/contract.ts';

function aFile(key: string): SourceFile {
  const said = { month: '2026-05', snapshotAt: null, expectedRows: null, speaksFor: 'all' } as const;
  return { key, token: '1', sizeBytes: 3, format: 'csv', ...said };
}

interface Transfers {
  readonly downloads: Downloads;
  readonly folder: string;
  /** Requested keys, in order. */
  readonly asked: string[];
  most: number;
}

function someDownloads(fail: (key: string) => void = () => {}): Transfers {
  const folder = mkdtempSync(path.join(tmpdir(), 'costkeep-downloads-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  let atOnce = 0;
  const source: CostSource = {
    isInPlace: false,
    list: () => Promise.reject(new Error('not asked here')),
    async fetch({ key }) {
      seen.asked.push(key);
      seen.most = Math.max(seen.most, ++atOnce);
      try {
        fail(key);
        const at = path.join(folder, `${seen.asked.length}.csv`);
        await writeFile(at, 'abc');
        return at;
      } finally {
        atOnce--;
      }
    },
  };
  const seen: Transfers = {
    downloads: new Downloads(source, folder, new AbortController().signal),
    folder,
    asked: [],
    most: 0,
  };
  return seen;
}

it('fetches a wanted file once, at most four at a time, and removes it when it is last released', async () => {
  const transfers = someDownloads();
  const { downloads, folder, asked } = transfers;
  const files = Array.from({ length: 20 }, (_, index) => aFile(`f${index}`));
  const [first] = files;
  if (!first) throw new Error('there are twenty');
  downloads.want(files);
  downloads.want([first]);
  await downloads.settle(files);
  expect(asked).toEqual(files.map(({ key }) => key));
  expect(transfers.most).toBeLessThanOrEqual(4);
  expect(downloads.bytes).toBe(60);
  await downloads.release(files);
  expect(readdirSync(folder)).toHaveLength(1);
  expect(await downloads.take(first)).toMatchObject([{ name: 'f0' }]);
  await downloads.release([first]);
  expect([readdirSync(folder), downloads.bytes]).toEqual([[], 0]);
  downloads.want([first]);
  await downloads.take(first);
  expect(asked).toHaveLength(21);
});

it('rejects taking a file that could not be fetched, and no other', async () => {
  const { downloads } = someDownloads((key) => {
    if (key === 'bad') throw new Error('gone');
  });
  downloads.want([aFile('bad'), aFile('good')]);
  await downloads.settle([aFile('bad'), aFile('good')]);
  await expect(downloads.take(aFile('bad'))).rejects.toThrow('gone');
  await expect(downloads.take(aFile('good'))).resolves.toMatchObject([{ name: 'good' }]);
  await downloads.release([aFile('bad'), aFile('good')]);
  expect(downloads.bytes).toBe(0);
});

it('stops waiting for a transfer when the sync is aborted', async () => {
  const abort = new AbortController();
  const source: CostSource = {
    isInPlace: false,
    list: () => Promise.reject(new Error('not asked here')),
    fetch: () => new Promise(() => {}),
  };
  const downloads = new Downloads(source, tmpdir(), abort.signal);
  downloads.want([aFile('slow')]);
  const taken = downloads.take(aFile('slow'));
  const settled = downloads.settle([aFile('slow')]);
  abort.abort(new Error('cancelled'));
  await expect(taken).rejects.toThrow('cancelled');
  await settled;
});
