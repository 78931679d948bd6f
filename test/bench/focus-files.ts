import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';

/** Line items of one resource on one day: hourly exports have up to 24; metered services fewer. */
const linesPerResourceDay = 8;
const months = 12;

/** SQL expression that picks one of the values by a hash of the row's resource and a salt. */
function pick(values: readonly string[], salt: number): string {
  const list = values.map((v) => `'${v}'`).join(',');
  return `list_extract([${list}], (hash(r, ${salt}) % ${values.length})::INT + 1)`;
}

function monthSql(month: number, rows: number): string {
  const resources = Math.max(10, Math.round(rows / months / 30 / linesPerResourceDay));
  const start = `(DATE '2025-11-01' + INTERVAL ${month} MONTH)`;
  return `
    WITH line AS (
      SELECT i, (i % ${resources})::BIGINT AS r, (i // ${resources}) AS k FROM range(${Math.round(rows / months)}) t(i)
    ), placed AS (
      SELECT *, ${start}::TIMESTAMP + ((k // ${linesPerResourceDay}) % 28) * INTERVAL 1 DAY
        + ((k % ${linesPerResourceDay}) * 3) * INTERVAL 1 HOUR AS t, ((hash(i) % 1000000) / 1000000.0)::DECIMAL(12,6) AS cost FROM line
    )
    SELECT
      cost::DOUBLE AS BilledCost, (cost * 0.9)::DOUBLE AS EffectiveCost, (cost * 1.2)::DOUBLE AS ListCost, cost::DOUBLE AS ContractedCost,
      'USD' AS BillingCurrency, '999999999999' AS BillingAccountId, 'Payer' AS BillingAccountName,
      ${start}::TIMESTAMP AS BillingPeriodStart, (${start} + INTERVAL 1 MONTH)::TIMESTAMP AS BillingPeriodEnd,
      t AS ChargePeriodStart, t + INTERVAL 1 HOUR AS ChargePeriodEnd,
      CASE WHEN hash(r, 9) % 50 = 0 THEN 'Tax' ELSE 'Usage' END AS ChargeCategory, NULL::VARCHAR AS ChargeClass,
      'Usage of ' || r AS ChargeDescription, 'Usage-Based' AS ChargeFrequency,
      CASE WHEN hash(r, 8) % 10 < 2 THEN 'Spend' END AS CommitmentDiscountCategory,
      CASE WHEN hash(r, 8) % 10 < 2 THEN 'arn:aws:savingsplans::999999999999:savingsplan/' || (hash(r, 8) % 20) END AS CommitmentDiscountId,
      NULL::VARCHAR AS CommitmentDiscountName, CASE WHEN hash(r, 8) % 10 < 2 THEN 'Used' END AS CommitmentDiscountStatus,
      CASE WHEN hash(r, 8) % 10 < 2 THEN 'Savings Plan' END AS CommitmentDiscountType,
      1.0::DOUBLE AS ConsumedQuantity, 'Hours' AS ConsumedUnit, 'Amazon Web Services' AS InvoiceIssuerName,
      CASE WHEN hash(r, 8) % 10 < 2 THEN 'Committed' WHEN hash(r, 8) % 10 = 3 THEN 'Dynamic' ELSE 'Standard' END AS PricingCategory,
      1.0::DOUBLE AS PricingQuantity, 'Hours' AS PricingUnit,
      ${pick(['AWS', 'Microsoft', 'Google Cloud'], 1)} AS ProviderName, 'Publisher' AS PublisherName,
      'region-' || (hash(r, 2) % 12) AS RegionId, 'Region ' || (hash(r, 2) % 12) AS RegionName,
      'arn:aws:ec2:us-east-1:123456789012:instance/i-' || lpad(r::VARCHAR, 17, '0') AS ResourceId, 'resource-' || r AS ResourceName,
      'Instance' AS ResourceType,
      ${pick(['Compute', 'Storage', 'Databases', 'Networking', 'Analytics'], 3)} AS ServiceCategory,
      'Service ' || (hash(r, 4) % 40) AS ServiceName,
      'SKU' || (hash(r, 5) % 400) AS SkuId, 'SKU' || (hash(r, 5) % 400) || '.PRICE' AS SkuPriceId, 'BoxUsage:' || (hash(r, 5) % 400) AS SkuMeter,
      lpad((hash(r, 6) % 30)::VARCHAR, 12, '0') AS SubAccountId, 'account-' || (hash(r, 6) % 30) AS SubAccountName,
      MAP {'env': ${pick(['prod', 'staging', 'dev', 'test'], 7)}, 'team': 'team-' || (hash(r, 10) % 40),
           'application': 'app-' || (hash(r, 11) % 200), 'Name': 'resource-' || r} AS Tags
    FROM placed ORDER BY t, r`;
}

/** Writes FOCUS Parquet, one file a billing month over 12 months, with `rows` line items in all; a folder that is there
 *  already is kept. */
export async function writeFocusFiles(folder: string, rows: number): Promise<void> {
  if (await stat(join(folder, `month-${months - 1}.parquet`)).catch(() => null)) return;
  await mkdir(folder, { recursive: true });
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: '2GB', temp_directory: join(folder, '.spill') });
  const connection = await instance.connect();
  for (let month = 0; month < months; month++) {
    await connection.run(`COPY (${monthSql(month, rows)}) TO '${join(folder, `month-${month}.parquet`)}' (FORMAT parquet, COMPRESSION snappy)`);
  }
  connection.closeSync();
  instance.closeSync();
}
