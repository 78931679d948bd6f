import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeDemo } from '../../../src/demo/files/write.ts';
import { literal } from '../../../src/engine/sql.ts';
import { brokenRules } from '../../support/focus-rules/check.ts';

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'costkeep-demo-'));
  await writeDemo(folder, '2026-11-21');
}, 120_000);
afterAll(() => rm(folder, { recursive: true }));

async function filesOf(cloud: string, extension: string): Promise<string[]> {
  const names = await readdir(path.join(folder, cloud), { recursive: true });
  return names.filter((name) => name.endsWith(extension)).map((name) => path.join(folder, cloud, name));
}

/** The rows of Parquet files as CSV, with times and tags as FOCUS writes them in text. */
async function asCsv(files: readonly string[]): Promise<string> {
  const target = path.join(folder, 'rows.csv');
  const instance = await DuckDBInstance.create(':memory:');
  const duck = await instance.connect();
  const times = ['BillingPeriodStart', 'BillingPeriodEnd', 'ChargePeriodStart', 'ChargePeriodEnd'].map(
    (name) => `strftime(${name} AT TIME ZONE 'UTC', '%Y-%m-%dT%H:%M:%SZ') AS ${name}`,
  );
  await duck.run(`COPY (SELECT * REPLACE (${times.join(', ')}, to_json(Tags)::VARCHAR AS Tags)
    FROM read_parquet([${files.map(literal).join(', ')}], hive_partitioning = false)) TO ${literal(target)} (FORMAT csv)`);
  duck.closeSync();
  instance.closeSync();
  return target;
}

describe('the rules of FOCUS 1.2', () => {
  it('hold for the sample’s export of AWS', async () => {
    const files = await filesOf('aws', '.csv.gz');
    expect(files).toHaveLength(13);
    expect(await brokenRules(files)).toEqual([]);
  });

  it('hold for the sample’s export of Azure', async () => {
    expect(await brokenRules(await filesOf('azure', '.csv'))).toEqual([]);
  });

  it('hold for the sample’s table of Google Cloud', async () => {
    expect(await brokenRules([await asCsv(await filesOf('gcp', '.parquet'))])).toEqual([]);
  });
});
