import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { openDuck } from '../../src/ingest/sync/loader/duck.ts';
import { readFiles } from '../../src/ingest/sync/loader/bill/read.ts';
import { exportMonth } from '../../src/ingest/sync/loader/month/month.ts';
import type { LoaderFile } from '../../src/ingest/sync/loader/protocol.ts';
import { printTable, timed } from './measure.ts';

const month = '2026-05';
const owner = {
  accountId: '01900000-0000-7000-8000-000000000001',
  organizationId: '01900000-0000-7000-8000-000000000002',
};
const memoryMiB = 1024;
const files = 3;

/** Measures the export of large months: rows in one delivery, the same rows in several deliveries, which are compared with each
 *  other, and instances that are divided among containers. */
export async function measureDeliveries(millions: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'costkeep-deliveries-'));
  const rows = millions * 1_000_000;
  try {
    const focus = Array.from({ length: files }, (_, at) => focusSql(at, Math.round(rows / files)));
    const paths = await write(folder, focus);
    const [split = ''] = await write(folder, [splitSql(rows)]);
    printTable(`Export of a month with ${millions} million rows`, [
      { month: 'FOCUS, one delivery', ...(await measure(join(folder, 'one'), paths, true)) },
      { month: `FOCUS, ${files} deliveries`, ...(await measure(join(folder, 'several'), paths, false)) },
      { month: 'CUR 2.0, instances of 5 containers', ...(await measure(join(folder, 'split'), [split], true)) },
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
}

let batch = 1000;

async function measure(jobDir: string, paths: readonly string[], isOne: boolean) {
  const duck = await openDuck(jobDir, paths, memoryMiB, 2);
  const bills = paths.map((path, at): LoaderFile => ({
    key: `${at}.parquet`,
    name: `${at}.parquet`,
    path,
    format: 'parquet',
    expectedRows: null,
    speaksFor: 'all',
    ...(isOne && { delivery: 'one' }),
  }));
  batch += 10;
  const read = await timed(() => readFiles(duck, { batch, files: bills, months: null, jobDir }));
  const request = { ...owner, batch, month, files: bills.map(({ key }) => key) };
  const exported = await timed(() => exportMonth(duck, request, jobDir));
  duck.close();
  return {
    'read s': read.ms / 1000,
    'export s': exported.ms / 1000,
    'peak MiB': process.resourceUsage().maxRSS / 1024,
  };
}

async function write(folder: string, selects: readonly string[]): Promise<string[]> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const paths: string[] = [];
  for (const sql of selects) {
    const path = join(folder, `${randomUUID()}.parquet`);
    await connection.run(`COPY (${sql}) TO '${path}' (FORMAT parquet)`);
    paths.push(path);
  }
  connection.closeSync();
  instance.closeSync();
  return paths;
}

const day = `TIMESTAMP '${month}-01' + INTERVAL (i % 28) DAY`;

/** Charges of machines, each on one day. */
function focusSql(file: number, rows: number): string {
  return `SELECT cost AS BilledCost, cost AS EffectiveCost, cost AS ListCost, cost AS ContractedCost, 'USD' AS BillingCurrency,
      'payer' AS BillingAccountId, TIMESTAMP '${month}-01' AS BillingPeriodStart, TIMESTAMP '2026-06-01' AS BillingPeriodEnd,
      day AS ChargePeriodStart, day + INTERVAL 1 DAY AS ChargePeriodEnd, 'Usage' AS ChargeCategory, 'AWS' AS ProviderName,
      'Service ' || i % 40 AS ServiceName, 'region-' || i % 4 AS RegionId, 'account-' || i % 30 AS SubAccountId,
      'vm-' || i // 28 AS ResourceId, 0.1 AS ListUnitPrice, 0.1 AS ContractedUnitPrice
    FROM (SELECT i, (hash(i) % 1000000 / 1000000.0)::DECIMAL(12,6) AS cost, ${day} AS day
      FROM range(${file}::BIGINT * 100000000, ${file}::BIGINT * 100000000 + ${rows}) t(i))`;
}

/** Days of instances, and five containers of each. */
function splitSql(rows: number): string {
  const instances = Math.round(rows / 6);
  const common = `'${month}-01T00:00:00.000Z' AS bill_billing_period_start_date, '999' AS bill_payer_account_id,
      '111' AS line_item_usage_account_id, 'Usage' AS line_item_line_item_type, strftime(${day}, '%Y-%m-%dT00:00:00.000Z') AS line_item_usage_start_date,
      strftime(${day} + INTERVAL 1 DAY, '%Y-%m-%dT00:00:00.000Z') AS line_item_usage_end_date, 'RunInstances' AS line_item_operation,
      'USD' AS line_item_currency_code, 'eu-west-1' AS product_region_code, '1' AS line_item_usage_amount, NULL AS pricing_public_on_demand_cost,
      NULL AS reservation_effective_cost, NULL AS savings_plan_savings_plan_a_r_n, NULL AS savings_plan_savings_plan_effective_cost,
      NULL AS savings_plan_total_commitment_to_date, NULL AS savings_plan_used_commitment`;
  return `SELECT ${common}, 'AmazonEC2' AS line_item_product_code, 'EUW1-BoxUsage:m5.xlarge' AS line_item_usage_type,
      'i-' || i // 28 AS line_item_resource_id, '1' AS line_item_unblended_cost, 'Hrs' AS pricing_unit, '{}' AS resource_tags,
      NULL AS split_line_item_parent_resource_id, NULL AS split_line_item_split_cost, NULL AS split_line_item_unused_cost
    FROM range(${instances}) t(i)
    UNION ALL BY NAME SELECT ${common}, 'AmazonEKS' AS line_item_product_code, 'EUW1-EKS-EC2-vCPU-Hours' AS line_item_usage_type,
      'arn:aws:eks:eu-west-1:111:pod/prod/ns-' || c || '/web-7f/' || i AS line_item_resource_id, '0' AS line_item_unblended_cost,
      NULL AS pricing_unit, '{"aws_eks_cluster_name":"prod","aws_eks_namespace":"ns-' || c || '","aws_eks_workload_name":"web"}' AS resource_tags,
      'i-' || i // 28 AS split_line_item_parent_resource_id, '0.15' AS split_line_item_split_cost, '0.05' AS split_line_item_unused_cost
    FROM range(${instances}) t(i), range(5) u(c)`;
}
