import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aLine, csvOf, focusColumns, runDuck, type FocusRow } from '../../../support/focus.ts';
import { readBills, tagsOf, type Fact } from './reading.ts';

const guid = '64E355D7-997C-491D-B0C1-8414DCCFCF42';
const savingsPlan = '/providers/Microsoft.BillingBenefits/savingsPlanOrders/O/savingsPlans/P';

async function factOf(row: FocusRow, extra: readonly string[] = []): Promise<Fact> {
  const columns = [...focusColumns['1.0'], ...extra];
  const { facts } = await readBills({ name: 'bill.csv', content: csvOf([aLine(row)], { columns }) });
  return (await facts())[0] ?? {};
}

it.each([' ', '\t\n', '\u00a0\u2003\u3000\ufeff'])('reads the blank text %j as none', async (blank) => {
  const row = {
    ServiceName: blank,
    RegionId: blank,
    SubAccountId: blank,
    ResourceId: blank,
    ResourceName: ` a${blank}`,
  };
  expect(await factOf(row)).toMatchObject({
    ServiceName: 'Unknown',
    RegionId: 'global',
    SubAccountId: 'unassigned',
    ResourceId: null,
    ResourceName: ` a${blank}`,
  });
});

describe('Azure', () => {
  const azure = (row: FocusRow) => factOf({ ProviderName: 'Microsoft', ...row });

  it.each([
    [`/subscriptions/${guid}`, guid.toLowerCase()],
    [guid, guid.toLowerCase()],
    [null, 'unassigned'],
    ['00000000-0000-0000-0000-000000000000', 'unassigned'],
  ])('maps the sub-account %s', async (SubAccountId, expected) => {
    expect(await azure({ SubAccountId })).toMatchObject({ SubAccountId: expected });
  });

  it('lowercases ids', async () => {
    expect(
      await azure({ ResourceId: '/A/Vm', CommitmentDiscountId: savingsPlan, BillingAccountId: 'BA' }),
    ).toMatchObject({
      ResourceId: '/a/vm',
      CommitmentDiscountId: savingsPlan.toLowerCase(),
      BillingAccountId: 'ba',
    });
  });

  const database = '/subscriptions/S/resourceGroups/g/providers/Microsoft.Sql/servers/S1/databases/D';
  it.each<{ row: FocusRow; type: string }>([
    {
      row: { ResourceType: 'Virtual machine', x_ResourceType: 'Microsoft.Compute/virtualMachines' },
      type: 'microsoft.compute/virtualmachines',
    },
    { row: { ResourceType: 'SQL database', ResourceId: database }, type: 'microsoft.sql/servers/databases' },
    {
      row: { ResourceType: 'Object Storage', ResourceId: '/subscriptions/S/providers/example/Storage' },
      type: 'Object Storage',
    },
  ])('uses the resource type of the inventory: $type', async ({ row, type }) => {
    const { ResourceType: found } = await factOf({ ProviderName: 'Microsoft', ...row }, ['x_ResourceType']);
    expect(found).toBe(type);
  });

  it.each([
    ['by a resource', { ResourceId: '/vm', PricingCategory: 'Standard' }, 'savings_plan'],
    ['without a resource', { ResourceId: null, PricingCategory: 'Standard' }, 'unused_savings_plan'],
    [
      'with a status',
      { ResourceId: null, CommitmentDiscountStatus: 'Used', PricingCategory: 'Committed' },
      'savings_plan',
    ],
  ])('sets the pricing kind of commitment-covered usage %s', async (_case, row, kind) => {
    const { x_PricingKind: found } = await azure({
      CommitmentDiscountId: savingsPlan,
      CommitmentDiscountCategory: 'Spend',
      ...row,
    });
    expect(found).toBe(kind);
  });

  it.each([
    // Effective, list and contracted cost on the bill, and the resulting costs.
    { category: 'Usage', given: ['2', '0', '0'], becomes: '2 2 2' },
    { category: 'Usage', given: ['2', '3', '0'], becomes: '2 3 2' },
    { category: 'Usage', given: ['2', '3', '2.5'], becomes: '2 3 2.5' },
    { category: 'Usage', given: ['2', '1', '1.5'], becomes: '2 1 1.5' },
    { category: 'Tax', given: ['2', '0', '0'], becomes: '2 0 0' },
    { category: 'Credit', given: ['-2', '0', '0'], becomes: '-2 0 0' },
    { category: 'Usage', given: ['-2', '0', '0'], becomes: '-2 -2 -2' },
    { category: 'Usage', given: ['0', '4', '3'], becomes: '0 4 3' },
    { category: 'Purchase', id: savingsPlan, given: ['9', '9', '9'], becomes: '0 9 9' },
    { category: 'Purchase', given: ['9', '0', '0'], becomes: '9 9 9' },
  ])('maps $given to $becomes for $category of $id', async ({ category, id = null, given, becomes }) => {
    const [EffectiveCost = null, ListCost = null, ContractedCost = null] = given;
    const costs = { EffectiveCost, ListCost, ContractedCost, BilledCost: '9' };
    const fact = await azure({ ChargeCategory: category, CommitmentDiscountId: id, ...costs });
    expect(
      Object.keys(costs)
        .slice(0, 3)
        .map((name) => Number(fact[name]))
        .join(' '),
    ).toBe(becomes);
    expect(Number(fact['BilledCost'])).toBe(9);
  });

  it('falls back to other columns without provider and service name', async () => {
    const row = { ProviderName: null, InvoiceIssuerName: null, x_SkuMeterSubcategory: 'Rounding', ServiceName: null };
    expect(await factOf(row, ['x_SkuMeterSubcategory'])).toMatchObject({
      ProviderName: 'Microsoft',
      ServiceName: 'Rounding',
    });
  });

  it.each([
    [
      '{"a":"1,NULL,2"," org":"x","hidden-title":"y","ms:z":"w"}',
      { a: '1,NULL,2', ' org': 'x', 'hidden-title': 'y', 'ms:z': 'w' },
    ],
    ['"env": "prod"', { env: 'prod' }],
  ])('reads the tags %s', async (Tags, expected) => {
    expect(tagsOf(await factOf({ ProviderName: 'Microsoft', Tags }))).toEqual(expected);
  });
});

describe('AWS', () => {
  it('falls back to other columns without provider and service name', async () => {
    const row = { ProviderName: null, InvoiceIssuerName: null, x_ServiceCode: 'AmazonEC2', ServiceName: null };
    expect(await factOf(row, ['x_ServiceCode'])).toMatchObject({ ProviderName: 'AWS', ServiceName: 'AmazonEC2' });
  });

  it.each([
    [null, 'EC2 - Other', 'Compute'],
    [null, 'Amazon Relational Database Service', 'Databases'],
    [null, 'Something new', 'Other'],
    ['Storage', 'EC2 - Other', 'Storage'],
  ])('derives a category from %s and %s', async (ServiceCategory, ServiceName, expected) => {
    expect(await factOf({ ServiceCategory, ServiceName })).toMatchObject({ ServiceCategory: expected });
  });

  it('assigns a charge without a sub-account to none', async () => {
    const tax = { ChargeCategory: 'Tax', SubAccountId: null, BillingAccountName: 'Payer' };
    expect(await factOf(tax)).toMatchObject({
      SubAccountId: 'unassigned',
      SubAccountName: null,
      BillingAccountId: 'payer',
    });
  });
});

/** The Parquet format that BigQuery writes for Google's own FOCUS view and for the linked table. */
async function googleBill(made: string): Promise<Uint8Array> {
  const folder = await mkdtemp(path.join(tmpdir(), 'costkeep-google-'));
  const file = path.join(folder, 'bill.parquet');
  await runDuck(`COPY (SELECT 4.0::DECIMAL(38,9) AS BilledCost, 4.0::DECIMAL(38,9) AS EffectiveCost, 5.0::DECIMAL(38,9) AS ListCost,
    5.0::DECIMAL(38,9) AS ContractedCost, 'USD' AS BillingCurrency, TIMESTAMP '2026-05-01 07:00:00' AS BillingPeriodStart,
    TIMESTAMP '2026-05-02 07:00:00' AS ChargePeriodStart, 'Google Cloud' AS ProviderName, 'BA-1' AS BillingAccountId,
    'Compute Engine' AS ServiceName, 'us' AS x_Location, ${made}) TO '${file}' (FORMAT parquet)`);
  const content = await readFile(file);
  await rm(folder, { recursive: true });
  return content;
}

describe('Google Cloud', () => {
  it('reads the lowercase values and lists of the older view', async () => {
    const content =
      await googleBill(`'error' AS ChargeCategory, 'error' AS PricingCategory, 'BA-1' AS SubAccountId, ['Compute'] AS ServiceCategory,
      {'Id': 'shop', 'Name': 'Shop'} AS x_Project, [{'key': 'env', 'value': 'prod'}] AS Tags`);
    const { facts } = await readBills({ name: 'view.parquet', content });
    const [fact] = await facts();
    expect(fact).toMatchObject({
      BillingPeriodStart: '2026-05-01 00:00:00',
      ChargeCategory: 'Adjustment',
      x_PricingKind: 'other',
      SubAccountId: 'shop',
      ServiceCategory: 'Compute',
      RegionId: 'us',
    });
    expect(tagsOf(fact)).toEqual({ env: 'prod' });
  });

  it('prefers labels to tags to project labels, and derives the category from the service', async () => {
    const content = await googleBill(`'Usage' AS ChargeCategory, 'Standard' AS PricingCategory, 'shop' AS SubAccountId,
      [{'Key': 'env', 'Value': 'prod'}] AS x_Labels, [{'Key': 'Env', 'Value': 'tag', 'x_Inherited': true}, {'Key': 'unit', 'Value': 'b', 'x_Inherited': true}] AS x_Tags,
      [{'Key': 'unit', 'Value': 'p'}, {'Key': 'owner', 'Value': 'o'}] AS x_ProjectLabels`);
    const { facts } = await readBills({ name: 'table.parquet', content });
    const [fact] = await facts();
    expect(fact).toMatchObject({ ChargeCategory: 'Usage', SubAccountId: 'shop', ServiceCategory: 'Compute' });
    expect(tagsOf(fact)).toEqual({ env: 'prod', unit: 'b', owner: 'o' });
  });

  it('reads the same from CSV', async () => {
    const row = {
      ProviderName: 'Google Cloud',
      SubAccountId: 'payer',
      ServiceCategory: '["Databases"]',
      ChargeCategory: 'usage',
      Tags: '[{"key":"env","value":"prod"}]',
      x_Project: '{"id":"shop"}',
    };
    const fact = await factOf(row, ['x_Project']);
    expect(fact).toMatchObject({ SubAccountId: 'shop', ServiceCategory: 'Databases', ChargeCategory: 'Usage' });
    expect(tagsOf(fact)).toEqual({ env: 'prod' });
  });

  it('is the only provider with the category "error"', async () => {
    await expect(factOf({ ProviderName: 'AWS', ChargeCategory: 'error' })).rejects.toThrow(
      'bill.csv, row 2, column ChargeCategory: "error" is not Usage, Purchase, Tax, Credit or Adjustment',
    );
  });
});

describe('bills of different formats in one run', () => {
  it('are distinguished by their headers', async () => {
    const report =
      'lineItem/LineItemType,lineItem/UnblendedCost,lineItem/CurrencyCode,lineItem/UsageStartDate,lineItem/ProductCode,bill/BillingPeriodStartDate,bill/PayerAccountId\nUsage,2,USD,2026-05-01T00:00:00Z,AmazonS3,2026-05-01T00:00:00Z,payer\n';
    const details = 'Date,Cost,BillingCurrency,MeterCategory,ChargeType\n05/02/2026,3,USD,Storage,Usage\n';
    const { parts, export: write } = await readBills(
      { name: 'focus.csv', content: csvOf([aLine({ cost: '1', Tags: '{"a":"b"}' })]) },
      { name: 'report.csv', content: report },
      { name: 'details.csv', content: details },
    );
    expect(parts.map(({ file, billed }) => `${file}: ${Number(billed)}`)).toEqual([
      'focus.csv: 1',
      'report.csv: 2',
      'details.csv: 3',
    ]);
    expect((await write('2026-05')).totals).toMatchObject([{ billed: '6.000000000000', lineItems: 3 }]);
  });
});
