import { describe, expect, it } from 'vitest';
import type { Day } from '../../../src/kit/time/period.ts';
import {
  addDays,
  addMonths,
  daysBetween,
  daysIn,
  lastDay,
  monthsIn,
  parseDay,
  parseMonth,
  splitRange,
} from '../../../src/kit/time/period.ts';

describe('parseDay', () => {
  it('accepts only real calendar days', () => {
    expect(parseDay('2024-02-29')).toBe('2024-02-29');
    expect(parseDay('2023-02-29')).toBeNull();
    expect(parseDay('2024-04-31')).toBeNull();
    expect(parseDay('2024-13-01')).toBeNull();
    expect(parseDay('2024-00-10')).toBeNull();
  });

  it('accepts only YYYY-MM-DD', () => {
    for (const text of [
      '2024-2-9',
      '2024-02-09T00:00:00Z',
      ' 2024-02-09',
      '20240209',
      '',
      '2024-02-09\n',
      '٢٠٢٤-02-09',
    ]) {
      expect(parseDay(text)).toBeNull();
    }
  });

  it('rejects years outside of 1000 to 9990', () => {
    expect(parseDay('0999-12-31')).toBeNull();
    expect(parseDay('1000-01-01')).toBe('1000-01-01');
    expect(parseDay('9990-12-31')).toBe('9990-12-31');
    expect(parseDay('9991-01-01')).toBeNull();
  });
});

it('accepts only YYYY-MM of a real month as a month', () => {
  expect(parseMonth('2024-12')).toBe('2024-12');
  expect(parseMonth('2024-13')).toBeNull();
  expect(parseMonth('2024-1')).toBeNull();
});

it('counts days and months across leap days and year ends', () => {
  expect(addDays('2024-02-28', 1)).toBe('2024-02-29');
  expect(addDays('2024-01-01', -1)).toBe('2023-12-31');
  expect(addMonths('2024-01', -1)).toBe('2023-12');
  expect(addMonths('2024-11', 14)).toBe('2026-01');
  expect(lastDay('2024-02')).toBe('2024-02-29');
  expect(daysBetween('2023-12-31', '2024-03-01')).toBe(61);
});

it('returns no days for an empty range', () => {
  expect(daysIn({ start: '2024-01-02', end: '2024-01-02' })).toEqual([]);
  expect(monthsIn({ start: '2024-01-01', end: '2024-02-01' })).toEqual(['2024-01']);
});

describe('splitRange', () => {
  const split = (start: Day, end: Day) => splitRange({ start, end });

  it('finds no whole month in a month without its first or last day', () => {
    expect(split('2024-01-02', '2024-02-01')).toEqual({
      months: null,
      ends: [{ start: '2024-01-02', end: '2024-02-01' }],
    });
    expect(split('2024-01-01', '2024-01-31')).toEqual({
      months: null,
      ends: [{ start: '2024-01-01', end: '2024-01-31' }],
    });
  });

  it('finds a single whole month', () => {
    expect(split('2024-01-01', '2024-02-01')).toEqual({ months: { start: '2024-01', end: '2024-02' }, ends: [] });
  });

  it('separates the days before and after whole months', () => {
    expect(split('2023-12-31', '2024-03-02')).toEqual({
      months: { start: '2024-01', end: '2024-03' },
      ends: [
        { start: '2023-12-31', end: '2024-01-01' },
        { start: '2024-03-01', end: '2024-03-02' },
      ],
    });
  });

  it('keeps two adjacent partial months together', () => {
    expect(split('2024-01-15', '2024-02-15')).toEqual({
      months: null,
      ends: [{ start: '2024-01-15', end: '2024-02-15' }],
    });
  });
});
