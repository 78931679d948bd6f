import { holdsNul } from './columns.ts';
import { lit, type Duck } from './duck.ts';
import { verifyGzip } from './gzip.ts';
import { groupSql } from './groups.ts';
import { readLayout } from './headers.ts';
import { describeReadError, locateFault, locateTags, monthRange } from './locate.ts';
import type { FileMonth, LoaderFile } from './protocol.ts';
import { countedLines } from './quirks.ts';
import { isOutOfMemory, Refusal, type UnreadableTags } from './refusal.ts';
import { numbers, type Source } from './source.ts';
import { firstMonth, lastMonth } from './sql-values.ts';

/** Sums that every charge has, as SQL over a batch's table. */
const totals = `sum(line_items)::BIGINT AS line_items, sum(billed)::VARCHAR AS billed, sum(effective)::VARCHAR AS effective,
  sum(list)::VARCHAR AS list, sum(contracted)::VARCHAR AS contracted`;

/** Every file that was ever read gets a number of its own. */
let lastNo = 0;

/** What was read together. A batch is exported while the next one is read, so two are kept. */
interface Batch {
  no: number;
  /** The files whose rows are in the batch's table, by name. */
  held: Map<string, Source>;
}

let batches: readonly Batch[] = [];

/** The table of a batch: a row per file, billing month, day and combination of dimensions. */
export function tableOf(batch: number): string {
  return `raw_${batch}`;
}

function heldIn(batch: number): ReadonlyMap<string, Source> {
  return batches.find(({ no }) => no === batch)?.held ?? new Map();
}

/** The numbers of files in a batch's table.
 *  @throws {Error} for a file that was not read */
export function fileNumbers(batch: number, names: readonly string[]): number[] {
  return names.map((name) => {
    const source = heldIn(batch).get(name);
    if (!source) throw new Error(`"${name}" was not read`);
    return source.no;
  });
}

/** How many line items a row of a batch's table stands for, as SQL. */
export function lineItemsOf(batch: number): string {
  return countedLines([...heldIn(batch).values()]);
}

/** Names the file and row of a charge whose tags cannot be read. */
export async function refuseTags(duck: Duck, batch: number, error: UnreadableTags): Promise<Refusal> {
  const held = [...heldIn(batch).values()];
  const no = await duck.value(
    `SELECT min(file_no) FROM ${tableOf(batch)} WHERE file_no IN (${numbers(held)}) AND tags = ${lit(error.raw)}`,
  );
  const source = held.find((candidate) => candidate.no === Number(no));
  return source ? locateTags(duck, source.file, source.layout, error) : error;
}

/** Reads files into a batch's table, with exact sums. A new batch takes the place of the one before the last.
 *  @param months keep these billing months alone (`YYYY-MM`); null for all
 *  @throws {Refusal} when a file is unreadable or a value is not what FOCUS demands; nothing of this call is kept */
export async function readFiles(
  duck: Duck,
  batchNo: number,
  files: readonly LoaderFile[],
  months: readonly string[] | null,
): Promise<FileMonth[]> {
  const batch = await openBatch(duck, batchNo);
  const sources: Source[] = [];
  for (const file of files) sources.push({ file, layout: await readLayout(duck, file), no: ++lastNo });
  const gzips = verifyGzips(files).catch((error: unknown) => {
    duck.connection.interrupt();
    throw error;
  });
  const scan = aggregate(duck, batch, sources, months);
  // The checksum's verdict comes first: a cut file also has a strange last row, which is not the fault to name.
  const [zip, read] = await Promise.allSettled([gzips, scan]);
  if (read.status === 'rejected')
    throw zip.status === 'rejected' ? zip.reason : await explain(duck, sources, read.reason);
  try {
    if (zip.status === 'rejected') throw zip.reason;
    const found = await fileMonths(duck, tableOf(batch.no), sources);
    for (const source of sources) batch.held.set(source.file.name, source);
    return found;
  } catch (error) {
    await forget(duck, batch, sources);
    throw error;
  }
}

async function openBatch(duck: Duck, no: number): Promise<Batch> {
  const known = batches.find((batch) => batch.no === no);
  if (known) return known;
  const [previous] = batches.slice(-1);
  for (const old of batches) if (old !== previous) await duck.run(`DROP TABLE IF EXISTS ${tableOf(old.no)}`);
  const opened: Batch = { no, held: new Map() };
  batches = previous ? [previous, opened] : [opened];
  return opened;
}

/** One after another: there may be thousands of files. */
async function verifyGzips(files: readonly LoaderFile[]): Promise<void> {
  for (const file of files) if (file.format === 'csv.gz') await verifyGzip(file);
}

/** Into how many parts files are cut, tried in turn. Grouping keeps the texts of all groups in memory, and DuckDB cannot spill
 *  those; each part is a scan of its own, so most exports are read whole. */
const partCounts = [1, 8, 64];

async function aggregate(
  duck: Duck,
  batch: Batch,
  sources: readonly Source[],
  months: readonly string[] | null,
): Promise<void> {
  for (const parts of partCounts) {
    try {
      for (let part = 0; part < parts; part++) {
        const isFirst = batch.held.size === 0 && part === 0;
        const into = isFirst
          ? `CREATE OR REPLACE TABLE ${tableOf(batch.no)} AS`
          : `INSERT INTO ${tableOf(batch.no)} BY NAME`;
        await duck.run(`${into} ${groupSql(sources, months, { part, parts })}`);
      }
      return;
    } catch (error) {
      if (!isOutOfMemory(error) || parts === partCounts.at(-1)) throw error;
      if (batch.held.size > 0) await forget(duck, batch, sources);
    }
  }
}

async function forget(duck: Duck, batch: Batch, sources: readonly Source[]): Promise<void> {
  await duck.run(`DELETE FROM ${tableOf(batch.no)} WHERE file_no IN (${numbers(sources)})`);
}

/** The fault of the data behind an error of DuckDB; the error itself where there is none. */
async function explain(duck: Duck, sources: readonly Source[], error: unknown): Promise<unknown> {
  if (isOutOfMemory(error)) return error;
  for (const { file, layout } of sources) {
    const fault = await locateFault(duck, file, layout);
    if (fault) return fault;
  }
  return sources.length === 1 && sources[0] ? describeReadError(sources[0].file, error) : error;
}

/** What each file holds by month and currency, after a look at what the scan lets through because looking at each row would
 *  cost more than looking at each group. */
async function fileMonths(duck: Duck, table: string, sources: readonly Source[]): Promise<FileMonth[]> {
  const odd = `${monthRange(firstMonth, lastMonth)} OR currency IS NULL OR NOT regexp_matches(currency, '^[A-Z]{3}$') OR ${holdsNul}`;
  const rows = await duck.rows(
    `SELECT file_no, strftime(period, '%Y-%m') AS month, currency, ${totals}, bool_or(${odd}) AS odd FROM ${table} WHERE file_no IN (${numbers(sources)}) GROUP BY file_no, period, currency ORDER BY ALL`,
  );
  const bySource = new Map(sources.map((source) => [String(source.no), source]));
  const found = rows.map((row) => ({ row, source: bySource.get(row['file_no'] ?? '') }));
  for (const { row, source } of found) if (source && row['odd'] === 'true') await refuseOdd(duck, source);
  const months = found.map(({ row, source }) => fileMonth(source?.file.name ?? '', row));
  for (const source of sources) checkRowCount(source.file, months);
  return months;
}

async function refuseOdd(duck: Duck, { file, layout }: Source): Promise<never> {
  throw (
    (await locateFault(duck, file, layout)) ?? new Refusal(`${file.name}: a date, currency or text is out of range`)
  );
}

function fileMonth(file: string, row: Record<string, string | null>): FileMonth {
  return {
    file,
    month: row['month'] ?? '',
    currency: row['currency'] ?? '',
    lineItems: Number(row['line_items']),
    billed: row['billed'] ?? '0',
    effective: row['effective'] ?? '0',
    list: row['list'] ?? '0',
    contracted: row['contracted'] ?? '0',
  };
}

function checkRowCount(file: LoaderFile, found: readonly FileMonth[]): void {
  if (file.expectedRows === null) return;
  const rows = found.filter((part) => part.file === file.name).reduce((sum, part) => sum + part.lineItems, 0);
  if (rows === file.expectedRows) return;
  throw new Refusal(
    `${file.name}: ${rows} rows where its manifest promises ${file.expectedRows}: the delivery is not complete`,
  );
}
