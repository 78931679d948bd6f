import { join } from 'node:path';
import { lit, type Duck } from './duck.ts';
import { providerSlug } from './provider.ts';
import { writeLongTable } from './long-tables.ts';
import type { DictionaryTable, MonthExport, Totals } from './protocol.ts';
import { fileNumbers, lineItemsOf, refuseTags, tableOf } from './read.ts';
import { UnreadableTags } from './refusal.ts';
import { buildRollups } from './rollups.ts';
import { buildTags } from './tags.ts';

const separator = `chr(31)`;

/** 63 bits of the MD5 of the joined parts, as `textId` makes them. */
function idOf(...parts: string[]): string {
  const text = parts.length === 1 ? `(${parts[0]})` : `concat_ws(${separator}, ${parts.join(', ')})`;
  return `((('0x' || left(md5(${text}), 16))::UBIGINT) >> 1)::BIGINT`;
}

/** How each dictionary is made from the month table `m`: what makes an entry, and the names that go with it. */
const dictionaries = {
  service: { on: ['provider', 'service_name', 'service_category'], names: {} },
  region: {
    on: ['provider', 'region_code'],
    names: { name: 'coalesce(any_value(region_name), region_code)' },
  },
  sub_account: {
    on: ['provider', 'sub_account'],
    names: {
      name: 'coalesce(any_value(sub_account_name), sub_account)',
      billing: 'any_value(billing_account)',
    },
  },
  sku: {
    on: ['sku', 'sku_price', 'meter', 'pricing_unit', 'consumed_unit'],
    names: { description: `coalesce(any_value(description), '')` },
  },
  commitment: {
    on: ['provider', 'commitment'],
    names: {
      name: `coalesce(any_value(commitment_name), '')`,
      category: 'any_value(commitment_category)',
      type: 'any_value(commitment_type)',
    },
  },
  resource: {
    on: ['provider', 'resource'],
    names: {
      name: `coalesce(any_value(resource_name), '')`,
      type: `coalesce(any_value(resource_type), '')`,
      first_seen: 'min(charge_date)',
      last_seen: 'max(charge_date)',
    },
  },
} as const;

const optional = new Set(['commitment', 'resource']);

/** Whose month is exported: these stand in every row. */
export interface MonthOwner {
  accountId: string;
  organizationId: string;
  /** The batch that it was read in. */
  batch: number;
  /** `YYYY-MM` */
  month: string;
  /** Names of the files to take it from; others that were read are left out. */
  files: readonly string[];
}

/** Writes one billing month of a batch as CSV files for COPY, and says what they must add up to. */
export async function exportMonth(duck: Duck, owner: MonthOwner, jobDir: string): Promise<MonthExport> {
  await prepareMonth(duck, owner);
  for (const [name, { on, names }] of Object.entries(dictionaries)) {
    const where = optional.has(name) ? `WHERE ${on.at(-1)} IS NOT NULL` : '';
    const extra = Object.entries(names)
      .map(([alias, sql]) => `, ${sql} AS ${alias}_`)
      .join('');
    await duck.run(
      `CREATE OR REPLACE TABLE d_${name} AS SELECT ${idOf(...on)} AS id, ${on.join(', ')} ${extra} FROM m ${where} GROUP BY ${on.join(', ')}`,
    );
  }
  await buildTags(duck).catch(async (error: unknown) => {
    throw error instanceof UnreadableTags ? await refuseTags(duck, owner.batch, error) : error;
  });
  await duck.run(`CREATE OR REPLACE TABLE f AS ${factSql()}`);
  await buildRollups(duck);
  const written = await writeTables(duck, owner, jobDir);
  return { month: owner.month, digest: await digestMonth(duck), ...(await describeMonth(duck)), ...written };
}

/** The table `m`: the month's groups with the provider's slug; groups of several files are merged. */
async function prepareMonth(duck: Duck, { batch, month, files }: MonthOwner): Promise<void> {
  const where = `WHERE period = ${lit(`${month}-01`)} AND file_no IN (${fileNumbers(batch, files).join(',')})`;
  const names = await duck.rows(`SELECT DISTINCT provider_name AS n FROM ${tableOf(batch)} ${where}`);
  const slugs = names.map((row) => `WHEN ${lit(row['n'] ?? '')} THEN ${lit(providerSlug(row['n'] ?? ''))}`).join(' ');
  await duck.run(`CREATE OR REPLACE VIEW m AS SELECT * REPLACE (${lineItemsOf(batch)} AS line_items),
    CASE provider_name ${slugs} ELSE 'unknown' END AS provider FROM ${tableOf(batch)} ${where}`);
}

function factSql(): string {
  const joined = (name: keyof typeof dictionaries, kind = '') =>
    `${kind} JOIN d_${name} ON ${dictionaries[name].on.map((column) => `m.${column} = d_${name}.${column}`).join(' AND ')}`;
  const sums = ['line_items', 'billed', 'effective', 'list', 'contracted', 'pricing_quantity', 'consumed_quantity'];
  return `SELECT m.charge_date, m.provider, m.currency, m.charge_category, m.charge_class, m.pricing_kind,
      d_service.id AS service_id, d_region.id AS region_id, d_sub_account.id AS sub_account_id, coalesce(d_resource.id, 0) AS resource_id,
      d_sku.id AS sku_id, coalesce(d_commitment.id, 0) AS commitment_id, coalesce(tag_map.id, 0) AS tag_set_id,
      ${sums.map((name) => `sum(m.${name})${name === 'line_items' ? '::BIGINT' : ''} AS ${name}`).join(', ')},
      bit_or(m.start_hours) AS start_hours
    FROM m ${joined('service')} ${joined('region')} ${joined('sub_account')} ${joined('sku')}
      ${joined('resource', 'LEFT')} ${joined('commitment', 'LEFT')} LEFT JOIN tag_map ON m.tags = tag_map.raw
    GROUP BY ALL`;
}

/** The rows of the dictionaries, which all months share, in the order of their COPY columns (`src/facts/costs/replace-columns.ts`),
 *  less the owner's. */
const dictionaryTables = {
  services: { columns: 'id, provider, service_name, service_category', from: 'd_service' },
  regions: { columns: 'id, provider, region_code, name_', from: 'd_region' },
  sub_accounts: { columns: 'id, provider, sub_account, name_, billing_', from: 'd_sub_account' },
  skus: { columns: 'id, sku, sku_price, meter, description_, pricing_unit, consumed_unit', from: 'd_sku' },
  commitments: { columns: 'id, provider, commitment, name_, category_, type_', from: 'd_commitment' },
  resources: { columns: 'id, provider, resource, name_, type_, first_seen_, last_seen_', from: 'd_resource' },
  tag_sets: { columns: 'id, tags', from: 'tag_set' },
  tag_pairs: { columns: 'tag_set_id, key_id, value_id', from: 'tag_pair' },
  tag_values: { columns: 'id, value', from: 'tag_value' },
} as const satisfies Record<DictionaryTable, { columns: string; from: string }>;

/** Where a table's rows go, and what stands before each. */
interface Target {
  jobDir: string;
  month: string;
  owner: readonly string[];
}

async function writeTables(
  duck: Duck,
  month: MonthOwner,
  jobDir: string,
): Promise<Pick<MonthExport, 'files' | 'entries'>> {
  const owner = [month.accountId, month.organizationId];
  const target = { jobDir, month: month.month, owner };
  const keys = { columns: 'id, key, value_count, rolled_up', from: 'tag_key' };
  const files = {
    cost_facts: await writeLongTable(duck, 'cost_facts', month, jobDir),
    cost_rollups: await writeLongTable(duck, 'cost_rollups', month, jobDir),
    tag_keys: await writeCsv(duck, { ...target, owner: [...owner, `${month.month}-01`] }, 'tag_keys', keys),
  };
  const entries: MonthExport['entries'] = {};
  for (const [table, rows] of Object.entries(dictionaryTables) as [DictionaryTable, Rows][]) {
    if (!(await hasNews(duck, table, rows.from))) continue;
    entries[table] = await writeCsv(duck, target, table, { ...rows, from: 'news' });
  }
  return { files, entries };
}

interface Rows {
  columns: string;
  from: string;
}

/** Makes the table `news`: the entries of a dictionary that no export of this process brought before. Writing the same names
 *  every month costs the database a fifth of the load.
 *  @returns whether there are any */
async function hasNews(duck: Duck, table: DictionaryTable, from: string): Promise<boolean> {
  // A resource's last day moves with every month.
  const keepsChanging = table === 'resources';
  if (!keepsChanging) await duck.run(`CREATE TABLE IF NOT EXISTS sent_${table} AS FROM ${from} LIMIT 0`);
  await duck.run(`CREATE OR REPLACE TABLE news AS FROM ${from} ${keepsChanging ? '' : `EXCEPT FROM sent_${table}`}`);
  const isAny = (await duck.value('SELECT 1 FROM news LIMIT 1')) !== null;
  if (isAny && !keepsChanging) await duck.run(`INSERT INTO sent_${table} FROM news`);
  return isAny;
}

async function writeCsv(duck: Duck, { jobDir, month, owner }: Target, table: string, rows: Rows): Promise<string> {
  const path = join(jobDir, `${month}-${table}.csv`);
  await duck.run(
    `COPY (SELECT ${owner.map(lit).join(', ')}, ${rows.columns} FROM ${rows.from}) TO ${lit(path)} (FORMAT csv, HEADER false, NULLSTR '\\N')`,
  );
  return path;
}

/** The same for the same facts, names and tags, whatever files they come from and in what order. */
async function digestMonth(duck: Duck): Promise<string> {
  const tables = ['f', 'tag_set', 'tag_key', ...Object.keys(dictionaries).map((name) => `d_${name}`)];
  const sums = tables.map((name) => `SELECT concat_ws(' ', count(*), sum(hash(t)::HUGEINT)) AS line FROM ${name} t`);
  return (await duck.value(`SELECT md5(string_agg(line, ';')) FROM (${sums.join(' UNION ALL ')})`)) ?? '';
}

async function describeMonth(duck: Duck): Promise<Pick<MonthExport, 'lineItems' | 'totals' | 'dataFrom' | 'dataTo'>> {
  const rows =
    await duck.rows(`SELECT currency, sum(line_items)::BIGINT AS line_items, sum(billed) AS billed, sum(effective) AS effective,
    sum(list) AS list, sum(contracted) AS contracted, min(charge_date) AS first, max(charge_date) AS last FROM m GROUP BY currency ORDER BY currency`);
  const totals = rows.map((row): Totals => ({
    currency: row['currency'] ?? '',
    lineItems: Number(row['line_items']),
    billed: row['billed'] ?? '0',
    effective: row['effective'] ?? '0',
    list: row['list'] ?? '0',
    contracted: row['contracted'] ?? '0',
  }));
  return {
    totals,
    lineItems: totals.reduce((sum, total) => sum + total.lineItems, 0),
    dataFrom: rows.map((row) => row['first'] ?? '').sort()[0] ?? '',
    dataTo:
      rows
        .map((row) => row['last'] ?? '')
        .sort()
        .at(-1) ?? '',
  };
}
