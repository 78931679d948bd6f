import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  costMetrics,
  factColumns,
  factNames,
  loadedColumns,
  totalsOf,
  type DictionaryTable,
  type LoadedTable,
} from '../../../engine/codebook.ts';
import { literal } from '../../../engine/sql.ts';
import { addReading, createBatch, dropBatch, tablesOf, type Reading } from './batch.ts';
import { buildFacts, tagTexts, type MonthPart } from './charges.ts';
import type { Duck } from './duck.ts';
import { writeFacts } from './fact-files.ts';
import { signatures } from './line-items.ts';
import { countings } from './normalised.ts';
import type { LoaderCommands, MonthExport } from './protocol.ts';
import { fileNumbers, readBatch, refuseTags, stageRows } from './read.ts';
import { UnreadableTags } from './refusal.ts';
import { buildDimensions, buildRollups } from './rollups.ts';
import { buildTags, readTags } from './tags.ts';

/** Whose month is exported, and from what. */
export type MonthOwner = LoaderCommands['export']['args'];

/** Writes one billing month of a batch: its fact files, and its rollups and dictionaries as CSV files for COPY. */
export async function exportMonth(duck: Duck, owner: MonthOwner, jobDir: string): Promise<MonthExport> {
  const { month } = owner;
  const batch = readBatch(owner.batch);
  const part: MonthPart = { batch, month, files: fileNumbers(batch, owner.files) };
  await readTags(duck, tagTexts(part)).catch(async (error: unknown) => {
    throw error instanceof UnreadableTags ? await refuseTags(duck, batch, error) : error;
  });
  await buildFacts(duck, part);
  const described = await describeMonth(duck, part);
  const facts = await writeFacts(duck, owner, described.totals, jobDir);
  const digest = await digestMonth(duck);
  await buildTags(duck);
  await buildDimensions(duck);
  await buildRollups(duck);
  await duck.run('DROP TABLE fact');
  return { month, digest, ...described, facts, ...(await writeTables(duck, owner, jobDir)) };
}

/** The same for the same facts, names and tags, whatever files they come from and in what order. */
async function digestMonth(duck: Duck): Promise<string> {
  const line = (table: string) => `SELECT concat_ws(' ', count(*), sum(hash(t)::HUGEINT)) AS line FROM ${table} t`;
  const lines = [line('fact'), line('(SELECT * EXCLUDE (sigs) FROM charge)')].join(' UNION ALL ');
  return (await duck.value(`SELECT md5(string_agg(line, ';' ORDER BY line)) FROM (${lines})`)) ?? '';
}

/** What a month adds up to, as it was when it was read. */
async function describeMonth(
  duck: Duck,
  { batch, month, files }: MonthPart,
): Promise<Pick<MonthExport, 'lineItems' | 'totals' | 'dataFrom' | 'dataTo'>> {
  const sums = costMetrics.map((name) => `sum(${name}) AS ${name}`).join(', ');
  const rows =
    await duck.rows(`SELECT currency, sum(line_items) AS line_items, ${sums}, min(first_day) AS first, max(last_day) AS last
    FROM ${tablesOf(batch).totals} WHERE period = ${literal(`${month}-01`)} AND file_no IN (${files}) GROUP BY currency ORDER BY currency`);
  const totals = rows.map(totalsOf);
  const days = (name: string) => rows.map((row) => row[name] ?? '').sort();
  return {
    totals,
    lineItems: totals.reduce((sum, total) => sum + total.lineItems, 0),
    dataFrom: days('first')[0] ?? '',
    dataTo: days('last').at(-1) ?? '',
  };
}

/** The rows of each table, with the columns of `loadedColumns`, less the owner's. */
const tables: Readonly<Record<LoadedTable, string>> = {
  cost_rollups: 'SELECT * FROM rollup ORDER BY rollup, grain, date',
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
    tag_keys: await write('tag_keys', tables.tag_keys),
  };
  const entries: MonthExport['entries'] = {};
  for (const table of dictionaries) if (await findNews(duck, table)) entries[table] = await write(table, 'FROM news');
  return { files, entries };
}

/** Makes the table `news`: the entries of a dictionary that no export of this process wrote before. Writing the same names every
 *  month costs the database a fifth of the load.
 *  @returns whether there are any */
async function findNews(duck: Duck, table: DictionaryTable): Promise<boolean> {
  await duck.run(`CREATE TABLE IF NOT EXISTS sent_${table} AS FROM (${tables[table]}) LIMIT 0`);
  await duck.run(`CREATE OR REPLACE TABLE news AS FROM (${tables[table]}) EXCEPT FROM sent_${table}`);
  await duck.run(`INSERT INTO sent_${table} FROM news`);
  return (await duck.value('SELECT 1 FROM news LIMIT 1')) !== null;
}

type Convert = LoaderCommands['convert'];

const keys = factNames('key');

/** Writes the fact files of a month whose normalised day rows are in a CSV file. */
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
  const part: MonthPart = { batch, month: request.month, files: '0' };
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
  return `SELECT *, 0 AS file_no, ${sig} AS sig, ${proof} AS proof, DATE '${month}-01' AS period, ChargePeriodStart::DATE AS day
    FROM read_csv(${literal(path)}, auto_detect=false, header=true, columns={${header}}, quote='"', escape='"')`;
}
