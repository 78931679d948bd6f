import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { expect, it } from 'vitest';
import { latestRun, nextRun, type Timing } from '../../../src/actions/schedules/schedule.ts';

const hourMs = 3_600_000;

/** Local time by Intl, independent of the arithmetic under test. */
const clocks = new Map<string, Intl.DateTimeFormat>();
function clock(timeZone: string, instant: number) {
  const format =
    clocks.get(timeZone) ??
    new Intl.DateTimeFormat('en-GB', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      weekday: 'short',
    });
  clocks.set(timeZone, format);
  const parts = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]));
  const { year, month, day, hour, minute, weekday } = parts;
  const lastDay = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  return {
    date: `${year}-${month}-${day}`,
    day: Number(day),
    lastDay,
    weekday: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].indexOf(String(weekday)) + 1,
    minutes: Number(hour) * 60 + Number(minute),
  };
}

function isItsDay({ frequency, day }: Timing, shown: ReturnType<typeof clock>): boolean {
  if (frequency === 'daily') return true;
  if (frequency === 'weekly') return shown.weekday === day;
  return shown.day === Math.min(day ?? 1, shown.lastDay);
}

/** The first of consecutive minutes for which a condition holds. */
function firstMinute(at: number, holds: (at: number) => boolean): number {
  let first = at;
  while (holds(first - 60_000)) first -= 60_000;
  return first;
}

/** The next run, found by stepping through quarters of an hour: the first minute at which local time has reached the hour on
 *  a day of the schedule. */
function lookedUp(timing: Timing, after: number, limit: number): number | null {
  const quarter = hourMs / 4;
  const done = new Set<string>();
  const reached = (at: number) => {
    const shown = clock(timing.timeZone, at);
    return isItsDay(timing, shown) && shown.minutes >= timing.hour * 60 ? shown.date : null;
  };
  const first = Math.floor(after / quarter) * quarter;
  // A day whose hour was reached is done, even if the clocks are set back afterwards.
  for (let at = first - 26 * hourMs; at <= after; at += quarter) done.add(reached(at) ?? '');
  done.add(reached(after) ?? '');
  for (let at = first + quarter; at <= limit; at += quarter) {
    const date = reached(at);
    if (date !== null && !done.has(date)) return firstMinute(at, (minute) => reached(minute) === date);
  }
  return null;
}

const timeZones = Intl.supportedValuesOf('timeZone');
const from = Date.UTC(2019, 11, 25);
const until = Date.UTC(2031, 0, 5);

const aTiming = fc
  .record({
    frequency: fc.constantFrom<Timing['frequency'][]>('daily', 'weekly', 'monthly'),
    hour: fc.oneof(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 23 })),
    weekday: fc.integer({ min: 1, max: 7 }),
    monthday: fc.integer({ min: 1, max: 31 }),
    timeZone: fc.constantFrom(...timeZones),
  })
  .map(({ frequency, hour, weekday, monthday, timeZone }): Timing => {
    const day = { daily: null, weekly: weekday, monthly: monthday }[frequency];
    return { frequency, hour, timeZone, day };
  });

function expectFirst(timing: Timing, after: number): void {
  const run = nextRun(timing, new Date(after)).getTime();
  expect({ timing, after, run }).toEqual({ timing, after, run: lookedUp(timing, after, run + 2 * hourMs) });
}

it('runs when local time first reaches the hour on a day of the schedule', () => {
  fc.assert(fc.property(aTiming, fc.integer({ min: from, max: until }), expectFirst), { numRuns: 300 });
});

it('runs at that time around every clock change, too', { timeout: 120_000 }, () => {
  let met = 0;
  for (const timeZone of timeZones) {
    let at = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(timeZone).getTimeZoneTransition('next');
    // Two clock changes of each zone: twelve years of all would take minutes.
    for (let count = 0; at !== null && at.epochMilliseconds < until && count < 2; count += 1) {
      const hour = (at.subtract({ nanoseconds: 1 }).hour + count) % 24;
      for (const hours of [30, 0]) {
        expectFirst({ frequency: 'daily', day: null, hour, timeZone }, at.epochMilliseconds - hours * hourMs);
      }
      met += 1;
      at = at.getTimeZoneTransition('next');
    }
  }
  expect(met).toBeGreaterThan(200);
});

/** One time zone per set of offset transitions in a period: zones with equal offsets have the same runs. */
function zonesByRules(start: number, end: number): string[] {
  const zones = new Map<string, string>();
  for (const timeZone of timeZones) {
    let at = Temporal.Instant.fromEpochMilliseconds(start).toZonedDateTimeISO(timeZone);
    const rules: unknown[] = [at.offsetNanoseconds];
    for (;;) {
      const next = at.getTimeZoneTransition('next');
      if (next === null || next.epochMilliseconds > end) break;
      at = next;
      rules.push(at.epochMilliseconds, at.offsetNanoseconds);
    }
    zones.set(rules.join(' '), timeZone);
  }
  return [...zones.values()];
}

it('runs once per day for two years, under the clock rules of every zone', { timeout: 120_000 }, () => {
  const [days, dayMs] = [731, 86_400_000];
  const start = from + 4 * 365 * dayMs;
  // A run can be up to two days after its day.
  const zones = zonesByRules(start - 2 * dayMs, start + (days + 3) * dayMs);
  expect(zones.length).toBeGreaterThan(60);
  for (const [index, timeZone] of zones.entries()) {
    // Hours at which most clock changes happen.
    const timing: Timing = { frequency: 'daily', day: null, hour: index % 4, timeZone };
    let [count, run] = [0, new Date(start)];
    for (; count < days; count += 1) {
      const next = nextRun(timing, run);
      const gapHours = (next.getTime() - run.getTime()) / hourMs;
      if (count > 0 && (gapHours < 20 || gapHours > 28)) expect({ timeZone, run, next }).toBe('a day apart');
      run = next;
    }
    expect(Math.abs((run.getTime() - start) / dayMs - days) * 24).toBeLessThan(48);
  }
});

it('replaces missed runs with the latest one before now', () => {
  fc.assert(
    fc.property(
      aTiming,
      fc.integer({ min: from, max: until }),
      fc.integer({ min: 0, max: 400 * 24 }),
      (timing, start, hours) => {
        const due = nextRun(timing, new Date(start));
        const now = new Date(due.getTime() + hours * hourMs);
        const latest = latestRun(timing, due, now);
        expect(latest >= due && latest <= now).toBe(true);
        expect(nextRun(timing, latest) > now).toBe(true);
      },
    ),
    { numRuns: 300 },
  );
});
