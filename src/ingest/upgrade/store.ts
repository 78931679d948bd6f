import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { chargeCategories, type ControlTotals, factColumns, pricingKinds } from '../../engine/codebook.ts';
import type { FactFile } from '../../engine/fact-set.ts';
import { literal } from '../../engine/sql.ts';
import { lockAccount } from '../../kit/database/account-lock.ts';
import { onRetiredAgain } from '../../kit/database/retire-facts.ts';
import type { UpgradeProgress } from './progress.ts';

/** A billing month whose facts are still in `cost_facts`. */
export interface OldMonth {
  readonly accountId: string;
  readonly organizationId: string;
  /** `YYYY-MM` */
  readonly month: string;
  readonly loadId: string;
  /** First and last charge day. */
  readonly dataFrom: string;
  readonly dataTo: string;
  /** Control totals recorded by the load. */
  readonly totals: readonly ControlTotals[];
}

/** SQL condition: not converted yet, or converted from a load that a server of the previous version has replaced since. Keys of
 *  fact files contain the load id. */
const isOld = `line_items > 0 AND (facts = '[]' OR facts->0->>'key' NOT LIKE '%' || load_id || '%')`;

/** Counts the converted billing months. */
export async function readProgress(client: pg.ClientBase): Promise<UpgradeProgress> {
  const { rows } = await client.query<UpgradeProgress>(
    `/* readProgress */ SELECT (count(*) FILTER (WHERE NOT (${isOld})))::int AS done, count(*)::int AS "of"
     FROM billing_periods WHERE line_items > 0`,
  );
  return rows[0] ?? { done: 0, of: 0 };
}

/** Returns whether the database is between the two migrations: billing months reference files, and the old facts still
 *  exist. */
export async function isUpgrading(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ is: boolean }>(
    `/* isUpgrading */ SELECT to_regclass('cost_facts') IS NOT NULL AND EXISTS (SELECT 1 FROM pg_attribute
     WHERE attrelid = to_regclass('billing_periods') AND attname = 'facts') AS is`,
  );
  return rows[0]?.is === true;
}

/** Returns the newest billing month to convert; null when done. */
export async function nextOldMonth(client: pg.ClientBase): Promise<OldMonth | null> {
  const { rows } = await client.query<OldMonth>(
    `/* nextOldMonth */ SELECT account_id AS "accountId", organization_id AS "organizationId", to_char(period, 'YYYY-MM') AS month,
       load_id AS "loadId", data_from::text AS "dataFrom", data_to::text AS "dataTo", totals
     FROM billing_periods WHERE ${isOld} ORDER BY period DESC, account_id LIMIT 1`,
  );
  return rows[0] ?? null;
}

/** Returns the SQL condition of a month's rows, with literals because COPY takes no parameters. */
function rowsOf(client: pg.ClientBase, { accountId, month, dataFrom, dataTo }: OldMonth): string {
  const [account, period, from, to] = [accountId, `${month}-01`, dataFrom, dataTo].map((text) =>
    client.escapeLiteral(text),
  );
  return `f.account_id = ${account} AND f.billing_period = ${period} AND f.charge_date BETWEEN ${from} AND ${to}`;
}

/** Exports a month's facts as CSV with the columns of a fact file. */
export async function exportFacts(client: pg.ClientBase, month: OldMonth, path: string): Promise<void> {
  const sql = factsSql(client.escapeLiteral(month.accountId), rowsOf(client, month));
  const copy = client.query(copyTo(`COPY (${sql}) TO STDOUT (FORMAT csv, HEADER)`));
  await pipeline(copy, createWriteStream(path, { mode: 0o600 }));
}

/** Returns the sums of a month's facts in the database. */
export async function sumFacts(client: pg.ClientBase, month: OldMonth): Promise<ControlTotals[]> {
  const { rows } = await client.query<ControlTotals>(
    `/* sumFacts */ SELECT f.currency, sum(f.line_items)::float8 AS "lineItems", sum(f.billed)::text AS billed,
       sum(f.effective)::text AS effective, sum(f.list)::text AS list, sum(f.contracted)::text AS contracted
     FROM cost_facts f WHERE ${rowsOf(client, month)} GROUP BY f.currency`,
  );
  return rows;
}

/** Records the fact files of a month, unless it was loaded again meanwhile.
 *  @param now when previously referenced files are retired */
export async function recordFacts(
  client: pg.ClientBase,
  month: OldMonth,
  facts: readonly FactFile[],
  now: Date,
): Promise<void> {
  const key = [month.accountId, `${month.month}-01`];
  await client.query('BEGIN');
  try {
    await lockAccount(client, month.accountId);
    await client.query(
      `/* recordFacts */ INSERT INTO retired_fact_files (key, retired_at)
       SELECT file->>'key', $3 FROM billing_periods, jsonb_array_elements(facts) AS file
       WHERE account_id = $1 AND period = $2 AND load_id = $4 AND ${isOld} ${onRetiredAgain}`,
      [...key, now, month.loadId],
    );
    await client.query(
      `/* recordFacts */ UPDATE billing_periods SET facts = $3 WHERE account_id = $1 AND period = $2 AND load_id = $4 AND ${isOld}`,
      [...key, JSON.stringify(facts), month.loadId],
    );
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {}); // a broken connection has rolled back already
    throw error;
  }
}

/** Returns SQL for the text of a 1-based code. */
const decoded = (codes: readonly string[], column: string): string =>
  `(ARRAY[${codes.map(literal).join(', ')}])[${column}]`;

const instant = (sql: string): string => `to_char(${sql}, 'YYYY-MM-DD HH24:MI:SS')`;

const kind = decoded(pricingKinds, 'f.pricing_kind');
const isUsage = `f.charge_category = ${chargeCategories.indexOf('Usage') + 1}`;

/** SQL of each fact file column over the previous version's tables. Columns missing here were not stored. */
const sources: Readonly<Record<string, string>> = {
  x_OrganizationId: 'f.organization_id',
  x_AccountId: 'f.account_id',
  BillingPeriodStart: instant('f.billing_period'),
  BillingPeriodEnd: instant(`f.billing_period + interval '1 month'`),
  ChargePeriodStart: instant('f.charge_date'),
  ChargePeriodEnd: instant(`f.charge_date + interval '1 day'`),
  x_Provider: 'f.provider',
  ProviderName: `CASE f.provider WHEN 'aws' THEN 'AWS' WHEN 'azure' THEN 'Microsoft' WHEN 'gcp' THEN 'Google Cloud' ELSE f.provider END`,
  BillingAccountId: 'sub_account.billing_account_id',
  BillingCurrency: 'f.currency',
  SubAccountId: `coalesce(sub_account.code, 'unassigned')`,
  SubAccountName: 'sub_account.name',
  ServiceCategory: `coalesce(service.category, 'Other')`,
  ServiceName: `coalesce(service.name, 'Unknown')`,
  RegionId: `coalesce(region.code, 'global')`,
  RegionName: 'region.name',
  ResourceId: 'resource.native_id',
  ResourceName: 'resource.name',
  ResourceType: 'resource.resource_type',
  SkuId: 'sku.sku_id',
  SkuPriceId: 'sku.sku_price_id',
  SkuMeter: 'sku.meter',
  ChargeDescription: 'sku.description',
  ChargeCategory: decoded(chargeCategories, 'f.charge_category'),
  ChargeClass: `CASE f.charge_class WHEN 1 THEN 'Correction' END`,
  PricingCategory: `CASE WHEN ${isUsage} THEN CASE ${kind} WHEN 'on_demand' THEN 'Standard' WHEN 'spot' THEN 'Dynamic'
    WHEN 'other' THEN 'Other' ELSE 'Committed' END END`,
  x_PricingKind: kind,
  PricingUnit: 'sku.pricing_unit',
  ConsumedUnit: 'sku.consumed_unit',
  CommitmentDiscountId: 'commitment.code',
  CommitmentDiscountName: 'commitment.name',
  CommitmentDiscountCategory: 'commitment.category',
  CommitmentDiscountType: 'commitment.type',
  CommitmentDiscountStatus: `CASE WHEN ${kind} LIKE 'unused%' THEN 'Unused'
    WHEN ${kind} IN ('reserved', 'savings_plan') AND f.commitment_id <> 0 THEN 'Used' END`,
  Tags: 'tags.text',
  BilledCost: 'f.billed',
  EffectiveCost: 'f.effective',
  ListCost: 'f.list',
  ContractedCost: 'f.contracted',
  PricingQuantity: 'f.pricing_quantity',
  ConsumedQuantity: 'f.consumed_quantity',
  x_LineItems: 'f.line_items',
  x_StartHours: 'f.start_hours',
};

/** Empty texts of the previous version become null. */
const columns = factColumns.map(({ name, type }) => {
  const sql = sources[name] ?? 'NULL';
  return `${type === 'VARCHAR' ? `nullif((${sql})::text, '')` : sql} AS "${name}"`;
});

/** Key order of JSON written by JavaScript: integers first, by value. */
const keyOrder = `CASE WHEN key ~ '^(0|[1-9][0-9]{0,8})$' THEN key::int END NULLS LAST, key COLLATE "C"`;

/** Returns SQL for the tag sets of an account as the loader writes them; null for an empty set. */
const tagTexts = (account: string): string => `
  SELECT id, (SELECT '{' || string_agg(to_json(key)::text || ':' || to_json(value)::text, ',' ORDER BY ${keyOrder}) || '}'
    FROM jsonb_each_text(tags)) AS text
  FROM tag_sets WHERE account_id = ${account}`;

/** Text tables, by the column of `cost_facts` that references them. Facts with a missing text are kept. */
const joins = [
  ['services', 'service'],
  ['regions', 'region'],
  ['sub_accounts', 'sub_account'],
  ['skus', 'sku'],
  ['commitments', 'commitment'],
  ['resources', 'resource'],
].map(
  ([table, name]) => `LEFT JOIN ${table} ${name} ON ${name}.account_id = f.account_id AND ${name}.id = f.${name}_id`,
);

/** Returns PostgreSQL SQL for the facts of a billing month in `cost_facts`, with the columns of a fact file.
 *  @param account literal of the account's id
 *  @param condition SQL over `f`, the facts */
export function factsSql(account: string, condition: string): string {
  return `/* exportFacts */ WITH tags AS MATERIALIZED (${tagTexts(account)})
    SELECT ${columns.join(',\n')} FROM cost_facts f ${joins.join('\n')} LEFT JOIN tags ON tags.id = f.tag_set_id
    WHERE ${condition}`;
}
