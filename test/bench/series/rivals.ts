import { mean, quantile } from '../../../src/analysis/series/stats.ts';

/** Forecasts of other methods for the days after a history. */
export type Rival = (history: readonly number[], horizon: number) => number[];

/** Repeats the last week: the baseline of every forecast. */
export function lastWeek(history: readonly number[], horizon: number): number[] {
  return Array.from({ length: horizon }, (_, at) => history[history.length - 7 + (at % 7)] ?? NaN);
}

/** The method of Koku (Red Hat's cost management): least squares through the last 30 days, without outliers beyond 1.5
 *  times the interquartile range. */
export function koku(history: readonly number[], horizon: number): number[] {
  const recent = history.slice(-30).map((value, at) => ({ at: at - 29, value }));
  const [low, high] = [0.25, 0.75].map((share) =>
    quantile(
      recent.map(({ value }) => value),
      share,
    ),
  );
  const reach = 1.5 * ((high ?? 0) - (low ?? 0));
  const kept = recent.filter(({ value }) => value >= (low ?? 0) - reach && value <= (high ?? 0) + reach);
  const middle = { at: mean(kept.map(({ at }) => at)), value: mean(kept.map(({ value }) => value)) };
  const spread = kept.reduce((sum, { at }) => sum + (at - middle.at) ** 2, 0);
  const shared = kept.reduce((sum, { at, value }) => sum + (at - middle.at) * (value - middle.value), 0);
  const slope = spread > 0 ? shared / spread : 0;
  return Array.from({ length: horizon }, (_, day) => Math.max(0, middle.value + slope * (day + 1 - middle.at)));
}
