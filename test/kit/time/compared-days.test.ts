import { describe, expect, it } from 'vitest';
import {
  comparedDay,
  completeDays,
  lastCompleteDay,
  monthsEarlier,
  previousDays,
} from '../../../src/kit/time/compared-days.ts';
import { addDays, type Day, type DayRange } from '../../../src/kit/time/period.ts';

const today = '2026-11-21' as Day;
const days = (start: string, last: string): DayRange => ({ start: start as Day, end: addDays(last as Day, 1) });

describe('lastCompleteDay', () => {
  it.each([
    ['some days late', ['2026-11-19'], '2026-11-19'],
    ['a week late', ['2026-11-14'], '2026-11-14'],
    ['more than a week late, as their sync has stopped', ['2026-09-30'], '2026-09-30'],
    ['up to date', ['2026-11-21'], today],
    ['of a month that is closed before it ends', ['2026-11-30'], today],
    ['unknown', [], null],
    ['of several accounts: the earliest', ['2026-11-19', '2026-11-14', '2026-11-20'], '2026-11-14'],
    ['of a stopped account among others', ['2026-11-01', '2026-11-19'], '2026-11-19'],
    [
      'of several stopped accounts among others',
      ['2026-11-11', '2026-11-19', '2025-01-31', '2026-11-18'],
      '2026-11-18',
    ],
    [
      'of stopped accounts only: that of those with the latest bills',
      ['2026-11-01', '2025-01-31', '2026-10-25'],
      '2026-10-25',
    ],
    ['of accounts a week behind the latest, and one further', ['2026-11-01', '2026-10-24'], '2026-11-01'],
    ['later than today, and a week before today', ['2026-11-30', '2026-11-14'], '2026-11-14'],
    ['later than today, and more than a week before today', ['2026-11-30', '2026-11-13'], today],
  ])('is correct for bills that are %s', (_, completeThrough, last) => {
    expect(lastCompleteDay(completeThrough as Day[], today)).toBe(last);
  });
});

describe('compared range', () => {
  it.each([
    ['unchanged if it is complete', days('2026-10-01', '2026-10-31'), '2026-11-19', days('2026-10-01', '2026-10-31')],
    [
      'cut after the last complete day',
      days('2026-11-01', '2026-11-30'),
      '2026-11-19',
      days('2026-11-01', '2026-11-19'),
    ],
    ['cut after today if nothing is known', days('2026-11-01', '2026-11-30'), null, days('2026-11-01', '2026-11-21')],
    ['empty if no day is complete', days('2026-11-20', '2026-11-21'), '2026-11-19', null],
    ['empty in the future', days('2026-12-01', '2026-12-31'), '2026-11-19', null],
  ])('is %s', (_, range, completeThrough, complete) => {
    expect(completeDays(range, completeThrough as Day | null, today)).toEqual(complete);
  });

  it.each([
    ['a calendar month: the one before it', days('2026-10-01', '2026-10-31'), days('2026-09-01', '2026-09-30')],
    [
      'a partial month: the same days of the one before',
      days('2026-11-01', '2026-11-19'),
      days('2026-10-01', '2026-10-19'),
    ],
    ['a longer month than the one before', days('2026-03-01', '2026-03-30'), days('2026-02-01', '2026-02-28')],
    ['a quarter: the one before it', days('2026-07-01', '2026-09-30'), days('2026-04-01', '2026-06-30')],
    [
      'a partial quarter: the same days of the one before',
      days('2026-10-01', '2026-11-19'),
      days('2026-07-01', '2026-08-19'),
    ],
    [
      'a partial year: the same days of the one before',
      days('2026-01-01', '2026-11-19'),
      days('2025-01-01', '2025-11-19'),
    ],
    [
      'a partial fiscal year of more than six months: the same days of the one before',
      days('2026-04-01', '2026-11-28'),
      days('2025-04-01', '2025-11-28'),
    ],
    ['seven whole months: the seven before them', days('2026-04-01', '2026-10-31'), days('2025-09-01', '2026-03-31')],
    [
      'six months with a partial one: as many before',
      days('2026-06-01', '2026-11-19'),
      days('2025-12-01', '2026-05-19'),
    ],
    ['a month and a partial one: as many before', days('2026-09-01', '2026-10-19'), days('2026-07-01', '2026-08-19')],
    ['the last 30 days: the 30 before them', days('2026-10-21', '2026-11-19'), days('2026-09-21', '2026-10-20')],
    ['a day: the day before it', days('2026-11-01', '2026-11-01'), days('2026-10-31', '2026-10-31')],
  ])('is compared for %s', (_, range, before) => {
    expect(previousDays(range)).toEqual(before);
  });

  it('is compared within its months when its last days are left out', () => {
    const [asked, complete] = [days('2026-11-01', '2026-11-03'), days('2026-11-01', '2026-11-01')];
    expect(previousDays(complete, asked)).toEqual(days('2026-10-01', '2026-10-01'));
    expect(previousDays(days('2026-10-01', '2026-11-19'), undefined, 3)).toEqual(days('2026-07-01', '2026-08-19'));
  });
});

describe('the year before', () => {
  it.each([
    ['a year: the year before it', days('2025-01-01', '2025-12-31'), days('2024-01-01', '2024-12-31')],
    [
      'a February of a leap year: the whole February',
      days('2024-02-01', '2024-02-29'),
      days('2023-02-01', '2023-02-28'),
    ],
    ['a February after a leap year: the whole one', days('2025-02-01', '2025-02-28'), days('2024-02-01', '2024-02-29')],
    ['February 29: February 28', days('2024-02-29', '2024-02-29'), days('2023-02-28', '2023-02-28')],
    ['a range that ends on February 29', days('2024-02-10', '2024-02-29'), days('2023-02-10', '2023-02-28')],
    ['a range over February 29', days('2024-02-20', '2024-03-10'), days('2023-02-20', '2023-03-10')],
    ['the year to date in a leap year', days('2024-01-01', '2024-03-15'), days('2023-01-01', '2023-03-15')],
    ['a range with a leap day in the year before', days('2025-02-20', '2025-03-10'), days('2024-02-20', '2024-03-10')],
  ])('is for %s', (_, range, before) => {
    expect(monthsEarlier(range, 12)).toEqual(before);
  });
});

describe('the compared day', () => {
  const of = (day: string, range: DayRange, previous: DayRange) => comparedDay(day as Day, range, previous);

  it.each([
    ['2024-02-28', '2023-02-28'],
    ['2024-02-29', null],
    ['2024-03-01', '2023-03-01'],
    ['2024-12-31', '2023-12-31'],
  ])('of %s in a leap year is %s in the year before', (day, same) => {
    expect(of(day, days('2024-01-01', '2024-12-31'), days('2023-01-01', '2023-12-31'))).toBe(same);
  });

  it.each([
    ['2025-02-28', '2024-02-28'],
    ['2025-03-01', '2024-03-01'],
  ])('of %s after a leap year is %s', (day, same) => {
    expect(of(day, days('2025-01-01', '2025-12-31'), days('2024-01-01', '2024-12-31'))).toBe(same);
  });

  it.each([
    ['2026-03-31', null],
    ['2026-03-01', '2026-02-01'],
    ['2026-03-28', '2026-02-28'],
  ])('of %s in a month is %s in the month before', (day, same) => {
    expect(of(day, days('2026-03-01', '2026-03-31'), days('2026-02-01', '2026-02-28'))).toBe(same);
  });

  it('of 30 days is at the same distance from the start', () => {
    const [range, previous] = [days('2026-10-21', '2026-11-19'), days('2026-09-21', '2026-10-20')];
    expect(of('2026-10-31', range, previous)).toBe('2026-10-01');
    expect(of('2026-11-19', range, previous)).toBe('2026-10-20');
    expect(previousDays(range)).toEqual(previous);
  });
});
