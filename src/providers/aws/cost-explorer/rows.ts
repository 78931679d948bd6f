import type { Group, MetricValue } from '@aws-sdk/client-cost-explorer';
import { fix, invalid } from '../../../kit/errors/errors.ts';
import { addDays, addMonths, type Day, firstDay, type Month } from '../../../kit/time/period.ts';

/** Columns of the FOCUS file written from Cost Explorer's data, which has no others. */
export const focusColumns = [
  'ProviderName',
  'BillingAccountId',
  'BillingAccountName',
  'SubAccountId',
  'SubAccountName',
  'BillingPeriodStart',
  'BillingPeriodEnd',
  'ChargePeriodStart',
  'ChargePeriodEnd',
  'ChargeCategory',
  'ChargeDescription',
  'PricingCategory',
  'CommitmentDiscountCategory',
  'CommitmentDiscountStatus',
  'ServiceName',
  'ServiceCategory',
  'BillingCurrency',
  'BilledCost',
  'EffectiveCost',
  'ListCost',
  'ContractedCost',
] as const;

export type FocusRow = Readonly<Partial<Record<(typeof focusColumns)[number], string>>>;

/** Net costs include contract discounts, so the discounts' own rows are then 0. */
export type EffectiveMetric = 'AmortizedCost' | 'NetAmortizedCost';

/** Context of a group. */
interface GroupPlace {
  readonly month: Month;
  readonly day: Day;
  readonly kind: ChargeKind;
  readonly payer: string;
  readonly names: ReadonlyMap<string, string>;
  readonly effectiveBy: EffectiveMetric;
}

/** Metrics to query. */
export const metrics = ['UnblendedCost', 'AmortizedCost', 'NetAmortizedCost'] as const;

/** Returns the charges of an account and service; none if nothing was charged. A commitment fee becomes two: the billed fee
 *  and, as usage, its unused part. */
export function rowsOf(group: Group, place: GroupPlace): FocusRow[] {
  const billed = amountOf(group, 'UnblendedCost');
  // An empty group has no currency either.
  if (!billed) return [];
  const costs = { billed: billed.amount, effective: amountOf(group, place.effectiveBy)?.amount ?? billed.amount };
  const common = { ...commonOf(group, place), BillingCurrency: billed.unit };
  const { kind } = place;
  const rows = kind.isFee
    ? [
        row(common, kind, { billed: costs.billed, effective: '0' }),
        row(common, unused(kind), { billed: '0', effective: costs.effective }),
      ]
    : [row(common, kind, costs)];
  return rows.filter(({ BilledCost = '0', EffectiveCost = '0' }) => !isZero(BilledCost) || !isZero(EffectiveCost));
}

function unused(fee: ChargeKind): ChargeKind {
  return { ...fee, chargeCategory: 'Usage', pricingCategory: 'Committed' };
}

function row(common: FocusRow, kind: ChargeKind, costs: { billed: string; effective: string }): FocusRow {
  const isUsage = kind.chargeCategory === 'Usage';
  return {
    ...common,
    ChargeCategory: kind.chargeCategory,
    ...(kind.pricingCategory && { PricingCategory: kind.pricingCategory }),
    ...(kind.commitment && { CommitmentDiscountCategory: kind.commitment }),
    ...(kind.commitment && isUsage && { CommitmentDiscountStatus: kind.isFee ? 'Unused' : 'Used' }),
    BilledCost: costs.billed,
    EffectiveCost: costs.effective,
    // Unknown, so that there is no discount.
    ListCost: isUsage ? costs.effective : costs.billed,
    ContractedCost: isUsage ? costs.effective : costs.billed,
  };
}

function commonOf({ Keys = [] }: Group, { month, day, payer, names }: GroupPlace): FocusRow {
  const [account = '', service = ''] = Keys;
  return {
    ProviderName: 'AWS',
    BillingAccountId: payer,
    BillingAccountName: names.get(payer) ?? '',
    SubAccountId: account,
    SubAccountName: names.get(account) ?? '',
    BillingPeriodStart: `${firstDay(month)}T00:00:00Z`,
    BillingPeriodEnd: `${firstDay(addMonths(month, 1))}T00:00:00Z`,
    ChargePeriodStart: `${day}T00:00:00Z`,
    ChargePeriodEnd: `${addDays(day, 1)}T00:00:00Z`,
    ...serviceOf(service),
  };
}

// Data Exports use one name for both halves of EC2; use it here too, so that the service continues if an export is connected
// later.
const ec2 = 'Amazon Elastic Compute Cloud';

function serviceOf(service: string): FocusRow {
  if (service === `${ec2} - Compute`)
    return { ServiceName: ec2, ServiceCategory: 'Compute', ChargeDescription: service };
  if (service === 'EC2 - Other') return { ServiceName: ec2, ServiceCategory: 'Other', ChargeDescription: service };
  return service === '' || service === 'NoService' ? {} : { ServiceName: service };
}

/** Returns an amount and its currency; null if the group has none. */
export function amountOf(
  { Metrics = {} }: Group,
  metric: (typeof metrics)[number],
): { amount: string; unit: string } | null {
  const { Amount, Unit }: MetricValue = Metrics[metric] ?? {};
  if (Amount === undefined || Unit === undefined || !/^[A-Z]{3}$/.test(Unit)) return null;
  return { amount: plainDecimal(Amount), unit: Unit };
}

/** Converts a number to plain decimal notation exactly: Cost Explorer writes small ones as `4.0E-10`. */
export function plainDecimal(text: string): string {
  const [, sign = '', whole = '', fraction = '', power = '0'] =
    /^([-+]?)(\d*)\.?(\d*)(?:e([-+]?\d{1,3}))?$/i.exec(text) ?? [];
  if (whole + fraction === '') throw invalid`Cost Explorer returned "${text.slice(0, 50)}" as a cost${fix}sync again`;
  const point = whole.length + Number(power);
  const digits = (whole + fraction)
    .padStart(whole.length + fraction.length + Math.max(0, -point), '0')
    .padEnd(Math.max(point, 0), '0');
  const at = Math.max(point, 0);
  const [head, tail] = [digits.slice(0, at).replace(/^0+(?=\d)/, ''), digits.slice(at)];
  return `${sign === '-' ? '-' : ''}${head || '0'}${tail && `.${tail}`}`;
}

/** Returns whether a decimal is zero. */
export function isZero(amount: string): boolean {
  return !/[1-9]/.test(amount);
}

/** FOCUS values of a Cost Explorer charge type (RECORD_TYPE). */
export interface ChargeKind {
  readonly chargeCategory: 'Usage' | 'Purchase' | 'Tax' | 'Credit' | 'Adjustment';
  /** For usage: whether a commitment covers it. */
  readonly pricingCategory: 'Standard' | 'Committed' | null;
  /** FOCUS CommitmentDiscountCategory: reservations cover usage, Savings Plans cover spend. */
  readonly commitment: 'Usage' | 'Spend' | null;
  /** Whether its amortized cost is the unused part of the commitment. */
  readonly isFee: boolean;
}

const usage: ChargeKind = { chargeCategory: 'Usage', pricingCategory: 'Standard', commitment: null, isFee: false };
const reserved: ChargeKind = { ...usage, pricingCategory: 'Committed', commitment: 'Usage' };
const planned: ChargeKind = { ...usage, pricingCategory: 'Committed', commitment: 'Spend' };
const purchase: ChargeKind = { ...usage, chargeCategory: 'Purchase', pricingCategory: null };
const reservationFee: ChargeKind = { ...purchase, commitment: 'Usage', isFee: true };
const planFee: ChargeKind = { ...purchase, commitment: 'Spend', isFee: true };
const tax: ChargeKind = { ...purchase, chargeCategory: 'Tax' };
const credit: ChargeKind = { ...purchase, chargeCategory: 'Credit' };
const adjustment: ChargeKind = { ...purchase, chargeCategory: 'Adjustment' };

// Patterns for lower case without spaces: AWS's spelling varies and has changed. Usage covered by a Savings Plan appears at its
// on-demand price and once more negated; together they are 0, as billed.
const known: readonly (readonly [RegExp, ChargeKind])[] = [
  [/^savingsplans?(coveredusage|negation)$/, planned],
  [/^(discountedusage|reservationappliedusage)$/, reserved],
  [/^savingsplans?recurringfee$/, planFee],
  [/^(rifee|recurring|recurringreservationfee)$/, reservationFee],
  [
    /^(savingsplans?upfrontfee|upfront|upfrontreservationfee|fee|support|supportfee|subscription|other|otheroutofcyclecharges)$/,
    purchase,
  ],
  [/^(tax|salestax)$/, tax],
  [/^(credit|refund|sppcredit)$/, credit],
  [/discount$/, adjustment],
];

/** @param recordType as spelled by Cost Explorer: `Usage`, `Enterprise Discount Program Discount`. Unknown ones count as
 *  usage. */
function chargeKind(recordType: string): ChargeKind {
  const folded = recordType.toLowerCase().replaceAll(/[^a-z]/g, '');
  return known.find(([pattern]) => pattern.test(folded))?.[1] ?? usage;
}

/** Groups record types by kind, so that each kind is queried once. */
export function byKind(recordTypes: readonly string[]): Map<ChargeKind, string[]> {
  const kinds = new Map<ChargeKind, string[]>();
  for (const recordType of recordTypes) {
    const kind = chargeKind(recordType);
    kinds.set(kind, [...(kinds.get(kind) ?? []), recordType]);
  }
  return kinds;
}
