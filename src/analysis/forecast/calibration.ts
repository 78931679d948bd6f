import { mean, median, quantile } from '../series/stats.ts';
import { enoughDays, horizonDays, knownDaysOf, newestErrors, trainingOf, type ForecastModel } from './model.ts';
import { addDays } from '../../kit/time/period.ts';
import type { DailySeries } from '../series/calendar.ts';
import { curvesOf, dividedThrough, sumOfCurves, type DividedSeries } from './divided-series.ts';

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
/** Index of the first day after a backtest that shows the newest shift: earlier ones are noise of single days. */
const shiftFrom = 3;
/** Days ahead for which errors are evaluated; widths in between are interpolated. */
const knots = [1, 2, 3, 5, 7, 10, 14, 20, 28, 40, horizonDays];

/** Weights that combine quantiles of the backtest errors and the newest shift into a width. Quantiles of overlapping backtests
 *  are noisy: a single change of level distorts a third of them. Their weighted sum is steadier than one of them. */
interface Level {
  /** Weight by quantile. */
  readonly quantiles: readonly (readonly [share: number, weight: number])[];
  /** Weight of the newest shift: after a change of level a few days ago, no backtest includes the new level yet. */
  readonly shift: number;
}

/** Weights, fitted on tuning seeds of generated and business costs and on older days of real series, so that the intervals of
 *  both models reach their stated coverage on each of these. */
const levels = {
  days: {
    at80: {
      quantiles: [
        [0.5, 1.33],
        [0.8, 0.38],
      ],
      shift: 0.26,
    },
    at95: {
      quantiles: [
        [0.8, 0.41],
        [0.95, 0.9],
      ],
      shift: 0.85,
    },
  },
  totals: {
    at80: { quantiles: [[0.8, 0.94]], shift: 0.11 },
    at95: {
      quantiles: [
        [0.8, 1.42],
        [0.95, 1.44],
      ],
      shift: 0.22,
    },
  },
} as const satisfies Record<keyof Calibration, Record<keyof HalfWidths, Level>>;

/** Half-widths of a normal distribution in standard errors, for forecasts without backtests. */
const deviations = { at80: 1.2816, at95: 1.96 };

/** Calibrates intervals from backtest errors at each number of days ahead (conformal prediction). Sums are calibrated separately:
 *  daily errors partly cancel out, and summed intervals would be twice as wide as needed.
 *  Without enough backtests, the newest days decide.
 *  @param through the day of the forecast; later ones are ignored */
export function calibrate(replay: Replay, through: number): Calibration {
  const fit = replay.fitAt(through);
  const errors = backtestErrors(replay, through);
  const shift = shiftOf(errors);
  const widths = (pools: readonly number[][], { quantiles, shift: weight }: Level) => {
    const observed = (pool: readonly number[]) =>
      quantiles.reduce((sum, [share, factor]) => sum + factor * quantile(pool, share), weight * shift);
    return widthsOf(pools, observed)?.map((width) => width * fit.scale);
  };
  const ofDays = poolOf(errors, { reach: 1.5, more: 3 });
  const ofMeans = poolOf(errors.map(meansOf), { reach: 1.25, more: 0 });
  const own = newestErrors(knownAt(replay.series, through), fit.curve);
  const at = (level: keyof HalfWidths) => {
    const days = widths(ofDays, levels.days[level]) ?? own.map((error) => deviations[level] * error);
    const means = widths(ofMeans, levels.totals[level]);
    // A sum cannot err by more than all its days together.
    const totals = days.map((_, ahead) => {
      const most = sumOf(days, ahead);
      return means ? Math.min((means[ahead] ?? 0) * (ahead + 1), most) : most / 2;
    });
    return { days, totals };
  };
  const [narrow, wide] = [at('at80'), at('at95')];
  return { days: nested(narrow.days, wide.days), totals: nested(narrow.totals, wide.totals) };
}

/** Returns the distance of the newest days from the forecast of a week before. */
function shiftOf([newest = []]: readonly number[][]): number {
  return Math.abs(mean(newest.slice(shiftFrom, 7))) || 0;
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
function poolOf(errors: readonly number[][], { reach, more }: { reach: number; more: number }): number[][] {
  return knots.map((days) => {
    const first = Math.max(1, Math.ceil(days / reach - more));
    const last = Math.floor(days * reach + more);
    return errors.flatMap((each) => each.slice(first - 1, last).map(Math.abs)).filter((error) => !Number.isNaN(error));
  });
}

/** Returns the width for each number of days ahead from the errors at each knot, never decreasing. Beyond the reach of
 *  enough backtests, it grows like a random walk. Null without backtests. */
function widthsOf(pools: readonly number[][], widthOf: (pool: readonly number[]) => number): number[] | null {
  const widths: number[] = [];
  for (const [at, pool] of pools.entries()) {
    const before = widths.at(-1) ?? 0;
    const growth = Math.sqrt((knots[at] ?? 1) / (knots[at - 1] ?? 1));
    if (pool.length >= leastErrors) widths.push(Math.max(before, widthOf(pool)));
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
  /** Mean cost of the 28 days up to it, without credits and spikes: errors are fractions of it. */
  readonly scale: number;
  /** Cost of each day ahead, of each part. */
  readonly curves: readonly (readonly number[])[];
  /** Their sum. */
  readonly curve: readonly number[];
}

/** A series with its forecasts from each day. */
export interface Replay {
  readonly series: DailySeries;
  readonly model: ForecastModel;
  /** Forecast from a day, using only it and earlier days. Computed once per day. */
  readonly fitAt: (origin: number) => Fit;
}

const scaleDays = 28;
/** Cost of a day, as a multiple of the median, above which the rest is a spike: it would inflate the scale, and so all intervals. */
const spikeMedians = 100;

/** Creates the replay of a model over a series.
 *  @param costs up to their last complete day */
export function replayOf(costs: DividedSeries, model: ForecastModel): Replay {
  const { whole: series } = costs;
  const fits = new Map<number, Fit>();
  const fitAt = (origin: number): Fit => {
    const made = fits.get(origin) ?? fitOf(costs, origin, model);
    fits.set(origin, made);
    return made;
  };
  return { series, model, fitAt };
}

function knownAt(series: DailySeries, origin: number): DailySeries {
  return { ...series, values: series.values.slice(0, origin + 1) };
}

function fitOf(costs: DividedSeries, origin: number, model: ForecastModel): Fit {
  const known = dividedThrough(costs, addDays(costs.whole.start, origin));
  const training = trainingOf(known.whole);
  const curves = curvesOf(known, model, horizonDays);
  return {
    origin,
    knownDays: knownDaysOf(training),
    scale: scaleOf(training.values.slice(-scaleDays).map((value) => Math.max(0, value))),
    curves,
    curve: sumOfCurves(curves),
  };
}

function scaleOf(costs: readonly number[]): number {
  const most = spikeMedians * median(costs);
  return mean(most > 0 ? costs.map((cost) => Math.min(cost, most)) : costs) || 0;
}

/** Returns the signed errors of the days after a fit, as fractions of its scale, for days known by a later day; NaN for
 *  others.
 *  @param through the later day */
function errorsOf({ origin, scale, curve }: Fit, values: readonly number[], through: number): number[] {
  return Array.from({ length: horizonDays }, (_, at) => {
    const day = origin + 1 + at;
    const actual = day <= through ? (values[day] ?? NaN) : NaN;
    return (actual - (curve[at] ?? NaN)) / scale;
  });
}
