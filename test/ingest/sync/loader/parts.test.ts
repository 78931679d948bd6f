import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createBatch, tablesOf } from '../../../../src/ingest/sync/loader/batch.ts';
import { openDuck, type Duck } from '../../../../src/ingest/sync/loader/duck.ts';
import { spreadSpans } from '../../../../src/ingest/sync/loader/spread.ts';
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

it('spreads charges over several days in parts if they exceed the memory', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'costkeep-parts-'));
  const duck = await openDuck(folder, [], 600, 2);
  onTestFinished(async () => {
    duck.close();
    await rm(folder, { recursive: true });
  });
  const batch = await createBatch(duck, 1);
  const { sums } = tablesOf(batch);
  // File 1 was read and spread before.
  await duck.run(`INSERT INTO ${sums} BY NAME SELECT CASE WHEN i < 100 THEN 1 ELSE 2 END AS file_no, hash(i) AS sig, DATE '2026-06-01' AS day,
    1 AS rows, TIMESTAMP '2026-06-01' AS span_start, CASE WHEN i >= 100 THEN TIMESTAMP '2026-07-01' END AS span_end,
    30 AS BilledCost, 1 AS x_LineItems FROM range(200) t(i)`);
  const attempts: string[] = [];
  const short: Pick<Duck, 'run' | 'value'> = {
    value: (sql) => duck.value(sql),
    async run(sql) {
      attempts.push(sql);
      await duck.run(sql);
      if (sql.startsWith('INSERT') && !sql.includes('% 8 =')) throw new Error('Out of Memory Error: no room');
    },
  };
  const charges = `(SELECT DISTINCT sig, DATE '2026-06-01' AS period FROM ${sums})`;
  expect(await spreadSpans(short, { table: sums, files: '2', charges })).toBe(true);
  expect(attempts.filter((sql) => sql.startsWith('INSERT'))).toHaveLength(9);
  expect(
    await duck.rows(`SELECT file_no, count(*) AS days, count(DISTINCT sig) AS charges, sum(BilledCost) AS billed,
      sum(x_LineItems) AS lines, count(span_end) AS open FROM ${sums} GROUP BY 1 ORDER BY 1`),
  ).toEqual([
    { file_no: '1', days: '100', charges: '100', billed: '3000.000000000000', lines: '100', open: '0' },
    { file_no: '2', days: '3000', charges: '100', billed: '3000.000000000000', lines: '100', open: '0' },
  ]);
});
