import { quantile, mean } from '../series/stats.ts';
import { enoughDays, horizonDays, predict, trainingOf, type ForecastModel } from './model.ts';
import type { DailySeries } from '../series/calendar.ts';
import type { Curve } from './line.ts';

/** Half the width of an interval, by number of days ahead. */
export interface HalfWidths {
  readonly at80: readonly number[];
  readonly at95: readonly number[];
}

/** Half the widths of a forecast's intervals. */
export interface Calibration {
  /** For the cost of each day. */
  readonly days: HalfWidths;
  /** For the sum of the days up to each. */
  readonly totals: HalfWidths;
}

/** Weekly backtests: half a year. */
export const backtestWeeks = 26;
/** Minimum number of errors from which a spread can be estimated. */
const leastErrors = 8;
/** Days ahead for which errors are evaluated; widths in between are interpolated. */
const knots = [1, 2, 3, 5, 7, 10, 14, 20, 28, 40, horizonDays];

/** `share` is the quantile of the errors, which times `stretch` gives the observed width. The narrow interval uses the
 *  median error, stretched by the ratio of a normal distribution's 80 % half-width to its 50 % one: a single change of level
 *  spoils a third of the overlapping backtests, and would double the 80 % quantile for half a year (measured on generated
 *  costs: half as wide, with one to two points less coverage). The factors of the models and of sums are fitted on older
 *  origins and on tuning seeds. */
const levels = {
  at80: { share: 0.5, stretch: 1.9, deviations: 1.2816, linear: 0.86, seasonal: 0.9, total: 0.92 },
  at95: { share: 0.95, stretch: 1, deviations: 1.96, linear: 1, seasonal: 1.1, total: 1.3 },
} as const;

type Level = (typeof levels)[keyof typeof levels];

/** Calibrates intervals: half from the model's own errors, half from backtest errors at that many days ahead (split
 *  conformal prediction). Sums are calibrated separately: daily errors partly cancel out, and summed intervals would be
 *  twice too wide.
 *  @param through the day of the forecast; later ones are ignored */
export function calibrate(replay: Replay, through: number): Calibration {
  const errors = backtestErrors(replay, through);
  const days = dayWidths(replay, through, errors);
  return { days, totals: totalWidths(replay.fitAt(through), errors, days) };
}

function dayWidths({ model, fitAt }: Replay, through: number, errors: readonly number[][]): HalfWidths {
  const { curve, scale } = fitAt(through);
  const pools = poolOf(errors, (each) => each, { reach: 1.5, more: 3 });
  const widths = (level: Level) => {
    const observed = widthsOf(pools, (pool) => level.stretch * quantile(pool, level.share));
    return curve.errors.map((error, at) => {
      const own = level.deviations * error;
      return level[model] * (observed ? ((observed[at] ?? 0) * scale + own) / 2 : own);
    });
  };
  return nested(widths(levels.at80), widths(levels.at95));
}

/** Without backtests, uses half the sum of the daily intervals. */
function totalWidths({ scale }: Fit, errors: readonly number[][], days: HalfWidths): HalfWidths {
  const pools = poolOf(errors, meansOf, { reach: 1.25, more: 0 });
  const widths = (level: Level, ofDays: readonly number[]) => {
    const observed = widthsOf(pools, (pool, ahead) => level.stretch * quantile(pool, level.share) * ahead);
    return ofDays.map((_, at) => (observed ? level.total * (observed[at] ?? 0) * scale : sumOf(ofDays, at) / 2));
  };
  return nested(widths(levels.at80, days.at80), widths(levels.at95, days.at95));
}

/** Returns the errors of the days after each backtest. */
function backtestErrors({ series, fitAt }: Replay, through: number): number[][] {
  const errors: number[][] = [];
  for (let week = 1; week <= backtestWeeks && through - 7 * week >= enoughDays - 1; week++) {
    const fit = fitAt(through - 7 * week);
    if (fit.knownDays >= enoughDays && fit.scale > 0) errors.push(errorsOf(fit, series.values, through));
  }
  return errors;
}

/** Returns the errors of cumulative sums, as fractions of the scale and the number of days. */
function meansOf(errors: readonly number[]): number[] {
  let sum = 0;
  return errors.map((error, at) => (sum += error) / (at + 1));
}

/** Returns the absolute errors for each knot, from about that many days ahead. */
function poolOf(
  errors: readonly number[][],
  transform: (errors: readonly number[]) => readonly number[],
  { reach, more }: { reach: number; more: number },
): number[][] {
  const transformed = errors.map(transform);
  return knots.map((days) => {
    const first = Math.max(1, Math.ceil(days / reach - more));
    const last = Math.floor(days * reach + more);
    return transformed
      .flatMap((each) => each.slice(first - 1, last).map(Math.abs))
      .filter((error) => !Number.isNaN(error));
  });
}

/** Returns the width for each number of days ahead from the errors at each knot, never decreasing. Beyond the reach of
 *  enough backtests, it grows like a random walk. Null without backtests. */
function widthsOf(
  pools: readonly number[][],
  widthOf: (pool: readonly number[], days: number) => number,
): number[] | null {
  const widths: number[] = [];
  for (const [at, pool] of pools.entries()) {
    const before = widths.at(-1) ?? 0;
    const growth = Math.sqrt((knots[at] ?? 1) / (knots[at - 1] ?? 1));
    if (pool.length >= leastErrors) widths.push(Math.max(before, widthOf(pool, knots[at] ?? 1)));
    else if (at === 0) return null;
    else widths.push(before * growth);
  }
  return Array.from({ length: horizonDays }, (_, at) => interpolated(widths, at + 1));
}

function interpolated(widths: readonly number[], days: number): number {
  const after = knots.findIndex((knot) => knot >= days);
  const [low, high] = [knots[after - 1] ?? 0, knots[after] ?? horizonDays];
  const lower = widths[after - 1] ?? widths[after] ?? 0;
  return lower + ((days - low) / (high - low)) * ((widths[after] ?? lower) - lower);
}

function sumOf(values: readonly number[], through: number): number {
  return values.slice(0, through + 1).reduce((sum, value) => sum + value, 0);
}

function nested(at80: readonly number[], at95: readonly number[]): HalfWidths {
  return { at80, at95: at95.map((width, at) => Math.max(width, at80[at] ?? 0)) };
}

/** A model's forecast from one day. */
export interface Fit {
  /** Index of the day of the forecast: the last known one. */
  readonly origin: number;
  /** Number of known training days at that time. */
  readonly knownDays: number;
  /** Mean cost of the 28 days up to it, without credits: errors are fractions of it. */
  readonly scale: number;
  readonly curve: Curve;
}

/** A series with its forecasts from each day. */
export interface Replay {
  readonly series: DailySeries;
  readonly model: ForecastModel;
  /** Forecast from a day, using only it and earlier days. Computed once per day. */
  readonly fitAt: (origin: number) => Fit;
}

const scaleDays = 28;

/** @param series up to its last complete day */
export function replayOf(series: DailySeries, model: ForecastModel): Replay {
  const fits = new Map<number, Fit>();
  const fitAt = (origin: number): Fit => {
    const made = fits.get(origin) ?? fitOf({ ...series, values: series.values.slice(0, origin + 1) }, model);
    fits.set(origin, made);
    return made;
  };
  return { series, model, fitAt };
}

function fitOf(series: DailySeries, model: ForecastModel): Fit {
  const { values } = trainingOf(series);
  return {
    origin: series.values.length - 1,
    knownDays: values.filter((value) => !Number.isNaN(value)).length,
    scale: mean(values.slice(-scaleDays).map((value) => Math.max(0, value))) || 0,
    curve: predict(series, model),
  };
}

/** Returns the signed errors of the days after a fit, as fractions of its scale, for days known by a later day; NaN for
 *  others.
 *  @param through the later day */
function errorsOf({ origin, scale, curve }: Fit, values: readonly number[], through: number): number[] {
  return Array.from({ length: horizonDays }, (_, at) => {
    const day = origin + 1 + at;
    const actual = day <= through ? (values[day] ?? NaN) : NaN;
    return (actual - (curve.values[at] ?? NaN)) / scale;
  });
}
