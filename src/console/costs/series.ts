import { valueLabel } from './dimensions.ts';
import { fromMicros, micros } from './exact.ts';
import type { CostsAnswer } from './queries.ts';
import type { Question } from './question.ts';
import { seriesKey } from './rows.ts';
import { chartOf, type Chart, type DayCost } from './stacks.ts';

/** A chart whose series are values of a dimension. */
export interface SeriesChart extends Chart {
  /** The value of each series; null is no value. */
  readonly values: ReadonlyMap<string, string | null>;
}

/** The chart of an answer with points: its rows as series, everything else as one. */
export function seriesChart(
  { range, granularity, groups: [dimension] }: Pick<Question, 'range' | 'granularity' | 'groups'>,
  answer: CostsAnswer,
): SeriesChart {
  const { rows, other, completeThrough } = answer;
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
  return { ...chartOf({ range, granularity, total: pointsOf(answer), parts, hasOthers, completeThrough }), values };
}

/** The points of everything that an answer is about. */
export function pointsOf({ rows, other }: CostsAnswer): DayCost[] {
  const sums = new Map<string, number>();
  for (const { points } of [...rows, other]) {
    for (const { date, cost } of points ?? []) sums.set(date, (sums.get(date) ?? 0) + micros(cost));
  }
  return [...sums].map(([date, sum]) => ({ date, cost: fromMicros(sum) }));
}
