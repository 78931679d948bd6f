import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readFacts } from '../../support/read-facts.ts';
import { readCsv } from '../../support/rfc4180.ts';
import { billsOfFile, versionOf, type Bills } from '../world.ts';
import {
  detailCharges,
  focusCharges,
  reportCharges,
  sumsOfCharges,
  type ControlCharge,
  type Sums,
} from './loader/control.ts';

// Bills of providers, kept next to the repository. Without them these tests are skipped.
const shared = path.resolve(import.meta.dirname, '../../../../shared/data');
const trees = path.join(shared, 'costroid/testdata');
const isHere = existsSync(trees) && existsSync(path.join(shared, 'focus-sample'));

const bills = billsOfFile();

/** Files that violate FOCUS, and their error messages. */
const refused: Record<string, string> = {
  'duplicate-header.csv': 'column "BilledCost" appears twice in the header (row 1); remove one',
  'literal-null.csv': 'row 2, column BilledCost: no value; expected a decimal number',
  'null-chargeperiodstart.csv':
    'row 2, column ChargePeriodStart: no value; expected a date and time in ISO 8601, such as 2026-05-01T00:00:00Z',
  'unknown-header.csv': 'unknown-header.csv is not a bill: no columns of costs and times',
  'invalid-export.csv.gz':
    'row 3, column ChargeCategory: "Consumption" is not Usage, Purchase, Tax, Credit or Adjustment',
};

function filesUnder(folder: string): string[] {
  if (!isHere) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.csv(\.gz)?$/.test(name))
    .map((name) => path.join(folder, name))
    .toSorted();
}

function textOf(file: string): string {
  const bytes = readFileSync(file);
  return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
}

/** Sums of FOCUS files, calculated from their text. */
function sumsOf(files: readonly string[]): Sums {
  return sumsOfCharges(files.flatMap((file) => focusCharges(textOf(file))));
}

async function storedSums({ deps, accountId }: Bills): Promise<Sums> {
  const rows = await readFacts<{ key: string; sums: string }>(
    deps,
    accountId,
    `SELECT concat_ws(' | ', strftime(BillingPeriodStart, '%Y-%m'), ChargePeriodStart::DATE, x_Provider, BillingCurrency, ServiceName,
       RegionId, SubAccountId) AS key,
       sum(x_LineItems) || ': ' || concat_ws(' ', sum(BilledCost)::DECIMAL(38,12), sum(EffectiveCost)::DECIMAL(38,12), sum(ListCost)::DECIMAL(38,12), sum(ContractedCost)::DECIMAL(38,12)) AS sums
     FROM facts GROUP BY 1`,
  );
  return Object.fromEntries(rows.map(({ key, sums }) => [key, sums]).toSorted());
}

const everyFile = [...filesUnder(path.join(shared, 'focus-sample')), ...filesUnder(trees)].map((file) => [
  path.relative(shared, file),
  file,
]);

/** Bills in formats other than FOCUS, and the charges calculated from their text. */
const dialects: Record<string, (text: string) => ControlCharge[]> = {
  'focus_converters/aws-cur1-sample-anonymous.csv': (text) => {
    const columns: Record<string, string> = {};
    return reportCharges(readCsv(text), (row, name) => {
      for (const written of Object.keys(row)) columns[snake(written)] ??= written;
      return row[columns[name] ?? ''] ?? null;
    });
  },
  'focus_converters/azure-ea-sample-anonymous.csv': (text) => detailCharges(text),
  'finops-toolkit/EA_ActualCost_Small.csv': (text) => detailCharges(text),
  'finops-toolkit/EA_AmortizedCost_Small.csv': (text) => detailCharges(text),
};

/** `lineItem/UsageStartDate` becomes `line_item_usage_start_date`. */
function snake(name: string): string {
  return name
    .replace('/', '_')
    .replace(/(?<=[a-z_])([A-Z])/g, '_$1')
    .replace(/(?<=[A-Z])([A-Z])/g, '_$1')
    .replaceAll('__', '_')
    .toLowerCase();
}

describe.skipIf(!isHere)('bills of providers (skipped without ../shared/data)', () => {
  it.each(everyFile.filter(([name = '']) => !refused[path.basename(name)]))(
    'match the sums of the text of %s',
    async (_name, file = '') => {
      const account = await bills();
      await account.putRaw(path.basename(file), readFileSync(file));
      await account.sync();
      expect(await storedSums(account)).toEqual(sumsOf([file]));
    },
  );

  it.each(everyFile.filter(([name = '']) => refused[path.basename(name)]))(
    'are rejected: %s',
    async (name = '', file = '') => {
      const account = await bills();
      await account.putRaw(path.basename(file), readFileSync(file));
      const message = await account.refusal();
      const [, said] = /^[^:,]+[:,] (.*)$/.exec(message) ?? [];
      expect(said).toBe(refused[path.basename(name)]);
      expect(await storedSums(account)).toEqual({});
    },
  );

  it.each(Object.entries(dialects))('match the sums of the text of %s', async (name, charges) => {
    const account = await bills();
    const file = path.join(shared, name);
    await account.putRaw(path.basename(file), readFileSync(file));
    await account.sync();
    expect(await storedSums(account)).toEqual(sumsOfCharges(charges(textOf(file))));
    expect(await account.sync()).toMatchObject({ lineItems: 0, months: [] });
  });

  it('replace June completely, without doubling it, when the AWS tree is restated', async () => {
    const account = await bills();
    const inTree = (tree: string, month: string) =>
      filesUnder(path.join(trees, 'aws-focus-s3', tree)).filter((file) => file.includes(`BILLING_PERIOD=${month}`));
    await cp(path.join(trees, 'aws-focus-s3/fixture'), account.folder, { recursive: true });
    await account.sync();
    expect(await storedSums(account)).toEqual(
      sumsOf([...inTree('fixture', '2026-05'), ...inTree('fixture', '2026-06')]),
    );
    await cp(path.join(trees, 'aws-focus-s3/restated'), account.folder, { recursive: true, force: true });
    const result = await account.sync();
    expect(result.months.map((month) => month.month)).toEqual(['2026-06']);
    expect(await storedSums(account)).toEqual(
      sumsOf([...inTree('fixture', '2026-05'), ...inTree('restated', '2026-06')]),
    );
    const version = await versionOf(account);
    expect(await account.sync()).toEqual({ lineItems: 0, months: [] });
    expect(await versionOf(account)).toBe(version);
  });

  it('are not replaced by an older snapshot of the month', async () => {
    const account = await bills();
    await cp(path.join(trees, 'aws-focus-s3/restated'), account.folder, { recursive: true });
    await account.sync();
    const before = await storedSums(account);
    await account.remove('demo');
    await cp(path.join(trees, 'aws-focus-s3/fixture'), account.folder, { recursive: true });
    await expect(account.sync()).rejects.toMatchObject({
      message:
        '2026-06: the snapshot of 2026-07-02T12:00:00.000Z is older than the loaded one of 2026-07-15T09:00:00.000Z; deliver the newer one again',
    });
    expect(await storedSums(account)).toMatchObject(before);
  });

  it('count only the newest run of each period of the Azure tree', async () => {
    const account = await bills();
    await cp(path.join(trees, 'azure-focus/fixture'), account.folder, { recursive: true });
    await account.sync();
    const counted = filesUnder(path.join(trees, 'azure-focus/fixture')).filter((file) => !file.includes('8f7e6d5c'));
    expect(await storedSums(account)).toEqual(sumsOf(counted));
    expect(await account.sync()).toMatchObject({ lineItems: 0, months: [] });
  });
});
