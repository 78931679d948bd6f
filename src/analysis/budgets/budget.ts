import type { Budget as BudgetRow } from '../../../prisma/generated/client/client.ts';
import type { CostMetric } from '../../facts/costs/query.ts';
import { amountToNumber, parseAmount, type Amount } from '../../kit/money.ts';
import type { BudgetPeriod } from './period.ts';
import type { Target } from './target.ts';

/** Status of a budget. `ok`: below every threshold; `warning`: a threshold reached, but not the whole amount; `exceeded`:
 *  the amount reached or exceeded. */
export type BudgetStatus = 'ok' | 'warning' | 'exceeded';

/** Status of a budget that takes its forecast into account. `at_risk`: the forecast exceeds the amount, but no threshold is
 *  reached. */
export type ProjectedStatus = BudgetStatus | 'at_risk';

/** A spending limit per calendar month, quarter or year (UTC): its columns, with exact amounts. */
export type Budget = Omit<BudgetRow, 'amount' | 'alertThresholds' | 'period' | 'costMetric'> & BudgetAmounts;

interface BudgetAmounts {
  /** In `currency`; above 0. */
  readonly amount: Amount;
  /** In percent of the amount, ascending, each above 0. */
  readonly thresholds: readonly Amount[];
  readonly period: BudgetPeriod;
  readonly costMetric: CostMetric;
}

/** Budget fields set by clients. */
export type BudgetValues = BudgetAmounts & Target & Pick<Budget, 'name' | 'emails' | 'slack' | 'channelIds'>;

const hundred = 100n * parseAmount('1');

/** Returns whether a spend reaches a threshold: exactly `spend ≥ amount × threshold / 100`. */
function reaches(spend: Amount, amount: Amount, threshold: Amount): boolean {
  return spend * hundred >= amount * threshold;
}

/** Returns the thresholds that a spend reaches, ascending. */
export function reachedThresholds(
  { amount, thresholds }: Pick<Budget, 'amount' | 'thresholds'>,
  spend: Amount,
): Amount[] {
  return thresholds.filter((threshold) => reaches(spend, amount, threshold));
}

/** Returns a budget's status at a spend, regardless of its previous status. */
export function statusAt(budget: Pick<Budget, 'amount' | 'thresholds'>, spend: Amount): BudgetStatus {
  if (spend >= budget.amount) return 'exceeded';
  return reachedThresholds(budget, spend).length > 0 ? 'warning' : 'ok';
}

/** Returns a budget's status at a spend and a forecast for the whole period, if there is one. */
export function projectedStatusAt(
  budget: Pick<Budget, 'amount' | 'thresholds'>,
  { spend, forecast }: { readonly spend: Amount; readonly forecast: number | null },
): ProjectedStatus {
  const status = statusAt(budget, spend);
  const isOver = forecast !== null && forecast > amountToNumber(budget.amount);
  return status === 'ok' && isOver ? 'at_risk' : status;
}

/** Returns the spent percentage with 2 decimals, halves rounded away from zero. Credits can make it negative. */
export function percentUsed({ amount }: Pick<Budget, 'amount'>, spend: Amount): number {
  const scaled = spend * 10_000n;
  const half = amount / 2n;
  return Number((scaled < 0n ? scaled - half : scaled + half) / amount) / 100;
}
