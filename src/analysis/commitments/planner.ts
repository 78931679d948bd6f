import type { CoveragePlanner, PlannedCommitment } from './graphql-types.ts';
import { open, type CoverageCell, type CoverageFacts } from '../../facts/coverage/compose.ts';
import {
  breakEvenMonths,
  hoursPerMonth,
  paymentsOf,
  planHours,
  pricedOffers,
  usageChangePercent,
  type Plan,
} from './plan.ts';
import { poolsOf, type Pool } from './pools.ts';
import { payments } from '../../facts/coverage/programs.ts';
import { assumedDailySwing, hoursOf, type DayDemand } from './quantile.ts';
import { compare } from '../../kit/sort.ts';
import { round6 } from '../../kit/money.ts';
import { nextTurn } from '../../kit/turns.ts';

/** Days of history, the same as in AWS's own analysis. */
export const plannerDays = 60;
/** Minimum days of history; fewer do not show weekly patterns. */
const minimumHistoryDays = 14;
/** Commitments that end within this number of days are treated as ended. */
export const expiringWithinDays = 90;
const largestPools = 100;
/** Minimum savings per month, in whole units of the currency; less is not worth a commitment. */
const leastSavings = 1;

/** Composes `/coverage/planner`: for each pool of usage the cheapest commitment by term and payment option. These are
 *  alternatives: the savings within a pool do not add up. Pools are sorted by largest possible saving.
 *  @param flagged the part of the on-demand usage that is expected to end */
export async function composePlanner(facts: CoverageFacts, flagged: readonly CoverageCell[]): Promise<CoveragePlanner> {
  const { cells, head } = open(facts);
  const accounts = facts.accounts.filter(({ isConnected }) => isConnected);
  const ending = flagged.filter(({ unconverted }) => unconverted === null);
  const pools: { readonly pool: Pool; readonly plans: readonly Plan[] }[] = [];
  for (const pool of poolsOf(cells, accounts, facts.range, ending)) {
    await nextTurn();
    const plans = pool.days.length < minimumHistoryDays ? [] : plansOf(pool);
    if (plans.length > 0) pools.push({ pool, plans });
  }
  pools.sort((a, b) => best(b.plans) - best(a.plans) || compare(nameOf(a.pool), nameOf(b.pool)));
  return {
    ...head,
    parameters: {
      historyDays: plannerDays,
      minimumHistoryDays,
      assumedDailySwingPercent: assumedDailySwing * 100,
      expiringWithinDays,
      usageChangePercent,
    },
    recommendations: pools
      .slice(0, largestPools)
      .flatMap(({ pool, plans }) => plans.map((plan) => describe(pool, plan, head.currency))),
  };
}

function plansOf(pool: Pool): Plan[] {
  const hours = hoursOf(pool.days);
  return pricedOffers(pool.program, pool.observed)
    .flatMap((offer) => planHours(hours, offer) ?? [])
    .filter((plan) => plan.savings * hoursPerMonth >= leastSavings)
    .sort(
      (a, b) =>
        a.offer.termMonths - b.offer.termMonths ||
        payments.indexOf(a.offer.payment) - payments.indexOf(b.offer.payment),
    );
}

function describe(pool: Pool, plan: Plan, currency: string): PlannedCommitment {
  const { account, program, days, covered, expiring, onDemand, flagged } = pool;
  const hours = days.length * 24;
  const { upfront, monthly } = paymentsOf(plan);
  // Corrections can make it negative.
  const coveredPerHour = Math.max(0, covered) / hours;
  return {
    accountId: account.id,
    accountName: account.name,
    provider: program.provider,
    kind: program.kind,
    product: program.product,
    services: pool.services,
    region: pool.region,
    family: pool.family,
    termMonths: plan.offer.termMonths,
    payment: plan.offer.payment,
    hourlyCommitment: round6(plan.commitment),
    upfrontPayment: round6(upfront),
    monthlyPayment: round6(monthly),
    currency,
    estimatedMonthlySavings: round6(plan.savings * hoursPerMonth),
    savingsPercent: percent(plan.savings / plan.demand),
    expectedUtilizationPercent: percent(plan.avoided / plan.level),
    coverageAfterPercent: Math.min(100, percent((coveredPerHour + plan.avoided) / (coveredPerHour + plan.demand))),
    breakEvenMonths: Math.round(breakEvenMonths(plan) * 10) / 10,
    sensitivity: { low: round6(plan.low * hoursPerMonth), high: round6(plan.high * hoursPerMonth) },
    discountPercent: percent(plan.offer.discount),
    discountMethod: plan.offer.method,
    onDemandCostPerHour: round6(onDemand / hours),
    expiringCostPerHour: round6(expiring / hours),
    flaggedCostPerHour: round6(flagged / hours),
    historyDays: days.length,
    hourlyPercent: percent(hourlyShare(days)),
  };
}

/** Returns the share of the demand that has hourly data and is constant over its hours. */
function hourlyShare(days: readonly DayDemand[]): number {
  const sum = (of: (day: DayDemand) => number) => days.reduce((so, day) => so + of(day), 0);
  const known = sum(({ hourly = [], uneven = 0 }) => hourly.reduce((so, hour) => so + hour, 0) - uneven);
  return Math.min(1, Math.max(0, known / sum(({ cost }) => cost)));
}

function best(plans: readonly Plan[]): number {
  return Math.max(...plans.map((plan) => plan.savings));
}

function nameOf({ account, program, region, family }: Pool): string {
  return JSON.stringify([account.id, program.id, region, family]);
}

function percent(share: number): number {
  return Math.round(share * 10_000) / 100;
}
