import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';

/** Reads the bench files and aggregates them like the loader: by day and every kept dimension, and from that to
 *  rollups, but without checks, ids, tags, files or a database. Sends the milliseconds of the first part and of
 *  both. */
const [folder = '', months = '12'] = process.argv.slice(2);
const keys = `date_trunc('month', BillingPeriodStart)::DATE AS period, ChargePeriodStart::DATE AS day, ProviderName, BillingCurrency, ChargeCategory,
  ChargeClass, PricingCategory, CommitmentDiscountCategory, CommitmentDiscountType, CommitmentDiscountStatus, CommitmentDiscountId,
  ServiceName, ServiceCategory, RegionId, SubAccountId, BillingAccountId, ResourceId, SkuId, SkuPriceId, SkuMeter, PricingUnit, ConsumedUnit, Tags`;
const names = [
  'RegionName',
  'SubAccountName',
  'ResourceName',
  'ResourceType',
  'CommitmentDiscountName',
  'ChargeDescription',
];
const sums = ['BilledCost', 'EffectiveCost', 'ListCost', 'ContractedCost', 'PricingQuantity', 'ConsumedQuantity'];
const columns = [
  keys,
  ...names.map((name) => `any_value(${name}) AS ${name}`),
  'count(*) AS n',
  ...sums.map((name) => `sum(${name}::DECIMAL(38,12)) AS ${name}`),
];

const common = 'ProviderName, BillingCurrency, ChargeCategory';
const dimensions = {
  service: 'ServiceName, ServiceCategory',
  account: 'SubAccountId',
  region: 'RegionId',
  pricing: 'PricingCategory, CommitmentDiscountStatus',
  tags: 'Tags',
};
const { service, account, region, pricing, tags } = dimensions;
const daySets = [[], [service], [account], [region], [service, region, pricing], [tags]];
const monthSets = [...daySets, [account, service, region], [tags, service, region]];

function rollups(date: string, sets: readonly (readonly string[])[]): string {
  const totals = ['n', ...sums.slice(0, 4)].map((name) => `sum(${name}) AS ${name}`);
  const grouping = sets.map((set) => `(${[date, common, ...set].join(', ')})`);
  return `SELECT ${[date, common, ...Object.values(dimensions), ...totals].join(', ')} FROM daily GROUP BY GROUPING SETS (${grouping.join(', ')})`;
}

const instance = await DuckDBInstance.create(':memory:', {
  memory_limit: '512MiB',
  temp_directory: join(folder, '.spill'),
});
const connection = await instance.connect();
let factsMs = 0;
const start = performance.now();
for (let month = 0; month < Number(months); month++) {
  const file = join(folder, `month-${month}.parquet`).replaceAll("'", "''");
  const begun = performance.now();
  await connection.run(
    `CREATE OR REPLACE TABLE daily AS SELECT ${columns.join(', ')} FROM read_parquet('${file}') GROUP BY ALL`,
  );
  factsMs += performance.now() - begun;
  await connection.run(`CREATE OR REPLACE TABLE days AS ${rollups('day', daySets)}`);
  await connection.run(`CREATE OR REPLACE TABLE months AS ${rollups('period', monthSets)}`);
}
process.send?.({ factsMs, ms: performance.now() - start });
