import { describe, expect, test } from 'vitest';
import type { Day } from '../../src/kit/period.ts';
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
} from '../../src/kit/period.ts';

describe('parseDay', () => {
  test('takes real calendar days only', () => {
    expect(parseDay('2024-02-29')).toBe('2024-02-29');
    expect(parseDay('2023-02-29')).toBeNull();
    expect(parseDay('2024-04-31')).toBeNull();
    expect(parseDay('2024-13-01')).toBeNull();
    expect(parseDay('2024-00-10')).toBeNull();
  });

  test('takes YYYY-MM-DD only', () => {
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

  test('refuses years that days could not be compared or counted in', () => {
    expect(parseDay('0999-12-31')).toBeNull();
    expect(parseDay('1000-01-01')).toBe('1000-01-01');
    expect(parseDay('9990-12-31')).toBe('9990-12-31');
    expect(parseDay('9991-01-01')).toBeNull();
  });
});

test('a month is YYYY-MM of a real month', () => {
  expect(parseMonth('2024-12')).toBe('2024-12');
  expect(parseMonth('2024-13')).toBeNull();
  expect(parseMonth('2024-1')).toBeNull();
});

test('days and months are counted over leap days and year ends', () => {
  expect(addDays('2024-02-28', 1)).toBe('2024-02-29');
  expect(addDays('2024-01-01', -1)).toBe('2023-12-31');
  expect(addMonths('2024-01', -1)).toBe('2023-12');
  expect(addMonths('2024-11', 14)).toBe('2026-01');
  expect(lastDay('2024-02')).toBe('2024-02-29');
  expect(daysBetween('2023-12-31', '2024-03-01')).toBe(61);
});

test('a range without days has none', () => {
  expect(daysIn({ start: '2024-01-02', end: '2024-01-02' })).toEqual([]);
  expect(monthsIn({ start: '2024-01-01', end: '2024-02-01' })).toEqual(['2024-01']);
});

describe('splitRange', () => {
  const split = (start: Day, end: Day) => splitRange({ start, end });

  test('finds no whole month in a month less a day at either end', () => {
    expect(split('2024-01-02', '2024-02-01')).toEqual({
      months: null,
      ends: [{ start: '2024-01-02', end: '2024-02-01' }],
    });
    expect(split('2024-01-01', '2024-01-31')).toEqual({
      months: null,
      ends: [{ start: '2024-01-01', end: '2024-01-31' }],
    });
  });

  test('finds a month that is just whole', () => {
    expect(split('2024-01-01', '2024-02-01')).toEqual({ months: { start: '2024-01', end: '2024-02' }, ends: [] });
  });

  test('leaves the days before and after whole months', () => {
    expect(split('2023-12-31', '2024-03-02')).toEqual({
      months: { start: '2024-01', end: '2024-03' },
      ends: [
        { start: '2023-12-31', end: '2024-01-01' },
        { start: '2024-03-01', end: '2024-03-02' },
      ],
    });
  });

  test('keeps two ragged months that touch together', () => {
    expect(split('2024-01-15', '2024-02-15')).toEqual({
      months: null,
      ends: [{ start: '2024-01-15', end: '2024-02-15' }],
    });
  });
});
