import { describe, expect, it } from 'vitest';
import { csvOf, type FocusRow } from '../../../support/focus.ts';
import { readBills, type Reading } from './reading.ts';

// Charges in the forms that vendors document for their FOCUS exports, with what they leave out. Written for these tests; no
// vendor's data.

interface Sample {
  readonly vendor: string;
  readonly rows: readonly FocusRow[];
  /** Billed, effective, list and contracted cost. */
  readonly sums: readonly [string, string, string, string];
  readonly fact: Readonly<Record<string, string | null>>;
  readonly repairs?: readonly string[];
}

const may = { BillingPeriodStart: '2026-05-01T00:00:00Z', BillingPeriodEnd: '2026-06-01T00:00:00Z' };
const usd = { BillingCurrency: 'USD', ChargeCategory: 'Usage', ChargeClass: '', ChargeFrequency: 'Usage-Based' };
const costs = (billed: string, effective: string, list: string, contracted: string): FocusRow => ({
  BilledCost: billed,
  EffectiveCost: effective,
  ListCost: list,
  ContractedCost: contracted,
});
const from = (provider: string): FocusRow => ({
  ProviderName: provider,
  PublisherName: provider,
  InvoiceIssuerName: provider,
});

/** FOCUS 1.0: hours without a time zone, no contracted cost, regions by name only. */
const oracle: FocusRow = {
  ...costs('0.012', '0', '0.012', ''),
  ...usd,
  ...from('Oracle'),
  BillingAccountId: '20209880',
  BillingPeriodStart: '2026-05-01 00:00:00',
  BillingPeriodEnd: '2026-06-01 00:00:00',
  ChargeFrequency: 'Usage-based',
  ChargePeriodStart: '2026-05-21 17:00:00',
  ChargePeriodEnd: '2026-05-21 18:00:00',
  ConsumedQuantity: '8.000000000000000',
  ConsumedUnit: 'GB Hours',
  ListUnitPrice: '0.0015000',
  PricingQuantity: '8',
  PricingUnit: 'GB Hours',
  RegionId: 'NULL',
  RegionName: 'us-sanjose-1',
  ResourceId: 'ocid1.instance.oc1.us-sanjose-1.a',
  ServiceCategory: 'Compute',
  ServiceName: 'COMPUTE',
  SkuId: 'B92307',
  SubAccountId: 'ocid1.tenancy.oc1..a',
  Tags: '{"environment": "dev"}',
};

/** FOCUS 1.0 preview: neither contracted costs nor consumed quantities. */
const alibaba: FocusRow = {
  ...costs('7.5', '7.5', '10', ''),
  ...usd,
  ...may,
  ...from('Alibaba Cloud'),
  BillingAccountId: '5123',
  BillingCurrency: 'CNY',
  ChargeDescription: '',
  ChargePeriodStart: '2026-05-09T16:00:00Z',
  ChargePeriodEnd: '2026-05-10T16:00:00Z',
  ConsumedQuantity: '',
  ConsumedUnit: '',
  ContractedUnitPrice: '',
  ListUnitPrice: '',
  PricingQuantity: '24',
  PricingUnit: '',
  RegionId: 'cn-hangzhou',
  ServiceCategory: 'Compute',
  ServiceName: 'Elastic Compute Service',
  SubAccountId: '5124',
};

/** FOCUS 1.0: no effective cost, service category or SKU. */
const tencent: FocusRow = {
  ...costs('3.21', '', '4', '3.21'),
  ...usd,
  ...may,
  ...from('Tencent Cloud'),
  BillingAccountId: '100001',
  ChargeDescription: 'https://www.tencentcloud.com/document/product/555',
  ChargePeriodStart: '2026-05-03T00:00:00Z',
  ChargePeriodEnd: '2026-05-04T00:00:00Z',
  CommitmentDiscountId: '',
  RegionId: 'ap-singapore',
  ResourceId: 'ins-1',
  ServiceCategory: '',
  ServiceName: 'Cloud Virtual Machine',
  SkuId: '',
  SubAccountId: '100002',
};

/** FOCUS columns over the system table `billing.usage`, as customers query it: hours with an offset, list prices, a map of tags. */
const databricks: FocusRow = {
  ...costs('2.75', '2.75', '2.75', '2.75'),
  ...usd,
  ...may,
  ProviderName: 'Databricks',
  PublisherName: 'Databricks',
  InvoiceIssuerName: 'Databricks',
  BillingAccountId: '23e22ba4',
  BillingPeriodStart: '2026-05-01 00:00:00.000+00:00',
  ChargePeriodStart: '2026-05-09 23:00:00.000+00:00',
  ChargePeriodEnd: '2026-05-10 00:00:00.000+00:00',
  ConsumedQuantity: '5',
  ConsumedUnit: 'DBU',
  ListUnitPrice: '0.55',
  PricingQuantity: '5',
  PricingUnit: 'DBU',
  RegionId: 'eu-west-1',
  ResourceId: '0509-cluster',
  ServiceCategory: 'Analytics',
  ServiceName: 'ALL_PURPOSE',
  SkuId: 'PREMIUM_ALL_PURPOSE_COMPUTE',
  SubAccountId: '1234567890123456',
  Tags: '{"team":"data"}',
};

/** The view `FOCUS_COST_USAGE_V1_3`, unloaded as CSV: daily, times with a space before the offset, priced in credits. */
const snowflake: FocusRow = {
  ...costs('6.3', '6.3', '7', '6.3'),
  ...usd,
  ServiceProviderName: 'Snowflake',
  HostProviderName: 'AWS',
  InvoiceIssuerName: 'Snowflake',
  BillingAccountId: 'ORG1',
  BillingPeriodStart: '2026-05-01 00:00:00.000 +0000',
  BillingPeriodEnd: '2026-06-01 00:00:00.000 +0000',
  ChargePeriodStart: '2026-05-09 00:00:00.000 Z',
  ChargePeriodEnd: '2026-05-10 00:00:00.000 Z',
  PricingCurrency: 'Credits',
  PricingCurrencyEffectiveCost: '2.1',
  PricingCurrencyListUnitPrice: '1',
  PricingQuantity: '2.1',
  PricingUnit: 'Credits',
  RegionId: 'us-west-2',
  ServiceCategory: 'Databases',
  ServiceName: 'WAREHOUSE_METERING',
  SubAccountId: 'ACCOUNT1',
};

/** The CSV file of the FOCUS API: one charge per product and month, no regions and resources. */
const grafana: FocusRow = {
  ...costs('299.4', '299.4', '332', '299.4'),
  ...usd,
  ...may,
  ...from('Grafana Labs'),
  BillingAccountId: '12345',
  ChargePeriodStart: '2026-05-01T00:00:00Z',
  ChargePeriodEnd: '2026-06-01T00:00:00Z',
  PricingQuantity: '41500',
  PricingUnit: 'Active Series',
  ServiceCategory: 'Management and Governance',
  ServiceName: 'Grafana Cloud Metrics',
};

/** The daily export of Public Cloud consumption, in euros, projects as sub-accounts. */
const ovh: FocusRow = {
  ...costs('0.84', '0.84', '0.84', '0.84'),
  ...usd,
  ...may,
  ...from('OVHcloud'),
  BillingAccountId: 'ab12345-ovh',
  BillingCurrency: 'EUR',
  ChargePeriodStart: '2026-05-09T00:00:00Z',
  ChargePeriodEnd: '2026-05-10T00:00:00Z',
  PricingQuantity: '24',
  PricingUnit: 'Hours',
  RegionId: 'GRA11',
  ResourceId: 'b7f0c9a2',
  ServiceCategory: 'Compute',
  ServiceName: 'Public Cloud Instances',
  SubAccountId: 'project-1',
};

const samples: readonly Sample[] = [
  {
    vendor: 'Oracle',
    rows: [oracle],
    sums: ['0.012', '0', '0.012', '0'],
    fact: { x_Provider: 'oracle', RegionId: 'global', RegionName: 'us-sanjose-1', ListUnitPrice: '0.0015' },
  },
  {
    vendor: 'Alibaba',
    rows: [alibaba],
    sums: ['7.5', '7.5', '10', '7.5'],
    fact: { x_Provider: 'alibaba-cloud', BillingCurrency: 'CNY', ChargePeriodStart: '2026-05-09 00:00:00' },
    repairs: ['contracted 1 7.500000000000'],
  },
  {
    vendor: 'Tencent',
    rows: [tencent],
    sums: ['3.21', '3.21', '4', '3.21'],
    fact: { x_Provider: 'tencent-cloud', ServiceCategory: 'Other', SkuId: null },
    repairs: ['effective 1 3.210000000000'],
  },
  {
    vendor: 'Databricks',
    rows: [databricks],
    sums: ['2.75', '2.75', '2.75', '2.75'],
    fact: { x_Provider: 'databricks', ChargePeriodStart: '2026-05-09 00:00:00', Tags: '{"team":"data"}' },
  },
  {
    vendor: 'Snowflake',
    rows: [snowflake],
    sums: ['6.3', '6.3', '7', '6.3'],
    fact: {
      x_Provider: 'snowflake',
      HostProviderName: 'AWS',
      PricingCurrency: 'Credits',
      PricingCurrencyEffectiveCost: '2.100000000000',
      ChargePeriodStart: '2026-05-09 00:00:00',
    },
  },
  {
    vendor: 'Grafana Cloud',
    rows: [grafana],
    sums: ['299.4', '299.4', '332', '299.4'],
    fact: { x_Provider: 'grafana-labs', SubAccountId: 'unassigned', RegionId: 'global' },
  },
  {
    vendor: 'OVHcloud',
    rows: [ovh],
    sums: ['0.84', '0.84', '0.84', '0.84'],
    fact: { x_Provider: 'ovhcloud', BillingCurrency: 'EUR', SubAccountId: 'project-1' },
  },
];

function read(rows: readonly FocusRow[]): Promise<Reading> {
  return readBills({ name: 'focus.csv', content: csvOf(rows, { columns: Object.keys(rows[0] ?? {}) }) });
}

const plain = (amount: string | undefined) => (amount ?? '').replace(/\.?0+$/, '');

describe('charges in the form of a vendor', () => {
  it.each(samples)('are read with all their costs: $vendor', async ({ rows, sums, fact, repairs = [] }) => {
    const { parts, facts } = await read(rows);
    const [month, ...others] = parts;
    expect([month?.month, others]).toEqual(['2026-05', []]);
    const totals = [month?.billed, month?.effective, month?.list, month?.contracted].map(plain);
    expect(totals).toEqual(sums);
    const repaired = month?.repairs.map(({ kind, charges, amount }) => `${kind} ${charges} ${amount}`) ?? [];
    expect(repaired).toEqual(repairs);
    expect((await facts())[0]).toMatchObject(fact);
  });

  it('are refused without an effective cost, except those of Tencent', async () => {
    await expect(read([{ ...ovh, EffectiveCost: '' }])).rejects.toThrow(
      'focus.csv, row 2, column EffectiveCost: no value; expected a decimal number',
    );
    await expect(read([{ ...tencent, EffectiveCost: 'n/a' }])).rejects.toThrow('column EffectiveCost: "n/a"');
  });
});
