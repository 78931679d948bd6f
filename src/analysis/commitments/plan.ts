import type { Offer, Program } from '../../facts/coverage/programs.ts';
import { bestLevel, costOf, hoursOf, type DayDemand } from './quantile.ts';

/** Hours in a month of 30.4375 days. */
export const hoursPerMonth = 730.5;

/** Assumed fall and rise of usage, in percent, for the range of a plan's savings. */
export const usageChangePercent = 20;

/** An offer with its assumed discount. */
export interface PricedOffer extends Offer {
  readonly method: 'observed' | 'documented';
}

/** A commitment and its effects per hour. Unrounded. */
export interface Plan {
  readonly offer: PricedOffer;
  /** On-demand cost per hour in total. */
  readonly demand: number;
  /** On-demand cost per hour that the commitment can cover. */
  readonly level: number;
  /** Cost of the commitment per hour, used or not. */
  readonly commitment: number;
  /** On-demand cost per hour that it avoids. */
  readonly avoided: number;
  /** Savings per hour, and the savings if usage fell or rose. */
  readonly savings: number;
  readonly low: number;
  readonly high: number;
}

/** Returns the cheapest commitment to an offer over a history. Null if none saves anything.
 *  @param days on-demand cost of each day, including days without any */
export function planOf(days: readonly DayDemand[], offer: PricedOffer): Plan | null {
  return planHours(hoursOf(days), offer);
}

/** Same as `planOf`, for hours.
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

/** A program's covered usage in an account, from which its discount is derived. */
export interface CoveredUsage {
  /** Amortized cost. */
  readonly effective: number;
  /** On-demand cost. */
  readonly equivalent: number;
}

const mostScale = 1.5;
const mostDiscount = 0.9;

/** Returns a program's offers with expected discounts. Bills do not contain the purchased offer: it is assumed to be the one
 *  with the nearest documented discount, and all discounts are scaled by the ratio of the observed one to it, down without a
 *  limit, up by at most half. Documented discounts apply if nothing is covered, or covered usage shows no plausible discount. */
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

/** Returns the number of months of usage whose on-demand cost equals the cost of the whole commitment: from then on it pays
 *  off, even if usage ends. */
export function breakEvenMonths(plan: Plan): number {
  return (plan.offer.termMonths * plan.commitment) / plan.avoided;
}

/** Returns the payments for a commitment: upfront and monthly.
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
