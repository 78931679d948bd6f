import type { CostMetric } from '../../facts/costs/query.ts';
import { parseAmount, type Amount } from '../../kit/money.ts';
import type { Owned } from '../../tenancy/auth/owner-scope.ts';
import type { Target } from './target.ts';

/** How a budget stands: below every threshold; some reached, but not all of the amount; all of it, or more. */
export type BudgetStatus = 'ok' | 'warning' | 'exceeded';

/** How much may be spent in a calendar month (UTC). */
export interface Budget extends Target, Owned {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  /** In `currency`; above 0. */
  readonly amount: Amount;
  /** ISO 4217; kept when the organization's changes. */
  readonly currency: string;
  readonly period: 'monthly';
  /** In percent of the amount, ascending, each above 0. */
  readonly thresholds: readonly Amount[];
  readonly emails: readonly string[];
  readonly slack: boolean;
  readonly costMetric: CostMetric;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What a client sets of a budget. */
export type BudgetValues = Omit<Budget, keyof Owned | 'id' | 'organizationId' | 'currency' | 'createdAt' | 'updatedAt'>;

const hundred = 100n * parseAmount('1');

/** Whether a spend reaches a threshold: exact, from `spend ≥ amount × threshold / 100` on. */
function reaches(spend: Amount, amount: Amount, threshold: Amount): boolean {
  return spend * hundred >= amount * threshold;
}

/** The thresholds that a spend reaches, ascending. */
export function reachedThresholds(
  { amount, thresholds }: Pick<Budget, 'amount' | 'thresholds'>,
  spend: Amount,
): Amount[] {
  return thresholds.filter((threshold) => reaches(spend, amount, threshold));
}

/** How a budget stands at a spend, whatever it was before. */
export function statusAt(budget: Pick<Budget, 'amount' | 'thresholds'>, spend: Amount): BudgetStatus {
  if (spend >= budget.amount) return 'exceeded';
  return reachedThresholds(budget, spend).length > 0 ? 'warning' : 'ok';
}

/** How much of the amount is spent, in percent with 2 decimals, halves away from zero. Credits may make it negative. */
export function percentUsed({ amount }: Pick<Budget, 'amount'>, spend: Amount): number {
  const scaled = spend * 10_000n;
  const half = amount / 2n;
  return Number((scaled < 0n ? scaled - half : scaled + half) / amount) / 100;
}
