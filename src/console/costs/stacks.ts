import { coloured, coloursOf, rest, single } from '../charts/colours.ts';
import type { DayRange } from '../parts/list/day-range.tsx';
import { day, days, month, shortDay } from '../words/format.ts';
import { monthEnd, monthStart } from '../words/days.ts';
import type { Granularity } from './address.ts';
import { valueLabel } from './dimensions.ts';
import type { CostsAnswer } from './queries.ts';
import type { Question } from './question.ts';
import { changeOf, fromMicros, micros, seriesKey, shareOf, sumOf, type Row } from './table/rows.ts';
import { binOf, binsOf, comparedOf, type Bin } from './period.ts';
import type { Stack, Series } from '../charts/stack-shapes.tsx';

/** Chart whose series are values of a dimension. */
export interface SeriesChart extends Chart {
  /** Dimension value of each series; null is the group without a value. */
  readonly values: ReadonlyMap<string, string | null>;
}

/** Cost of one day. */
export interface DayCost {
  readonly date: string;
  readonly cost: number;
}

/** Group with its own colour. */
export interface Part {
  readonly key: string;
  readonly name: string;
  readonly days: readonly DayCost[];
}

/** Input of a chart. */
export interface ChartOf {
  readonly range: DayRange;
  readonly granularity: Granularity;
  /** Total cost per day. */
  readonly total: readonly DayCost[];
  /** Largest groups, in descending order; those with a colour of their own become series. */
  readonly parts: readonly Part[];
  /** Whether there are groups beyond the parts; they account for the remainder of each day. */
  readonly hasOthers: boolean;
  /** Last day with complete bills; later bars are partial. */
  readonly lastCompleteDay: string | null;
}

/** Bar with its days. */
export interface Bar extends Stack {
  /** First and last day, inclusive. */
  readonly days: DayRange;
}

/** Chart data. */
export interface Chart {
  readonly series: readonly Series[];
  readonly stacks: readonly Bar[];
}

/** Key of the combined series of all remaining groups. */
const others = 'others';

/** Builds bars whose parts add up exactly, to the millionth, to the API's total of the day or of the month's days. */
export function chartOf({ range, granularity, total, parts, hasOthers, lastCompleteDay }: ChartOf): Chart {
  const shown = parts.slice(0, coloured);
  const sums = shown.map((part) => sumsOf(part.days, granularity));
  const totals = sumsOf(total, granularity);
  const hasRest = hasOthers || parts.length > shown.length;
  const colours = coloursOf(shown.map(({ key, name }) => (key === seriesKey(null) ? null : name)));
  const series: Series[] = shown.map(({ key, name }, index) => ({ key, label: name, colour: colours[index] ?? rest }));
  if (hasRest) series.unshift({ key: others, label: 'Other', colour: rest });
  if (series.length === 0) series.push({ key: 'total', label: 'Total', colour: single });
  const stacks = binsOf(range, granularity).map((bin) => {
    const all = totals.get(bin.key) ?? 0;
    const own = sums.map((sum) => sum.get(bin.key) ?? 0);
    const left = own.reduce((sum, part) => sum - part, all);
    return {
      ...wordsOf(bin, granularity),
      days: { from: bin.from, to: bin.to },
      parts: withLeft(own, left, hasRest),
      isPartial: isPartial(bin, lastCompleteDay),
    };
  });
  return { series, stacks };
}

/** Assigns the remainder to the combined series, which is the first. Without one, it is only a rounding difference between two
 *  answers and goes to the first part. */
function withLeft(own: readonly number[], left: number, hasRest: boolean): number[] {
  const [first = 0, ...more] = own;
  const parts = hasRest ? [left, ...own] : [first + left, ...more];
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

function isPartial(bin: Bin, lastCompleteDay: string | null): boolean {
  return lastCompleteDay === null || bin.to > lastCompleteDay;
}

function wordsOf({ key, from, to }: Bin, granularity: Granularity): Pick<Stack, 'key' | 'label' | 'title'> {
  if (granularity === 'daily') return { key, label: shortDay(key), title: day(key) };
  const isWhole = from === monthStart(from) && to === monthEnd(to);
  return { key, label: month(key), title: isWhole ? month(key) : days(from, to) };
}

/** Bars of the comparison period beside those of a range, as a chart draws them. */
export interface Ghost {
  /** Null where it has no bar: February 29 has none in the previous year. */
  readonly values: readonly (number | null)[];
  /** The days of each bar. */
  readonly labels: readonly string[];
}

/** Aligns the bars of the comparison period with those of a range: days by the rule of the comparison, months first to first. */
export function ghostOf(
  total: readonly DayCost[],
  range: DayRange,
  previous: DayRange,
  granularity: Granularity,
): Ghost {
  const sums = sumsOf(total, granularity);
  const earlier = binsOf(previous, granularity);
  const bars = binsOf(range, granularity).map(({ key }, index) => {
    if (granularity === 'monthly') return earlier[index];
    const same = comparedOf(key, range, previous);
    return earlier.find((bin) => bin.key === same);
  });
  return {
    values: bars.map((bin) => (bin ? fromMicros(sums.get(bin.key) ?? 0) : null)),
    labels: bars.map((bin) => (bin ? (bin.from === bin.to ? day(bin.from) : days(bin.from, bin.to)) : '')),
  };
}

/** Points of the whole answer, summed over its groups. */
export function pointsOf({ rows, other }: CostsAnswer): DayCost[] {
  const sums = new Map<string, number>();
  for (const { points } of [...rows, other]) {
    for (const { date, cost } of points ?? []) sums.set(date, (sums.get(date) ?? 0) + micros(cost));
  }
  return [...sums].map(([date, sum]) => ({ date, cost: fromMicros(sum) }));
}

/** Builds a chart from an answer with points: its rows as series, the rest combined into one. */
export function seriesChart(
  { range, granularity, groups: [dimension] }: Pick<Question, 'range' | 'granularity' | 'groups'>,
  answer: CostsAnswer,
): SeriesChart {
  const { rows, other } = answer;
  const { lastCompleteDay } = answer;
  const parts = rows
    .filter(({ cost, points }) => cost !== 0 || points?.some((point) => point.cost !== 0))
    .flatMap(({ keyList: [key], points }) =>
      key && dimension !== 'day'
        ? [{ key: seriesKey(key.value), name: valueLabel(dimension, key.value, key.label), days: points ?? [] }]
        : [],
    );
  const hasOthers = other.count > 0;
  const values = new Map(
    rows.flatMap(({ keyList: [key] }) => (key ? [[seriesKey(key.value), key.value] as const] : [])),
  );
  return { ...chartOf({ range, granularity, total: pointsOf(answer), parts, hasOthers, lastCompleteDay }), values };
}

/** Converts the bars of a chart to rows.
 *  @param total sum of all bars
 *  @param before bars of the comparison period; null without a comparison */
export function barRows({ stacks, series }: Chart, total: number, before: readonly (number | null)[] | null): Row[] {
  return stacks.map(({ key, title, days: within, parts }, index) => {
    const cost = sumOf(parts);
    const was = before === null ? null : (before[index] ?? 0);
    return {
      key,
      keys: [],
      name: title,
      days: within,
      colour: series[0]?.colour ?? rest,
      cost,
      direct: null,
      shared: null,
      share: shareOf(cost, total),
      before: was,
      change: was === null ? null : fromMicros(micros(cost) - micros(was)),
      changePercent: was === null ? null : changeOf(cost, was),
      quantity: null,
      unit: null,
      resourceId: null,
    };
  });
}
