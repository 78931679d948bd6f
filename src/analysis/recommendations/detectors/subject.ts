import type { PricingKind } from '../../../engine/codebook.ts';
import type { ResourceMetadata } from '../../../facts/inventory/metadata.ts';
import { type Amount, sumAmounts } from '../../../kit/money.ts';
import { addDays, daysBetween, type Day } from '../../../kit/time/period.ts';
import { tagKeyName } from '../../../kit/tag-key.ts';
import { percentOf, perMonth } from './figures.ts';

/** The days that detectors evaluate: up to 30 that end on the account's last complete day. */
export interface Window {
  readonly start: Day;
  /** The day after the last. */
  readonly end: Day;
  readonly days: number;
}

/** A subject's usage on one meter with one pricing in the window. Excludes corrections of earlier months. */
export interface Usage {
  /** FOCUS SkuMeter without AWS's region prefix; the charge's description if there is none. */
  readonly meter: string;
  readonly description: string;
  readonly service: string;
  readonly kind: PricingKind;
  readonly unit: string;
  /** PricingQuantity in the window, in units. */
  readonly quantity: Amount;
  /** The parts on Saturdays and Sundays, and in the last 14 days. */
  readonly weekendQuantity: Amount;
  readonly recentQuantity: Amount;
  /** EffectiveCost in the window. */
  readonly cost: Amount;
  /** Days of the window with a charge. */
  readonly days: number;
  /** Whether its charges stopped before the window's last days, compared with their usual interval: for example a volume's old
   *  type after a change. */
  readonly hasEnded: boolean;
}

/** The subject of a recommendation: a resource; the unused part of a commitment; or charges without a resource, by
 *  sub-account, service and region. */
export interface Subject {
  readonly about: 'resource' | 'commitment' | 'scope';
  /** Key within the account. */
  readonly id: string;
  /** Slug: `aws`, `azure`, `gcp`, or another. */
  readonly provider: string;
  /** The provider's id: an ARN, an ARM path, a full resource name. Empty for a scope. */
  readonly nativeId: string;
  readonly name: string;
  readonly type: string;
  readonly service: string;
  readonly region: string;
  /** FOCUS SubAccountId: AWS account, Azure subscription, Google project. */
  readonly subAccount: string;
  readonly currency: string;
  /** Another currency of its charges in the window without an exchange rate, so that `usage` excludes a part. Null if it
   *  includes all. */
  readonly unconverted: string | null;
  readonly tags: Readonly<Record<string, string>>;
  readonly metadata: ResourceMetadata;
  /** Whether it is in the provider's last inventory listing. */
  readonly isListed: boolean;
  /** First day on a bill. */
  readonly firstSeen: Day;
  readonly isGone: boolean;
  /** Only for commitments: FOCUS CommitmentDiscountType. */
  readonly commitmentType: string;
  readonly usage: readonly Usage[];
}

/** The saving on one usage. */
export interface Saving {
  /** One of the subject's usages: at most one recommendation claims it. */
  readonly usage: Usage;
  /** Per month of 30.4375 days, in the subject's currency. */
  readonly amount: Amount;
}

/** Returns whether the usage stops costing money when it ends: covered usage is paid for anyway, and ended usage has already
 *  stopped. The unused part of a commitment is a separate subject. */
function isRealisable({ kind, hasEnded }: Usage): boolean {
  if (hasEnded) return false;
  return kind === 'on_demand' || kind === 'spot' || kind === 'unused_reservation' || kind === 'unused_savings_plan';
}

/** Returns the realizable usage on matching meters; without a pattern, on all. */
export function usageOf(subject: Subject, meter?: RegExp): Usage[] {
  return subject.usage.filter((usage) => isRealisable(usage) && (meter === undefined || meter.test(usage.meter)));
}

/** Returns the on-demand usage on matching meters, which could have another price. */
export function onDemandOf(subject: Subject, meter?: RegExp): Usage[] {
  return usageOf(subject, meter).filter((usage) => usage.kind === 'on_demand');
}

/** Returns whether any usage, covered or not, is on a matching meter. */
export function hasMeter(subject: Subject, meter: RegExp): boolean {
  return subject.usage.some((usage) => meter.test(usage.meter));
}

/** Sums the units on matching meters in the window, covered or not. */
export function quantityOf(subject: Subject, meter: RegExp): Amount {
  return unitsOf(subject.usage.filter((usage) => meter.test(usage.meter)));
}

/** Sums the units in the last 14 days of the window. */
export function recentQuantityOf(subject: Subject, meter: RegExp): Amount {
  return sumAmounts(subject.usage.filter((usage) => meter.test(usage.meter)).map((usage) => usage.recentQuantity));
}

/** Sums the units of usage. */
export function unitsOf(usage: readonly Usage[]): Amount {
  return sumAmounts(usage.map(({ quantity }) => quantity));
}

/** Sums the cost of usage in the window. */
export function costOf(usage: readonly Usage[]): Amount {
  return sumAmounts(usage.map(({ cost }) => cost));
}

/** Returns the cost of usage per month of 30.4375 days. */
export function monthlyCost(usage: readonly Usage[], window: Window): Amount {
  return perMonth(costOf(usage), window.days);
}

/** Returns savings of the whole cost of the usage. */
export function wholeOf(usage: readonly Usage[], window: Window): Saving[] {
  return shareOf(usage, 100, window);
}

/** Returns savings of a percentage of the cost of the usage. */
export function shareOf(usage: readonly Usage[], percent: number, window: Window): Saving[] {
  return usage.map((each) => ({ usage: each, amount: percentOf(perMonth(each.cost, window.days), percent) }));
}

/** Splits a monthly amount over usages in proportion to their costs; the last takes the rounding difference. Empty if there
 *  is nothing to save. */
export function spread(usage: readonly Usage[], amount: Amount): Saving[] {
  const cost = costOf(usage);
  if (amount <= 0n || cost <= 0n) return [];
  let left = amount;
  return usage.map((each, index) => {
    const share = index === usage.length - 1 ? left : (amount * each.cost) / cost;
    left -= share;
    return { usage: each, amount: share };
  });
}

/** Returns the last part of a native id: `vol-0ab` of an ARN, a disk's name in an ARM path or a full resource name. */
export function shortId(nativeId: string): string {
  return /[^/:]+$/.exec(nativeId)?.[0] ?? nativeId;
}

/** Returns a tag's value, ignoring the case of the key. */
export function tagOf(subject: Subject, wanted: string): string | null {
  for (const [key, value] of Object.entries(subject.tags)) if (tagKeyName(key).toLowerCase() === wanted) return value;
  return null;
}

/** Returns whether a day or instant is at least a number of days before the end of the window. */
export function isOlder(since: string, days: number, { end }: Window): boolean {
  return since.slice(0, 10) <= addDays(end, -days);
}

/** Returns the whole days from a day or instant to the end of the window. */
export function ageInDays(since: string, { end }: Window): number {
  return daysBetween(since.slice(0, 10) as Day, end);
}
