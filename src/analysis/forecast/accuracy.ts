import { addDays, addMonths, daysBetween, firstDay, monthOf, type Day, type Month } from '../../kit/time/period.ts';
import { backtestWeeks, replayOf, type Replay } from './calibration.ts';
import { dividedThrough, type DividedSeries } from './divided-series.ts';
import { expectationsAt, type Expectation } from './forecast.ts';
import { weekdayDays, type ForecastModel } from './model.ts';

/** The forecast for a month from the day before it began, and its actual cost. */
export interface MonthAccuracy {
  readonly month: Month;
  readonly forecast: number;
  readonly actual: number;
  /** Percent of the actual cost; positive if the forecast was too high. Null if the month cost nothing. */
  readonly errorPercent: number | null;
}

/** Accuracy of a model over the last half year, without using later data. */
export interface ForecastAccuracy {
  readonly model: ForecastModel;
  /** The last six complete months, earliest first; only those with at least 14 known days before them and one in them. */
  readonly months: readonly MonthAccuracy[];
  /** Mean absolute percentage error of the months. Null without months. */
  readonly mape: number | null;
  /** Percent of days inside the 80% interval: over 26 weekly backtests of up to 60 days. Null without backtests. */
  readonly coverage80: number | null;
  /** The same for the 95% interval. */
  readonly coverage95: number | null;
}

const reportedMonths = 6;

/** Computes the accuracy of a model.
 *  @param asOf the last complete day; later ones are ignored */
export function accuracyOf(costs: DividedSeries, model: ForecastModel, asOf: Day): ForecastAccuracy {
  return accuracyFrom(replayOf(dividedThrough(costs, asOf), model));
}

/** Same as `accuracyOf`, for a series that is already replayed: as of its last day. */
function accuracyFrom(replay: Replay): ForecastAccuracy {
  const months = monthsBefore(replay).flatMap((month) => monthAccuracy(replay, month) ?? []);
  const errors = months.flatMap(({ errorPercent }) => (errorPercent === null ? [] : Math.abs(errorPercent)));
  const backtests = backtested(replay);
  const part = (isInside: (day: Backtested) => boolean) => percent(backtests.filter(isInside).length, backtests.length);
  return {
    model: replay.model,
    months,
    mape: errors.length > 0 ? errors.reduce((sum, error) => sum + error, 0) / errors.length : null,
    coverage80: part(({ expected, actual }) => actual >= expected.lower80 && actual <= expected.upper80),
    coverage95: part(({ expected, actual }) => actual >= expected.lower95 && actual <= expected.upper95),
  };
}

/** Returns the last complete months of a series. */
function monthsBefore({ series }: Replay): Month[] {
  const next = monthOf(addDays(series.start, series.values.length));
  return Array.from({ length: reportedMonths }, (_, at) => addMonths(next, at - reportedMonths));
}

function monthAccuracy({ series, fitAt }: Replay, month: Month): MonthAccuracy | null {
  const start = daysBetween(series.start, firstDay(month));
  const days = daysBetween(firstDay(month), firstDay(addMonths(month, 1)));
  if (start < 1) return null;
  const { knownDays, curve } = fitAt(start - 1);
  if (knownDays < weekdayDays) return null;
  // Unknown days count on neither side.
  const known = Array.from({ length: days }, (_, at) => at).filter(
    (at) => !Number.isNaN(series.values[start + at] ?? NaN),
  );
  if (known.length === 0) return null;
  const forecast = known.reduce((sum, at) => sum + (curve[at] ?? 0), 0);
  const actual = known.reduce((sum, at) => sum + (series.values[start + at] ?? 0), 0);
  return {
    month,
    forecast,
    actual,
    errorPercent: actual === 0 ? null : (100 * (forecast - actual)) / Math.abs(actual),
  };
}

interface Backtested {
  readonly expected: Expectation;
  readonly actual: number;
}

/** Pairs the forecasts of each weekly backtest with the actual costs. */
function backtested(replay: Replay): Backtested[] {
  const { values } = replay.series;
  const backtests: Backtested[] = [];
  for (let week = 1; week <= backtestWeeks; week++) {
    const origin = values.length - 1 - 7 * week;
    if (origin < 0 || replay.fitAt(origin).knownDays < weekdayDays) break;
    for (const [at, expected] of expectationsAt(replay, origin).points.entries()) {
      const actual = values[origin + 1 + at] ?? NaN;
      if (!Number.isNaN(actual)) backtests.push({ expected, actual });
    }
  }
  return backtests;
}

function percent(part: number, whole: number): number | null {
  return whole > 0 ? (100 * part) / whole : null;
}
