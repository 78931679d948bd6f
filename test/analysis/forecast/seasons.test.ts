import { expect, it } from 'vitest';
import { forecastModels, predict, trainingDays, type ForecastModel } from '../../../src/analysis/forecast/model.ts';
import { seasonsOf } from '../../../src/analysis/forecast/seasons.ts';
import { adjust } from '../../../src/analysis/series/adjust.ts';
import { newest } from '../../../src/analysis/series/calendar.ts';
import { addDays, daysBetween, type Day } from '../../../src/kit/time/period.ts';
import { generateBusiness } from '../../bench/series/business.ts';

const start: Day = '2025-01-01';

/** Costs around 100 up to a day. */
function costsTo(last: Day, factorOn: (day: Day) => number) {
  const values = Array.from({ length: daysBetween(start, last) + 1 }, (_, at) => {
    const day = addDays(start, at);
    return (100 + (at % 3)) * factorOn(day);
  });
  return { start, values };
}

/** Returns the forecast of a day, as a multiple of the usual cost. */
function forecastOn(day: Day, series: ReturnType<typeof costsTo>, model: ForecastModel): number {
  const ahead = predict(series, model, 90);
  return (ahead[daysBetween(start, day) - series.values.length] ?? NaN) / 101;
}

const isIn = (from: string, to: string) => (day: Day) => day >= from && day <= to;
/** The weeks of Thanksgiving, November 27 in 2025 and November 26 in 2026. */
const isFriday2025 = isIn('2025-11-25', '2025-12-02');
const isFriday2026 = isIn('2026-11-24', '2026-12-01');
const isHoliday = (day: Day) => day.slice(5) >= '12-24' || day.slice(5) <= '01-01';
const retail = (day: Day) => (isFriday2025(day) || isFriday2026(day) ? 2 : isHoliday(day) ? 0.6 : 1);

it.each(forecastModels)('repeats the seasons of last year (%s)', (model) => {
  const series = costsTo('2026-11-10', retail);
  for (const [day, factor] of [
    ['2026-11-20', 1],
    ['2026-11-27', 2],
    ['2026-12-10', 1],
    ['2026-12-28', 0.6],
    ['2027-01-10', 1],
  ] as const)
    expect(Math.abs(forecastOn(day, series, model) - factor)).toBeLessThan(0.05);
});

it.each(forecastModels)('does not take a season for a new level (%s)', (model) => {
  for (const last of ['2026-11-28', '2026-12-01', '2026-12-31'] as const)
    expect(Math.abs(forecastOn('2027-01-20', costsTo(last, retail), model) - 1)).toBeLessThan(0.05);
});

it.each(forecastModels)('keeps the level if the season did not come back (%s)', (model) => {
  const series = costsTo('2026-12-02', (day) => (isFriday2025(day) ? 2 : 1));
  expect(Math.abs(forecastOn('2026-12-15', series, model) - 1)).toBeLessThan(0.05);
});

it.each([
  ['two expensive days of last year', (day: Day) => (isIn('2025-11-26', '2025-11-27')(day) ? 3 : 1)],
  ['a change of level in the season of last year', (day: Day) => (day < '2025-11-27' ? 2 : 1)],
  ['an environment that is on every second week', (day: Day) => (daysBetween(start, day) % 14 < 7 ? 1 : 0.1)],
])('does not repeat %s', (_, factorOn) => {
  const series = costsTo('2026-11-10', factorOn);
  expect(seasonsOf(series, adjust(newest(series, trainingDays)), 60)).toBeNull();
});

it('halves the error around the seasons of businesses with campaigns', () => {
  const errors = generateBusiness(424_250, 8, 800)
    .filter(({ style }) => style === 'campaigns')
    .map(({ costs }) => {
      const known = daysBetween(start, '2026-11-15') + 1;
      const future = costs.slice(known, known + 60);
      const ahead = predict({ start, values: costs.slice(0, known) }, 'seasonal');
      const missed = future.reduce((sum, cost, at) => sum + Math.abs(cost - (ahead[at] ?? NaN)), 0);
      return missed / future.reduce((sum, cost) => sum + cost, 0);
    });
  // Without seasons, it is 0.2.
  expect(errors.reduce((sum, error) => sum + error, 0) / errors.length).toBeLessThan(0.1);
});
