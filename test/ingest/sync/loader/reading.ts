import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { openDuck, type Duck } from '../../../../src/ingest/sync/loader/duck.ts';
import { inspectMonths } from '../../../../src/ingest/sync/loader/inspect.ts';
import { exportMonth } from '../../../../src/ingest/sync/loader/month.ts';
import type { FileMonth, LoaderFile, MonthExport } from '../../../../src/ingest/sync/loader/protocol.ts';
import { readFiles, tableOf } from '../../../../src/ingest/sync/loader/read.ts';
import { canonicalTags } from '../../../../src/ingest/sync/loader/tags.ts';

/** A charge as the loader groups it, by the columns of its table. */
export type Group = Readonly<Record<string, string | null>>;

/** A file of a bill, and which of its costs count. */
export interface BillFile {
  readonly name: string;
  readonly content: string | Uint8Array;
  readonly speaksFor?: LoaderFile['speaksFor'];
}

/** What the loader read. */
export interface Reading {
  readonly parts: readonly FileMonth[];
  /** Ordered by their text. */
  readonly groups: readonly Group[];
  /** Tags of a group, by key. */
  tagsOf(group: Group | undefined): Record<string, string>;
  export(month: string): Promise<MonthExport>;
}

let batch = 0;

/** Reads files in a DuckDB of the test, without a process or a database.
 *  @throws {Refusal} as the loader */
export async function readBills(...bills: readonly BillFile[]): Promise<Reading> {
  const folder = await mkdtemp(path.join(tmpdir(), 'costkeep-loader-'));
  const files = await Promise.all(bills.map((bill) => put(folder, bill)));
  const jobDir = path.join(folder, 'job');
  await mkdir(jobDir);
  const paths = files.map((file) => file.path);
  const duck = await openDuck(jobDir, paths, 512, 2);
  onTestFinished(async () => {
    duck.close();
    await rm(folder, { recursive: true, force: true });
  });
  const no = ++batch * 10;
  const parts = await readFiles(duck, no, files, null);
  const owner = {
    accountId: '01900000-0000-7000-8000-000000000001',
    organizationId: '01900000-0000-7000-8000-000000000002',
  };
  return {
    parts,
    groups: await groupsOf(duck, no),
    tagsOf: (group) => canonicalTags(group?.['tags'] ?? '{}'),
    export: (month) => exportMonth(duck, { ...owner, batch: no, month, files: files.map((file) => file.name) }, jobDir),
  };
}

/** The billing months that a file's header and statistics say. */
export async function monthsOfFile(bill: BillFile): Promise<string[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'costkeep-loader-'));
  const file = await put(folder, bill);
  const duck = await openDuck(path.join(folder, 'job'), [file.path], 512, 2);
  onTestFinished(async () => {
    duck.close();
    await rm(folder, { recursive: true, force: true });
  });
  return inspectMonths(duck, file);
}

async function put(folder: string, { name, content, speaksFor = 'all' }: BillFile): Promise<LoaderFile> {
  const file = path.join(folder, name);
  await writeFile(file, content);
  const format = name.endsWith('.parquet') ? 'parquet' : name.endsWith('.gz') ? 'csv.gz' : 'csv';
  return { name, path: file, format, expectedRows: null, speaksFor };
}

async function groupsOf(duck: Duck, no: number): Promise<Group[]> {
  const rows = await duck.rows(`SELECT * FROM ${tableOf(no)}`);
  return rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}
