import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeDemo } from '../../../src/demo/files/write.ts';
import { type ExportFormat, writeExport } from '../../../src/facts/costs/export.ts';
import { billsOfFile, type Bills, testNow } from '../../ingest/world.ts';
import { aLine, csvOf, focusColumns } from '../../support/focus.ts';
import { brokenRules } from '../../support/focus-rules/check.ts';
import { readCsv } from '../../support/rfc4180.ts';

const connect = billsOfFile();

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'costkeep-export-'));
  await writeDemo(folder, '2026-08-10');
}, 120_000);
afterAll(() => rm(folder, { recursive: true }));

async function exportOf({ deps, scope }: Bills, format: ExportFormat = 'focus_csv'): Promise<string> {
  const days = { startDate: '2026-05-01', endDate: '2026-07-31' };
  const { signal } = new AbortController();
  const file = await writeExport({ ...deps, clock: { now: () => testNow } }, scope, { format, ...days }, signal);
  return file.path;
}

async function typesOf(file: string, names: string): Promise<unknown[]> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const described = `SELECT column_type FROM (DESCRIBE FROM read_parquet('${file}')) WHERE contains(column_name, '${names}')`;
  const rows = await (await connection.runAndReadAll(described)).getRowsJson();
  connection.closeSync();
  instance.closeSync();
  return rows.flat();
}

describe('the rules of FOCUS 1.2', () => {
  it('hold for an export of the sample’s AWS account', async () => {
    const bills = await connect();
    const month = 'aws/costkeep-focus/data/BILLING_PERIOD=2026-07/costkeep-focus-00001.csv.gz';
    await copyFile(path.join(folder, month), path.join(bills.folder, 'costs.csv.gz'));
    await bills.sync();
    expect(await brokenRules([await exportOf(bills)])).toEqual([]);
  });

  it('hold for an export of charges without region, sub-account and pricing currency', async () => {
    const bills = await connect();
    const row = aLine({
      ProviderName: 'Oracle',
      SubAccountId: '',
      RegionId: '',
      BillingAccountId: '',
      BillingCurrency: 'EUR',
      PricingQuantity: '1',
      ListUnitPrice: '1',
      ContractedUnitPrice: '1',
    });
    await bills.put('costs.csv', [row]);
    await bills.sync();
    const broken = await brokenRules([await exportOf(bills)]);
    expect(broken.filter((line) => /^(SubAccount|Region|PricingCurrency)/.test(line))).toEqual([]);
  });

  it('name the values that break them', async () => {
    const row = aLine({
      ListCost: '',
      ChargeCategory: 'usage',
      CommitmentDiscountStatus: 'Used',
      ChargePeriodStart: '2026-05-01',
    });
    const columns = focusColumns['1.0'].filter((name) => name !== 'ChargeClass');
    const file = path.join(folder, 'broken.csv');
    await writeFile(file, csvOf([row], { columns }));
    expect(await brokenRules([file])).toEqual(
      expect.arrayContaining([
        'ChargeClass is missing',
        'ListCost is not null; violations: 1, first value: null',
        'CommitmentDiscountStatus is null where CommitmentDiscountId is; violations: 1, first value: null',
        'ChargeCategory is an allowed value; violations: 1, first value: usage',
        'ChargePeriodStart is a UTC time in ISO 8601; violations: 1, first value: 2026-05-01',
      ]),
    );
  });
});

describe('a FOCUS export', () => {
  it('preserves every column of the pricing currency as billed', async () => {
    const bills = await connect();
    const price = {
      PricingCurrency: 'USD',
      PricingCurrencyEffectiveCost: '1.1',
      PricingCurrencyListUnitPrice: '0.0000000000125',
      PricingCurrencyContractedUnitPrice: '0.55',
    };
    const billed = { BillingCurrency: 'EUR', ListUnitPrice: '0.5', ContractedUnitPrice: '-0.5' };
    await bills.put('costs.csv', [aLine({ ...price, ...billed })], { columns: focusColumns['1.2'] });
    await bills.sync();
    const [row] = readCsv(await readFile(await exportOf(bills), 'utf8'));
    expect(row).toMatchObject({ ...price, ...billed, PricingCurrencyEffectiveCost: '1.100000000000' });
    const parquet = await exportOf(bills, 'focus_parquet');
    expect(await typesOf(parquet, 'UnitPrice')).toEqual(Array.from({ length: 4 }, () => 'DECIMAL(38,18)'));
  });

  it('contains no cell that a spreadsheet runs as a formula, also where semicolons separate cells, or a terminal', async () => {
    const bills = await connect();
    const names = ['=1+1', 'a;=1+1', 'b\n+1;-2', 'c;d', '\u001b=1\u009b2J'];
    const rows = names.map((ResourceName, at) =>
      aLine({ BillingCurrency: 'USD', ResourceId: `r${at}`, ResourceName, ServiceName: 'x' }),
    );
    await writeFile(path.join(bills.folder, 'costs.csv'), csvOf(rows));
    await bills.sync();
    const cells = readCsv(await readFile(await exportOf(bills), 'utf8')).map((row) => row['ResourceName']);
    expect(cells.toSorted()).toEqual(["'=1+1", "'=12J", "a;'=1+1", "b\n'+1;'-2", 'c;d']);
  });
});
