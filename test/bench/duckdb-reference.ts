import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';

/** Reads the bench files and adds them up by day and every dimension that the loader keeps; sends the milliseconds. */
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

const instance = await DuckDBInstance.create(':memory:', {
  memory_limit: '512MiB',
  temp_directory: join(folder, '.spill'),
});
const connection = await instance.connect();
const start = performance.now();
for (let month = 0; month < Number(months); month++) {
  const file = join(folder, `month-${month}.parquet`).replaceAll("'", "''");
  await connection.run(
    `CREATE OR REPLACE TABLE daily AS SELECT ${columns.join(', ')} FROM read_parquet('${file}') GROUP BY ALL`,
  );
}
process.send?.(performance.now() - start);
