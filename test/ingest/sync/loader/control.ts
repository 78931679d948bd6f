import { decimal } from '../../../support/cube.ts';
import { readCsv } from '../../../support/rfc4180.ts';

// Control totals of bills: the expected result of the loader, calculated independently from the text of a file.

export type Row = Readonly<Record<string, string | null>>;

/** A charge in FOCUS terms, with its costs in units of 10^-12. */
export interface ControlCharge {
  readonly month: string;
  readonly day: string;
  readonly provider: string;
  readonly currency: string;
  readonly service: string;
  readonly region: string;
  readonly subAccount: string;
  readonly costs: readonly [billed: bigint, effective: bigint, list: bigint, contracted: bigint];
  /** 0 if another file counts it. */
  readonly lines: bigint;
}

/** Sums by period, day, provider, currency, service, region and sub-account: `lines: billed effective list
 *  contracted`. */
export type Sums = Readonly<Record<string, string>>;

/** Sums of charges, without those that have neither lines nor costs. */
export function sumsOfCharges(charges: readonly ControlCharge[]): Sums {
  const sums = new Map<string, bigint[]>();
  for (const { month, day, provider, currency, service, region, subAccount, costs, lines } of charges) {
    const key = [month, day, provider, currency, service, region, subAccount].join(' | ');
    const sum = sums.get(key) ?? [0n, 0n, 0n, 0n, 0n];
    sums.set(
      key,
      [lines, ...costs].map((value, at) => value + (sum[at] ?? 0n)),
    );
  }
  const described = [...sums].map(([key, [lines = 0n, ...amounts]]) => [
    key,
    `${lines}: ${amounts.map(decimal).join(' ')}`,
  ]);
  return Object.fromEntries(described.toSorted());
}

/** A decimal in units of 10^-12, rounded half up; also from scientific notation. */
function unitsOf(text: string | null | undefined): bigint {
  const [, sign = '', whole = '', part = '', exponent = '0'] =
    /^(-?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/.exec(text ?? '0') ?? [];
  const shift = 12 + Number(exponent);
  const digits = shift < 0 ? '0' : `${whole}${part.padEnd(shift, '0').slice(0, shift)}`;
  const isRoundedUp = shift >= 0 && Number(part.padEnd(shift + 1, '0').charAt(shift)) >= 5;
  const units = BigInt(digits || '0') + (isRoundedUp ? 1n : 0n);
  return sign ? -units : units;
}

const slugs: Readonly<Record<string, string>> = {
  AWS: 'aws',
  Microsoft: 'azure',
  OCI: 'oracle',
  Oracle: 'oracle',
  GCP: 'gcp',
  'Google Cloud': 'gcp',
  'Example Cloud': 'example-cloud',
};

function dayOf(text: string | null | undefined): string {
  const iso = (text ?? '')
    .replace(' UTC', 'Z')
    .replace(' ', 'T')
    .replace(/\+0000$/, 'Z');
  return new Date(/(Z|[+-]\d\d:\d\d)$/.test(iso) ? iso : `${iso}Z`).toISOString().slice(0, 10);
}

/** The charges of a FOCUS file. */
export function focusCharges(text: string): ControlCharge[] {
  return readCsv(text).flatMap((row) => {
    const name = row['ProviderName'] ?? row['ServiceProviderName'] ?? row['HostProviderName'] ?? '';
    const provider = slugs[name] ?? name.toLowerCase();
    const charge: ControlCharge = {
      month: dayOf(row['BillingPeriodStart']).slice(0, 7),
      day: dayOf(row['ChargePeriodStart']),
      provider,
      currency: row['BillingCurrency'] ?? '',
      // Azure omits it for purchases and credits.
      service: row['ServiceName'] ?? row['x_SkuMeterSubcategory'] ?? row['PublisherName'] ?? '',
      region: row['RegionId'] ?? 'global',
      subAccount: subAccountOf(row, provider),
      costs: focusCosts(row, provider),
      lines: 1n,
    };
    return row['ChargeCategory'] === 'Usage' ? spread(charge, dayOf(row['ChargePeriodEnd'])) : [charge];
  });
}

/** A charge of whole days, a part on each. */
function spread(charge: ControlCharge, end: string): ControlCharge[] {
  const start = Date.parse(charge.day);
  const days = Math.max(1, (Date.parse(end) - start) / 86_400_000);
  const until = (cost: bigint, day: number) => (cost * BigInt(day)) / BigInt(days);
  const [billed, effective, list, contracted] = charge.costs;
  return Array.from({ length: days }, (_, index) => {
    const part = (cost: bigint) => until(cost, index + 1) - until(cost, index);
    return {
      ...charge,
      day: new Date(start + index * 86_400_000).toISOString().slice(0, 10),
      costs: [part(billed), part(effective), part(list), part(contracted)],
      lines: index === 0 ? charge.lines : 0n,
    };
  });
}

function subAccountOf(row: Row, provider: string): string {
  const { SubAccountId: id = null, BillingAccountId: payer = null } = row;
  if (provider === 'azure') return id?.split('/').at(-1)?.toLowerCase() ?? 'unassigned';
  if (provider === 'gcp') return id === null || id === payer ? 'unassigned' : id;
  return id ?? 'unassigned';
}

function focusCosts(row: Row, provider: string): ControlCharge['costs'] {
  const isUsage = row['ChargeCategory'] === 'Usage';
  const isPurchase = row['ChargeCategory'] === 'Purchase';
  const isAzure = provider === 'azure';
  const billed = unitsOf(row['BilledCost']);
  const isZeroed = isAzure && isPurchase && Boolean(row['CommitmentDiscountId']);
  const effective = isZeroed ? 0n : unitsOf(row['EffectiveCost']);
  const completed = (text: string | null | undefined, otherwise: bigint) => {
    const isMissing = !text || (isAzure && (isUsage || isPurchase) && unitsOf(text) === 0n);
    return isMissing ? otherwise : unitsOf(text);
  };
  const contracted = completed(row['ContractedCost'], isUsage ? effective : billed);
  return [billed, effective, completed(row['ListCost'], contracted), contracted];
}

/** The charges of a Cost and Usage Report; `named` returns a column by its 2.0 name. */
export function reportCharges(rows: readonly Row[], named: (row: Row, name: string) => string | null): ControlCharge[] {
  return rows.flatMap((row) => {
    const of = (name: string) => named(row, name);
    if (['EKSPod-EC2', 'ECSTask-EC2'].includes(of('line_item_operation') ?? '')) return [];
    const charge = {
      month: dayOf(of('bill_billing_period_start_date')).slice(0, 7),
      day: dayOf(of('line_item_usage_start_date')),
      provider: 'aws',
      currency: of('line_item_currency_code') ?? '',
      service: of('product_product_name') ?? of('line_item_product_code') ?? '',
      region: of('product_region_code') ?? of('product_region') ?? 'global',
      subAccount: of('line_item_usage_account_id') ?? 'unassigned',
      lines: 1n,
    };
    const unused = unusedOf(of);
    const first = { ...charge, costs: reportCosts(of) };
    return unused === 0n ? [first] : [first, { ...charge, costs: [0n, unused, unused, unused] as const }];
  });
}

type Named = (name: string) => string | null;

function unusedOf(of: Named): bigint {
  const units = (name: string) => unitsOf(of(name));
  switch (of('line_item_line_item_type')) {
    case 'RIFee':
      return (
        units('reservation_unused_amortized_upfront_fee_for_billing_period') + units('reservation_unused_recurring_fee')
      );
    case 'SavingsPlanRecurringFee':
      return units('savings_plan_total_commitment_to_date') - units('savings_plan_used_commitment');
    default:
      return 0n;
  }
}

function reportCosts(of: Named): ControlCharge['costs'] {
  const billed = unitsOf(of('line_item_unblended_cost'));
  const atList = unitsOf(of('pricing_public_on_demand_cost'));
  const isReserved = of('reservation_reservation_a_r_n') !== null;
  switch (of('line_item_line_item_type')) {
    case 'Usage':
    case 'FlatRateSubscription':
      return [billed, billed, atList || billed, billed];
    case 'SavingsPlanCoveredUsage':
      return [billed, unitsOf(of('savings_plan_savings_plan_effective_cost')), atList || billed, billed];
    case 'DiscountedUsage': {
      const effective = unitsOf(of('reservation_effective_cost'));
      return [billed, effective, atList || effective, atList || effective];
    }
    case 'RIFee':
    case 'SavingsPlanRecurringFee':
    case 'SavingsPlanUpfrontFee':
      return [billed, 0n, billed, billed];
    case 'Fee':
      return [billed, isReserved ? 0n : billed, billed, billed];
    case 'Refund':
      return [billed, of('savings_plan_savings_plan_a_r_n') === null ? billed : 0n, billed, billed];
    case 'SavingsPlanNegation':
      return [billed, 0n, 0n, 0n];
    case 'Tax':
    case 'Credit':
      return [billed, billed, billed, billed];
    default:
      return [billed, billed, 0n, billed];
  }
}

/** The charges of Azure cost details, with `speaksFor` as passed to the loader. */
export function detailCharges(text: string, speaksFor: 'all' | 'billed' | 'effective' = 'all'): ControlCharge[] {
  return readCsv(text).map((row) => {
    const isoDay = (value: string | null | undefined) => {
      const [month = '', day = '', year = ''] = (value ?? '').split('/');
      return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
    };
    const cost = unitsOf(row['CostInBillingCurrency'] ?? row['Cost']);
    const times = (price: string | null | undefined) => product(price, row['Quantity']);
    const contracted = cost > 0n ? larger(cost, times(row['UnitPrice'])) : cost;
    const list = cost > 0n ? larger(contracted, times(row['PayGPrice'])) : cost;
    const isAlone =
      ['Purchase', 'Refund'].includes(row['ChargeType'] ?? '') && Boolean(row['benefitId'] ?? row['ReservationId']);
    const isRepeated = speaksFor === 'billed' && !isAlone;
    return {
      month: isoDay(row['BillingPeriodStartDate']).slice(0, 7),
      day: isoDay(row['Date']),
      provider: 'azure',
      currency: row['BillingCurrencyCode'] ?? row['BillingCurrency'] ?? '',
      service: row['MeterCategory'] ?? '',
      region: (row['ResourceLocation'] ?? 'global').toLowerCase().replaceAll(' ', ''),
      subAccount: row['SubscriptionId'] ?? 'unassigned',
      lines: isRepeated ? 0n : 1n,
      costs: [
        speaksFor === 'effective' ? 0n : cost,
        speaksFor === 'billed' ? 0n : cost,
        isRepeated ? 0n : list,
        isRepeated ? 0n : contracted,
      ],
    };
  });
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

/** Rounded half up to 12 places. */
function product(a: string | null | undefined, b: string | null | undefined): bigint {
  const exact = unitsOf(a) * unitsOf(b);
  return (exact + 500_000_000_000n) / 1_000_000_000_000n;
}
