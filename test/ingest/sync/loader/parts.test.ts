import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { runDuck } from '../../../support/focus.ts';
import { readBills } from './reading.ts';

const resources = 60_000;

/** A bill whose names exceed the memory of DuckDB: one charge per resource, with 4,000 characters each. */
async function longBill(): Promise<Uint8Array> {
  const folder = await mkdtemp(path.join(tmpdir(), 'costkeep-parts-'));
  const file = path.join(folder, 'bill.parquet');
  await runDuck(`COPY (SELECT 0.5::DOUBLE AS BilledCost, 0.25::DOUBLE AS EffectiveCost, 1.0::DOUBLE AS ListCost, 0.5::DOUBLE AS ContractedCost,
    'USD' AS BillingCurrency, TIMESTAMP '2026-06-01' AS BillingPeriodStart, TIMESTAMP '2026-06-02' AS ChargePeriodStart,
    'Usage' AS ChargeCategory, 'AWS' AS ProviderName, 'Compute' AS ServiceName, '1' AS SubAccountId,
    'resource/' || i AS ResourceId, repeat(md5(i::VARCHAR), 125) AS ResourceName
    FROM range(${resources}) t(i)) TO '${file}' (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 4096)`);
  const content = await readFile(file);
  await rm(folder, { recursive: true });
  return content;
}

it('reads a bill in parts if its charges exceed the memory, and writes several sorted files', async () => {
  const { parts, export: write, query } = await readBills({ name: 'long.parquet', content: await longBill() });
  expect(parts).toMatchObject([{ month: '2026-06', lineItems: resources, effective: '15000.000000000000' }]);
  const { facts } = await write('2026-06');
  const days = facts.filter(({ grain }) => grain === 'day');
  expect(days.length).toBeGreaterThan(1);
  const ranges = [];
  for (const { path: file } of days) {
    const [range] =
      await query(`SELECT min(ResourceId) AS first, max(ResourceId) AS last, count(DISTINCT ResourceName) AS names
      FROM read_parquet('${file}')`);
    ranges.push(range);
  }
  expect(ranges.reduce((sum, range) => sum + Number(range?.['names']), 0)).toBe(resources);
  const bounds = ranges.flatMap((range) => [range?.['first'] ?? '', range?.['last'] ?? '']);
  expect(bounds).toEqual(bounds.toSorted());
}, 120_000);

it('spreads charges over several days in parts if their days exceed the memory', async () => {
  const charges = 40_000;
  const folder = await mkdtemp(path.join(tmpdir(), 'costkeep-parts-'));
  const file = path.join(folder, 'bill.parquet');
  await runDuck(`COPY (SELECT 30.0::DOUBLE AS BilledCost, 15.0::DOUBLE AS EffectiveCost, 60.0::DOUBLE AS ListCost, 30.0::DOUBLE AS ContractedCost,
    'USD' AS BillingCurrency, TIMESTAMP '2026-06-01' AS BillingPeriodStart, TIMESTAMP '2026-06-01' AS ChargePeriodStart,
    TIMESTAMP '2026-07-01' AS ChargePeriodEnd, 'Usage' AS ChargeCategory, 'AWS' AS ProviderName, 'Compute' AS ServiceName,
    'resource/' || i AS ResourceId FROM range(${charges}) t(i)) TO '${file}' (FORMAT parquet)`);
  const content = await readFile(file);
  await rm(folder, { recursive: true });
  const { parts, query } = await readBills({ name: 'long.parquet', content });
  expect(parts).toMatchObject([{ month: '2026-06', lineItems: charges, billed: `${charges * 30}.000000000000` }]);
  const [table] = await query(`SELECT table_name FROM duckdb_tables() WHERE table_name LIKE 'sums_%'`);
  const days = await query(`SELECT day::VARCHAR AS day, count(*)::VARCHAR AS charges, sum(BilledCost)::VARCHAR AS billed
    FROM ${table?.['table_name']} GROUP BY day`);
  expect(days).toHaveLength(30);
  expect(new Set(days.map(({ charges: count, billed }) => `${count} ${billed}`))).toEqual(
    new Set([`${charges} ${charges}.000000000000`]),
  );
}, 120_000);
