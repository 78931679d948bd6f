import { identifier } from '../../../engine/sql.ts';
import { costColumns, costMetrics, factColumns, factNames } from '../../../engine/codebook.ts';
import { amounts, nameTexts } from './bill/columns.ts';
import type { Duck } from './duck.ts';
import { removeRewritten } from './bill/line-ends.ts';
import { counted, countings, fileNoOf, type Source } from './bill/line-items.ts';
import type { LoaderFile } from './protocol.ts';
import { inParts } from './parts.ts';
import { selectAs } from './bill/layout.ts';
import { spreadSpans } from './spread.ts';

/** Files read together: four tables, and the files whose charges they contain, by name. */
export interface Batch {
  readonly no: number;
  readonly held: Map<string, Source>;
  /** Months whose facts are built. */
  readonly made: Set<string>;
  /** Whether a charge was spread over days: then `sums` may have several rows of a file, charge and day. */
  isSpread: boolean;
}

/** A month of a batch, limited to some of its files. */
export interface MonthPart {
  readonly batch: Batch;
  /** `YYYY-MM` */
  readonly month: string;
  readonly sources: readonly Source[];
  /** SQL list of their numbers. */
  readonly files: string;
  /** Keys of files that contain other months too. */
  readonly spanning: ReadonlySet<string>;
}

/** Returns the tables of a batch.
 *  - `charges`: one row per distinct charge and reading, as in facts, but with tags as in bills and without `x_Provider`.
 *  - `sums`: one row per file, distinct charge and day.
 *  - `totals`: sums per file, billing month and currency.
 *  - `parts`: shares of containers in a resource's daily cost, per file. */
export function tablesOf({ no }: Pick<Batch, 'no'>): Readonly<Record<'charges' | 'sums' | 'totals' | 'parts', string>> {
  const table = (name: string) => identifier(`${name}_${no}`);
  return { charges: table('charges'), sums: table('sums'), totals: table('totals'), parts: table('parts') };
}

const typed = (type: string, names: readonly string[]) => names.map((name) => `${name} ${type}`);
const measures = factColumns.filter(({ role }) => role === 'measure');

/** Columns of the sums of facts. */
export const measureNames = measures.map(({ name }) => name);

/** SELECT list of the sums of facts. */
export const measureSums = measures
  .map(({ name, type }) => `${name === 'x_StartHours' ? 'bit_or' : 'sum'}(${name})::${type} AS ${name}`)
  .join(', ');

/** SELECT list of the costs of `ControlTotals`, over sums. */
export const costSums = costMetrics.map((name) => `sum(${costColumns[name]})::DECIMAL(38,12) AS ${name}`).join(', ');

/** Creates the empty tables of a batch. */
export async function createBatch(duck: Duck, no: number): Promise<Batch> {
  const { charges, sums, totals, parts } = tablesOf({ no });
  const hashes = typed('UBIGINT', ['sig', 'proof', 'other_proof']);
  const flags = typed('BOOLEAN', Object.keys(countings));
  const figures = measures.map(({ name, type }) => `${name} ${type}`);
  await duck.run(`
    CREATE TABLE ${charges} (${['reading INTEGER', ...hashes, 'period DATE', ...flags, ...typed('VARCHAR', factNames('key', 'name'))].join(', ')});
    CREATE TABLE ${sums} (${['file_no INTEGER', 'sig UBIGINT', 'day DATE', 'rows BIGINT', 'span_start TIMESTAMP', 'span_end TIMESTAMP', ...figures].join(', ')});
    CREATE TABLE ${totals} (file_no INTEGER, period DATE, currency VARCHAR, first_day DATE, last_day DATE, rows BIGINT,
      line_items BIGINT, ${typed('DECIMAL(38,12)', costMetrics).join(', ')});
    CREATE TABLE ${parts} (file_no INTEGER, period DATE, ${typed('VARCHAR', ['parent', 'currency', 'cluster', 'namespace', 'workload']).join(', ')},
      day DATE, used DECIMAL(38,12), unused DECIMAL(38,12))`);
  return { no, held: new Map(), made: new Set(), isSpread: false };
}

/** Drops the tables of a batch, and deletes rewritten files of it. */
export async function dropBatch(duck: Duck, batch: Batch): Promise<void> {
  for (const table of Object.values(tablesOf(batch))) await duck.run(`DROP TABLE IF EXISTS ${table}`);
  await removeRewritten(filesOf(batch));
}

/** Drops the tables of a batch that are not needed once all its months are exported, and deletes rewritten files of it. */
export async function emptyBatch(duck: Duck, batch: Batch): Promise<void> {
  const { sums, charges, parts } = tablesOf(batch);
  await duck.run(`DROP TABLE ${sums}; DROP TABLE ${charges}; DROP TABLE ${parts}`);
  await removeRewritten(filesOf(batch));
}

function filesOf({ held }: Batch): LoaderFile[] {
  return [...held.values()].map(({ file }) => file);
}

/** Line items to add to a batch. */
export interface Reading {
  readonly no: number;
  /** SELECT of the rows of `lineItems`. */
  readonly from: string;
  /** SQL list of their file numbers. */
  readonly files: string;
  /** SQL filter on them. */
  readonly where: string;
  /** Columns that distinguish charges. */
  readonly keys: readonly string[];
  /** Returns SQL that turns distinct charges into those of facts. */
  readonly finish: (charges: string) => string;
}

/** Adds line items to a batch in two scans: the first finds the distinct charges, the second sums by charge and day, without
 *  their texts. A single scan grouping by the texts would hold those of every day in memory. */
export async function addReading(
  duck: Duck,
  batch: Batch,
  reading: Reading,
  onScan: (done: number) => void = () => {},
): Promise<void> {
  const { charges, sums } = tablesOf(batch);
  const undo = () => forgetReading(duck, batch, reading);
  const into = `INSERT INTO ${charges} BY NAME SELECT ${reading.no} AS reading, *`;
  const of = (columns: string) => `(SELECT sig, ${columns} FROM ${charges} WHERE reading = ${reading.no})`;
  try {
    onScan(0);
    await inParts((part) => duck.run(`${into} FROM (${distinct(reading, part('sig'))})`), undo);
    onScan(1);
    const charge = of(Object.keys(countings).join(', '));
    await inParts(
      (part) => duck.run(`INSERT INTO ${sums} BY NAME ${summed(reading, charge, part('sig'))}`),
      () => duck.run(`DELETE FROM ${sums} WHERE file_no IN (${reading.files})`),
    );
    if (await spreadSpans(duck, { table: sums, files: reading.files, charges: of('period') })) batch.isSpread = true;
    await addTotals(duck, batch, of('period, BillingCurrency'), reading.files);
  } catch (error) {
    await undo();
    throw error;
  }
}

/** Adds the totals of files.
 *  @param charges relation with `sig`, `period` and `BillingCurrency`
 *  @param files SQL list of their numbers */
async function addTotals(duck: Duck, batch: Batch, charges: string, files: string): Promise<void> {
  const { sums, totals } = tablesOf(batch);
  await duck.run(`INSERT INTO ${totals} BY NAME
    SELECT file_no, period, BillingCurrency AS currency, min(day) AS first_day, max(day) AS last_day, sum(rows)::BIGINT AS rows,
      sum(x_LineItems)::BIGINT AS line_items, ${costSums}
    FROM ${sums} JOIN ${charges} USING (sig) WHERE file_no IN (${files}) GROUP BY ALL`);
}

/** Counts a month's charges of some files again, with the costs that now count from them.
 *  @param charges relation with `sig` and `countings`
 *  @param files SQL list of their numbers */
export async function recount(duck: Duck, { batch, month }: MonthPart, charges: string, files: string): Promise<void> {
  const { sums, totals, charges: all } = tablesOf(batch);
  const ofMonth = `period = DATE '${month}-01'`;
  const set = Object.entries(counted).map(([name, sql]) => `${name} = ${sql}`);
  await duck.run(`UPDATE ${sums} AS s SET ${set.join(', ')} FROM (FROM ${charges}) AS c WHERE s.sig = c.sig AND file_no IN (${files});
    DELETE FROM ${totals} WHERE ${ofMonth} AND file_no IN (${files})`);
  await addTotals(duck, batch, `(SELECT DISTINCT sig, period, BillingCurrency FROM ${all} WHERE ${ofMonth})`, files);
}

/** Removes a reading's line items from a batch. */
export async function forgetReading(duck: Duck, batch: Batch, { no, files }: Reading): Promise<void> {
  const { charges, sums, totals, parts } = tablesOf(batch);
  await duck.run(`DELETE FROM ${charges} WHERE reading = ${no}`);
  for (const table of [sums, totals, parts]) await duck.run(`DELETE FROM ${table} WHERE file_no IN (${files})`);
}

/** Adds the parts of charges in files to a batch, which already contains their reading. A file with only parts in a month gets
 *  totals of zero there, so that the month counts as one of its months. */
export async function addParts(duck: Duck, batch: Batch, reading: Reading, sources: readonly Source[]): Promise<void> {
  const { totals, parts } = tablesOf(batch);
  const alike = Map.groupBy(sources, ({ layout }) => layout.signature);
  for (const files of alike.values()) {
    const from = files[0]?.layout.parts?.(files.map(({ file }) => file.path));
    if (!from) continue;
    await duck.run(`INSERT INTO ${parts} BY NAME SELECT ${fileNoOf(files)} AS file_no, * EXCLUDE (${files.length > 1 ? 'file_index, ' : ''}used, unused),
      sum(used)::DECIMAL(38,12) AS used, sum(unused)::DECIMAL(38,12) AS unused FROM ${from} WHERE ${reading.where} GROUP BY ALL`);
  }
  const zeros = costMetrics.map((name) => `0 AS ${name}`).join(', ');
  await duck.run(`INSERT INTO ${totals} BY NAME
    SELECT file_no, period, currency, min(day) AS first_day, max(day) AS last_day, 0 AS rows, 0 AS line_items, ${zeros}
    FROM ${parts} WHERE file_no IN (${reading.files}) AND (file_no, period) NOT IN (SELECT (file_no, period) FROM ${totals}) GROUP BY ALL`);
}

function distinct({ from, where, keys, finish }: Reading, part: string): string {
  const kept = keys.map((name) => `first(${name}) AS ${name}`);
  const names = nameTexts.map((name) => `min(${name}) AS ${name}`);
  // Texts in aggregates cannot spill to disk; parts bound them.
  return finish(`SELECT sig, min(proof) AS proof, max(proof) AS other_proof, ${[...kept, ...names].join(', ')}
    FROM (${from}) WHERE ${where} AND ${part} GROUP BY sig`);
}

const costs: ReadonlySet<string> = new Set(Object.values(costColumns));

function summed({ from, where }: Reading, charges: string, part: string): string {
  // A quantity, or a cost in another currency, that no line item has is null, not 0.
  const sums = amounts.map((name) =>
    costs.has(name)
      ? `coalesce(sum(${name}), 0)::DECIMAL(38,12) AS ${name}`
      : `sum(${name})::DECIMAL(38,12) AS ${name}`,
  );
  const groups = `SELECT file_no, sig, day, ${sums.join(', ')}, sum(x_LineItems)::BIGINT AS rows, bit_or(x_StartHours) AS x_StartHours, span_start, span_end
    FROM (${from}) WHERE ${where} AND ${part} GROUP BY file_no, sig, day, span_start, span_end`;
  // A file that changes between the scans has charges that the first one did not find.
  return `SELECT file_no, coalesce(c.sig, error('the file changed while it was read')) AS sig, day, rows, x_StartHours, span_start, span_end,
      ${selectAs(counted)}
    FROM (${groups}) g LEFT JOIN ${charges} c ON g.sig = c.sig`;
}
