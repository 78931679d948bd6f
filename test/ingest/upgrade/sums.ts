import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { chargeCategories, pricingKinds } from '../../../src/engine/codebook.ts';
import type { FactFile } from '../../../src/engine/fact-set.ts';
import type { PreviousDatabase } from './database.ts';
import { selectFacts } from '../../support/read-facts.ts';

/** Sums by each value of a dimension, one line each: account, value, currency, line items, four costs, two
 *  quantities. */
export type Sums = Readonly<Record<string, readonly string[]>>;

/** Names of 1-based codes in PostgreSQL. */
const named = (codes: readonly string[], column: string) => `('{${codes.join(',')}}'::text[])[${column}]`;

/** Dimensions: SQL for the tables of the previous version, and for the columns of fact files. */
const dimensions = {
  month: [`to_char(f.billing_period, 'YYYY-MM')`, `strftime(BillingPeriodStart, '%Y-%m')`],
  chargeMonth: [`to_char(f.charge_date, 'YYYY-MM')`, `strftime(ChargePeriodStart, '%Y-%m')`],
  provider: ['f.provider', 'x_Provider'],
  service: [
    `coalesce(service.category, 'Other') || '/' || coalesce(service.name, 'Unknown')`,
    `ServiceCategory || '/' || ServiceName`,
  ],
  region: [`coalesce(region.code, 'global')`, 'RegionId'],
  subAccount: [`coalesce(sub_account.code, 'unassigned')`, 'SubAccountId'],
  resource: [
    `concat_ws('/', resource.native_id, nullif(resource.name, ''), nullif(resource.resource_type, ''))`,
    `concat_ws('/', ResourceId, ResourceName, ResourceType)`,
  ],
  meter: [
    `concat_ws('/', nullif(sku.sku_id, ''), nullif(sku.sku_price_id, ''), nullif(sku.meter, ''), nullif(sku.description, ''))`,
    `concat_ws('/', SkuId, SkuPriceId, SkuMeter, ChargeDescription)`,
  ],
  unit: [
    `concat_ws('/', nullif(sku.pricing_unit, ''), nullif(sku.consumed_unit, ''))`,
    `concat_ws('/', PricingUnit, ConsumedUnit)`,
  ],
  commitment: [
    `concat_ws('/', commitment.code, commitment.name, commitment.category, commitment.type)`,
    `concat_ws('/', CommitmentDiscountId, CommitmentDiscountName, CommitmentDiscountCategory, CommitmentDiscountType)`,
  ],
  charge: [
    `${named(chargeCategories, 'f.charge_category')} || ' ' || CASE f.charge_class WHEN 1 THEN 'Correction' ELSE '' END`,
    `ChargeCategory || ' ' || coalesce(ChargeClass, '')`,
  ],
  pricingKind: [named(pricingKinds, 'f.pricing_kind'), 'x_PricingKind'],
  team: [`coalesce(tag_set.tags->>'team', '')`, `coalesce(Tags->>'$.team', '')`],
  strangeTag: [`coalesce(tag_set.tags->>'a"b\\c', '')`, `coalesce(Tags->>'$."a\\"b\\\\c"', '')`],
  largeTag: [`coalesce(tag_set.tags->>'Größe', '')`, `coalesce(Tags->>'$."Größe"', '')`],
} as const;

const daily = {
  day: ['f.charge_date::text', 'ChargePeriodStart::DATE::VARCHAR'],
  days: [`f.charge_date || ' - ' || (f.charge_date + 1)`, `ChargePeriodStart::DATE || ' - ' || ChargePeriodEnd::DATE`],
  hours: [`f.charge_date || ' ' || f.start_hours`, `ChargePeriodStart::DATE || ' ' || x_StartHours`],
} as const;

const tables = ['service', 'region', 'sub_account', 'sku', 'commitment', 'resource', 'tag_set'];

/** Reads the sums of the facts of the previous version. */
export async function oldSums(database: Pick<PreviousDatabase, 'query'>): Promise<Sums> {
  const joins = tables.map((name) => {
    return `LEFT JOIN ${name}s ${name} ON ${name}.account_id = f.account_id AND ${name}.id = f.${name}_id`;
  });
  const amounts = ['billed', 'effective', 'list', 'contracted', 'pricing_quantity', 'consumed_quantity'];
  const sums: Record<string, string[]> = {};
  for (const [name, [sql]] of Object.entries({ ...dimensions, ...daily })) {
    const rows = await database.query<{ line: string }>(
      `SELECT concat_ws(' | ', f.account_id, f.organization_id, ${sql}, f.currency, sum(f.line_items),
         ${amounts.map((column) => `sum(f.${column})::numeric(38,12)`).join(', ')}) AS line
       FROM cost_facts f ${joins.join(' ')} GROUP BY f.account_id, f.organization_id, ${sql}, f.currency`,
    );
    sums[name] = rows.map(({ line }) => line).sort();
  }
  return sums;
}

/** Reads the same sums from the fact files of billing months. */
export async function newSums(
  database: Pick<PreviousDatabase, 'query' | 'dataDir'>,
  grain: FactFile['grain'],
): Promise<Sums> {
  const rows = await database.query<{ facts: FactFile[] }>('SELECT facts FROM billing_periods');
  const files = rows.flatMap(({ facts }) => facts).filter((file) => file.grain === grain);
  const paths = files.map(({ key }) => path.join(database.dataDir, 'facts', key));
  const amounts = ['BilledCost', 'EffectiveCost', 'ListCost', 'ContractedCost', 'PricingQuantity', 'ConsumedQuantity'];
  const sums: Record<string, string[]> = {};
  for (const [name, [, sql]] of Object.entries(grain === 'day' ? { ...dimensions, ...daily } : dimensions)) {
    const lines = await duckRows(
      `SELECT concat_ws(' | ', x_AccountId, x_OrganizationId, ${sql}, BillingCurrency, sum(x_LineItems), ${amounts
        .map((column) => `sum(${column})`)
        .join(', ')}) FROM (${selectFacts(paths)})
       GROUP BY x_AccountId, x_OrganizationId, ${sql}, BillingCurrency`,
    );
    sums[name] = lines.sort();
  }
  return sums;
}

/** The first column of each row of a query. */
async function duckRows(sql: string): Promise<string[]> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  try {
    const reader = await connection.runAndReadAll(sql);
    return reader.getRows().map(([value]) => String(value));
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
