import { describe, expect, it } from 'vitest';
import { accuracyOf } from '../../../src/analysis/forecast/accuracy.ts';
import type { DividedSeries } from '../../../src/analysis/forecast/divided-series.ts';
import { forecastCost } from '../../../src/analysis/forecast/forecast.ts';
import { forecastModels } from '../../../src/analysis/forecast/model.ts';
import type { DailySeries } from '../../../src/analysis/series/calendar.ts';
import { addDays, type Day } from '../../../src/kit/time/period.ts';
import { generateSeries } from '../../bench/series/generator.ts';
import { forecastOf } from './world.ts';

const start: Day = '2025-03-01';
const days = 400;
const asOf = addDays(start, days - 1);

function part(costOn: (at: number) => number): DailySeries {
  return { start, values: Array.from({ length: days }, (_, at) => costOn(at)) };
}

function divided(...parts: readonly DailySeries[]): DividedSeries {
  const valueOn = ({ values }: DailySeries, at: number) => values[at - days + values.length] ?? 0;
  return { whole: part((at) => parts.reduce((sum, each) => sum + valueOn(each, at), 0)), parts };
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

describe.each(forecastModels)('%s forecast of costs with parts', (model) => {
  it('is the sum of the forecasts of the parts', () => {
    const parts = generateSeries({ mix: 'standard', seed: 778, count: 3, days }).map(({ costs }) =>
      part((at) => costs[at] ?? 0),
    );
    const { points, totals, curves } = forecastCost(divided(...parts), model, asOf);
    const alone = parts.map((each) => forecastOf(each, model, asOf).points.map(({ cost }) => cost));
    expect(curves).toEqual(alone);
    for (const [at, { cost }] of points.entries())
      expect(cost).toBeCloseTo(sumOf(alone.map((curve) => curve[at] ?? NaN)), 9);
    expect(totals.at(-1)?.cost).toBeCloseTo(sumOf(alone.flat()), 6);
  });

  it('detects a charge of one part that does not stand out in the sum', () => {
    const small = part((at) => (addDays(start, at).endsWith('-01') ? 60 : 1));
    const large = part((at) => 1000 + 80 * Math.sin(at * 12.9898));
    const { points } = forecastCost(divided(large, small), model, asOf);
    const costOn = (day: Day) => points.find(({ date }) => date === day)?.cost ?? NaN;
    expect(costOn('2026-05-01') - costOn('2026-04-30')).toBeGreaterThan(40);
  });

  it('subtracts a credit that has a line by itself', () => {
    const { points, curves } = forecastCost(
      divided(
        part(() => 100),
        part(() => -10),
      ),
      model,
      asOf,
    );
    expect(points.every(({ cost }) => Math.abs(cost - 90) < 1e-6)).toBe(true);
    expect(curves[1]?.every((cost) => Math.abs(cost + 10) < 1e-6)).toBe(true);
  });

  it('is 0 in all parts where credits exceed the costs', () => {
    const { points, curves } = forecastCost(
      divided(
        part(() => 10),
        part(() => -100),
      ),
      model,
      asOf,
    );
    expect(points.every(({ cost }) => cost === 0)).toBe(true);
    expect(curves.flat().every((cost) => cost === 0)).toBe(true);
  });

  it('compares the days before a new part begins with the forecast of the sum', () => {
    const fresh = { start: addDays(start, days - 60), values: Array.from({ length: 60 }, () => 5) };
    const { months, coverage80 } = accuracyOf(
      divided(
        part(() => 100),
        fresh,
      ),
      model,
      asOf,
    );
    const forecasts = months.map(({ forecast }) => Math.round(forecast));
    expect(forecasts).toEqual([3100, 3000, 3100, 3100, 2800, 105 * 31]);
    expect(coverage80).toBeGreaterThan(70);
    const { points } = forecastCost(
      divided(
        part(() => 100),
        fresh,
      ),
      model,
      asOf,
    );
    expect(points.at(-1)?.cost).toBeCloseTo(105, 6);
  });
});
