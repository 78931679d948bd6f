import { describe, expect, it } from 'vitest';
import type { Expectation } from '../../../src/analysis/forecast/forecast.ts';
import { forecastModels } from '../../../src/analysis/forecast/model.ts';
import type { DailySeries } from '../../../src/analysis/series/calendar.ts';
import { addDays, daysBetween, type Day } from '../../../src/kit/time/period.ts';
import { generateSeries } from '../../bench/series/generator.ts';
import { forecastOf } from './world.ts';

const start: Day = '2026-01-01';

function seriesOf(days: number, costOn: (day: Day, at: number) => number): DailySeries {
  return { start, values: Array.from({ length: days }, (_, at) => costOn(addDays(start, at), at)) };
}

function through({ start: first, values }: DailySeries): Day {
  return addDays(first, values.length - 1);
}

const generated: DailySeries[] = (['standard', 'hard'] as const).flatMap((mix) =>
  generateSeries({ mix, seed: 777, count: 6, days: 400 }).map(({ firstDay, costs }) => ({
    start: firstDay,
    values: costs,
  })),
);

describe.each(forecastModels)('a %s forecast', (model) => {
  it('continues a level and a fee, with zero-width intervals for a perfectly regular series', () => {
    const series = seriesOf(150, (day) => (day.endsWith('-01') ? 150 : 100));
    const { points, totals, historyFrom, historyTo, lowHistory } = forecastOf(series, model, through(series));
    expect({ historyFrom, historyTo, lowHistory }).toEqual({
      historyFrom: '2026-01-01',
      historyTo: '2026-05-30',
      lowHistory: false,
    });
    expect(points).toHaveLength(60);
    expect(points[0]).toMatchObject({ date: '2026-05-31', cost: 100, lower80: 100, upper95: 100 });
    expect(points[1]).toMatchObject({ date: '2026-06-01', cost: 150 });
    // 60 days through July 29, including June 1 and July 1.
    expect(totals[59]?.cost).toBeCloseTo(6100, 6);
    expect(totals[1]?.cost).toBeCloseTo(250, 6);
  });

  it('expects no further cost after a single charge that is over a week old', () => {
    for (const days of [12, 20, 200]) {
      const series = seriesOf(days, (_, at) => (at === 0 ? 1000 : 0));
      expect(forecastOf(series, model, through(series)).totals[59]?.cost).toBe(0);
    }
  });

  it('has wide intervals after a single day', () => {
    const series = seriesOf(30, (_, at) => (at === 29 ? 1000 : 0));
    const { points, lowHistory } = forecastOf(series, model, through(series));
    expect(lowHistory).toBe(true);
    expect(points[0]).toMatchObject({ cost: 1000, lower95: 0 });
    expect(points[0]?.upper95).toBeGreaterThan(2000);
  });

  it('has intervals below a spike of the last days, and does not repeat it', () => {
    for (const at of [181, 199]) {
      const series = seriesOf(200, (_, day) => (day === at ? 1_000_000 : 100 + ((day * 37) % 11)));
      const { points } = forecastOf(series, model, through(series));
      for (const { cost, upper95 } of points) {
        expect(cost).toBeLessThan(120);
        expect(upper95).toBeLessThan(at === 199 ? 1_000_000 : 200);
      }
    }
  });

  it.each([
    ['each quarter', (day: Day) => (/-(?:01|04|07|10)-01$/.test(day) ? 900 : 0)],
    ['every second Friday', (day: Day) => (daysBetween(start, day) % 14 === 1 ? 400 : 0)],
  ])('expects a charge %s', (_, chargeOn) => {
    const series = seriesOf(340, (day, at) => 100 + (at % 3) + chargeOn(day));
    const { points } = forecastOf(series, model, through(series));
    for (const { date, cost } of points) expect(Math.abs(cost - 101 - chargeOn(date))).toBeLessThan(10);
  });

  it('does not expect a monthly charge that ended', () => {
    const series = seriesOf(340, (day, at) => 100 + (day.endsWith('-01') && at < 250 ? 500 : 0));
    expect(forecastOf(series, model, through(series)).points.every(({ cost }) => cost < 101)).toBe(true);
  });

  it('expects a job that runs on Sundays only', () => {
    const series = seriesOf(200, (_, at) => (at % 7 === 3 ? 70 + (at % 2) : 0));
    const { points } = forecastOf(series, model, through(series));
    const costs = points.map(({ cost }, at) => ({ cost, isSunday: (200 + at) % 7 === 3 }));
    expect(costs.every(({ cost, isSunday }) => Math.abs(cost - (isSunday ? 70.5 : 0)) < 3)).toBe(true);
  });

  it('uses at most one year of history', () => {
    const series = seriesOf(500, (_, at) => (at < 135 ? 5000 : 100));
    const { historyFrom, points } = forecastOf(series, model, through(series));
    expect(historyFrom).toBe(addDays(start, 135));
    expect(points[0]?.cost).toBeCloseTo(100, 6);
  });

  it("uses a new service's cost since its first use", () => {
    const series = seriesOf(110, (_, at) => (at < 100 ? 0 : 200));
    const { historyFrom, lowHistory, points } = forecastOf(series, model, through(series));
    expect({ historyFrom, lowHistory }).toEqual({ historyFrom: addDays(start, 100), lowHistory: true });
    expect(points.every(({ cost }) => cost === 200)).toBe(true);
  });

  it('does not use the last day before a gap in the bills as the level', () => {
    const costs = seriesOf(200, (_, at) => (at > 170 ? NaN : at === 170 ? 1000 : 95 + (at % 11)));
    const { totals } = forecastOf(costs, model, through(costs));
    expect(totals[29]?.cost).toBeGreaterThan(2700);
    expect(totals[29]?.cost).toBeLessThan(3300);
  });

  it('has wide intervals when credits outweigh cost', () => {
    const series = seriesOf(300, (_, at) => (at % 9 === 0 ? -700 : 60 + (at % 5)));
    const { points, totals } = forecastOf(series, model, through(series));
    const { cost = 0, upper80 = 0, upper95 = 0, lower95 = 0 } = totals[59] ?? {};
    expect(upper80 - cost).toBeGreaterThan(1000);
    expect(upper95).toBeGreaterThanOrEqual(upper80);
    expect(lower95).toBe(0);
    expect(points.every(({ lower80, cost: middle, upper80: high }) => lower80 < middle && middle < high)).toBe(true);
  });

  it('is the mean of the newest week with less than two weeks of history, and flagged as low history', () => {
    const series = seriesOf(13, (_, at) => (at % 2 === 0 ? 10 : 24));
    const { points, lowHistory } = forecastOf(series, model, through(series));
    // Four days at 10, three at 24.
    expect(points[40]?.cost).toBeCloseTo(112 / 7, 9);
    expect(lowHistory).toBe(true);
  });

  it('distributes the newest week like the newest two, with two weeks of history', () => {
    const series = seriesOf(14, (_, at) => 1 + (at % 7) * 10 + (at < 7 ? 0 : 4));
    const { points } = forecastOf(series, model, through(series));
    // The means are 33 over two weeks and 35 in the newest.
    for (const [at, expected] of [3, 13, 23, 33, 43, 53, 63, 3].entries())
      expect(points[at]?.cost).toBeCloseTo((expected * 35) / 33, 9);
  });

  it('starts at the newest week of a service that is being rolled out, and its intervals contain the days before', () => {
    const series = seriesOf(24, (_, at) => 100 * (at + 1));
    const { points } = forecastOf(series, model, through(series));
    const sum = points.slice(0, 7).reduce((total, { cost }) => total + cost, 0);
    expect(sum).toBeCloseTo(
      series.values.slice(-7).reduce((total, cost) => total + cost, 0),
      6,
    );
    expect(points.every(({ upper80, cost }) => upper80 - cost > 400)).toBe(true);
  });

  it.each([
    [27, true],
    [28, false],
  ])('flags %i days as low history: %s', (days, expected) => {
    const series = seriesOf(days, () => 10);
    expect(forecastOf(series, model, through(series)).lowHistory).toBe(expected);
  });

  it('counts days with data, not elapsed days', () => {
    const series = seriesOf(40, (_, at) => (at % 2 === 0 ? 10 : NaN));
    const { lowHistory, points } = forecastOf(series, model, through(series));
    expect(lowHistory).toBe(true);
    expect(points.every(({ cost }) => cost === 10)).toBe(true);
  });

  it.each([
    ['no history', seriesOf(0, () => 0)],
    ['no cost', seriesOf(90, () => 0)],
    ['only gaps', seriesOf(90, () => NaN)],
    ['only credits', seriesOf(90, () => -5)],
  ])('is 0 for %s', (_, series) => {
    const { points, totals } = forecastOf(series, model, through(series));
    for (const point of [...points, ...totals]) expect(point).toMatchObject({ cost: 0, lower95: 0 });
    expect(points.every(({ upper95 }) => Number.isFinite(upper95))).toBe(true);
  });

  it('is never negative for falling costs', () => {
    const series = seriesOf(200, (_, at) => 2000 - 10 * at);
    const { points } = forecastOf(series, model, through(series));
    expect(Math.min(...points.map(({ lower95 }) => lower95))).toBe(0);
    expect(points.at(-1)?.cost).toBeGreaterThanOrEqual(0);
  });

  it.each([
    ['no cost', () => 0],
    ['only credits', () => -5],
  ])('has zero-width intervals at 0 for %s', (_, costOn) => {
    const series = seriesOf(400, costOn);
    const { points, totals } = forecastOf(series, model, through(series));
    const nothing: Expectation = { cost: 0, lower80: 0, upper80: 0, lower95: 0, upper95: 0 };
    expect(totals).toEqual(totals.map(() => nothing));
    expect(points.map(({ date: _date, ...point }) => point)).toEqual(points.map(() => nothing));
  });

  it('has nested intervals that contain the cost', () => {
    const isNested = ({ cost, lower80, upper80, lower95, upper95 }: Expectation) =>
      lower95 >= 0 && lower95 <= lower80 && lower80 <= cost && cost <= upper80 && upper80 <= upper95;
    for (const series of generated) {
      const { points, totals } = forecastOf(series, model, through(series));
      expect([...points, ...totals].filter((each) => !isNested(each))).toEqual([]);
      const sumOf = (valueOf: (point: Expectation) => number) => points.reduce((sum, point) => sum + valueOf(point), 0);
      const { cost = 0, upper80 = 0, upper95 = 0 } = totals[59] ?? {};
      expect(cost).toBeCloseTo(
        sumOf((point) => point.cost),
        6,
      );
      expect(upper80).toBeLessThanOrEqual(sumOf((point) => point.upper80) + 1e-6);
      expect(upper95).toBeLessThanOrEqual(sumOf((point) => point.upper95) + 1e-6);
    }
  });

  it('does not depend on the currency', () => {
    for (const series of generated.slice(0, 2)) {
      const [one, hundred] = [1, 128].map((rate) => {
        const values = series.values.map((value) => value * rate);
        return forecastOf({ ...series, values }, model, through(series)).totals[59];
      });
      expect(hundred?.cost).toBeCloseTo((one?.cost ?? 0) * 128, 2);
      expect(hundred?.upper95).toBeCloseTo((one?.upper95 ?? 0) * 128, 2);
    }
  });

  it('does not use data from after its date', () => {
    for (const series of generated.slice(4, 8)) {
      const asOf = addDays(series.start, 299);
      const earlier = forecastOf({ ...series, values: series.values.slice(0, 300) }, model, asOf);
      const values = series.values.map((value, at) => (at < 300 ? value : value * 9 + at));
      expect(forecastOf({ ...series, values }, model, asOf)).toEqual(earlier);
      expect(daysBetween(earlier.historyTo, earlier.points[0]?.date ?? asOf)).toBe(1);
    }
  });
});
