import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';

/** Line items per resource and day: exports are hourly, the finest granularity of providers. */
const linesPerResourceDay = 24;
/** Billing months, one file each: a year and the previous month for comparison. */
export const monthFiles = 13;
/** The first billing month. */
export const firstMonth = '2025-10';
const months = monthFiles;

/** A number below `n` for each resource, with a Zipf distribution: a few services and accounts make up most of a
 *  bill. */
function zipf(n: number, salt: number): string {
  return `least(${n - 1}, floor(power(${n} + 1, (hash(r, ${salt}) % 100000) / 100000.0) - 1))::INT`;
}

const providers = ['AWS', 'Microsoft', 'Google Cloud'];
const categories = ['Compute', 'Storage', 'Databases', 'Networking', 'Analytics'];

/** One element of a list, selected by a number. */
function nth(values: readonly string[], index: string): string {
  return `list_extract([${values.map((v) => `'${v}'`).join(',')}], (${index} % ${values.length})::INT + 1)`;
}

/** The dimensions of a resource: a service has one provider and category, an application one team, as on real bills. */
const resourceSql = `SELECT *, ${zipf(40, 4)} AS service, ${zipf(4, 2)} AS region, ${zipf(30, 6)} AS account, ${zipf(40, 11)} AS app,
    hash(r, 8) % 10 AS pricing FROM line`;

/** The kind of bill: `dense`, hourly lines of which 24 form a fact; `sparse`, daily lines that each form a fact, as in
 *  large AWS organizations and daily Azure exports. */
export type Shape = 'dense' | 'sparse';

/** Line items per resource of the sparse bill: 20,000 resources for 10 million. */
const linesPerSparseResource = 500;

function monthSql(month: number, rows: number, shape: Shape): string {
  const isDense = shape === 'dense';
  const linesPerDay = isDense ? linesPerResourceDay : 1;
  const resources = Math.max(
    10,
    Math.round(isDense ? rows / months / 28 / linesPerDay : rows / linesPerSparseResource),
  );
  // A resource of the sparse bill has a different meter for each further line of a day.
  const sku = isDense ? 'hash(r, 5) % 400' : 'hash(r, 5 + k // 28) % 400';
  const start = `(DATE '${firstMonth}-01' + INTERVAL ${month} MONTH)`;
  return `
    WITH line AS (
      SELECT i, (i % ${resources})::BIGINT AS r, (i // ${resources}) AS k FROM range(${Math.round(rows / months)}) t(i)
    ), resource AS (${resourceSql}), placed AS (
      SELECT *, ${start}::TIMESTAMP + ((k // ${linesPerDay}) % 28) * INTERVAL 1 DAY
        + (k % ${linesPerDay}) * INTERVAL 1 HOUR AS t, ${sku} AS sku, ((hash(i) % 1000000) / 1000000.0)::DECIMAL(12,6) AS cost,
        pricing < 2 AND service < 8 AS committed FROM resource
    )
    SELECT
      cost::DOUBLE AS BilledCost, (cost * 0.9)::DOUBLE AS EffectiveCost, (cost * 1.2)::DOUBLE AS ListCost, cost::DOUBLE AS ContractedCost,
      'USD' AS BillingCurrency, '999999999999' AS BillingAccountId, 'Payer' AS BillingAccountName,
      ${start}::TIMESTAMP AS BillingPeriodStart, (${start} + INTERVAL 1 MONTH)::TIMESTAMP AS BillingPeriodEnd,
      t AS ChargePeriodStart, t + INTERVAL ${24 / linesPerDay} HOUR AS ChargePeriodEnd,
      CASE WHEN r % 500 = 0 THEN 'Tax' ELSE 'Usage' END AS ChargeCategory, NULL::VARCHAR AS ChargeClass,
      'Usage of SKU ' || sku AS ChargeDescription, 'Usage-Based' AS ChargeFrequency,
      CASE WHEN committed THEN 'Spend' END AS CommitmentDiscountCategory,
      CASE WHEN committed THEN 'arn:aws:savingsplans::999999999999:savingsplan/' || (r % 20) END AS CommitmentDiscountId,
      NULL::VARCHAR AS CommitmentDiscountName, CASE WHEN committed THEN 'Used' END AS CommitmentDiscountStatus,
      CASE WHEN committed THEN 'Savings Plan' END AS CommitmentDiscountType,
      1.0::DOUBLE AS ConsumedQuantity, 'Hours' AS ConsumedUnit, 'Amazon Web Services' AS InvoiceIssuerName,
      CASE WHEN committed THEN 'Committed' WHEN pricing = 3 THEN 'Dynamic' ELSE 'Standard' END AS PricingCategory,
      1.0::DOUBLE AS PricingQuantity, 'Hours' AS PricingUnit,
      ${nth(providers, 'service')} AS ProviderName, 'Publisher' AS PublisherName,
      'region-' || (service % 3) || '-' || region AS RegionId, 'Region ' || (service % 3) || ' ' || region AS RegionName,
      'arn:aws:ec2:us-east-1:123456789012:instance/i-' || lpad(r::VARCHAR, 17, '0') AS ResourceId, 'resource-' || r AS ResourceName,
      'Instance' AS ResourceType, ${nth(categories, 'service')} AS ServiceCategory, 'Service ' || service AS ServiceName,
      'SKU' || sku AS SkuId, 'SKU' || sku || '.PRICE' AS SkuPriceId, 'BoxUsage:' || sku AS SkuMeter,
      lpad(account::VARCHAR, 12, '0') AS SubAccountId, 'account-' || account AS SubAccountName,
      MAP {'env': ${nth(['prod', 'staging', 'dev', 'test'], 'account')}, 'team': 'team-' || (app % 10),
           'application': 'app-' || app, 'Name': 'resource-' || r} AS Tags
    FROM placed ORDER BY t, r`;
}

/** Writes FOCUS Parquet, one file per billing month over 13 months, with `rows` line items in total, unless the folder
 *  is already complete. */
export async function writeFocusFiles(folder: string, rows: number, shape: Shape = 'dense'): Promise<void> {
  if (await stat(join(folder, `month-${months - 1}.parquet`)).catch(() => null)) return;
  await mkdir(folder, { recursive: true });
  const instance = await DuckDBInstance.create(':memory:', {
    memory_limit: '2GB',
    temp_directory: join(folder, '.spill'),
  });
  const connection = await instance.connect();
  for (let month = 0; month < months; month++) {
    await connection.run(
      `COPY (${monthSql(month, rows, shape)}) TO '${join(folder, `month-${month}.parquet`)}' (FORMAT parquet, COMPRESSION snappy)`,
    );
  }
  connection.closeSync();
  instance.closeSync();
}
