import { sumAmounts, splitAmount, type Amount } from '../../kit/money.ts';
import type { Day } from '../../kit/time/period.ts';
import { Decimal } from 'decimal.js';
import type { Split } from './splits.ts';

/** Cost of one value of a virtual tag. */
export interface ValueCost {
  readonly value: string;
  /** Cost of the charges with this value. */
  readonly direct: Amount;
  /** Received from splits, less what is passed on; over all values 0. */
  readonly shared: Amount;
}

/** A split without targets in a month: its costs stay with their source values. */
export interface SkippedSplit {
  readonly name: string;
  /** First day of the calendar month. */
  readonly month: Day;
}

/** The shares of one calendar month. */
export interface MonthSplits {
  /** Splits one cost of the month: its parts add up to it exactly. */
  split(value: string, cost: Amount): ValueCost[];
  readonly skipped: readonly SkippedSplit[];
}

/** Figures of a whole calendar month, from which targets and proportions follow. */
export interface MonthFigures {
  /** Direct cost of each value. */
  readonly direct: ReadonlyMap<string, Amount>;
  /** Quantity of each value, by the id of the unit metric. */
  readonly quantities: ReadonlyMap<string, ReadonlyMap<string, Amount>>;
}

/** Prepares the splits of a calendar month. A cost passes through each split once, before the splits of its targets. */
export function monthSplits(month: Day, splits: readonly Split[], figures: MonthFigures): MonthSplits {
  const { direct } = figures;
  const sources = new Set(splits.flatMap(({ sourceValues }) => sourceValues));
  const steps = inOrder(splits).map((split) => ({
    split,
    from: new Set(split.sourceValues),
    shares: sharesOf(split, sources, figures),
  }));
  return {
    split(value, cost) {
      const amounts = new Map([[value, cost]]);
      for (const { from, shares } of steps) {
        if (shares === null) continue;
        for (const source of [...amounts.keys()].filter((each) => from.has(each))) passOn(amounts, source, shares);
      }
      return [...amounts].flatMap(([each, amount]) => {
        const own = each === value ? cost : 0n;
        return amount === 0n && own === 0n ? [] : [{ value: each, direct: own, shared: amount - own }];
      });
    },
    skipped: steps.flatMap(({ split, shares }) =>
      shares === null && split.sourceValues.some((value) => (direct.get(value) ?? 0n) !== 0n)
        ? [{ name: split.name, month }]
        : [],
    ),
  };
}

type Shares = ReadonlyMap<string, bigint>;

function passOn(amounts: Map<string, Amount>, source: string, shares: Shares): void {
  const amount = amounts.get(source) ?? 0n;
  if (amount === 0n) return;
  amounts.set(source, 0n);
  const parts = splitAmount(amount, [...shares.values()]);
  for (const [index, target] of [...shares.keys()].entries())
    amounts.set(target, (amounts.get(target) ?? 0n) + (parts[index] ?? 0n));
}

/** Returns the weight of each target; null if there is none. */
function sharesOf(split: Split, sources: ReadonlySet<string>, figures: MonthFigures): Shares | null {
  const targets = targetsOf(split, sources, figures.direct);
  const weights = weightsOf(split, targets, figures).filter(([, weight]) => weight > 0n);
  return weights.length === 0 || sumAmounts(weights.map(([, weight]) => weight)) === 0n ? null : new Map(weights);
}

function targetsOf({ targets }: Split, sources: ReadonlySet<string>, direct: ReadonlyMap<string, Amount>): string[] {
  if (targets.length > 0) return [...targets];
  // Sorted: of several equal remainders, the first one gets the last digit.
  return [...direct].flatMap(([value, cost]) => (cost !== 0n && !sources.has(value) ? [value] : [])).sort();
}

function weightsOf(
  { method, shares, metricId }: Split,
  targets: readonly string[],
  { direct, quantities }: MonthFigures,
): (readonly [string, bigint])[] {
  switch (method) {
    case 'even':
      return targets.map((target) => [target, 1n]);
    case 'proportional':
      return targets.map((target) => [target, direct.get(target) ?? 0n]);
    case 'fixed':
      return shares.map(({ value, percent }) => [value, BigInt(new Decimal(percent).times(10_000).toFixed(0))]);
    case 'metric':
      return targets.map((target) => [target, quantities.get(metricId ?? '')?.get(target) ?? 0n]);
    default:
      return method satisfies never;
  }
}

/** Orders splits so that each comes before those of its targets. They form no cycle. */
function inOrder(splits: readonly Split[]): Split[] {
  const bySource = new Map(splits.flatMap((split) => split.sourceValues.map((value) => [value, split] as const)));
  const ordered = new Set<Split>();
  const visit = (split: Split): void => {
    if (ordered.has(split)) return;
    for (const next of new Set(split.targets.flatMap((target) => bySource.get(target) ?? []))) visit(next);
    ordered.add(split);
  };
  for (const split of splits) visit(split);
  return [...ordered].toReversed();
}
