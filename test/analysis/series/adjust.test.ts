import { describe, expect, it } from 'vitest';
import { adjust, withoutOutliers } from '../../../src/analysis/series/adjust.ts';
import { calendarFrom, knownThrough, newest, sinceFirstCost } from '../../../src/analysis/series/calendar.ts';
import { chargedOn } from '../../../src/analysis/series/charges.ts';
import { addDays, type Day } from '../../../src/kit/time/period.ts';

/** $100 per day plus an extra amount for each day. */
function costsFrom(start: Day, days: number, extra: (day: Day, at: number) => number): number[] {
  return Array.from({ length: days }, (_, at) => 100 + extra(addDays(start, at), at));
}

const isWeekend = (day: Day) => new Date(day).getUTCDay() % 6 === 0;

describe('the calendar adjustment', () => {
  it('finds weekday factors', () => {
    const start: Day = '2026-01-01';
    const { weekdays, values } = adjust({ start, values: costsFrom(start, 120, (day) => (isWeekend(day) ? -65 : 0)) });
    // Five days at 100 and two at 35: 570 per week, 81.43 per day on average.
    expect(weekdays[1]).toBeCloseTo(700 / 570, 6);
    expect(weekdays[6]).toBeCloseTo(245 / 570, 6);
    expect(values[60]).toBeCloseTo(570 / 7, 6);
  });

  it('finds a fee on the first of the month from its second occurrence', () => {
    const fee = (day: Day) => (day.endsWith('-01') ? 50 : 0);
    const start: Day = '2026-01-15';
    expect(adjust({ start, values: costsFrom(start, 30, fee) }).charges).toEqual([]);
    const { charges, values } = adjust({ start, values: costsFrom(start, 60, fee) });
    expect(charges).toEqual([{ key: 'd1', amount: 50 }]);
    expect(values.every((value) => value === 100)).toBe(true);
  });

  it.each([
    ['the last day', 'l1', (day: Day) => addDays(day, 1).endsWith('-01')],
    ['the second day from the end', 'l2', (day: Day) => addDays(day, 2).endsWith('-01')],
    ['the 15th', 'd15', (day: Day) => day.endsWith('-15')],
  ])('recognizes a fee on %s of the month', (_, key, isOn) => {
    const start: Day = '2025-06-01';
    expect(adjust({ start, values: costsFrom(start, 365, (day) => (isOn(day) ? 80 : 0)) }).charges).toEqual([
      { key, amount: 80 },
    ]);
  });

  it.each(['b1', 'b2', 'e1'] as const)('distinguishes a fee on business day %s from calendar days', (key) => {
    const calendar = calendarFrom('2025-06-01', 365);
    const values = calendar.map(({ keys }) => (keys.includes(key) ? 160 : 100));
    expect(adjust({ start: '2025-06-01', values }).charges).toEqual([{ key, amount: 60 }]);
  });

  it('drops a fee that was missing twice in a row', () => {
    const start: Day = '2026-01-01';
    const until = (month: string) => (day: Day) => (day.endsWith('-01') && day < month ? 50 : 0);
    const missing = (month: string) => adjust({ start, values: costsFrom(start, 185, until(month)) }).charges.length;
    expect(missing('2026-07-01')).toBe(1);
    expect(missing('2026-06-01')).toBe(0);
  });

  it('ignores charges below a tenth of the level', () => {
    const start: Day = '2026-01-01';
    const charges = (fee: number) =>
      adjust({ start, values: costsFrom(start, 120, (day) => (day.endsWith('-01') ? fee : 0)) }).charges.length;
    expect(charges(9.9)).toBe(0);
    expect(charges(10.1)).toBe(1);
  });

  it('treats unknown days neither as zero nor as a level', () => {
    const start: Day = '2026-01-01';
    const values = costsFrom(start, 90, (_, at) => (at % 9 === 0 || (at > 40 && at < 47) ? NaN : 0));
    expect(adjust({ start, values }).values.every((value) => value === 100)).toBe(true);
  });

  it('is zero for series that are empty, unknown or zero', () => {
    for (const values of [Array.from({ length: 40 }, () => NaN), Array.from({ length: 40 }, () => 0), []])
      expect(adjust({ start: '2026-01-01', values }).values.every((value) => value === 0)).toBe(true);
  });
});

describe('helpers of the calendar adjustment', () => {
  it('replace outliers with the level of the surrounding weeks', () => {
    expect(withoutOutliers([10, 12, 11, 90, 12, 10, 11, 10])).toEqual([10, 12, 11, 11, 12, 10, 11, 10]);
  });

  it('add all charges of a day at two positions', () => {
    const [day] = calendarFrom('2026-08-31', 1);
    const charges = [
      { key: 'd31', amount: 5 },
      { key: 'e1', amount: 7 },
      { key: 'd1', amount: 9 },
    ] as const;
    expect(day && chargedOn(day, charges)).toBe(12);
  });

  it('cut series at a day, to their newest days, and to their first cost', () => {
    const series = { start: '2026-01-01', values: [1, 2, 3] } as const;
    expect(knownThrough(series, '2026-01-02')).toEqual({ start: '2026-01-01', values: [1, 2] });
    expect(knownThrough(series, '2025-12-30').values).toEqual([]);
    expect(newest(series, 2)).toEqual({ start: '2026-01-02', values: [2, 3] });
    expect(newest(series, 9)).toEqual(series);
    expect(sinceFirstCost({ start: '2026-01-01', values: [0, NaN, 4, 0] })).toEqual({
      start: '2026-01-03',
      values: [4, 0],
    });
    expect(sinceFirstCost({ start: '2026-01-01', values: [0, 0] }).values).toEqual([0, 0]);
  });
});
