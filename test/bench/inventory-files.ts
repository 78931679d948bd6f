import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';

/** Meters of interest to detectors, and many others, as in bills of the three clouds. */
const meters = [
  ['AWS', 'Amazon Elastic Compute Cloud', 'Compute', 'BoxUsage:m4.large', 'Hours'],
  ['AWS', 'Amazon Elastic Compute Cloud', 'Compute', 'BoxUsage:m7g.large', 'Hours'],
  ['AWS', 'Amazon Elastic Compute Cloud', 'Storage', 'EBS:VolumeUsage.gp2', 'GB-Mo'],
  ['AWS', 'Amazon Elastic Compute Cloud', 'Storage', 'EBS:VolumeUsage.gp3', 'GB-Mo'],
  ['AWS', 'Amazon Elastic Compute Cloud', 'Storage', 'EBS:SnapshotUsage', 'GB-Mo'],
  ['AWS', 'Amazon Virtual Private Cloud', 'Networking', 'PublicIPv4:IdleAddress', 'Hours'],
  ['AWS', 'Amazon Elastic Compute Cloud', 'Networking', 'NatGateway-Hours', 'Hours'],
  ['AWS', 'AWS Lambda', 'Compute', 'Lambda-GB-Second', 'GB-s'],
  ['Microsoft', 'Storage', 'Storage', 'P10 LRS Disk', '1 /Month'],
  ['Microsoft', 'Virtual Machines', 'Compute', 'D2 v2/DS2 v2', '1 Hour'],
  ['Google Cloud', 'Compute Engine', 'Compute', 'N1 Predefined Instance Core running in Europe', 'hour'],
  ['Google Cloud', 'Compute Engine', 'Networking', 'Static Ip Charge in Europe', 'hour'],
] as const;

/** One column of the meters, selected by a number. */
function meter(column: number): string {
  return `list_extract([${meters.map((row) => `'${row[column]}'`).join(',')}], (r % ${meters.length})::INT + 1)`;
}

const daysEach = 10;

function sql(resources: number): string {
  return `
    WITH line AS (SELECT i % ${resources} AS r, i // ${resources} AS k FROM range(${resources * daysEach}) t(i)),
    placed AS (SELECT *, DATE '2026-10-22' + k::INT AS day, (1 + hash(r) % 400) / 100.0 AS cost FROM line)
    SELECT cost::DOUBLE AS BilledCost, cost::DOUBLE AS EffectiveCost, cost::DOUBLE AS ListCost, cost::DOUBLE AS ContractedCost,
      'USD' AS BillingCurrency, '999999999999' AS BillingAccountId, 'Payer' AS BillingAccountName,
      TIMESTAMP '2026-10-01' AS BillingPeriodStart, TIMESTAMP '2026-11-01' AS BillingPeriodEnd,
      day::TIMESTAMP AS ChargePeriodStart, (day + 1)::TIMESTAMP AS ChargePeriodEnd,
      'Usage' AS ChargeCategory, NULL::VARCHAR AS ChargeClass, ${meter(3)} AS ChargeDescription, 'Usage-Based' AS ChargeFrequency,
      24.0::DOUBLE AS ConsumedQuantity, ${meter(4)} AS ConsumedUnit, 'Standard' AS PricingCategory,
      24.0::DOUBLE AS PricingQuantity, ${meter(4)} AS PricingUnit, ${meter(0)} AS ProviderName, 'Publisher' AS PublisherName,
      'region-' || (r % 12) AS RegionId, 'Region ' || (r % 12) AS RegionName,
      'resource/' || lpad(r::VARCHAR, 9, '0') AS ResourceId, 'resource-' || r AS ResourceName, 'Type ' || (r % 40) AS ResourceType,
      ${meter(2)} AS ServiceCategory, ${meter(1)} AS ServiceName, 'SKU' || (r % ${meters.length}) AS SkuId,
      'SKU' || (r % ${meters.length}) || '.PRICE' AS SkuPriceId, ${meter(3)} AS SkuMeter,
      lpad((r % 30)::VARCHAR, 12, '0') AS SubAccountId, 'account-' || (r % 30) AS SubAccountName,
      CASE WHEN r % 5 = 0 THEN MAP {'Name': 'resource-' || r}
           ELSE MAP {'team': 'team-' || (r % 10), 'env': CASE WHEN r % 3 = 0 THEN 'dev' ELSE 'prod' END, 'Name': 'resource-' || r} END AS Tags
    FROM placed ORDER BY day, r`;
}

/** Writes a FOCUS month with the given number of resources, each billed on the last ten days, unless the file exists.
 *  Returns the number of daily charges, which equals the number of facts. */
export async function writeInventoryFile(folder: string, resources: number): Promise<number> {
  const file = join(folder, 'month.parquet');
  if (!(await stat(file).catch(() => null))) {
    await mkdir(folder, { recursive: true });
    const instance = await DuckDBInstance.create(':memory:', { memory_limit: '2GB' });
    const connection = await instance.connect();
    await connection.run(`COPY (${sql(resources)}) TO '${file}' (FORMAT parquet, COMPRESSION snappy)`);
    connection.closeSync();
    instance.closeSync();
  }
  return resources * daysEach;
}
