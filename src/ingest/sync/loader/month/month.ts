import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  costMetrics,
  type CostRepair,
  type DictionaryTable,
  factColumns,
  factNames,
  invoiceSumsSql,
  loadedColumns,
  type LoadedTable,
  totalsOf,
} from '../../../../engine/codebook.ts';
import { literal } from '../../../../engine/sql.ts';
import {
  addReading,
  createBatch,
  dropBatch,
  emptyBatch,
  measureSums,
  type MonthPart,
  type Reading,
  tablesOf,
} from '../batch.ts';
import { inParts } from '../parts.ts';
import { nameTexts, providerSlug } from '../bill/columns.ts';
import type { Duck } from '../duck.ts';
import { writeFacts } from './fact-files.ts';
import { refuseRepeats } from './repeats.ts';
import { countings, numbers, signatures } from '../bill/line-items.ts';
import type { LoaderCommands, MonthExport } from '../protocol.ts';
import { heldSources, readBatch, refuseTags, stageRows } from '../bill/read.ts';
import { isLongSum, longSum, UnreadableTags } from '../refusal.ts';
import { divideSums, type Division } from './divide.ts';
import { buildDimensions, buildRollups } from './rollups.ts';
import { buildTags, readTags } from './tags.ts';

/** The month to export, its owner and source files. */
type MonthOwner = LoaderCommands['export']['args'];

/** Exports one billing month of a batch: its fact files, and its rollups and dictionaries as CSV files for COPY.
 *  @param comparedAtOnce maximum rows of its deliveries that are compared at once */
export async function exportMonth(
  duck: Duck,
  owner: MonthOwner,
  jobDir: string,
  comparedAtOnce?: number,
): Promise<MonthExport> {
  const batch = readBatch(owner.batch);
  const sources = heldSources(batch, owner.files);
  try {
    return await exportSources(duck, owner, { batch, sources, jobDir, comparedAtOnce });
  } catch (error) {
    throw isLongSum(error) ? longSum(sources, error) : error;
  }
}

interface Export extends Pick<MonthPart, 'batch' | 'sources'> {
  readonly jobDir: string;
  readonly comparedAtOnce: number | undefined;
}

async function exportSources(
  duck: Duck,
  owner: MonthOwner,
  { batch, sources, jobDir, comparedAtOnce }: Export,
): Promise<MonthExport> {
  const { month } = owner;
  const part: MonthPart = {
    batch,
    month,
    sources,
    files: numbers(sources) || 'NULL',
    spanning: new Set(owner.spanning),
  };
  await readTags(duck, tagTexts(part)).catch(async (error: unknown) => {
    throw error instanceof UnreadableTags ? await refuseTags(duck, batch, error) : error;
  });
  const repairs = await buildFacts(duck, part, comparedAtOnce);
  const described = await describeMonth(duck, part);
  const facts = await writeFacts(duck, owner, described.totals, jobDir);
  const digest = await digestMonth(duck);
  await buildTags(duck);
  await buildDimensions(duck);
  await buildRollups(duck);
  await buildInvoices(duck);
  await duck.run('DROP TABLE fact');
  if (await hasLongSum(duck)) throw longSum(sources);
  return { month, digest, repairs, ...described, facts, ...(await writeTables(duck, owner, jobDir)) };
}

/** Returns a digest that depends only on facts, names and tags, not on their files or order. */
async function digestMonth(duck: Duck): Promise<string> {
  const line = (table: string) => `SELECT concat_ws(' ', count(*), sum(hash(t)::HUGEINT)) AS line FROM ${table} t`;
  const lines = [line('fact'), line('(SELECT * EXCLUDE (sigs) FROM charge)')].join(' UNION ALL ');
  return (await duck.value(`SELECT md5(string_agg(line, ';' ORDER BY line)) FROM (${lines})`)) ?? '';
}

/** Returns a month's totals as of when it was read. */
async function describeMonth(
  duck: Duck,
  { batch, month, files }: MonthPart,
): Promise<Pick<MonthExport, 'lineItems' | 'totals' | 'dataFrom' | 'dataTo'>> {
  const sums = costMetrics.map((name) => `sum(${name}) AS ${name}`).join(', ');
  const rows =
    await duck.rows(`SELECT currency, sum(line_items) AS line_items, ${sums}, min(first_day) AS first, max(last_day) AS last
    FROM ${tablesOf(batch).totals} WHERE period = ${literal(`${month}-01`)} AND file_no IN (${files}) GROUP BY currency HAVING sum(rows) > 0 ORDER BY currency`);
  const totals = rows.map(totalsOf);
  const days = (name: string) => rows.map((row) => row[name] ?? '').sort();
  return {
    totals,
    lineItems: totals.reduce((sum, total) => sum + total.lineItems, 0),
    dataFrom: days('first')[0] ?? '',
    dataTo: days('last').at(-1) ?? '',
  };
}

/** Largest number that the database stores. DuckDB computes with 128 bits, which hold larger ones. */
const most = `${'9'.repeat(26)}.${'9'.repeat(12)}`;

/** Returns whether a sum of the tables `rollup` and `invoice` is too long for the database. */
async function hasLongSum(duck: Duck): Promise<boolean> {
  const isLong = (name: string) => `${name} NOT BETWEEN -${most} AND ${most}`;
  const sql = `SELECT 1 FROM rollup WHERE ${costMetrics.map(isLong).join(' OR ')} UNION ALL SELECT 1 FROM invoice WHERE ${isLong('billed')} LIMIT 1`;
  return (await duck.value(sql)) !== null;
}

/** Creates the table `invoice` from the tables `fact` and `charge`. Sums the days of each charge first, without texts. */
async function buildInvoices(duck: Duck): Promise<void> {
  const sums = 'SELECT id, sum(BilledCost) AS BilledCost, sum(x_LineItems) AS x_LineItems FROM fact GROUP BY id';
  await duck.run(`CREATE OR REPLACE TABLE invoice AS ${invoiceSumsSql(`(${sums}) JOIN charge USING (id)`)}`);
}

/** Rows of each table, with the columns of `loadedColumns` except the owner's. */
const tables: Readonly<Record<LoadedTable, string>> = {
  cost_rollups: 'SELECT * FROM rollup ORDER BY rollup, grain, date',
  invoice_sums: 'FROM invoice ORDER BY ALL',
  tag_keys: 'SELECT * FROM tag_key',
  services: `SELECT DISTINCT service_id AS id, provider, ServiceName AS name, ServiceCategory AS category FROM named`,
  regions: `SELECT region_id AS id, provider, RegionId AS code, coalesce(min(RegionName), RegionId) AS name FROM named GROUP BY 1, 2, 3`,
  sub_accounts: `SELECT sub_account_id AS id, provider, SubAccountId AS code, coalesce(min(SubAccountName), SubAccountId) AS name,
    coalesce(min(BillingAccountId), '') AS billing_account_id FROM named GROUP BY 1, 2, 3`,
  tag_pairs: 'SELECT DISTINCT tag_set_id, key_id, value_id FROM tag_pair',
  tag_values: 'SELECT DISTINCT value_id AS id, value FROM tag_pair',
};
const dictionaries: readonly DictionaryTable[] = ['services', 'regions', 'sub_accounts', 'tag_pairs', 'tag_values'];

async function writeTables(
  duck: Duck,
  owner: MonthOwner,
  jobDir: string,
): Promise<Pick<MonthExport, 'files' | 'entries'>> {
  await duck.run('CREATE OR REPLACE VIEW named AS SELECT * FROM dimension JOIN charge USING (id)');
  const start = literal(`${owner.month}-01`);
  const owned: Readonly<Record<string, string>> = {
    account_id: literal(owner.accountId),
    organization_id: literal(owner.organizationId),
    billing_period: start,
    period: start,
  };
  const write = async (table: LoadedTable, rows: string) => {
    const path = join(jobDir, `${owner.month}-${table}.csv`);
    const columns = loadedColumns[table].map((name) => owned[name] ?? name);
    await duck.run(
      `COPY (SELECT ${columns.join(', ')} FROM (${rows})) TO ${literal(path)} (FORMAT csv, HEADER false, NULLSTR '\\N')`,
    );
    return path;
  };
  const files = {
    cost_rollups: await write('cost_rollups', tables.cost_rollups),
    invoice_sums: await write('invoice_sums', tables.invoice_sums),
    tag_keys: await write('tag_keys', tables.tag_keys),
  };
  const entries: MonthExport['entries'] = {};
  for (const table of dictionaries) if (await findNews(duck, table)) entries[table] = await write(table, 'FROM news');
  return { files, entries };
}

/** Creates the table `news`: dictionary entries that no earlier export of this process wrote. Writing the same names every
 *  month would take the database a fifth of the load time.
 *  @returns whether there are any */
async function findNews(duck: Duck, table: DictionaryTable): Promise<boolean> {
  await duck.run(`CREATE TABLE IF NOT EXISTS sent_${table} AS FROM (${tables[table]}) LIMIT 0`);
  await duck.run(`CREATE OR REPLACE TABLE news AS FROM (${tables[table]}) EXCEPT FROM sent_${table}`);
  await duck.run(`INSERT INTO sent_${table} FROM news`);
  return (await duck.value('SELECT 1 FROM news LIMIT 1')) !== null;
}

type Convert = LoaderCommands['convert'];

const keys = factNames('key');

/** Writes the fact files of a month from a CSV file of its normalized day rows. */
export async function convertMonth(duck: Duck, request: Convert['args'], jobDir: string): Promise<Convert['result']> {
  const batch = await createBatch(duck, -1);
  const stage = join(jobDir, `stage-${request.month}.parquet`);
  const reading: Reading = {
    no: 0,
    from: `SELECT * FROM read_parquet(${literal(stage)})`,
    files: '0',
    where: 'true',
    keys: ['period', ...keys],
    finish: (charges) =>
      `SELECT *, ${Object.keys(countings)
        .map((name) => `false AS ${name}`)
        .join(', ')} FROM (${charges})`,
  };
  const part: MonthPart = { batch, month: request.month, sources: [], files: '0', spanning: new Set() };
  try {
    await stageRows(duck, rowsOf(request), stage);
    await addReading(duck, batch, reading);
    await readTags(duck, tagTexts(part));
    await buildFacts(duck, part);
    const { totals } = await describeMonth(duck, part);
    return { facts: await writeFacts(duck, request, totals, jobDir), totals };
  } finally {
    await rm(stage, { force: true });
    await dropBatch(duck, batch);
  }
}

function rowsOf({ path, month }: Convert['args']): string {
  const header = factColumns.map(({ name, type }) => `${literal(name)}: ${literal(type)}`).join(', ');
  const { sig, proof } = signatures('', keys);
  return `SELECT *, 0 AS file_no, ${sig} AS sig, ${proof} AS proof, DATE '${month}-01' AS period, ChargePeriodStart::DATE AS day,
    NULL::TIMESTAMP AS span_start, NULL::TIMESTAMP AS span_end
    FROM read_csv(${literal(path)}, auto_detect=false, header=true, columns={${header}}, quote='"', escape='"')`;
}

/** Leading sort keys of the rows of fact files. */
const sortKeys = ['ServiceName', 'RegionId', 'SubAccountId', 'ResourceId', 'SkuMeter'];
const measures = factNames('measure');

/** Returns a SELECT of the tag texts of a month's charges, as in bills. */
function tagTexts({ batch, month }: MonthPart): string {
  return `SELECT DISTINCT Tags FROM ${tablesOf(batch).charges} WHERE ${inMonth(month)} AND Tags IS NOT NULL`;
}

function inMonth(month: string): string {
  return `period = ${literal(`${month}-01`)}`;
}

/** Creates the tables `charge` (one row per distinct charge of the month across files, numbered in the order of fact files) and
 *  `fact` (one row per charge and day, in that order) from a batch and `tag_map`. Empties a batch once all its months are
 *  built. */
async function buildFacts(duck: Duck, part: MonthPart, comparedAtOnce?: number): Promise<readonly CostRepair[]> {
  await refuseCollision(duck, part);
  const division = await divideSums(duck, part);
  await buildCharges(duck, part, division);
  const restated = await refuseRepeats(duck, { ...part, sums: division.sums }, comparedAtOnce);
  const { totals } = tablesOf(part.batch);
  const isMerged = await duck.value('SELECT 1 FROM charge WHERE len(sigs) > 1 LIMIT 1');
  const isWhole = isMerged === null && !part.batch.isSpread && /^\d+$/.test(part.files);
  await duck.run(`CREATE OR REPLACE TABLE fact AS SELECT id, day, ${isWhole ? measures.join(', ') : measureSums}
    FROM ${division.sums} JOIN (SELECT DISTINCT unnest(sigs) AS sig, id FROM charge) USING (sig)
    WHERE file_no IN (${part.files}) ${isWhole ? '' : 'GROUP BY id, day'} ORDER BY id, day`);
  part.batch.made.add(part.month);
  const months = await duck.rows(`SELECT DISTINCT strftime(period, '%Y-%m') AS month FROM ${totals}`);
  if (months.every(({ month }) => part.batch.made.has(month ?? ''))) await emptyBatch(duck, part.batch);
  return [...division.repairs, ...restated];
}

/** Throws if two charges have the same hash, since their costs were summed; with 64 bits, this is practically impossible. */
async function refuseCollision(duck: Duck, { batch, month }: MonthPart): Promise<void> {
  const found = await duck.value(`SELECT sig FROM ${tablesOf(batch).charges} WHERE ${inMonth(month)}
    GROUP BY sig HAVING min(proof) <> max(other_proof) LIMIT 1`);
  if (found !== null)
    throw new Error(`two charges of ${month} have the hash ${found}: their costs cannot be distinguished`);
}

async function buildCharges(duck: Duck, part: MonthPart, division: Division): Promise<void> {
  const list = keys.join(', ');
  const names = nameTexts.map((name) => `min(${name}) AS ${name}`).join(', ');
  await duck.run(`
    CREATE OR REPLACE TABLE spelled AS SELECT hash(${list}) AS h, [sig] AS sigs, ${list}, ${nameTexts.join(', ')} FROM (${await monthCharges(duck, part, division)});
    CREATE OR REPLACE TABLE repeated AS SELECT h FROM spelled GROUP BY h HAVING count(*) > 1`);
  await inParts(
    async (where) =>
      duck.run(`INSERT INTO spelled BY NAME SELECT first(h) AS h, flatten(list(sigs)) AS sigs, ${list}, ${names}
        FROM spelled WHERE h IN (FROM repeated) AND ${where('h')} GROUP BY ${list}`),
    async () => duck.run('DELETE FROM spelled WHERE len(sigs) > 1'),
  );
  // Charges with equal sort keys are ordered by a hash of all keys: sorting with their other texts would need too much
  // memory.
  await duck.run(`
    DELETE FROM spelled WHERE len(sigs) = 1 AND h IN (FROM repeated);
    CREATE OR REPLACE TABLE charge AS SELECT ranked.id, spelled.* EXCLUDE (h) FROM spelled
      JOIN (SELECT rowid AS row, row_number() OVER (ORDER BY ${sortKeys.join(', ')}, h)::INTEGER AS id FROM spelled) ranked
      ON spelled.rowid = ranked.row;
    DROP TABLE spelled; DROP TABLE repeated`);
}

/** Returns a SELECT of the month's charges with all texts of facts. */
async function monthCharges(duck: Duck, { batch, month, files }: MonthPart, division: Division): Promise<string> {
  const { charges } = tablesOf(batch);
  const where = `WHERE ${inMonth(month)}`;
  const providers = await duck.rows(`SELECT DISTINCT ProviderName AS n FROM ${charges} ${where}`);
  const slugs = providers.map(({ n }) => `WHEN ${literal(n ?? '')} THEN ${literal(providerSlug(n ?? ''))}`).join(' ');
  const all = `SELECT c.* REPLACE (coalesce(x_Provider, CASE ProviderName ${slugs} ELSE 'unknown' END) AS x_Provider, tag_map.tags AS Tags,
      tag_map.cluster AS x_Cluster, tag_map.namespace AS x_Namespace, tag_map.workload AS x_Workload)
    FROM ${charges} c LEFT JOIN tag_map ON c.Tags = tag_map.raw ${where}`;
  const whole = `SELECT * FROM (${all}) WHERE sig IN (SELECT DISTINCT sig FROM ${division.sums} WHERE file_no IN (${files}))`;
  if (division.charges === null) return whole;
  return `${whole} UNION ALL BY NAME
    SELECT a.* REPLACE (d.sig AS sig, coalesce(d.cluster, x_Cluster) AS x_Cluster, d.namespace AS x_Namespace, d.workload AS x_Workload)
    FROM (${all}) a JOIN (${division.charges}) d ON a.sig = d.origin`;
}
