import { addDays } from '../../kit/time/period.ts';
import { adjust, calendarCost, factorOn, type Adjusted } from '../series/adjust.ts';
import { calendarFrom, newest, sinceFirstCost, type CalendarDay, type DailySeries } from '../series/calendar.ts';
import { chargedOn } from '../series/charges.ts';
import { mean, median, robustSigma } from '../series/stats.ts';
import { holtWintersAhead, thetaAhead } from './smoothing.ts';
import { lineAhead, trendOf, type Curve } from './line.ts';

export const forecastModels = ['linear', 'seasonal'] as const;
export type ForecastModel = (typeof forecastModels)[number];

/** Forecast horizon in days. */
export const horizonDays = 60;
/** Maximum training days: older data misleads more than it helps. */
export const trainingDays = 365;
/** Minimum known days for a mean per weekday; with fewer, a forecast is the overall mean. */
export const weekdayDays = 14;
/** Minimum known days for a model; with fewer, a forecast is the mean of each weekday and marked as low history. */
export const enoughDays = 28;

/** Returns the training part of a series: at most a year, from the first cost in it. */
export function trainingOf(series: DailySeries): DailySeries {
  return sinceFirstCost(newest(series, trainingDays));
}

/** Forecasts the days after a series, with the model's own standard errors.
 *  @param whole up to its last complete day
 *  @param horizon number of days */
export function predict(whole: DailySeries, model: ForecastModel, horizon: number = horizonDays): Curve {
  const series = trainingOf(whole);
  // A series without any cost needs no fitting.
  if (!series.values.some((value) => value > 0)) return nothingAhead(horizon);
  const days = calendarFrom(addDays(series.start, series.values.length), horizon);
  const known = series.values.filter((value) => !Number.isNaN(value)).length;
  if (known < enoughDays) return averageAhead(series, days, known >= weekdayDays);
  const adjusted = adjust(series);
  const trend = trendOf(adjusted.values);
  const line = withCalendar(lineAhead(adjusted.values, horizon, trend), days, adjusted);
  if (model === 'linear') return line;
  const theta = withCalendar(thetaAhead(adjusted.values, horizon, trend), days, adjusted);
  const weekly = withCharges(holtWintersAhead(adjusted.weekly, horizon), days, adjusted);
  return middleOf([line, theta, weekly]);
}

function withCalendar(curve: Curve, days: readonly CalendarDay[], adjusted: Adjusted): Curve {
  return {
    values: days.map((day, at) => calendarCost(curve.values[at] ?? 0, day, adjusted)),
    errors: days.map((day, at) => (curve.errors[at] ?? 0) * factorOn(day, adjusted.weekdays)),
  };
}

function withCharges(curve: Curve, days: readonly CalendarDay[], { charges }: Adjusted): Curve {
  return {
    values: days.map((day, at) => Math.max(0, curve.values[at] ?? 0) + chargedOn(day, charges)),
    errors: curve.errors,
  };
}

/** Returns the median curve of each day, which outvotes one that is misled by the last days (measured: the error of a 60-day
 *  sum on generated costs is a tenth lower than that of their mean, on real series the same). */
function middleOf(curves: readonly Curve[]): Curve {
  const [days = []] = curves.map(({ values }) => values);
  return {
    values: days.map((_, at) => median(curves.map(({ values }) => values[at] ?? 0))),
    errors: days.map((_, at) => mean(curves.map(({ errors }) => errors[at] ?? 0))),
  };
}

function nothingAhead(horizon: number): Curve {
  const zeros = Array.from({ length: horizon }, () => 0);
  return { values: zeros, errors: zeros };
}

/** Forecasts from little history: the mean, per weekday if there are two weeks of it; 0 if nothing is known. */
function averageAhead(series: DailySeries, days: readonly CalendarDay[], byWeekday: boolean): Curve {
  const past = calendarFrom(series.start, series.values.length);
  const meanOf = (weekday: number) => mean(series.values.filter((_, at) => past[at]?.weekday === weekday));
  const overall = mean(series.values) || 0;
  const values = days.map(({ weekday }) => Math.max(0, byWeekday ? meanOf(weekday) || overall : overall));
  const error = robustSigma(series.values) || 0;
  return { values, errors: days.map((_, at) => error * Math.sqrt(1 + (at + 1) / Math.max(1, past.length))) };
}
