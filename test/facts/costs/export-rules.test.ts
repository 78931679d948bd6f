import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeDemo } from '../../../src/demo/files/write.ts';
import { writeExport } from '../../../src/facts/costs/export.ts';
import { billsOfFile, type Bills, testNow } from '../../ingest/world.ts';
import { aLine, csvOf, focusColumns } from '../../support/focus.ts';
import { brokenRules } from '../../support/focus-rules/check.ts';

const connect = billsOfFile();

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'costkeep-export-'));
  await writeDemo(folder, '2026-08-10');
}, 120_000);
afterAll(() => rm(folder, { recursive: true }));

async function exportOf({ deps, scope }: Bills): Promise<string> {
  const days = { startDate: '2026-05-01', endDate: '2026-07-31' };
  const { signal } = new AbortController();
  const file = await writeExport(
    { ...deps, clock: { now: () => testNow } },
    scope,
    { format: 'focus_csv', ...days },
    signal,
  );
  return file.path;
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
    });
    await bills.put('costs.csv', [row]);
    await bills.sync();
    const broken = await brokenRules([await exportOf(bills)]);
    expect(broken.filter((line) => /^(SubAccount|Region|PricingCurrency)/.test(line))).toEqual([]);
  });

  it('name what breaks them', async () => {
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
        'ListCost is not null: 1 rows, such as null',
        'CommitmentDiscountStatus is null where CommitmentDiscountId is: 1 rows, such as null',
        'ChargeCategory is an allowed value: 1 rows, such as usage',
        'ChargePeriodStart is a UTC time in ISO 8601: 1 rows, such as 2026-05-01',
      ]),
    );
  });
});
