import { createHash } from 'node:crypto';
import { mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Day } from '../../../src/kit/time/period.ts';
import { openFocusFolder } from '../../../src/providers/focus/folder.ts';
import { writeDemo } from '../../../src/demo/files/write.ts';

let folder = '';
let lineItems = 0;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'costkeep-demo-'));
  lineItems = await writeDemo(folder, '2026-11-21');
}, 120_000);
afterAll(() => rm(folder, { recursive: true }));

/** Digest and inode of every file by name. */
async function files(): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found = new Map<string, string>();
  for (const entry of entries.filter((each) => each.isFile())) {
    const at = path.join(entry.parentPath, entry.name);
    const digest = createHash('sha256')
      .update(await readFile(at))
      .digest('hex');
    found.set(path.relative(folder, at), `${digest} ${(await stat(at)).ino}`);
  }
  return found;
}

async function changedBy(today: Day): Promise<string[]> {
  const before = await files();
  await writeDemo(folder, today);
  const after = await files();
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((name) => before.get(name) !== after.get(name))
    .toSorted();
}

const listed = async (name: string) => {
  const source = await openFocusFolder(folder, name);
  return (await source.list(null, new AbortController().signal)).files;
};

it('writes folders that the FOCUS source reads: AWS and Azure manifests, and Parquet', async () => {
  const [aws, azure, gcp] = [await listed('aws'), await listed('azure'), await listed('gcp')];
  expect(aws.map((file) => file.month)).toHaveLength(13);
  expect(aws.at(-1)).toMatchObject({ month: '2026-11', format: 'csv.gz' });
  expect(azure).toHaveLength(26);
  expect(azure.at(-1)).toMatchObject({ month: '2026-11', format: 'csv', snapshotAt: new Date('2026-11-21T00:04:11Z') });
  expect(gcp).toHaveLength(13);
  expect(gcp.at(-1)).toMatchObject({ month: null, format: 'parquet' });
});

it('returns the number of line items in the files', async () => {
  const db = await (await DuckDBInstance.create(':memory:')).connect();
  const sources = [
    `read_csv('${folder}/aws/**/*.csv.gz', all_varchar = true)`,
    `read_csv('${folder}/azure/**/*.csv', all_varchar = true)`,
    `'${folder}/gcp/**/*.parquet'`,
  ];
  const counts = await Promise.all(
    sources.map(async (source) => Number((await (await db.run(`SELECT count(*) FROM ${source}`)).getRows())[0]?.[0])),
  );
  expect(counts.reduce((total, count) => total + count, 0)).toBe(lineItems);
  const tags = await (
    await db.run(
      `SELECT typeof(Tags), count(DISTINCT Tags['team']) FROM ${sources[2]} WHERE Tags IS NOT NULL GROUP BY 1`,
    )
  ).getRows();
  expect(tags).toEqual([['MAP(VARCHAR, VARCHAR)', 4n]]);
  db.closeSync();
});

it('changes no file when it is written again on the same day', async () => {
  expect(await changedBy('2026-11-21')).toEqual([]);
});

it('changes only the current month when it is written a day later', async () => {
  const changed = await changedBy('2026-11-22');
  expect(changed.length).toBeGreaterThan(0);
  expect(changed.filter((name) => !/2026-11|202611/.test(name))).toEqual([]);
});

it('starts a new month, completes the last one and drops the oldest when the month changes', async () => {
  await writeDemo(folder, '2026-11-30');
  const changed = await changedBy('2026-12-02');
  const months = new Set(changed.map((name) => /(\d{4})-?(\d{2})/.exec(name)?.slice(1, 3).join('-')));
  expect([...months].toSorted()).toEqual(['2025-11', '2026-11', '2026-12']);
});
