import { coloured, colourOf, rest } from '../charts/legend.tsx';
import type { Series, Stack } from '../charts/stacked-bars.tsx';
import type { DayRange } from '../parts/list/day-range.tsx';
import { day, days, month, shortDay } from '../words/format.ts';
import { monthEnd, monthStart } from '../words/days.ts';
import type { Granularity } from './address.ts';
import { fromMicros, micros } from './table/rows.ts';
import { binOf, binsOf, type Bin } from './period.ts';

/** Costs of a day. */
export interface DayCost {
  readonly date: string;
  readonly cost: number;
}

/** A group that is drawn in a colour of its own. */
export interface Part {
  readonly key: string;
  readonly name: string;
  readonly days: readonly DayCost[];
}

/** What a chart is made of. */
export interface ChartOf {
  readonly range: DayRange;
  readonly granularity: Granularity;
  /** What everything cost, per day. */
  readonly total: readonly DayCost[];
  /** The largest groups, the largest first; at most ten are told apart. */
  readonly parts: readonly Part[];
  /** Whether there are groups beside the parts: what is left of a day is theirs. */
  readonly hasOthers: boolean;
  readonly completeThrough: string | null;
}

/** A bar with its days. */
export interface Bar extends Stack {
  /** First and last day, both included. */
  readonly days: DayRange;
}

/** What the chart draws. */
export interface Chart {
  readonly series: readonly Series[];
  readonly stacks: readonly Bar[];
}

/** Key of the series of everything that has no colour of its own. */
export const others = 'others';

/** Bars whose parts add up to the API's figure of the day, or of the days of the month, to the millionth. */
export function chartOf({ range, granularity, total, parts, hasOthers, completeThrough }: ChartOf): Chart {
  const shown = parts.slice(0, coloured);
  const sums = shown.map((part) => sumsOf(part.days, granularity));
  const totals = sumsOf(total, granularity);
  const hasRest = hasOthers || parts.length > shown.length;
  const series: Series[] = shown.map(({ key, name }, index) => ({ key, label: name, colour: colourOf(index) }));
  if (hasRest) series.push({ key: others, label: 'Other', colour: rest });
  if (series.length === 0) series.push({ key: 'total', label: 'Total', colour: colourOf(0) });
  const stacks = binsOf(range, granularity).map((bin) => {
    const all = totals.get(bin.key) ?? 0;
    const own = sums.map((sum) => sum.get(bin.key) ?? 0);
    const left = own.reduce((sum, part) => sum - part, all);
    return {
      ...wordsOf(bin, granularity),
      days: { from: bin.from, to: bin.to },
      parts: withLeft(own, left, hasRest),
      isPartial: isPartial(bin, completeThrough),
    };
  });
  return { series, stacks };
}

/** What is left goes to the others; without any it is what two answers rounded differently, and the first takes it. */
function withLeft(own: readonly number[], left: number, hasRest: boolean): number[] {
  const [first = 0, ...more] = own;
  const parts = hasRest ? [...own, left] : [first + left, ...more];
  return parts.map(fromMicros);
}

function sumsOf(costs: readonly DayCost[], granularity: Granularity): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { date, cost } of costs) {
    const key = binOf(date, granularity);
    sums.set(key, (sums.get(key) ?? 0) + micros(cost));
  }
  return sums;
}

function isPartial(bin: Bin, completeThrough: string | null): boolean {
  return completeThrough === null || bin.to > completeThrough;
}

function wordsOf({ key, from, to }: Bin, granularity: Granularity): Pick<Stack, 'key' | 'label' | 'title'> {
  if (granularity === 'daily') return { key, label: shortDay(key), title: day(key) };
  const isWhole = from === monthStart(from) && to === monthEnd(to);
  return { key, label: month(key), title: isWhole ? month(key) : days(from, to) };
}

/** Bars of another period over those of this one: the first over the first, as many as there are. */
export function ghostOf(
  total: readonly DayCost[],
  range: DayRange,
  granularity: Granularity,
  count: number,
): (number | null)[] {
  const sums = sumsOf(total, granularity);
  const bins = binsOf(range, granularity);
  return Array.from({ length: count }, (_, index) => {
    const bin = bins[index];
    return bin ? fromMicros(sums.get(bin.key) ?? 0) : null;
  });
}
