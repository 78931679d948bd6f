import { expect, it } from 'vitest';
import { elapsed, openPeriods, periodKey, periodName, periodOn } from '../../../src/analysis/budgets/period.ts';

it('finds the calendar month, quarter and year of a day', () => {
  expect(periodOn('monthly', '2028-02-29')).toEqual({ kind: 'monthly', start: '2028-02-01', end: '2028-03-01' });
  expect(periodOn('quarterly', '2026-01-01')).toMatchObject({ start: '2026-01-01', end: '2026-04-01' });
  expect(periodOn('quarterly', '2026-03-31')).toMatchObject({ start: '2026-01-01', end: '2026-04-01' });
  expect(periodOn('quarterly', '2026-12-31')).toMatchObject({ start: '2026-10-01', end: '2027-01-01' });
  expect(periodOn('yearly', '2028-12-31')).toEqual({ kind: 'yearly', start: '2028-01-01', end: '2029-01-01' });
});

it('includes the previous period in its first seven days', () => {
  expect(openPeriods('quarterly', '2027-01-07').map(periodKey)).toEqual(['2026-Q4', '2027-Q1']);
  expect(openPeriods('quarterly', '2027-01-08').map(periodKey)).toEqual(['2027-Q1']);
  expect(openPeriods('yearly', '2027-01-01').map(periodKey)).toEqual(['2026', '2027']);
  expect(openPeriods('yearly', '2027-02-01').map(periodKey)).toEqual(['2027']);
  expect(openPeriods('monthly', '2026-03-01').map(periodKey)).toEqual(['2026-02', '2026-03']);
});

it('ends the elapsed days with today', () => {
  expect(elapsed(periodOn('quarterly', '2026-11-21'), '2026-11-21')).toEqual({
    start: '2026-10-01',
    end: '2026-11-22',
  });
  expect(elapsed(periodOn('yearly', '2025-05-05'), '2026-01-03')).toEqual({ start: '2025-01-01', end: '2026-01-01' });
});

it('names periods', () => {
  const names = (['monthly', 'quarterly', 'yearly'] as const).map((kind) => periodName(periodOn(kind, '2026-08-09')));
  expect(names).toEqual(['August 2026', 'Q3 2026', '2026']);
});
