import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { costMetrics, totalsOf } from '../../../../engine/codebook.ts';
import { literal } from '../../../../engine/sql.ts';
import {
  addParts,
  addReading,
  createBatch,
  dropBatch,
  forgetReading,
  tablesOf,
  type Batch,
  type Reading,
} from '../batch.ts';
import { billingMonth, keyTexts, nameTexts } from './columns.ts';
import type { Duck } from '../duck.ts';
import { verifyCompressed } from './compression.ts';
import { readLayout } from './headers.ts';
import { firstMonth, isTooLong, lastMonth, type Layout } from './layout.ts';
import { readRepaired, removeRewritten } from './line-ends.ts';
import { chargeColumns, lineItems, normalised, numbers, type Source, tagsText } from './line-items.ts';
import { describeReadError, locateFault, locateTags } from './locate.ts';
import { countRepairs, type FileRepair, hasRepairs } from './repairs.ts';
import { withOneOpened } from '../in-place.ts';
import type { FileMonth, LoaderFile, PassedOver } from '../protocol.ts';
import { isLongSum, isOutOfMemory, longSum, Refusal, UnknownTable, type UnreadableTags } from '../refusal.ts';

/** Reads the billing months of a file, from that column only.
 *  @throws {Refusal} naming the file, row and column */
export async function inspectMonths(duck: Duck, file: LoaderFile): Promise<string[]> {
  const layout = await readLayout(duck, file);
  const only = await onlyMonth(duck, file, layout);
  if (only) return [only];
  const rows = await duck
    .rows(distinctMonths(billingMonth(layout.columns, false), layout.from([file.path])))
    .catch(async (error: unknown) => {
      throw (await locateFault(duck, file, layout)) ?? describeReadError(file, error);
    });
  return rows.flatMap((row) => row['month'] ?? []);
}

/** Returns the only month of a Parquet file according to its statistics, without reading its rows; null if it is not known to
 *  be the only one. */
async function onlyMonth(duck: Duck, file: LoaderFile, { own }: Layout): Promise<string | null> {
  const column = own.month;
  // Statistics of a column with a time zone are in local time, and those of text may be truncated.
  if (file.format !== 'parquet' || (column?.type !== 'TIMESTAMP' && column?.type !== 'DATE')) return null;
  const month = (value: string) => `strftime(try_cast(${value} AS TIMESTAMP), '%Y-%m')`;
  const [row] =
    await duck.rows(`SELECT min(${month('stats_min_value')}) AS first, max(${month('stats_max_value')}) AS last,
    bool_and(coalesce(stats_null_count = 0 AND stats_min_value IS NOT NULL AND stats_max_value IS NOT NULL, false)) AS known
    FROM parquet_metadata(${literal(file.path)}) WHERE path_in_schema = ${literal(column.name)}`);
  return row?.['known'] === 'true' && row['first'] === row['last'] ? (row['first'] ?? null) : null;
}

/** Returns the billing months in the readable rows of a broken file. */
export async function guessMonths(
  duck: Duck,
  given: LoaderFile,
  jobDir: string,
): Promise<{ months: string[]; isComplete: boolean }> {
  const guess = async (file: LoaderFile) => {
    await verifyCompressed(file);
    const layout = await readLayout(duck, file);
    const rows = await duck
      .rows(distinctMonths(billingMonth(layout.columns, true), layout.from([file.path])))
      .catch((error: unknown) => {
        throw describeReadError(file, error);
      });
    await removeRewritten([file]);
    const months = rows.flatMap((row) => row['month'] ?? []);
    return { months, isComplete: months.length === rows.length };
  };
  return readRepaired([given], jobDir, async ([file = given]) => guess(file)).catch(() => ({
    months: [],
    isComplete: false,
  }));
}

function distinctMonths(month: string, from: string): string {
  return `SELECT DISTINCT strftime(${month}, '%Y-%m') AS month FROM ${from} ORDER BY 1`;
}

/** Sequence of unique numbers for files and readings. */
let lastNo = 0;

/** Keeps two batches: one is exported while the next one is read. */
let batches: readonly Batch[] = [];

/** Drops the batches of a job: their tables end with its DuckDB. */
export function forgetBatches(): void {
  batches = [];
}

/** Returns a batch that was read.
 *  @throws {Error} for one that was not read, or was replaced */
export function readBatch(no: number): Batch {
  const batch = batches.find((each) => each.no === no);
  if (!batch) throw new Error(`batch ${no} was not read`);
  return batch;
}

/** Returns files of a batch, by the keys of their source files.
 *  @throws {Error} for a key of which no file was read */
export function heldSources({ held }: Batch, keys: readonly string[]): Source[] {
  const byKey = Map.groupBy(held.values(), ({ file }) => file.key);
  return keys.flatMap((key) => {
    const found = byKey.get(key);
    if (!found) throw new Error(`"${key}" was not read`);
    return found;
  });
}

/** Finds the file and row of a charge with unreadable tags. */
export async function refuseTags(duck: Duck, batch: Batch, error: UnreadableTags): Promise<Refusal> {
  const { charges, sums } = tablesOf(batch);
  const no = await duck.value(
    `SELECT min(file_no) FROM ${sums} WHERE sig IN (SELECT sig FROM ${charges} WHERE Tags = ${literal(error.raw)})`,
  );
  const source = [...batch.held.values()].find((candidate) => candidate.no === Number(no));
  return source ? withOneOpened(source.file, (file) => locateTags(duck, file, source.layout, error)) : error;
}

/** Files to read, and the folder to stage text files in. */
interface ReadRequest {
  batch: number;
  files: readonly LoaderFile[];
  /** Keep only these billing months (`YYYY-MM`); null for all. */
  months: readonly string[] | null;
  jobDir: string;
  /** Called before each scan of the rows with the number of completed scans and the total. */
  onScan?: (done: number, of: number) => void;
  /** Called with a file of an archive that is not a bill. */
  onPassedOver?: (file: PassedOver) => void;
}

/** Reads files into a batch, with exact sums. A new batch replaces the one before the last.
 *  @throws {Refusal} when a file is unreadable or a value violates FOCUS; nothing of this call is kept */
export async function readFiles(duck: Duck, request: ReadRequest): Promise<FileMonth[]> {
  return readRepaired(request.files, request.jobDir, (files) => readStrictly(duck, { ...request, files }));
}

async function readStrictly(duck: Duck, request: ReadRequest): Promise<FileMonth[]> {
  const batch = await openBatch(duck, request.batch);
  const sources: Source[] = [];
  await readLayouts(duck, request, sources);
  const whole = verifyAll(request.files).catch((error: unknown) => {
    duck.connection.interrupt();
    throw error;
  });
  const reading = readSources(duck, batch, sources, request);
  // Report a checksum error first: a truncated file also has an odd last row, which is not the cause.
  const [zip, read] = await Promise.allSettled([whole, reading]);
  if (read.status === 'rejected')
    throw zip.status === 'rejected' ? zip.reason : await explain(duck, sources, read.reason);
  try {
    if (zip.status === 'rejected') throw zip.reason;
    await refuseOdd(duck, batch, read.value, sources);
    const found = await fileMonths(duck, batch, { sources, repairs: read.value.repairs });
    for (const source of sources) batch.held.set(source.file.name, source);
    return found;
  } catch (error) {
    await forgetReading(duck, batch, read.value);
    throw error;
  }
}

/** Reads the headers. Skips a file of an archive that is not a bill, unless the archive has no other.
 *  @throws {Refusal} */
async function readLayouts(duck: Duck, request: ReadRequest, sources: Source[]): Promise<void> {
  for (const [key, files] of Map.groupBy(request.files, (file) => file.key)) {
    const unknown: UnknownTable[] = [];
    for (const file of files) {
      const layout = await readLayout(duck, file).catch(ifUnknown);
      if (layout instanceof UnknownTable) unknown.push(layout);
      else sources.push({ file, layout, no: ++lastNo });
    }
    const [first] = unknown;
    if (first && unknown.length === files.length) throw first;
    for (const { file: name, because } of unknown) request.onPassedOver?.({ key, name, because });
  }
}

function ifUnknown(error: unknown): UnknownTable {
  if (error instanceof UnknownTable) return error;
  throw error;
}

async function openBatch(duck: Duck, no: number): Promise<Batch> {
  const known = batches.find((batch) => batch.no === no);
  if (known) return known;
  const previous = batches.slice(-1);
  for (const old of batches) if (!previous.includes(old)) await dropBatch(duck, old);
  const opened = await createBatch(duck, no);
  batches = [...previous, opened];
  return opened;
}

/** Sequential: there may be thousands of files. */
async function verifyAll(files: readonly LoaderFile[]): Promise<void> {
  for (const file of files) await verifyCompressed(file);
}

async function readSources(
  duck: Duck,
  batch: Batch,
  sources: readonly Source[],
  { months, jobDir, onScan = () => {} }: ReadRequest,
): Promise<Reading & { repairs: readonly FileRepair[] }> {
  const no = ++lastNo;
  const stage = join(jobDir, `stage-${no}.parquet`);
  const [parquet, text] = [true, false].map((is) => sources.filter(({ file }) => (file.format === 'parquet') === is));
  // Converting each distinct map of tags to JSON costs less than each row, but files of different shapes need it per row.
  const keepsNested = new Set(sources.map(({ layout }) => layout.signature)).size === 1;
  const from = [
    ...(parquet?.length ? [lineItems(parquet, keepsNested)] : []),
    ...(text?.length ? [`SELECT * FROM read_parquet(${literal(stage)})`] : []),
  ];
  const reading: Reading = {
    no,
    from: from.join(' UNION ALL BY NAME '),
    files: numbers(sources),
    where: months ? `period IN (${months.map((month) => literal(`${month}-01`)).join(',') || 'NULL'})` : 'true',
    keys: chargeColumns,
    finish: (charges) =>
      normalised(`SELECT * EXCLUDE (tag_form) REPLACE (${tagsText('Tags', 'tag_form')} AS Tags) FROM (${charges})`),
  };
  try {
    const of = text?.length ? 3 : 2;
    onScan(0, of);
    if (text?.length) await stageRows(duck, lineItems(text, false), stage);
    await addReading(duck, batch, reading, (done) => onScan(of - 2 + done, of));
    await addParts(duck, batch, reading, sources).catch(async (error: unknown) => {
      await forgetReading(duck, batch, reading);
      throw error;
    });
    const isRepaired = sources.some(({ layout }) => hasRepairs(layout));
    return { ...reading, repairs: isRepaired ? await countRepairs(duck, reading.from, reading.where) : [] };
  } finally {
    await rm(stage, { force: true });
  }
}

/** Stages text files as Parquet; otherwise both scans would parse them. */
export async function stageRows(duck: Duck, rows: string, stage: string): Promise<void> {
  await duck.run(`COPY (${rows}) TO ${literal(stage)} (FORMAT parquet, COMPRESSION lz4_raw, ROW_GROUP_SIZE 30720)`);
}

/** Returns the data error behind a DuckDB error; otherwise the error itself. */
async function explain(duck: Duck, sources: readonly Source[], error: unknown): Promise<unknown> {
  if (isOutOfMemory(error)) return error;
  for (const { file, layout } of sources) {
    const fault = await locateFault(duck, file, layout);
    if (fault) return fault;
  }
  if (isLongSum(error)) return longSum(sources, error);
  const [only] = sources;
  return sources.length === 1 && only && !(error instanceof Refusal) ? describeReadError(only.file, error) : error;
}

/** Rejects values that the scan accepts, because checking each row would cost more than checking each charge. */
async function refuseOdd(duck: Duck, batch: Batch, reading: Reading, sources: readonly Source[]): Promise<void> {
  const { charges, totals } = tablesOf(batch);
  const range = `BETWEEN ${literal(firstMonth)} AND ${literal(lastMonth)}`;
  const texts = [...keyTexts, ...nameTexts];
  const badText = [`contains(concat_ws('', ${texts.join(', ')}), chr(0))`, ...texts.map((name) => isTooLong(name))];
  const isOdd = await duck.value(`
    SELECT 1 FROM ${totals} WHERE file_no IN (${reading.files}) AND NOT (period ${range} AND first_day ${range} AND last_day ${range}
      AND coalesce(regexp_matches(currency, '^[A-Z]{3}$'), false))
    UNION ALL SELECT 1 FROM ${charges} WHERE reading = ${reading.no} AND (${badText.join(' OR ')}) LIMIT 1`);
  if (isOdd === null) return;
  const names = sources.map(({ file }) => file.name).join(', ');
  throw await explain(duck, sources, new Refusal(`${names}: a date, currency or text is out of range`));
}

/** Returns each file's totals by month and currency. */
async function fileMonths(
  duck: Duck,
  batch: Batch,
  { sources, repairs }: { sources: readonly Source[]; repairs: readonly FileRepair[] },
): Promise<FileMonth[]> {
  const rows =
    await duck.rows(`SELECT file_no, strftime(period, '%Y-%m') AS month, currency, rows AS line_items, ${costMetrics.join(', ')}
    FROM ${tablesOf(batch).totals} WHERE file_no IN (${numbers(sources)}) ORDER BY ALL`);
  const files = new Map(sources.map(({ no, file }) => [String(no), file]));
  const months = rows.map((row): FileMonth => ({
    file: files.get(row['file_no'] ?? '')?.key ?? '',
    name: files.get(row['file_no'] ?? '')?.name ?? '',
    month: row['month'] ?? '',
    repairs: repairs
      .filter((each) =>
        ['file_no', 'month', 'currency'].every(
          (name, at) => [each.fileNo, each.month, each.currency][at] === row[name],
        ),
      )
      .map(({ kind, currency, charges, amount }) => ({ kind, currency, charges, amount })),
    ...totalsOf(row),
  }));
  for (const source of sources) checkRowCount(source.file, months);
  return months;
}

function checkRowCount(file: LoaderFile, found: readonly FileMonth[]): void {
  if (file.expectedRows === null) return;
  const rows = found.filter((part) => part.file === file.key).reduce((sum, part) => sum + part.lineItems, 0);
  if (rows === file.expectedRows) return;
  throw new Refusal(
    `${file.name}: ${rows} ${rows === 1 ? 'row' : 'rows'}, but its manifest lists ${file.expectedRows}: the delivery is not complete`,
  );
}
