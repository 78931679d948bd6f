import type { Offer, Program } from '../../facts/coverage/programs.ts';
import { bestLevel, costOf, hoursOf, type DayDemand } from './quantile.ts';

/** Hours of a month of 30.4375 days. */
export const hoursPerMonth = 730.5;

/** By how many percent usage is taken to fall and rise, for what a plan then saves. */
export const usageChangePercent = 20;

/** An offer with the assumed discount. */
export interface PricedOffer extends Offer {
  readonly method: 'observed' | 'documented';
}

/** A commitment, and what it does per hour. Unrounded. */
export interface Plan {
  readonly offer: PricedOffer;
  /** On-demand cost an hour that there is. */
  readonly demand: number;
  /** On-demand cost an hour that it covers. */
  readonly level: number;
  /** Its cost per hour, used or not. */
  readonly commitment: number;
  /** On-demand cost an hour that it takes away. */
  readonly avoided: number;
  /** Money saved an hour, and what it would be if usage fell or rose. */
  readonly savings: number;
  readonly low: number;
  readonly high: number;
}

/** The commitment that costs least over a history, for an offer. Null where none saves anything.
 *  @param days on-demand cost of each day, days without any included */
export function planOf(days: readonly DayDemand[], offer: PricedOffer): Plan | null {
  return planHours(hoursOf(days), offer);
}

/** As `planOf`, of hours.
 *  @param hours on-demand cost of each, in ascending order */
export function planHours(hours: readonly number[], offer: PricedOffer): Plan | null {
  const { discount } = offer;
  const level = bestLevel(hours, discount);
  if (level <= 0) return null;
  const commitment = level * (1 - discount);
  const savingsAt = (usage: number) => {
    const demand = hours.map((hour) => hour * usage);
    return (costOf(demand, 0, 0) - costOf(demand, level, discount)) / demand.length;
  };
  const savings = savingsAt(1);
  const change = usageChangePercent / 100;
  return {
    offer,
    demand: costOf(hours, 0, 0) / hours.length,
    level,
    commitment,
    avoided: savings + commitment,
    savings,
    low: savingsAt(1 - change),
    high: savingsAt(1 + change),
  };
}

/** An organization's covered usage, which shows a program's discount. */
export interface CoveredUsage {
  /** Amortized cost. */
  readonly effective: number;
  /** Cost on demand. */
  readonly equivalent: number;
}

const mostScale = 1.5;
const mostDiscount = 0.9;

/** A program's offers at the discounts that can be expected. Bills do not tell which offer was bought: it is taken to be the
 *  one whose documented discount is nearest, and by how far that is off, all are corrected: as far down as it takes, and by
 *  half at most up. Where nothing is covered, or
 *  what is shows no discount, the documented ones stand. */
export function pricedOffers(program: Program, covered: CoveredUsage): PricedOffer[] {
  const observed = covered.equivalent > 0 ? 1 - covered.effective / covered.equivalent : 0;
  const documented = program.offers.map((offer) => ({ ...offer, method: 'documented' as const }));
  if (observed <= 0.01 || observed >= mostDiscount) return documented;
  const gapTo = (offer: Offer) => Math.abs(offer.discount - observed);
  const [nearest] = program.offers.toSorted((a, b) => gapTo(a) - gapTo(b));
  if (!nearest) return documented;
  const scale = Math.min(mostScale, observed / nearest.discount);
  return program.offers.map((offer) => ({
    ...offer,
    discount: Math.min(mostDiscount, offer.discount * scale),
    method: 'observed' as const,
  }));
}

/** Months of the term after which the savings have paid for the whole commitment, even if usage ends then. */
export function breakEvenMonths(plan: Plan): number {
  return (plan.offer.termMonths * plan.commitment) / plan.avoided;
}

/** How a commitment is paid: at its start, and each month.
 *  @returns in the currency of the plan */
export function paymentsOf(plan: Plan): { upfront: number; monthly: number } {
  const monthly = plan.commitment * hoursPerMonth;
  const whole = monthly * plan.offer.termMonths;
  switch (plan.offer.payment) {
    case 'no_upfront':
    case 'monthly':
      return { upfront: 0, monthly };
    case 'partial_upfront':
      return { upfront: whole / 2, monthly: monthly / 2 };
    case 'all_upfront':
    case 'upfront':
      return { upfront: whole, monthly: 0 };
  }
}
