import { describe, expect, it } from 'vitest';
import { calendarFrom } from '../../../src/analysis/series/calendar.ts';

const isMonthly = (key: string) => /^[dlbe]\d+$/.test(key);
const keysOn = (day: `${number}-${number}-${number}`) => calendarFrom(day, 1)[0]?.keys.filter(isMonthly);

describe('the calendar of charges', () => {
  it('returns the positions of a day in its month', () => {
    // August 2026 starts on a Saturday and ends on a Monday.
    expect(keysOn('2026-08-01')).toEqual(['d1']);
    expect(keysOn('2026-08-03')).toEqual(['d3', 'b1']);
    expect(keysOn('2026-08-05')).toEqual(['d5', 'b3']);
    expect(keysOn('2026-08-06')).toEqual(['d6']);
    expect(keysOn('2026-08-27')).toEqual(['d27', 'e3']);
    expect(keysOn('2026-08-28')).toEqual(['d28', 'e2']);
    expect(keysOn('2026-08-29')).toEqual(['d29', 'l3']);
    expect(keysOn('2026-08-31')).toEqual(['d31', 'l1', 'e1']);
  });

  it('handles leap days and the turn of the year', () => {
    const days = calendarFrom('2027-12-30', 65);
    expect(days[0]).toMatchObject({ weekday: 4, dayOfMonth: 30 });
    expect(keysOn('2027-12-30')).toEqual(['d30', 'l2', 'e2']);
    expect(days[2]).toMatchObject({ weekday: 6, dayOfMonth: 1 });
    expect(keysOn('2028-01-03')).toEqual(['d3', 'b1']);
    expect(days[61]).toMatchObject({ dayOfMonth: 29, daysInMonth: 29 });
    expect(keysOn('2028-02-29')).toEqual(['d29', 'l1', 'e1']);
    expect(days[62]).toMatchObject({ dayOfMonth: 1, month: 2028 * 12 + 2 });
  });

  it('assigns each position once per month', () => {
    const days = calendarFrom('2026-01-01', 365);
    for (const key of ['d1', 'd28', 'l1', 'l2', 'l3', 'b1', 'b2', 'b3', 'e1', 'e2', 'e3'] as const)
      expect(days.filter(({ keys }) => keys.includes(key)).map(({ month }) => month % 12)).toEqual([
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
      ]);
  });

  it('assigns each position in the quarter four times a year, and each in two weeks every 14 days', () => {
    const days = calendarFrom('2026-01-01', 364);
    const at = (key: string) => days.flatMap(({ keys }, index) => (keys.some((own) => own === key) ? index : []));
    expect(at('d1q0').map((index) => (days[index]?.month ?? 0) % 12)).toEqual([0, 3, 6, 9]);
    expect(at('f3')).toHaveLength(26);
    expect(new Set(at('f3').map((index) => index % 14)).size).toBe(1);
  });
});
