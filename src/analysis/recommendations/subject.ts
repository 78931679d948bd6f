import type { PricingKind } from '../../engine/codebook.ts';
import type { ResourceMetadata } from '../../facts/inventory/metadata.ts';
import { type Amount, sumAmounts } from '../../kit/money.ts';
import type { Day } from '../../kit/period.ts';
import { perMonth } from './figures.ts';

/** The days that detectors look at: the 30 that end on the account's last complete day. */
export interface Window {
  readonly start: Day;
  /** The day after the last. */
  readonly end: Day;
  readonly days: number;
}

/** What one meter counted of a subject in the window, at one pricing. Corrections of earlier months are left out. */
export interface Usage {
  /** FOCUS SkuMeter without AWS's prefix of the region; the charge's description where there is none. */
  readonly meter: string;
  readonly description: string;
  readonly service: string;
  readonly kind: PricingKind;
  readonly unit: string;
  /** PricingQuantity of the window, in units. */
  readonly quantity: Amount;
  /** Of these, what fell on Saturdays and Sundays, and on the last 14 days. */
  readonly weekendQuantity: Amount;
  readonly recentQuantity: Amount;
  /** EffectiveCost of the window. */
  readonly cost: Amount;
  /** Days of the window on which it was charged. */
  readonly days: number;
  /** Whether it stopped being charged before the window's last days, by its own rhythm: a volume's old type after a change. */
  readonly hasEnded: boolean;
}

/** What a recommendation can be about: a resource; a commitment's unused part; or charges without a resource, by
 *  sub-account, service and region. */
export interface Subject {
  readonly about: 'resource' | 'commitment' | 'scope';
  /** Key within the account. */
  readonly id: string;
  /** Slug: `aws`, `azure`, `gcp`, or another. */
  readonly provider: string;
  /** The provider's id: an ARN, an ARM path, a full resource name; of a scope, none. */
  readonly nativeId: string;
  readonly name: string;
  readonly type: string;
  readonly service: string;
  readonly region: string;
  /** FOCUS SubAccountId: AWS account, Azure subscription, Google project. */
  readonly subAccount: string;
  readonly currency: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly metadata: ResourceMetadata;
  /** Whether the provider's last inventory listing holds it. */
  readonly isListed: boolean;
  /** First day on a bill. */
  readonly firstSeen: Day;
  readonly isGone: boolean;
  /** Commitments only: FOCUS CommitmentDiscountType. */
  readonly commitmentType: string;
  readonly usage: readonly Usage[];
}

/** Usage whose money comes back when it ends: what a commitment covers is paid for all the same, and what has ended has come
 *  back already. The unused part of a commitment is a subject of its own. */
function isRealisable({ kind, hasEnded }: Usage): boolean {
  if (hasEnded) return false;
  return kind === 'on_demand' || kind === 'spot' || kind === 'unused_reservation' || kind === 'unused_savings_plan';
}

/** The realisable usage of meters that match, all of it without a pattern. */
export function usageOf(subject: Subject, meter?: RegExp): Usage[] {
  return subject.usage.filter((usage) => isRealisable(usage) && (meter === undefined || meter.test(usage.meter)));
}

/** The on-demand usage of meters that match: what another price could replace. */
export function onDemandOf(subject: Subject, meter?: RegExp): Usage[] {
  return usageOf(subject, meter).filter((usage) => usage.kind === 'on_demand');
}

/** Whether any usage, covered or not, is of a meter that matches. */
export function hasMeter(subject: Subject, meter: RegExp): boolean {
  return subject.usage.some((usage) => meter.test(usage.meter));
}

/** Units of all usage of meters that match, covered or not, in the window. */
export function quantityOf(subject: Subject, meter: RegExp): Amount {
  return sumAmounts(subject.usage.filter((usage) => meter.test(usage.meter)).map((usage) => usage.quantity));
}

/** Units in the last 14 days of the window. */
export function recentQuantityOf(subject: Subject, meter: RegExp): Amount {
  return sumAmounts(subject.usage.filter((usage) => meter.test(usage.meter)).map((usage) => usage.recentQuantity));
}

/** What usage costs in a month of 30.4375 days. */
export function monthlyCost(usage: readonly Usage[], window: Window): Amount {
  return perMonth(sumAmounts(usage.map(({ cost }) => cost)), window.days);
}

/** The last part of a native id: `vol-0ab` of an ARN, a disk's name of an ARM path or a full resource name. */
export function shortId(nativeId: string): string {
  return /[^/:]+$/.exec(nativeId)?.[0] ?? nativeId;
}
