import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { Shelf } from '../../../src/ingest/sync/shelf.ts';
import type { CostSource, SourceFile } from '../../../src/providers/contract.ts';

function aFile(key: string): SourceFile {
  const said = { month: '2026-05', snapshotAt: null, expectedRows: null, speaksFor: 'all' } as const;
  return { key, token: '1', sizeBytes: 3, format: 'csv', ...said };
}

interface Transfers {
  readonly shelf: Shelf;
  readonly folder: string;
  /** Requested keys, in order. */
  readonly asked: string[];
  most: number;
}

function aShelf(fail: (key: string) => void = () => {}): Transfers {
  const folder = mkdtempSync(path.join(tmpdir(), 'costkeep-shelf-'));
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
    shelf: new Shelf(source, folder, new AbortController().signal),
    folder,
    asked: [],
    most: 0,
  };
  return seen;
}

it('fetches wanted files once, a few at a time, and removes each file after its last release', async () => {
  const transfers = aShelf();
  const { shelf, folder, asked } = transfers;
  const files = Array.from({ length: 20 }, (_, index) => aFile(`f${index}`));
  const [first] = files;
  if (!first) throw new Error('there are twenty');
  shelf.want(files);
  shelf.want([first]);
  await shelf.settle(files);
  expect(asked).toEqual(files.map(({ key }) => key));
  expect(transfers.most).toBeLessThanOrEqual(4);
  expect(shelf.bytes).toBe(60);
  await shelf.letGo(files);
  expect(readdirSync(folder)).toHaveLength(1);
  expect((await shelf.take(first)).name).toBe('f0');
  await shelf.letGo([first]);
  expect([readdirSync(folder), shelf.bytes]).toEqual([[], 0]);
  shelf.want([first]);
  await shelf.take(first);
  expect(asked).toHaveLength(21);
});

it('reports a failed download only to the consumers of that file', async () => {
  const { shelf } = aShelf((key) => {
    if (key === 'bad') throw new Error('gone');
  });
  shelf.want([aFile('bad'), aFile('good')]);
  await shelf.settle([aFile('bad'), aFile('good')]);
  await expect(shelf.take(aFile('bad'))).rejects.toThrow('gone');
  await expect(shelf.take(aFile('good'))).resolves.toMatchObject({ name: 'good' });
  await shelf.letGo([aFile('bad'), aFile('good')]);
  expect(shelf.bytes).toBe(0);
});
