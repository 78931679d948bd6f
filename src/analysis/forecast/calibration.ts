import { quantile, mean } from '../series/stats.ts';
import { enoughDays, horizonDays, predict, trainingOf, type ForecastModel } from './model.ts';
import type { DailySeries } from '../series/calendar.ts';
import type { Curve } from './line.ts';

/** Half the width of an interval, for each number of days ahead. */
export interface HalfWidths {
  readonly at80: readonly number[];
  readonly at95: readonly number[];
}

/** Half the widths of the intervals of a forecast. */
export interface Calibration {
  /** Of the cost of each day. */
  readonly days: HalfWidths;
  /** Of the sum of the days up to each. */
  readonly totals: HalfWidths;
}

/** The backtests of half a year, one a week. */
export const backtestWeeks = 26;
/** Fewer errors tell nothing of how they are spread. */
const leastErrors = 8;
/** Days ahead for which errors are looked at; between them widths are interpolated. */
const knots = [1, 2, 3, 5, 7, 10, 14, 20, 28, 40, horizonDays];

/** `share` of the errors, times `stretch`, is the observed width. The narrow interval is read from the median error, stretched
 *  by the ratio of a normal distribution's 80 % half-width to its 50 % one: a single change of level spoils a third of the
 *  overlapping backtests, and would double the 80 % quantile for half a year (measured on generated costs: half as wide, with
 *  one to two points less coverage). The factors of the models and of sums are fitted on older origins and on tuning seeds. */
const levels = {
  at80: { share: 0.5, stretch: 1.9, deviations: 1.2816, linear: 0.86, seasonal: 0.9, total: 0.92 },
  at95: { share: 0.95, stretch: 1, deviations: 1.96, linear: 1, seasonal: 1.1, total: 1.3 },
} as const;

type Level = (typeof levels)[keyof typeof levels];

/** How far a forecast is to be trusted: half of it from the model's own errors, half from what backtests show that it was off
 *  by, so many days ahead (split conformal prediction). Sums have a table of their own: errors of days partly cancel, and
 *  adding up their intervals would be twice too wide.
 *  @param through the day of the forecast; nothing after it is looked at */
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

/** Without backtests, half of what the days' intervals add up to. */
function totalWidths({ scale }: Fit, errors: readonly number[][], days: HalfWidths): HalfWidths {
  const pools = poolOf(errors, meansOf, { reach: 1.25, more: 0 });
  const widths = (level: Level, ofDays: readonly number[]) => {
    const observed = widthsOf(pools, (pool, ahead) => level.stretch * quantile(pool, level.share) * ahead);
    return ofDays.map((_, at) => (observed ? level.total * (observed[at] ?? 0) * scale : sumOf(ofDays, at) / 2));
  };
  return nested(widths(levels.at80, days.at80), widths(levels.at95, days.at95));
}

/** Of each backtest, by how much the days after it were off. */
function backtestErrors({ series, fitAt }: Replay, through: number): number[][] {
  const errors: number[][] = [];
  for (let week = 1; week <= backtestWeeks && through - 7 * week >= enoughDays - 1; week++) {
    const fit = fitAt(through - 7 * week);
    if (fit.knownDays >= enoughDays && fit.scale > 0) errors.push(errorsOf(fit, series.values, through));
  }
  return errors;
}

/** The errors of the sums up to each day, as parts of the scale and the number of days. */
function meansOf(errors: readonly number[]): number[] {
  let sum = 0;
  return errors.map((error, at) => (sum += error) / (at + 1));
}

/** For each knot, the sizes of the errors so many days ahead or about as many. */
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

/** The width for each number of days ahead, of the errors at each knot; never less than for fewer days. Where too few
 *  backtests reach, it grows as a random walk does. Null where none does. */
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

/** What a model said on a day, of the days after it. */
export interface Fit {
  /** Which day of the series it was said on: the last that was known. */
  readonly origin: number;
  /** How many days were known then, of those it was made from. */
  readonly knownDays: number;
  /** Mean cost of the 28 days up to it, credits left out: errors are told as parts of it. */
  readonly scale: number;
  readonly curve: Curve;
}

/** A series and what was said of it on each day. */
export interface Replay {
  readonly series: DailySeries;
  readonly model: ForecastModel;
  /** What was said on a day, from it and the days before it alone. Worked out once for each. */
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

/** By how much the days after a fit were off, as parts of its scale, above or below: of those known by a later day; NaN of
 *  the others.
 *  @param through the later day */
function errorsOf({ origin, scale, curve }: Fit, values: readonly number[], through: number): number[] {
  return Array.from({ length: horizonDays }, (_, at) => {
    const day = origin + 1 + at;
    const actual = day <= through ? (values[day] ?? NaN) : NaN;
    return (actual - (curve.values[at] ?? NaN)) / scale;
  });
}
