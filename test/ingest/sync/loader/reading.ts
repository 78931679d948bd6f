import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { convertMonth, exportMonth } from '../../../../src/ingest/sync/loader/month/month.ts';
import { openDuck } from '../../../../src/ingest/sync/loader/duck.ts';
import { inspectMonths, readFiles } from '../../../../src/ingest/sync/loader/bill/read.ts';
import { unpack } from '../../../../src/ingest/sync/bills/unpack.ts';
import type { FileMonth, LoaderFile, MonthExport } from '../../../../src/ingest/sync/loader/protocol.ts';
import { tokenOf } from '../../../../src/providers/focus/in-place.ts';
import { formatOf } from '../../../../src/providers/layouts/listing.ts';
import { writeFocus, type FocusRow } from '../../../support/focus.ts';
import { selectFacts } from '../../../support/read-facts.ts';

/** A row of a fact file, with every value as text. */
export type Fact = Readonly<Record<string, string | null>>;

/** A file of a bill, and which of its costs count. */
export interface BillFile {
  readonly name: string;
  readonly content: string | Uint8Array;
  readonly speaksFor?: LoaderFile['speaksFor'];
  readonly delivery?: string;
}

/** The result of the loader. */
export interface Reading {
  readonly parts: readonly FileMonth[];
  /** The day facts of all months, sorted by their text. */
  facts(): Promise<readonly Fact[]>;
  /** @param comparedAtOnce maximum rows of deliveries that are compared at once */
  export(month: string, comparedAtOnce?: number): Promise<MonthExport>;
  convert(csv: string, month: string): ReturnType<typeof convertMonth>;
  /** The folder of the job. */
  readonly folder: string;
  /** Runs any query over the written files. */
  query(sql: string): Promise<Fact[]>;
}

let batch = 0;

/** Reads files in a DuckDB of the test, without a process or a database. Throws a `Refusal` like the loader. */
export async function readBills(...bills: readonly BillFile[]): Promise<Reading> {
  const folder = await mkdtemp(path.join(tmpdir(), 'costkeep-loader-'));
  const files = (await Promise.all(bills.map((bill) => put(folder, bill)))).flat();
  const jobDir = path.join(folder, 'job');
  await mkdir(jobDir);
  const paths = files.map((file) => file.path);
  const duck = await openDuck(jobDir, paths, 512, 2);
  onTestFinished(async () => {
    duck.close();
    await rm(folder, { recursive: true, force: true });
  });
  const no = ++batch * 10;
  const parts = await readFiles(duck, { batch: no, files, months: null, jobDir });
  const owner = {
    accountId: '01900000-0000-7000-8000-000000000001',
    organizationId: '01900000-0000-7000-8000-000000000002',
  };
  const write = (month: string, comparedAtOnce?: number) => {
    const names = parts.filter((part) => part.month === month).map(({ file }) => file);
    return exportMonth(duck, { ...owner, batch: no, month, files: [...new Set(names)] }, jobDir, comparedAtOnce);
  };
  return {
    parts,
    async facts() {
      const rows: Fact[] = [];
      for (const month of new Set(parts.map((part) => part.month))) {
        const { facts } = await write(month);
        for (const { path: file, grain } of facts) {
          if (grain === 'day') rows.push(...(await duck.rows(selectFacts([file]))));
        }
      }
      return rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
    },
    export: write,
    convert: (csv, month) => convertMonth(duck, { ...owner, path: csv, month }, jobDir),
    folder: jobDir,
    query: (sql) => duck.rows(sql),
  };
}

/** A bill of line items, in the format of its file extension. */
export async function billOf(name: string, rows: readonly FocusRow[]): Promise<BillFile> {
  const folder = await mkdtemp(path.join(tmpdir(), 'costkeep-bill-'));
  await writeFocus(path.join(folder, name), rows);
  const content = await readFile(path.join(folder, name));
  await rm(folder, { recursive: true });
  return { name, content };
}

/** The billing months in the header and statistics of a file. */
export async function monthsOfFile(bill: BillFile): Promise<string[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'costkeep-loader-'));
  const files = await put(folder, bill);
  const paths = files.map((file) => file.path);
  const duck = await openDuck(path.join(folder, 'job'), paths, 512, 2);
  onTestFinished(async () => {
    duck.close();
    await rm(folder, { recursive: true, force: true });
  });
  return (await Promise.all(files.map((file) => inspectMonths(duck, file)))).flat();
}

/** Writes a file, and unpacks an archive as a sync does. */
async function put(
  folder: string,
  { name, content, speaksFor = 'all', delivery }: BillFile,
): Promise<readonly LoaderFile[]> {
  const file = path.join(folder, name);
  await writeFile(file, content);
  const token = tokenOf(await stat(file, { bigint: true }));
  const said = { token, sizeBytes: 1, month: null, snapshotAt: null, expectedRows: null, speaksFor };
  const source = { key: name, format: formatOf(name) ?? 'csv', ...said, ...(delivery !== undefined && { delivery }) };
  return unpack(source, { path: file, isCopy: false }, { folder, signal: new AbortController().signal });
}

/** Tags of a fact by key. */
export function tagsOf(fact: Fact | undefined): Record<string, string> {
  return JSON.parse(fact?.['Tags'] ?? '{}');
}
