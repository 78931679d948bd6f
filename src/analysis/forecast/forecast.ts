import { addDays, type Day } from '../../kit/period.ts';
import { knownThrough, type DailySeries } from '../series/calendar.ts';
import { calibrate, replayOf, type HalfWidths, type Replay } from './calibration.ts';
import { enoughDays, trainingOf, type ForecastModel } from './model.ts';

/** A cost to be expected, and the intervals that hold it in 80 and 95 % of cases. None is negative; the wider one holds the
 *  narrower. */
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

/** What a model says of the 60 days after a history. */
export interface CostForecast {
  readonly model: ForecastModel;
  /** First and last day that it is made from: at most 365 days, from the first cost on. */
  readonly historyFrom: Day;
  readonly historyTo: Day;
  /** True with fewer than 28 known days: then it is a mean, of each weekday from 14 on. */
  readonly lowHistory: boolean;
  /** 60 days from the day after `historyTo` on. */
  readonly points: readonly ForecastPoint[];
  /** The sum of the points up to each, with intervals of its own. */
  readonly totals: readonly Expectation[];
}

/** Forecasts the 60 days after a day, from it and those before it alone.
 *  @param asOf the last complete day */
export function forecastCost(series: DailySeries, model: ForecastModel, asOf: Day): CostForecast {
  return forecastFrom(replayOf(knownThrough(series, asOf), model));
}

/** As `forecastCost`, of a series that is already replayed: from its last day. */
function forecastFrom(replay: Replay): CostForecast {
  const { series, model } = replay;
  const last = series.values.length - 1;
  const historyTo = addDays(series.start, last);
  const { points, totals } = expectationsAt(replay, last);
  return {
    model,
    historyFrom: trainingOf(series).start,
    historyTo,
    lowHistory: replay.fitAt(last).knownDays < enoughDays,
    points: points.map((point, at) => ({ date: addDays(historyTo, at + 1), ...point })),
    totals,
  };
}

/** What would have been said on a day of the series, from it and those before it alone. */
export function expectationsAt(
  replay: Replay,
  origin: number,
): { points: readonly Expectation[]; totals: readonly Expectation[] } {
  const { values } = replay.fitAt(origin).curve;
  const { days, totals } = calibrate(replay, origin);
  let sum = 0;
  return {
    points: values.map((cost, at) => expectation(cost, days, at)),
    totals: values.map((cost, at) => expectation((sum += cost), totals, at)),
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
