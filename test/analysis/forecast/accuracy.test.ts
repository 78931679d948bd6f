import { describe, expect, it } from 'vitest';
import { forecastModels } from '../../../src/analysis/forecast/model.ts';
import type { DailySeries } from '../../../src/analysis/series/calendar.ts';
import { addDays, addMonths, daysBetween, firstDay, type Day } from '../../../src/kit/time/period.ts';
import { generateSeries } from '../../bench/series/generator.ts';
import { accuracyFor, forecastOf } from './world.ts';

const start: Day = '2025-07-01';
const asOf: Day = '2026-07-10';
const days = daysBetween(start, asOf) + 1;

function seriesOf(costOn: (day: Day) => number): DailySeries {
  return { start, values: Array.from({ length: days }, (_, at) => costOn(addDays(start, at))) };
}

const generated: DailySeries[] = generateSeries({ mix: 'hard', seed: 777, count: 2, days }).map(({ costs }) => ({
  start,
  values: costs,
}));

describe.each(forecastModels)('accuracy of %s forecasts', (model) => {
  it('is perfect for constant cost', () => {
    const { months, ...rest } = accuracyFor(
      seriesOf(() => 100),
      model,
      asOf,
    );
    expect(rest).toEqual({ model, mape: expect.closeTo(0, 9), coverage80: 100, coverage95: 100 });
    expect(months.map(({ month }) => month)).toEqual([
      '2026-01',
      '2026-02',
      '2026-03',
      '2026-04',
      '2026-05',
      '2026-06',
    ]);
    expect(months[1]).toEqual({
      month: '2026-02',
      forecast: expect.closeTo(2800, 6),
      actual: 2800,
      errorPercent: expect.closeTo(0, 9),
    });
  });

  it('reports the error of a month whose cost doubled', () => {
    const { months, mape, coverage95 } = accuracyFor(
      seriesOf((day) => (day >= '2026-06-01' ? 200 : 100)),
      model,
      asOf,
    );
    expect(months[5]).toMatchObject({ actual: 6000, forecast: expect.closeTo(3000, 6) });
    expect(months[5]?.errorPercent).toBeCloseTo(-50, 6);
    expect(mape).toBeCloseTo(50 / 6, 6);
    expect(coverage95).toBeLessThan(100);
  });

  it('counts a month as complete on its last day', () => {
    const series = seriesOf(() => 100);
    expect(accuracyFor(series, model, '2026-06-29').months.at(-1)?.month).toBe('2026-05');
    expect(accuracyFor(series, model, '2026-06-30').months.at(-1)?.month).toBe('2026-06');
  });

  it('leaves out months without enough history, and errors of zero cost', () => {
    const young = { start: '2026-04-17', values: seriesOf(() => 0).values.slice(0, 85) } as const;
    const { months, mape, coverage80 } = accuracyFor(young, model, asOf);
    // 14 days of April are known on May 1.
    expect(months.map(({ month, errorPercent }) => [month, errorPercent])).toEqual([
      ['2026-05', null],
      ['2026-06', null],
    ]);
    expect([mape, coverage80]).toEqual([null, 100]);
    const empty = accuracyFor({ start, values: [] }, model, asOf);
    expect(empty).toEqual({ model, months: [], mape: null, coverage80: null, coverage95: null });
  });

  it('leaves out a month whose bill is missing', () => {
    const holed = seriesOf((day) => (day.startsWith('2026-04') ? NaN : 100));
    const { months, mape } = accuracyFor(holed, model, asOf);
    expect(months.map(({ month }) => month)).toEqual(['2026-01', '2026-02', '2026-03', '2026-05', '2026-06']);
    expect(mape).toBeCloseTo(0, 9);
  });

  it('uses the forecast that would have been made on the day before each month', () => {
    for (const series of generated) {
      const { months } = accuracyFor(series, model, asOf);
      for (const { month, forecast } of months) {
        const eve = addDays(firstDay(month), -1);
        const cut = { ...series, values: series.values.slice(0, daysBetween(start, eve) + 1) };
        const length = daysBetween(firstDay(month), firstDay(addMonths(month, 1)));
        expect(forecast).toBeCloseTo(forecastOf(cut, model, eve).totals[length - 1]?.cost ?? NaN, 6);
      }
    }
  });

  it('does not depend on later data', () => {
    for (const series of generated) {
      const early: Day = '2026-05-20';
      const known = daysBetween(start, early) + 1;
      const values = series.values.map((value, at) => (at < known ? value : 7 * value + at));
      expect(accuracyFor({ ...series, values }, model, early)).toEqual(accuracyFor(series, model, early));
    }
  });
});
