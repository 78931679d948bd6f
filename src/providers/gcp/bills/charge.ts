import { z } from 'zod';
import { type Amount, amountText, parseAmount } from '../../../kit/money.ts';
import { addDays, addMonths, type Day, type Month } from '../../../kit/time/period.ts';
import { resourceTypeOf } from '../inventory/search.ts';
import type { TextRow } from '../query.ts';
import { type CoveredUsage, toTwelve } from './amortize.ts';
import type { Charge } from './columns.ts';
import type { LabelReader } from './lines.ts';

/** How to read the rows of a table and month. */
export interface Reading {
  /** `2026-05` */
  readonly month: string;
  readonly place: CreditsPlace;
  readonly labels: LabelReader;
}

interface Amounts {
  readonly billed: Amount;
  readonly effective: Amount;
  readonly contracted: Amount;
  readonly list: Amount;
  /** Null if nothing is metered. */
  readonly quantity: Amount | null;
}

const commitmentType = 'Committed Use Discount';
const noCommitment = {
  CommitmentDiscountId: '',
  CommitmentDiscountName: '',
  CommitmentDiscountCategory: '',
  CommitmentDiscountType: '',
  CommitmentDiscountStatus: '',
};

/** Returns whether a row is the fee of a committed use discount, by its SKU: `Commitment v1: Cpu in Americas for 1 Year`. */
export function isFee(row: TextRow): boolean {
  return /^Commitment\b/i.test(row['sku_text'] ?? '') && /^(Usage|Purchase)$/.test(categoryOf(row));
}

/** Returns a key for the commitment of a fee. */
export function feeKey(row: TextRow): string {
  return row['commitment'] ?? `${row['sku_id'] ?? ''} ${row['billing_account'] ?? ''}`;
}

/** Returns whether part of a fee was credited because the usage carries it: Google's model of spend-based commitments since
 *  2025. */
export function hasOffset(row: TextRow): boolean {
  return amountOf(row, 'fee_offset') !== 0n;
}

/** Returns the charges of a fee. If usage prices include the commitment, the rest of the fee is its unused part. Otherwise the
 *  whole fee is a purchase, whose cost is distributed over the covered usage and the unused part.
 *  @param covered usage in the older models; null for a commitment of the newer one */
export function feeCharges(row: TextRow, reading: Reading, covered: CoveredUsage | null): Charge[] {
  const amounts = amountsOf(row, reading);
  const spend = covered === null || /dollar|spend|flexible/i.test(row['sku_text'] ?? '');
  const about = {
    CommitmentDiscountId: row['commitment'] ?? '',
    CommitmentDiscountName: row['sku_text'] ?? '',
    CommitmentDiscountCategory: spend ? 'Spend' : 'Usage',
    CommitmentDiscountType: commitmentType,
    CommitmentDiscountStatus: 'Unused',
    ChargeCategory: 'Usage',
    PricingCategory: 'Committed',
  };
  // List and contracted costs of the used part are in its usage.
  if (covered === null)
    return [chargeOf(row, reading, { ...amounts, contracted: amounts.effective, list: amounts.effective }, about)];
  const purchase = chargeOf(
    row,
    reading,
    { ...amounts, effective: 0n },
    { ...about, CommitmentDiscountStatus: '', ChargeCategory: 'Purchase', PricingCategory: '' },
  );
  const effective = covered.pay(purchase, amounts.effective);
  if (effective === 0n) return [purchase];
  // The purchase has the contracted and list costs.
  const unused = { billed: 0n, effective, contracted: 0n, list: 0n, quantity: null };
  return [purchase, chargeOf(row, reading, unused, about)];
}

/** Returns whether a non-fee charge is covered by a commitment whose price is only in its fee. */
export function isPaidByFee(charge: Charge, row: TextRow): boolean {
  return charge.CommitmentDiscountStatus === 'Used' && !isDiscounted(row['model']);
}

/** Returns the charges of a non-fee row: two if a committed use discount covers part of it. */
export function chargesOf(row: TextRow, reading: Reading): Charge[] {
  const amounts = amountsOf(row, reading);
  const category = categoryOf(row);
  const plain = { ...noCommitment, ChargeCategory: category, PricingCategory: pricingOf(row, category) };
  if (category !== 'Usage') return [chargeOf(row, reading, amounts, plain)];
  const covered = (kind: 'Usage' | 'Spend') => ({
    CommitmentDiscountId: row['commitment'] ?? '',
    CommitmentDiscountName: isDiscounted(row['model']) ? (row['model'] ?? '') : '',
    CommitmentDiscountCategory: kind,
    CommitmentDiscountType: commitmentType,
    CommitmentDiscountStatus: 'Used',
    ChargeCategory: category,
    PricingCategory: 'Committed',
  });
  if (isDiscounted(row['model'])) return [chargeOf(row, reading, amounts, covered('Spend'))];
  const byResource = -amountOf(row, 'resource_discount');
  const bySpend = -amountOf(row, 'spend_discount');
  const discount = byResource + bySpend;
  if (discount <= 0n) return [chargeOf(row, reading, amounts, plain)];
  const about = covered(bySpend > byResource ? 'Spend' : 'Usage');
  if (discount >= amounts.contracted) return [chargeOf(row, reading, amounts, about)];
  const [used, rest] = split(amounts, discount);
  return [chargeOf(row, reading, used, about), chargeOf(row, reading, rest, plain)];
}

/** `Default`, or empty, means the price without a commitment. */
function isDiscounted(model: string | null | undefined): boolean {
  return !!model && model.toLowerCase() !== 'default';
}

/** Splits a line. The covered part costs only its share of the fee: the discount takes all of its price. */
function split(amounts: Amounts, discount: Amount): [Amounts, Amounts] {
  const { contracted } = amounts;
  const share = (whole: Amount) => toTwelve((whole * discount) / contracted);
  const used = {
    billed: 0n,
    effective: 0n,
    contracted: discount,
    list: share(amounts.list),
    quantity: amounts.quantity === null ? null : share(amounts.quantity),
  };
  const rest = {
    ...amounts,
    contracted: contracted - discount,
    list: amounts.list - used.list,
    quantity: amounts.quantity === null || used.quantity === null ? null : amounts.quantity - used.quantity,
  };
  return [used, rest];
}

const categories: Readonly<Record<string, string>> = {
  regular: 'Usage',
  usage: 'Usage',
  purchase: 'Purchase',
  tax: 'Tax',
  credit: 'Credit',
  adjustment: 'Adjustment',
  rounding_error: 'Adjustment',
};

/** Returns the FOCUS ChargeCategory for Google's cost type, or Google's own value in FOCUS. Unknown ones do not count as
 *  usage. */
function categoryOf(row: TextRow): string {
  return categories[(row['category'] ?? '').toLowerCase()] ?? 'Adjustment';
}

function pricingOf(row: TextRow, category: string): string {
  if (category !== 'Usage' && category !== 'Purchase') return '';
  return /^(Spot|Preemptible)\b/i.test(row['sku_text'] ?? '') ? 'Dynamic' : 'Standard';
}

function amountOf(row: TextRow, name: string): Amount {
  return parseAmount(row[name] ?? '0');
}

function amountsOf(row: TextRow, { place }: Reading): Amounts {
  const credits = amountOf(row, 'credits');
  const withCredits = (name: 'billed' | 'effective') =>
    amountOf(row, name) + (place[name] === 'outside' ? credits : 0n);
  return {
    billed: withCredits('billed'),
    effective: withCredits('effective'),
    contracted: amountOf(row, 'contracted'),
    list: amountOf(row, 'list'),
    quantity: row['quantity'] === null ? null : amountOf(row, 'quantity'),
  };
}

type KnownColumn =
  | 'ChargeCategory'
  | 'CommitmentDiscountId'
  | 'CommitmentDiscountName'
  | 'CommitmentDiscountCategory'
  | 'CommitmentDiscountType'
  | 'CommitmentDiscountStatus';

function chargeOf(
  row: TextRow,
  { month, labels }: Reading,
  amounts: Amounts,
  known: Pick<Charge, KnownColumn> & { PricingCategory?: string },
): Charge {
  const text = (name: string) => row[name] ?? '';
  const quantity = amounts.quantity === null ? '' : amountText(amounts.quantity);
  const day = text('day');
  return {
    ProviderName: 'Google Cloud',
    BillingPeriodStart: `${month}-01T00:00:00Z`,
    BillingPeriodEnd: `${addMonths(month as Month, 1)}-01T00:00:00Z`,
    ChargePeriodStart: `${day}T00:00:00Z`,
    ChargePeriodEnd: `${addDays(day as Day, 1)}T00:00:00Z`,
    BillingAccountId: text('billing_account'),
    // A charge without a project must not appear as one named after the billing account.
    SubAccountId: text('project_id') || 'unassigned',
    SubAccountName: text('project_name'),
    BillingCurrency: text('line_currency'),
    BilledCost: amountText(amounts.billed),
    EffectiveCost: amountText(amounts.effective),
    ContractedCost: amountText(amounts.contracted),
    ListCost: amountText(amounts.list),
    ChargeClass: text('class').toLowerCase() === 'correction' ? 'Correction' : '',
    ChargeDescription: text('sku_text'),
    PricingCategory: '',
    PricingQuantity: quantity,
    PricingUnit: text('unit'),
    ConsumedQuantity: quantity,
    ConsumedUnit: text('unit'),
    ServiceName: text('service_name'),
    SkuId: text('sku_id'),
    SkuMeter: text('sku_text'),
    RegionId: text('region'),
    ResourceId: text('resource_id'),
    ResourceName: text('resource_name'),
    ResourceType: resourceTypeOf(text('resource_id')),
    Tags: labels.read(text('label_list'), text('tag_list'), text('project_label_list')),
    ...known,
  };
}

const where = z.enum(['inside', 'outside']);
const schema = z.object({ billed: where, effective: where });

/** Whether a table's costs already include credits. */
export type CreditsPlace = z.infer<typeof schema>;

/** `cost` of a usage export excludes credits. */
export const outside: CreditsPlace = { billed: 'outside', effective: 'outside' };
export const inside: CreditsPlace = { billed: 'inside', effective: 'inside' };

/** Parses the result of an earlier listing; null if unknown. */
export function readCreditsPlace(memo: unknown): CreditsPlace | null {
  const parsed = schema.safeParse(memo);
  return parsed.success ? parsed.data : null;
}

/** Detects whether costs include credits, from the sums of all lines with credits: if so, the cost equals contracted cost plus
 *  credits.
 *  @returns null if no line has credits */
export function creditsPlaceOf(row: TextRow | undefined): CreditsPlace | null {
  const sum = (name: string) => parseAmount(row?.[name] ?? '0');
  const credits = sum('credits');
  if (credits === 0n) return null;
  const contracted = sum('contracted');
  const placeOf = (cost: Amount): CreditsPlace['billed'] =>
    distance(cost, contracted + credits) <= distance(cost, contracted) ? 'inside' : 'outside';
  return { billed: placeOf(sum('billed')), effective: placeOf(sum('effective')) };
}

function distance(a: Amount, b: Amount): Amount {
  return a < b ? b - a : a - b;
}

/** Returns a warning for readers of the costs; null if nothing is unusual. */
export function creditsWarning(place: CreditsPlace, row: TextRow | undefined): string | null {
  if (place.billed === 'inside' && place.effective === 'inside') return null;
  const credits = amountText(parseAmount(row?.['credits'] ?? '0'));
  const which = [place.billed === 'outside' && 'BilledCost', place.effective === 'outside' && 'EffectiveCost']
    .filter(Boolean)
    .join(' and ');
  return `The FOCUS table leaves credits (${credits} in all) out of ${which}: they are added here. Compare a month with its invoice`;
}
