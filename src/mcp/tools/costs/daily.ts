import { microsToNumber, sumAmounts, type Micros } from '../../../kit/money.ts';
import { microsOf } from '../../micros.ts';
import { joined, type Group, type GroupedBy, type GroupNames, type Part } from './groups.ts';

/** A day of the API's answer. */
export interface Day {
  readonly date: string;
  readonly cost: number;
  readonly groups: readonly Part[] | null;
}

interface Series {
  /** The largest of all days together, largest first. */
  groups: (GroupNames & { cost: number })[];
  /** `group_costs` are in the order of `groups`; with `other_cost` they add up to the day's. */
  days: { date: string; cost: number; group_costs: number[]; other_cost: number }[];
}

/** Days split alike, so that each group can be followed: the largest groups of all days together, and the rest as one.
 *  @param limit how many groups */
export function seriesOf(days: readonly Day[], split: GroupedBy, limit: number): Series {
  const parts = days.flatMap((day) => day.groups ?? []);
  const all = joined(parts, split);
  const largest = all.toSorted((a, b) => (a.cost < b.cost ? 1 : a.cost > b.cost ? -1 : 0)).slice(0, limit);
  return {
    groups: largest.map(({ names, cost }) => ({ ...names, cost: microsToNumber(cost) })),
    days: days.map((day) => splitDay(day, joined(day.groups ?? [], split), largest)),
  };
}

function splitDay({ date, cost }: Day, groups: readonly Group[], largest: readonly Group[]): Series['days'][number] {
  const costs = new Map(groups.map((group) => [group.key, group.cost]));
  const own = largest.map(({ key }) => costs.get(key) ?? 0n);
  const rest = microsOf(cost) - sumAmounts(own);
  return { date, cost, group_costs: own.map(microsToNumber), other_cost: microsToNumber(rest) };
}

/** What a day cost on the average, of the days whose costs are complete; null where none is. Rounded to 6 decimals.
 *  @param completeThrough null: nothing is known of it, all count */
export function averageOf(days: readonly Day[], completeThrough: string | null): number | null {
  const complete = days.filter(({ date }) => completeThrough === null || date <= completeThrough);
  if (complete.length === 0) return null;
  return microsToNumber(divided(sumAmounts(complete.map(({ cost }) => microsOf(cost))), BigInt(complete.length)));
}

function divided(sum: Micros, count: bigint): Micros {
  const half = sum < 0n ? -count / 2n : count / 2n;
  return (sum + half) / count;
}

/** The day that cost most, the first of equal ones; null where there is none. */
export function highestOf(days: readonly Day[]): { date: string; cost: number } | null {
  const [first, ...others] = days;
  if (!first) return null;
  const { date, cost } = others.reduce((highest, day) => (day.cost > highest.cost ? day : highest), first);
  return { date, cost };
}
