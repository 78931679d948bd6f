import { addDays } from '../../kit/time/period.ts';
import { adjust, calendarCost } from '../series/adjust.ts';
import { calendarFrom, newest, sinceFirstCost, type CalendarDay, type DailySeries } from '../series/calendar.ts';
import { chargedOn } from '../series/charges.ts';
import { mean, median } from '../series/stats.ts';
import { holtWintersAhead, thetaAhead } from './smoothing.ts';
import { seasonalDays, seasonsOf } from './seasons.ts';
import { lineAhead, trendOf } from './line.ts';

export const forecastModels = ['linear', 'seasonal'] as const;
export type ForecastModel = (typeof forecastModels)[number];

/** Forecast horizon in days. */
export const horizonDays = 60;
/** Maximum training days: older data misleads more than it helps. */
export const trainingDays = 365;
/** Days of a history that a forecast uses: a year, and the earlier days that show the seasons of the year before. */
export const modelDays = trainingDays + seasonalDays;
/** Minimum known days for a forecast per weekday; with fewer, it is the mean of the newest week. */
export const weekdayDays = 14;
/** Minimum known days for a model; with fewer, a forecast is a mean of the newest week, marked as low history. */
export const enoughDays = 28;

/** Returns the training part of a series: at most a year, from the first cost in it. */
export function trainingOf(series: DailySeries): DailySeries {
  return sinceFirstCost(newest(series, trainingDays));
}

/** Forecasts the days after a series.
 *  @param whole up to its last complete day
 *  @param horizon number of days */
export function predict(whole: DailySeries, model: ForecastModel, horizon: number = horizonDays): number[] {
  const series = trainingOf(whole);
  // A series without any cost needs no fitting.
  if (!series.values.some((value) => value > 0)) return Array.from({ length: horizon }, () => 0);
  const days = calendarFrom(addDays(series.start, series.values.length), horizon);
  if (knownDaysOf(series) < enoughDays) return newestWeekAhead(series, days);
  const found = adjust(series);
  const seasons = seasonsOf(newest(whole, modelDays), found, horizon);
  const adjusted = seasons ? adjust(newest(seasons.usual, series.values.length)) : found;
  const levels = days.map((day) => seasons?.factors.get(day.number) ?? 1);
  const trend = trendOf(adjusted.values);
  const withCalendar = (curve: readonly number[]) =>
    days.map((day, at) => calendarCost((curve[at] ?? 0) * (levels[at] ?? 1), day, adjusted));
  const line = withCalendar(lineAhead(adjusted.values, horizon, trend));
  if (model === 'linear') return line;
  const theta = withCalendar(thetaAhead(adjusted.values, horizon, trend));
  const weekly = holtWintersAhead(adjusted.weekly, horizon).map(
    (value, at) => Math.max(0, value * (levels[at] ?? 1)) + chargedOn(days[at] as CalendarDay, adjusted.charges),
  );
  // The median outvotes a curve that is misled by the last days (measured: the error of a 60-day sum on generated costs is a
  // tenth lower than that of the mean, on real series the same).
  return days.map((_, at) => median([line[at] ?? 0, theta[at] ?? 0, weekly[at] ?? 0]));
}

/** Returns the number of known days. */
export function knownDaysOf({ values }: DailySeries): number {
  return values.filter((value) => !Number.isNaN(value)).length;
}

/** Forecasts from little history: the mean of the newest week, since a new service still grows; after two weeks, with the
 *  distribution over the week. */
function newestWeekAhead(series: DailySeries, days: readonly CalendarDay[]): number[] {
  const weekly = mean(series.values.slice(-7));
  const level = Math.max(0, Number.isNaN(weekly) ? mean(series.values) || 0 : weekly);
  const overall = mean(series.values.slice(-weekdayDays));
  if (knownDaysOf(series) < weekdayDays || !(overall > 0)) return days.map(() => level);
  const past = calendarFrom(series.start, series.values.length).slice(-weekdayDays);
  const newestDays = series.values.slice(-weekdayDays);
  const shareOf = (weekday: number) => mean(newestDays.filter((_, at) => past[at]?.weekday === weekday)) / overall || 1;
  return days.map(({ weekday }) => Math.max(0, level * shareOf(weekday)));
}

/** Returns the standard errors of the days ahead of a short history, which has no backtests: from the distance of its newest
 *  two weeks to the forecast of the same weekdays. A single day shows no spread: its error is taken to be its cost. */
export function newestErrors(series: DailySeries, curve: readonly number[]): number[] {
  const values = trainingOf(series).values.slice(-weekdayDays);
  const squares = values.map((value, at) => (Math.max(0, value) - (curve[(at + 6 * values.length) % 7] ?? 0)) ** 2);
  const isSingle = values.filter((value) => !Number.isNaN(value)).length === 1;
  const variance = isSingle ? (curve[0] ?? 0) ** 2 : mean(squares) || 0;
  return curve.map((_, at) => Math.sqrt(variance * (1 + (at + 1) / Math.max(1, values.length))));
}
