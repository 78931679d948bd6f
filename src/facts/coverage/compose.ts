import type { Amount, Micros } from '../../kit/money.ts';
import { amountToNumber, microsToNumber, percentages, roundAmount, roundParts, sumAmounts } from '../../kit/money.ts';
import { addDays, daysIn, type DayRange } from '../../kit/time/period.ts';
import { completeThrough } from '../costs/compose.ts';
import type { Caveats, CostAccount, Ledger } from '../costs/ledger.ts';
import type { Coverage, CoverageDaily, CoverageHead, SplitKind } from './graphql-types.ts';
import type { CoverageCell } from './store.ts';
import { unconvertedCosts } from '../costs/cells.ts';

export type { CoverageCell };

/** Inputs of an answer. Composition is pure: equal facts give equal answers. */
export interface CoverageFacts extends Caveats {
  readonly range: DayRange;
  readonly ledger: Ledger;
  /** The accounts of the ledger that are in the question. */
  readonly accounts: readonly CostAccount[];
  readonly cells: readonly CoverageCell[];
}

/** The parts of the split, in the order of the answer. */
const splitKinds: readonly SplitKind[] = ['reserved', 'savings_plan', 'spot', 'on_demand', 'other'];

/** Returns the split kind of charges. The unused part of a commitment counts as its spend. */
function splitKindOf({ pricingKind, isEligible }: CoverageCell): SplitKind {
  if (pricingKind === 3 || pricingKind === 6) return 'reserved';
  if (pricingKind === 4 || pricingKind === 7) return 'savings_plan';
  if (pricingKind === 2) return 'spot';
  return isEligible ? 'on_demand' : 'other';
}

/** Returns whether the usage is covered by a commitment. */
export function isCovered({ pricingKind }: CoverageCell): boolean {
  return pricingKind === 3 || pricingKind === 4;
}

/** Composes `/coverage`. */
export function composeCoverage(facts: CoverageFacts): Coverage {
  const { cells, head } = open(facts);
  const total = roundAmount(effectiveOf(cells));
  const costs = splitOf(cells, total);
  const shares = percentages(costs, total);
  const covered = equivalentOf(cells.filter(isCovered));
  const eligible = equivalentOf(cells.filter((cell) => cell.isEligible));
  const unknown = cells.filter((cell) => cell.isUnrecognized && !isCovered(cell));
  const used = effectiveOf(cells.filter(isCovered));
  const unused = effectiveOf(cells.filter(({ pricingKind }) => pricingKind === 6 || pricingKind === 7));
  return {
    ...head,
    totalCost: microsToNumber(total),
    eligibleCost: amountToNumber(eligible),
    coveredCost: amountToNumber(covered),
    unrecognizedCost: amountToNumber(equivalentOf(unknown)),
    split: splitKinds.map((kind, index) => ({
      kind,
      cost: microsToNumber(costs[index] ?? 0n),
      percentage: shares[index] ?? null,
    })),
    coveragePercent: shareOf(covered, eligible),
    utilizationPercent: shareOf(used, used + unused),
    unusedCommitmentCost: amountToNumber(unused),
  };
}

/** Composes `/coverage/daily`: the parts of each day add up to its cost, and the days to the total. */
export function composeDaily(facts: CoverageFacts): CoverageDaily {
  const { cells, head } = open(facts);
  const total = roundAmount(effectiveOf(cells));
  const byDay = Map.groupBy(cells, (cell) => cell.date);
  const days = daysIn(facts.range).map((date) => ({ date, cells: byDay.get(date) ?? [] }));
  const costs = roundParts(
    days.map((day) => effectiveOf(day.cells)),
    total,
  );
  return {
    ...head,
    totalCost: microsToNumber(total),
    days: days.map((day, index) => {
      const parts = splitOf(day.cells, costs[index] ?? 0n).map(microsToNumber);
      const [reserved = 0, savingsPlan = 0, spot = 0, onDemand = 0, other = 0] = parts;
      const covered = equivalentOf(day.cells.filter(isCovered));
      const eligible = equivalentOf(day.cells.filter((cell) => cell.isEligible));
      const coveragePercent = shareOf(covered, eligible);
      return { date: day.date, reserved, savingsPlan, spot, onDemand, other, coveragePercent };
    }),
  };
}

/** Returns the converted cells and the fields common to all answers. */
export function open({ range, ledger, accounts, cells, ...caveats }: CoverageFacts): {
  cells: CoverageCell[];
  head: CoverageHead;
} {
  const rateless = Map.groupBy(
    cells.filter((cell) => cell.unconverted !== null),
    (cell) => cell.unconverted ?? '',
  );
  const head = {
    startDate: range.start,
    endDate: addDays(range.end, -1),
    currency: ledger.currency,
    completeThrough: completeThrough(accounts, range),
    unconverted: unconvertedCosts([...rateless].map(([currency, left]) => [currency, effectiveOf(left)] as const)),
    provisionalRates: caveats.provisionalRates,
    missingBills: caveats.missingBills,
  };
  return { cells: cells.filter((cell) => cell.unconverted === null), head };
}

/** Returns a part as a percentage of the whole, 2 decimals, from 0 to 100; null if the whole is 0. Corrections can make a
 *  part negative, which counts as 0. */
export function shareOf(part: Amount, whole: Amount): number | null {
  const [percent = null] = percentages([part, whole - part], whole);
  return percent === null ? null : Math.min(100, Math.max(0, percent));
}

/** Sums the effective cost of cells. */
export function effectiveOf(cells: readonly CoverageCell[]): Amount {
  return sumAmounts(cells.map((cell) => cell.effective));
}

/** Sums the on-demand equivalent of cells. */
export function equivalentOf(cells: readonly CoverageCell[]): Amount {
  return sumAmounts(cells.map((cell) => cell.equivalent));
}

function splitOf(cells: readonly CoverageCell[], whole: Micros): Micros[] {
  const byKind = Map.groupBy(cells, splitKindOf);
  return roundParts(
    splitKinds.map((kind) => effectiveOf(byKind.get(kind) ?? [])),
    whole,
  );
}
