import { addDays } from '../../kit/period.ts';
import { adjust, calendarCost, factorOn, type Adjusted } from '../series/adjust.ts';
import { calendarFrom, newest, sinceFirstCost, type CalendarDay, type DailySeries } from '../series/calendar.ts';
import { chargedOn } from '../series/charges.ts';
import { mean, median, robustSigma } from '../series/stats.ts';
import { holtWintersAhead, thetaAhead } from './smoothing.ts';
import { lineAhead, trendOf, type Curve } from './line.ts';

export const forecastModels = ['linear', 'seasonal'] as const;
export type ForecastModel = (typeof forecastModels)[number];

/** How far every forecast reaches. */
export const horizonDays = 60;
/** What is older than a year misleads more than it tells. */
export const trainingDays = 365;
/** With fewer known days a forecast is their mean. */
export const weekdayDays = 14;
/** With fewer known days a forecast is the mean of each weekday; it is marked as made of little. */
export const enoughDays = 28;

/** What of a series a forecast is made from: a year at most, since the first cost in it. */
export function trainingOf(series: DailySeries): DailySeries {
  return sinceFirstCost(newest(series, trainingDays));
}

/** Forecasts the days after a series, with the model's own standard errors.
 *  @param series up to its last complete day */
export function predict(whole: DailySeries, model: ForecastModel): Curve {
  const series = trainingOf(whole);
  // A service that nobody ever paid for needs no fitting.
  if (!series.values.some((value) => value > 0)) return nothingAhead();
  const days = calendarFrom(addDays(series.start, series.values.length), horizonDays);
  const known = series.values.filter((value) => !Number.isNaN(value)).length;
  if (known < enoughDays) return averageAhead(series, days, known >= weekdayDays);
  const adjusted = adjust(series);
  const trend = trendOf(adjusted.values);
  const line = withCalendar(lineAhead(adjusted.values, horizonDays, trend), days, adjusted);
  if (model === 'linear') return line;
  const theta = withCalendar(thetaAhead(adjusted.values, horizonDays, trend), days, adjusted);
  const weekly = withCharges(holtWintersAhead(adjusted.weekly, horizonDays), days, adjusted);
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

/** The middle one on each day: one that was misled by the last days is outvoted (measured: the error of a 60-day sum on
 *  generated costs is a tenth lower than that of their mean, on real series the same). */
function middleOf(curves: readonly Curve[]): Curve {
  const days = Array.from({ length: horizonDays }, (_, at) => at);
  return {
    values: days.map((at) => median(curves.map(({ values }) => values[at] ?? 0))),
    errors: days.map((at) => mean(curves.map(({ errors }) => errors[at] ?? 0))),
  };
}

function nothingAhead(): Curve {
  const zeros = Array.from({ length: horizonDays }, () => 0);
  return { values: zeros, errors: zeros };
}

/** Of little history: the mean, of each weekday where there are two weeks of it; 0 where nothing is known. */
function averageAhead(series: DailySeries, days: readonly CalendarDay[], byWeekday: boolean): Curve {
  const past = calendarFrom(series.start, series.values.length);
  const meanOf = (weekday: number) => mean(series.values.filter((_, at) => past[at]?.weekday === weekday));
  const overall = mean(series.values) || 0;
  const values = days.map(({ weekday }) => Math.max(0, byWeekday ? meanOf(weekday) || overall : overall));
  const error = robustSigma(series.values) || 0;
  return { values, errors: days.map((_, at) => error * Math.sqrt(1 + (at + 1) / Math.max(1, past.length))) };
}
