import { describe, expect, it } from 'vitest';
import {
  latestRun,
  nextRun,
  parseTimeZone,
  periodBefore,
  type Timing,
} from '../../../src/actions/schedules/schedule.ts';

const daily = (hour: number, timeZone: string): Timing => ({ frequency: 'daily', day: null, hour, timeZone });
const weekly = (day: number, hour: number, timeZone: string): Timing => ({ frequency: 'weekly', day, hour, timeZone });
const monthly = (day: number, hour: number, timeZone: string): Timing => ({
  frequency: 'monthly',
  day,
  hour,
  timeZone,
});
const at = (text: string) => new Date(text);

/** A number of consecutive runs, in ISO 8601. */
function runs(timing: Timing, after: string, count: number): string[] {
  const found: string[] = [];
  for (let run = at(after); found.length < count; found.push(run.toISOString().slice(0, 16)))
    run = nextRun(timing, run);
  return found;
}

describe('nextRun', () => {
  it('is strictly after the given instant', () => {
    expect(runs(daily(9, 'UTC'), '2026-11-21T08:59:59.999Z', 1)).toEqual(['2026-11-21T09:00']);
    expect(runs(daily(9, 'UTC'), '2026-11-21T09:00:00.000Z', 1)).toEqual(['2026-11-22T09:00']);
    expect(runs(daily(9, 'UTC'), '2026-11-21T09:00:00.001Z', 1)).toEqual(['2026-11-22T09:00']);
  });

  it('keeps the local hour across clock changes', () => {
    expect(runs(daily(9, 'Europe/Berlin'), '2026-03-27T12:00Z', 3)).toEqual([
      '2026-03-28T08:00',
      '2026-03-29T07:00',
      '2026-03-30T07:00',
    ]);
    expect(runs(daily(9, 'America/New_York'), '2026-10-31T15:00Z', 2)).toEqual([
      '2026-11-01T14:00',
      '2026-11-02T14:00',
    ]);
  });

  it('is at the end of the gap when clocks skip its hour', () => {
    expect(runs(daily(2, 'Europe/Berlin'), '2026-03-28T12:00Z', 2)).toEqual(['2026-03-29T01:00', '2026-03-30T00:00']);
    // Lord Howe skips half an hour: 02:00 to 02:30.
    expect(runs(daily(2, 'Australia/Lord_Howe'), '2026-10-03T00:00Z', 1)).toEqual(['2026-10-03T15:30']);
    // Santiago skipped midnight on September 6, 2026.
    expect(runs(daily(0, 'America/Santiago'), '2026-09-05T12:00Z', 2)).toEqual([
      '2026-09-06T04:00',
      '2026-09-07T03:00',
    ]);
  });

  it('happens once when clocks are set back and its hour occurs twice', () => {
    expect(runs(daily(2, 'Europe/Berlin'), '2026-10-24T12:00Z', 2)).toEqual(['2026-10-25T00:00', '2026-10-26T01:00']);
    expect(runs(daily(2, 'Europe/Berlin'), '2026-10-25T00:30Z', 1)).toEqual(['2026-10-26T01:00']);
    expect(runs(daily(1, 'America/New_York'), '2026-10-31T12:00Z', 2)).toEqual([
      '2026-11-01T05:00',
      '2026-11-02T06:00',
    ]);
  });

  it('uses the local weekday', () => {
    // Monday 08:00 in Auckland is Sunday evening UTC.
    expect(runs(weekly(1, 8, 'Pacific/Auckland'), '2026-11-21T00:00Z', 2)).toEqual([
      '2026-11-22T19:00',
      '2026-11-29T19:00',
    ]);
    expect(runs(weekly(7, 23, 'America/Los_Angeles'), '2026-11-21T00:00Z', 1)).toEqual(['2026-11-23T07:00']);
  });

  it('is on the last day of shorter months', () => {
    expect(runs(monthly(31, 6, 'UTC'), '2027-01-31T06:00Z', 4)).toEqual([
      '2027-02-28T06:00',
      '2027-03-31T06:00',
      '2027-04-30T06:00',
      '2027-05-31T06:00',
    ]);
    expect(runs(monthly(29, 6, 'UTC'), '2028-01-30T00:00Z', 2)).toEqual(['2028-02-29T06:00', '2028-03-29T06:00']);
    expect(runs(monthly(30, 6, 'UTC'), '2027-02-01T00:00Z', 2)).toEqual(['2027-02-28T06:00', '2027-03-30T06:00']);
  });

  it('skips a day missing from the local calendar', () => {
    // Samoa had no December 30, 2011.
    const samoa = runs(daily(9, 'Pacific/Apia'), '2011-12-29T12:00Z', 3);
    expect(samoa.at(0)).toBe('2011-12-29T19:00');
    expect(samoa.at(-1)).toBe('2011-12-30T19:00');
  });
});

describe('latestRun', () => {
  it('is the latest of several missed runs', () => {
    const late = latestRun(daily(9, 'UTC'), at('2026-11-01T09:00Z'), at('2026-11-21T08:00Z'));
    expect(late.toISOString()).toBe('2026-11-20T09:00:00.000Z');
    const once = latestRun(monthly(31, 9, 'UTC'), at('2026-01-31T09:00Z'), at('2026-11-21T08:00Z'));
    expect(once.toISOString()).toBe('2026-10-31T09:00:00.000Z');
  });

  it('is the due run when there is no later one', () => {
    const due = at('2026-11-21T09:00Z');
    expect(latestRun(daily(9, 'UTC'), due, at('2026-11-21T09:00:07Z'))).toEqual(due);
    expect(latestRun(monthly(21, 9, 'UTC'), due, at('2026-12-20T09:00Z'))).toEqual(due);
    // A due run from a previous timing.
    expect(latestRun(weekly(1, 9, 'UTC'), due, at('2026-11-21T09:00:07Z'))).toEqual(due);
  });
});

describe('periodBefore', () => {
  it('is the previous day, week from Monday, or month, by the local calendar', () => {
    const due = at('2026-11-22T19:00Z'); // Monday 08:00 in Auckland
    const of = (frequency: Timing['frequency'], timeZone = 'Pacific/Auckland') =>
      periodBefore({ frequency, timeZone }, due);
    expect(of('daily')).toEqual({ start: '2026-11-22', end: '2026-11-22' });
    expect(of('weekly')).toEqual({ start: '2026-11-16', end: '2026-11-22' });
    expect(of('weekly', 'UTC')).toEqual({ start: '2026-11-09', end: '2026-11-15' });
    expect(of('monthly')).toEqual({ start: '2026-10-01', end: '2026-10-31' });
    expect(periodBefore({ frequency: 'monthly', timeZone: 'UTC' }, at('2028-03-31T06:00Z'))).toEqual({
      start: '2028-02-01',
      end: '2028-02-29',
    });
  });
});

it('accepts only IANA time zone names, case-insensitively', () => {
  expect(
    ['Europe/Kiev', 'Asia/Kolkata', 'utc', 'america/argentina/buenos_aires', 'Etc/GMT+5'].map(parseTimeZone),
  ).toEqual(['Europe/Kiev', 'Asia/Kolkata', 'UTC', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5']);
  const wrong = ['', '+02:00', 'Z', 'Mars/Olympus', '2020-01-01T00:00[Europe/Paris]', ' UTC', '__proto__'];
  expect(wrong.map(parseTimeZone)).toEqual(wrong.map(() => null));
});
