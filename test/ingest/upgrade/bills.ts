import { aLine, type FocusRow } from '../../support/focus.ts';

// The bills that the previous version loaded into the database stored as `previous.sql.gz`.

/** An account of the fixture: its folder under FOCUS_ROOT, and its files. */
export interface FixtureAccount {
  readonly folder: string;
  readonly files: Readonly<Record<string, readonly FocusRow[]>>;
}

/** An organization of the fixture, with the user who registered it. */
export interface FixtureOrganization {
  readonly person: {
    readonly email: string;
    readonly password: string;
    readonly name: string;
    readonly organization_name: string;
  };
  readonly accounts: readonly FixtureAccount[];
}

const tags = (pairs: Readonly<Record<string, string>>): FocusRow => ({ Tags: JSON.stringify(pairs) });

/** Usage in several hours, with all columns of FOCUS 1.2. */
function machines(month: string): FocusRow[] {
  const days = [1, 2, 15, 28].map((day) => `${month}-${String(day).padStart(2, '0')}`);
  return days.flatMap((day, index) => [
    aLine({
      day,
      cost: `${index + 1}.${month.slice(5)}0000000001`,
      ListCost: '9.5',
      ChargePeriodStart: `${day}T0${index}:00:00Z`,
      RegionName: 'US East (N. Virginia)',
      SubAccountName: 'Production, "blue"',
      ResourceName: 'web',
      ResourceType: 'AWS::EC2::Instance',
      SkuId: 'SKU1',
      SkuPriceId: 'PRICE1',
      SkuMeter: 'BoxUsage:m5.large',
      ChargeDescription: 'On demand, per hour\nLinux',
      PricingUnit: 'Hrs',
      ConsumedUnit: 'Hours',
      PricingQuantity: '24',
      ConsumedQuantity: '23.5',
      ...tags({
        team: 'blue',
        'user:env': 'prod',
        'a"b\\c': 'line\nbreak',
        '10': 'ten',
        '9': 'nine',
        Größe: '🌍 groß',
      }),
    }),
    aLine({ day, cost: '0.25', PricingCategory: 'Dynamic', ResourceId: 'vm-2', ...tags({ team: 'red' }) }),
    aLine({
      day,
      cost: '0.125',
      RegionId: null,
      ResourceId: null,
      ServiceCategory: null,
      ServiceName: 'Data Transfer',
    }),
    aLine({
      day,
      cost: '0.5',
      PricingCategory: 'Other',
      ResourceId: 'bucket-1',
      ServiceCategory: 'Storage',
      ...tags({}),
    }),
  ]);
}

/** Charges of commitments, tax, credits, refunds and a correction of the previous month. */
function otherCharges(month: string, before: string): FocusRow[] {
  const day = `${month}-03`;
  const plan = {
    CommitmentDiscountId: 'arn:aws:savingsplans::1:savingsplan/sp-1',
    CommitmentDiscountName: 'Plan of 2026',
    CommitmentDiscountCategory: 'Spend',
    CommitmentDiscountType: 'Compute Savings Plan',
    PricingCategory: 'Committed',
  };
  const reservation = {
    ...plan,
    CommitmentDiscountId: 'ri-1',
    CommitmentDiscountCategory: 'Usage',
    CommitmentDiscountType: 'RI',
  };
  return [
    aLine({ day, BilledCost: '0', EffectiveCost: '0.7', CommitmentDiscountStatus: 'Used', ...plan }),
    aLine({
      day,
      BilledCost: '0',
      EffectiveCost: '0.3',
      CommitmentDiscountStatus: 'Unused',
      ResourceId: null,
      ...plan,
    }),
    aLine({ day, BilledCost: '0', EffectiveCost: '0.6', CommitmentDiscountStatus: 'Used', ...reservation }),
    aLine({ day, BilledCost: '0', EffectiveCost: '0.4', CommitmentDiscountStatus: 'Unused', ...reservation }),
    aLine({ day, cost: '0.9', PricingCategory: 'Committed', ResourceId: 'vm-3' }),
    aLine({
      day,
      BilledCost: '24',
      EffectiveCost: '0',
      ChargeCategory: 'Purchase',
      ResourceId: null,
      ...plan,
      PricingCategory: null,
    }),
    aLine({ day, cost: '1.99', ChargeCategory: 'Tax', PricingCategory: null, ResourceId: null, RegionId: null }),
    aLine({ day, cost: '-3.000000000001', ChargeCategory: 'Credit', PricingCategory: null, ResourceId: null }),
    aLine({ day, cost: '0.01', ChargeCategory: 'Adjustment', PricingCategory: null, ServiceName: null }),
    // Billed in this month, charged in the previous one.
    aLine({
      day,
      cost: '-1.5',
      ChargeClass: 'Correction',
      ChargePeriodStart: `${before}-20T00:00:00Z`,
      ...tags({ team: 'blue' }),
    }),
  ];
}

/** One file with charges of three providers in two currencies. */
function manyProviders(month: string): FocusRow[] {
  const day = `${month}-10`;
  const providers = [
    ['Microsoft', 'EUR', '11.11'],
    ['Google Cloud', 'USD', '22.22'],
    ['Acme Cloud, Ltd.', 'EUR', '33.33'],
  ] as const;
  return providers.flatMap(([provider, currency, cost]) => [
    aLine({
      day,
      cost,
      BillingCurrency: currency,
      ProviderName: provider,
      ServiceProviderName: provider,
      HostProviderName: provider,
      InvoiceIssuerName: provider,
      ResourceId: `/subscriptions/1/${provider}`,
      ...tags({ Team: 'green', 'cost-center': '4711' }),
    }),
    aLine({ day, cost: '0.000000000001', BillingCurrency: currency, ProviderName: provider, SubAccountId: null }),
  ]);
}

const monthsOf2025 = ['2025-07', '2025-08', '2025-09', '2025-10', '2025-11', '2025-12'];
const monthsOf2026 = ['2026-01', '2026-02', '2026-03', '2026-04', '2026-05', '2026-06'];
const allMonths = [...monthsOf2025, ...monthsOf2026];
const password = 'plum kite orbit';

/** Two organizations with three accounts. */
export const fixtureOrganizations: readonly FixtureOrganization[] = [
  {
    person: { email: 'ana@example.com', password, name: 'Ana', organization_name: 'Plum' },
    accounts: [
      {
        folder: 'aws',
        files: Object.fromEntries(
          allMonths.map((month, index) => {
            const before = allMonths[index - 1] ?? '2025-06';
            return [`${month}.csv`, [...machines(month), ...otherCharges(month, before)]];
          }),
        ),
      },
      {
        folder: 'many',
        files: Object.fromEntries(monthsOf2026.map((month) => [`${month}.csv`, manyProviders(month)])),
      },
    ],
  },
  {
    person: { email: 'ben@example.com', password, name: 'Ben', organization_name: 'Kite' },
    accounts: [{ folder: 'kite', files: { 'all.csv': monthsOf2025.flatMap((month) => machines(month)) } }],
  },
];
