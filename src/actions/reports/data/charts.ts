import type { DayCost } from '../../../facts/costs/graphql-types.ts';
import type { CostsDaily, DayGroup } from '../../../facts/costs/graphql-types.ts';
import { monthOf, type Month } from '../../../kit/time/period.ts';
import type { RankChart, TimeChart } from '../document.ts';

/** An item of a chart with its amount or count. */
export interface Share {
  readonly label: string;
  readonly value: number;
}

const mostBars = 10;
const mostShares = 6;
const mostSeries = 7;
/** Maximum number of days that a chart can show side by side. */
const mostDays = 92;

/** Builds a ranking of the largest items, with the others summed; null if every item is 0. */
export function barChart(title: string, currency: string, items: readonly Share[]): RankChart | null {
  const top = withOthers(items, mostBars);
  return top.length === 0 ? null : { kind: 'bars', title, unit: { kind: 'money', currency }, items: top };
}

/** Builds a ranking by count; null if every count is 0. */
export function countChart(title: string, items: readonly Share[]): RankChart | null {
  const top = withOthers(items, mostBars);
  return top.length === 0 ? null : { kind: 'bars', title, unit: { kind: 'count' }, items: top };
}

/** Builds a chart of shares; null without any, or if credits make some negative. */
export function shareChart(title: string, currency: string, items: readonly Share[]): RankChart | null {
  const parts = items.filter(({ value }) => value !== 0);
  if (parts.length === 0 || parts.some(({ value }) => value < 0)) return null;
  return { kind: 'share', title, unit: { kind: 'money', currency }, items: withOthers(parts, mostShares) };
}

function withOthers(items: readonly Share[], most: number): Share[] {
  // Items with the same label share one bar.
  const named = [...Map.groupBy(items, ({ label }) => label)].map(([label, own]) => ({
    label,
    value: total(own.map(({ value }) => value)),
  }));
  const sorted = named.filter(({ value }) => value !== 0).toSorted((a, b) => b.value - a.value);
  if (sorted.length <= most) return sorted;
  const others = sorted.slice(most - 1).reduce((sum, { value }) => sum + value, 0);
  return [...sorted.slice(0, most - 1), { label: 'Other', value: others }];
}

/** Builds a chart of spend over time, by the answer's grouping; by day for short periods, else by month. Null without spend. */
export function stackedChart(subject: string, daily: CostsDaily): TimeChart | null {
  const isDaily = daily.days.length <= mostDays;
  const pointOf = ({ date }: DayCost) => (isDaily ? date : monthOf(date));
  const points = [...new Set(daily.days.map(pointOf))];
  const sums = new Map<string, Map<string, number>>();
  for (const day of daily.days) {
    for (const group of day.groups ?? []) {
      const label = labelOf(group);
      const series = sums.get(label) ?? new Map<string, number>();
      sums.set(label, series.set(pointOf(day), (series.get(pointOf(day)) ?? 0) + group.cost));
    }
  }
  const series = seriesOf(sums, points);
  if (series.length === 0) return null;
  const title = `${isDaily ? 'Daily' : 'Monthly'} cost by ${subject}`;
  return { kind: 'stacked', title, unit: { kind: 'money', currency: daily.currency }, points, series };
}

/** Builds a chart of spend by month, as stacked columns; null without spend.
 *  @param sums cost of each month by label */
export function monthChart(
  title: string,
  currency: string,
  sums: ReadonlyMap<string, ReadonlyMap<Month, number>>,
): TimeChart | null {
  const points = [...new Set([...sums.values()].flatMap((months) => [...months.keys()]))].toSorted();
  const series = seriesOf(sums, points).filter(({ values }) => values.some((value) => value !== 0));
  return series.length === 0 ? null : { kind: 'stacked', title, unit: { kind: 'money', currency }, points, series };
}

function seriesOf(sums: ReadonlyMap<string, ReadonlyMap<string, number>>, points: readonly string[]) {
  const all = [...sums]
    .map(([label, values]) => ({
      label,
      total: total(values.values()),
      values: points.map((at) => values.get(at) ?? 0),
    }))
    .toSorted((a, b) => Math.abs(b.total) - Math.abs(a.total));
  const top = all.slice(0, mostSeries).map(({ label, values }) => ({ label, values }));
  const others = all.slice(mostSeries);
  if (others.length === 0) return top;
  const values = points.map((_, index) => total(others.map((each) => each.values[index] ?? 0)));
  return [...top, { label: 'Other', values }];
}

function total(values: Iterable<number>): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}

function labelOf({ service, accountName, region, provider }: DayGroup): string {
  return service ?? accountName ?? region ?? provider ?? '';
}
