import { addDays, type Day } from '../../kit/time/period.ts';
import { calibrate, replayOf, type HalfWidths, type Replay } from './calibration.ts';
import { changedCurves, dividedThrough, sumOfCurves, type DividedSeries, type KnownChange } from './divided-series.ts';
import { enoughDays, trainingOf, type ForecastModel } from './model.ts';

/** An expected cost with its 80% and 95% intervals. None is negative; the wider interval contains the narrower. */
export interface Expectation {
  readonly cost: number;
  readonly lower80: number;
  readonly upper80: number;
  readonly lower95: number;
  readonly upper95: number;
}

export interface ForecastPoint extends Expectation {
  readonly date: Day;
}

/** A model's forecast for the 60 days after a history. */
export interface CostForecast {
  readonly model: ForecastModel;
  /** First and last day of the history used: at most 365 days, starting with the first cost. */
  readonly historyFrom: Day;
  readonly historyTo: Day;
  /** Whether there are fewer than 28 known days: the forecast is then a mean, per weekday with at least 14 days. */
  readonly lowHistory: boolean;
  /** Cost of each of the 60 days, of each part. */
  readonly curves: readonly (readonly number[])[];
  /** 60 days, starting the day after `historyTo`. */
  readonly points: readonly ForecastPoint[];
  /** Cumulative sums of the points, with their own intervals. */
  readonly totals: readonly Expectation[];
}

/** Forecasts the 60 days after a day, using only it and earlier days.
 *  @param asOf the last complete day
 *  @param changes known in advance; they move the intervals with the costs */
export function forecastCost(
  costs: DividedSeries,
  model: ForecastModel,
  asOf: Day,
  changes: readonly KnownChange[] = [],
): CostForecast {
  const replay = replayOf(dividedThrough(costs, asOf), model);
  const { series } = replay;
  const last = series.values.length - 1;
  const historyTo = addDays(series.start, last);
  const fit = replay.fitAt(last);
  const curves = changedCurves(fit.curves, changes);
  const { points, totals } = expectationsAt(replay, last, sumOfCurves(curves));
  return {
    model,
    historyFrom: trainingOf(series).start,
    historyTo,
    lowHistory: fit.knownDays < enoughDays,
    curves,
    points: points.map((point, at) => ({ date: addDays(historyTo, at + 1), ...point })),
    totals,
  };
}

/** Returns the forecast that would have been made on a day of the series, using only it and earlier days.
 *  @param curve cost of each day ahead, if it differs from that of the model */
export function expectationsAt(
  replay: Replay,
  origin: number,
  curve = replay.fitAt(origin).curve,
): { points: readonly Expectation[]; totals: readonly Expectation[] } {
  const { days, totals } = calibrate(replay, origin);
  let sum = 0;
  return {
    points: curve.map((cost, at) => expectation(cost, days, at)),
    totals: curve.map((cost, at) => expectation((sum += cost), totals, at)),
  };
}

function expectation(cost: number, { at80, at95 }: HalfWidths, at: number): Expectation {
  const [half80, half95] = [at80[at] ?? 0, at95[at] ?? 0];
  return {
    cost,
    lower80: Math.max(0, cost - half80),
    upper80: cost + half80,
    lower95: Math.max(0, cost - half95),
    upper95: cost + half95,
  };
}
