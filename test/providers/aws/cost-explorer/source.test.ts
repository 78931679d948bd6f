import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SourceListing, SourceMemo } from '../../../../src/providers/contract.ts';
import { checkCostExplorer } from '../../../../src/providers/aws/open.ts';
import { costExplorerSource } from '../../../../src/providers/aws/cost-explorer/source.ts';
import { plainDecimal } from '../../../../src/providers/aws/cost-explorer/rows.ts';
import { openSession } from '../../../../src/providers/aws/session.ts';
import { TryLater } from '../../../../src/providers/faults.ts';
import { type FakeCharge, costExplorerAnswers } from '../../../support/clouds/aws/cost-explorer.ts';
import { type FakeAws, refuseAwsWrites } from '../../../support/clouds/aws/fake.ts';
import { account, externalId, keys, startAccount } from '../account.ts';

const now = new Date('2026-11-21T15:00:00Z');
const { signal } = new AbortController();
const payer = '111111111111';

let aws: FakeAws;
let folder: string;

beforeEach(async () => {
  aws = await startAccount();
  folder = await mkdtemp(path.join(tmpdir(), 'cost-explorer-'));
});

afterEach(async () => {
  refuseAwsWrites(aws.log);
  await aws.stop();
  await rm(folder, { recursive: true });
});

function session() {
  return openSession({
    credentials: keys,
    trustExternalId: externalId,
    region: null,
    endpoints: { awsEndpoint: aws.url, s3Endpoint: null },
  });
}

function charge(day: string, recordType: string, unblended: string, more: Partial<FakeCharge> = {}): FakeCharge {
  return { day, account, service: 'Amazon Simple Storage Service', recordType, unblended, ...more };
}

function bill(charges: readonly FakeCharge[], more: { pageSize?: number; names?: Record<string, string> } = {}): void {
  aws.answer({
    ...costExplorerAnswers({ charges, ...more }),
    'organizations.DescribeOrganization': () => ({ json: { Organization: { MasterAccountId: payer } } }),
  });
}

async function list(
  memo: SourceMemo,
  at = now,
  source = costExplorerSource(session(), () => at),
): Promise<SourceListing> {
  const listing = await source.list(memo, signal);
  return { ...listing, memo: JSON.parse(JSON.stringify(listing.memo)) as SourceMemo };
}

/** The requested columns of the rows in the file of a month. */
async function rows(month: string, columns: readonly string[]): Promise<string[]> {
  const source = costExplorerSource(session(), () => now);
  const { files } = await source.list(null, signal);
  const file = files.find((each) => each.month === month);
  if (!file) throw new Error(`No file of ${month}`);
  const [header = '', ...lines] = (await readFile(await source.fetch(file, folder, signal), 'utf8')).trim().split('\n');
  const at = columns.map((column) => header.split(',').indexOf(column));
  return lines.map((line) => at.map((index) => line.split(',')[index]).join(' ')).toSorted();
}

const costs = [
  'ChargeCategory',
  'PricingCategory',
  'CommitmentDiscountCategory',
  'CommitmentDiscountStatus',
  'BilledCost',
  'EffectiveCost',
];

describe('months', () => {
  it('are files for each month with charges in the last fourteen months', async () => {
    bill([charge('2025-10-31', 'Usage', '1'), charge('2026-10-02', 'Usage', '2'), charge('2026-11-02', 'Usage', '3')]);
    const { files, warnings } = await list(null);
    expect(files.map(({ key, token }) => `${key} ${token}`)).toEqual([
      'cost-explorer/2025-10 closed',
      'cost-explorer/2026-10 closed',
      'cost-explorer/2026-11 2026-11-21 pm',
    ]);
    expect(warnings).toEqual([expect.stringMatching(/^No resources, tags, regions or commitments: .*USD 0\.01/)]);
    expect(aws.log.find(({ service }) => service === 'ce')?.params['TimePeriod']).toEqual({
      Start: '2025-10-01',
      End: '2026-11-22',
    });
  });

  it('are requested again only twice a day, and until they are closed', async () => {
    bill([charge('2026-09-02', 'Usage', '1'), charge('2026-10-02', 'Usage', '2'), charge('2026-11-02', 'Usage', '3')]);
    const first = await list(null);
    expect(aws.asked()).toEqual([
      'sts.GetCallerIdentity us-east-1',
      'organizations.DescribeOrganization us-east-1',
      'ce.GetCostAndUsage us-east-1',
    ]);
    const same = await list(first.memo, new Date('2026-11-21T23:59:00Z'));
    expect(same).toEqual(first);
    expect(aws.asked()).toEqual(['sts.GetCallerIdentity us-east-1']);

    const morning = await list(first.memo, new Date('2026-11-22T00:01:00Z'));
    expect(aws.log.at(-1)?.params['TimePeriod']).toEqual({ Start: '2026-11-01', End: '2026-11-23' });
    expect(morning.files.map(({ token }) => token)).toEqual(['closed', 'closed', '2026-11-22 am']);

    const december = await list(morning.memo, new Date('2026-12-01T00:01:00Z'));
    expect(aws.log.at(-1)?.params['TimePeriod']).toEqual({ Start: '2026-11-01', End: '2026-12-02' });
    expect(december.files.map(({ token }) => token)).toEqual(['closed', 'closed', '2026-12-01']);
    const closed = await list(december.memo, new Date('2026-12-16T12:00:00Z'));
    expect(closed.files.map(({ token }) => token)).toEqual(['closed', 'closed', 'closed']);
    await list(closed.memo, new Date('2026-12-17T12:00:00Z'));
    expect(aws.log.at(-1)?.params['TimePeriod']).toMatchObject({ Start: '2026-12-01' });
  });
});

describe('charges', () => {
  it('have the FOCUS category of each record type, with complete billed and effective costs', async () => {
    const day = '2026-10-05';
    bill([
      charge(day, 'Usage', '100.1234567891'),
      charge(day, 'DiscountedUsage', '0', { amortized: '7' }),
      charge(day, 'SavingsPlanCoveredUsage', '50', { amortized: '30' }),
      charge(day, 'SavingsPlanNegation', '-50', { amortized: '0' }),
      charge(day, 'RIFee', '10', { amortized: '3' }),
      charge(day, 'SavingsPlanRecurringFee', '40', { amortized: '10' }),
      charge(day, 'Fee', '5', { service: 'Amazon Route 53' }),
      charge(day, 'Tax', '9.99', { service: 'Tax' }),
      charge(day, 'Credit', '-20'),
      charge(day, 'Enterprise Discount Program Discount', '-4'),
    ]);
    expect(await rows('2026-10', costs)).toEqual([
      'Adjustment    -4.0000000000 -4.0000000000',
      'Credit    -20.0000000000 -20.0000000000',
      'Purchase    5.0000000000 5.0000000000',
      'Purchase  Spend  40.0000000000 0',
      'Purchase  Usage  10.0000000000 0',
      'Tax    9.9900000000 9.9900000000',
      'Usage Committed Spend Unused 0 10.0000000000',
      'Usage Committed Spend Used 0.0000000000 30.0000000000',
      'Usage Committed Usage Unused 0 3.0000000000',
      'Usage Committed Usage Used 0.0000000000 7.0000000000',
      'Usage Standard   100.1234567891 100.1234567891',
    ]);
  });

  it('include contract discounts in net costs only once', async () => {
    bill([
      charge('2026-10-05', 'Usage', '100', { net: '90' }),
      charge('2026-10-05', 'Private Rate Card Discount', '-10', { net: '0' }),
    ]);
    expect(await rows('2026-10', costs)).toEqual([
      'Adjustment    -10.0000000000 0.0000000000',
      'Usage Standard   100.0000000000 90.0000000000',
    ]);
  });

  it('are read per day and page, with names of sub-accounts and the payer account', async () => {
    const days = ['2026-10-01', '2026-10-02', '2026-10-31'];
    bill(
      days.map((day) => charge(day, 'Usage', '1', { service: 'Amazon Elastic Compute Cloud - Compute' })),
      {
        pageSize: 1,
        names: { [account]: 'Production', [payer]: 'Main' },
      },
    );
    const columns = [
      'BillingAccountId',
      'BillingAccountName',
      'SubAccountId',
      'SubAccountName',
      'ServiceName',
      'ServiceCategory',
      'BillingPeriodStart',
      'ChargePeriodStart',
      'ChargePeriodEnd',
      'BillingCurrency',
    ];
    const common = `${payer} Main ${account} Production Amazon Elastic Compute Cloud Compute 2026-10-01T00:00:00Z`;
    expect(await rows('2026-10', columns)).toEqual([
      `${common} 2026-10-01T00:00:00Z 2026-10-02T00:00:00Z USD`,
      `${common} 2026-10-02T00:00:00Z 2026-10-03T00:00:00Z USD`,
      `${common} 2026-10-31T00:00:00Z 2026-11-01T00:00:00Z USD`,
    ]);
  });

  it('are billed to the account itself without an organization', async () => {
    bill([charge('2026-10-05', 'Usage', '1')]);
    aws.answer({
      'organizations.DescribeOrganization': () => ({
        status: 400,
        json: { __type: 'AWSOrganizationsNotInUseException' },
      }),
    });
    expect(await rows('2026-10', ['BillingAccountId', 'SubAccountId'])).toEqual([`${account} ${account}`]);
  });

  it.each([
    ['4.0E-10', '0.00000000040'],
    ['1.5e2', '150'],
    ['-2.5E-1', '-0.25'],
    ['12.50', '12.50'],
    ['0', '0'],
    ['.5', '0.5'],
  ])('have the plain decimal of %s: %s', (given, plain) => {
    expect(plainDecimal(given)).toBe(plain);
    expect(() => plainDecimal('12,5')).toThrow(/returned "12,5" as a cost/);
  });
});

describe('Cost Explorer error', () => {
  it.each([
    [
      {
        status: 400,
        json: { __type: 'AccessDeniedException', message: 'User: arn:aws:iam::1:user/x is not authorized' },
      },
      /Permission ce:GetCostAndUsage is missing/,
    ],
    [
      { status: 400, json: { __type: 'AccessDeniedException', message: 'User not enabled for cost explorer access' } },
      /is not enabled for this account/,
    ],
    [{ status: 400, json: { __type: 'DataUnavailableException' } }, /has no data yet/],
    [
      { status: 400, json: { __type: 'ValidationException', message: 'No.' } },
      /rejected GetCostAndUsage \(ValidationException\): No\./,
    ],
    [{ json: { ResultsByTime: [], NextPageToken: 'again' } }, /endless paging/],
  ])('is explained: %o', async (answer, message) => {
    aws.answer({ 'ce.GetCostAndUsage': () => answer });
    await expect(list(null)).rejects.toThrow(message);
    await expect(checkCostExplorer(session(), signal)).rejects.toThrow(message);
  });

  it('for a bill that is being updated is retried later', async () => {
    aws.answer({ 'ce.GetCostAndUsage': () => ({ status: 400, json: { __type: 'BillExpirationException' } }) });
    await expect(list(null)).rejects.toThrow(TryLater);
  });
});

describe('check before connecting', () => {
  it('sends one request to Cost Explorer', async () => {
    bill([]);
    expect(await checkCostExplorer(session(), signal)).toEqual({
      externalId: account,
      warnings: [expect.stringMatching(/^No resources/)],
    });
    expect(aws.asked()).toEqual(['sts.GetCallerIdentity us-east-1', 'ce.GetCostAndUsage us-east-1']);
  });
});

const contracts = path.resolve(import.meta.dirname, '../../../../../shared/data/contracts/aws');

/** The first response with this key in a file of published examples. */
function published(name: string, key: string): object {
  const { examples } = JSON.parse(readFileSync(path.join(contracts, `${name}.json`), 'utf8')) as {
    examples: { output: object }[];
  };
  return examples.find(({ output }) => key in output)?.output ?? never();
}

describe.skipIf(!existsSync(contracts))('published AWS examples (skipped without ../shared/data)', () => {
  it('are read: costs by two groups, and the payer account', async () => {
    bill([charge('2026-10-05', 'Usage', '1')]);
    const organization = published('organizations.describe-organization', 'Organization');
    aws.answer({ 'organizations.DescribeOrganization': () => ({ json: organization }) });
    const source = costExplorerSource(session(), () => now);
    const { files } = await source.list(null, signal);
    aws.answer({ 'ce.GetCostAndUsage': () => ({ json: published('ce.get-cost-and-usage', 'ResultsByTime') }) });
    const text = await readFile(await source.fetch(files[0] ?? never(), folder, signal), 'utf8');
    expect(text).toContain(`AWS,${payer},,Amazon Simple Storage Service`);
    const amounts = text.match(/40\.3543773134|0\.2682364644/g);
    // All four costs of each.
    expect(amounts).toEqual([...Array(4).fill('40.3543773134'), ...Array(4).fill('0.2682364644')]);
  });
});

function never(): never {
  throw new Error('Nothing there');
}
