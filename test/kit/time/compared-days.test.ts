import { describe, expect, it } from 'vitest';
import { completeDays, lastCompleteDay, previousDays } from '../../../src/kit/time/compared-days.ts';
import { addDays, type Day, type DayRange } from '../../../src/kit/time/period.ts';

const today = '2026-11-21' as Day;
const days = (start: string, last: string): DayRange => ({ start: start as Day, end: addDays(last as Day, 1) });

describe('lastCompleteDay', () => {
  it.each([
    ['some days late', '2026-11-19', '2026-11-19'],
    ['a week late', '2026-11-14', '2026-11-14'],
    ['more than a week late, as of a stopped account', '2026-11-13', today],
    ['up to date', '2026-11-21', today],
    ['unknown', null, today],
  ])('is correct for bills that are %s', (_, completeThrough, last) => {
    expect(lastCompleteDay(completeThrough as Day | null, today)).toBe(last);
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
      'a running month: the same days of the one before',
      days('2026-11-01', '2026-11-19'),
      days('2026-10-01', '2026-10-19'),
    ],
    ['a longer month than the one before', days('2026-03-01', '2026-03-30'), days('2026-02-01', '2026-02-28')],
    ['a quarter: the one before it', days('2026-07-01', '2026-09-30'), days('2026-04-01', '2026-06-30')],
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
