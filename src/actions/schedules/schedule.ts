import type { Owned } from '../../tenancy/auth/owner-scope.ts';
import type { Filters } from '../reports/filters.ts';
import type { ReportFormat, ReportType } from '../reports/kinds.ts';
import { Temporal } from 'temporal-polyfill';
import { addDays, addMonths, firstDay, lastDay, monthOf, type Day } from '../../kit/period.ts';

/** How a schedule's last run ended: its report is being made, is there, or there is none. */
export type RunStatus = 'pending' | 'ready' | 'failed';

/** What a schedule holds, beside whose it is and how its runs went. */
export interface ScheduleValues extends Timing {
  readonly name: string;
  readonly type: ReportType;
  readonly format: ReportFormat;
  /** As a report keeps them; `account_id`, where accounts are named, is a list. */
  readonly filters: Filters;
  /** Addresses; none: the owner's. */
  readonly recipients: readonly string[];
  /** Whether the owner's webhook is told, too. */
  readonly slack: boolean;
  readonly enabled: boolean;
}

/** A report that is made, and told of, again and again. */
export interface Schedule extends ScheduleValues, Owned {
  readonly id: string;
  readonly organizationId: string;
  /** Null while it is not enabled. */
  readonly nextRunAt: Date | null;
  readonly lastRunAt: Date | null;
  readonly lastStatus: RunStatus | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The accounts that filters name; null: all that the owner sees. */
export function namedAccounts({ account_id: named }: Filters): string[] | null {
  return Array.isArray(named) ? named.filter((id) => typeof id === 'string') : null;
}

/** How often a schedule runs. */
export const frequencies = ['daily', 'weekly', 'monthly'] as const;

/** How often a schedule runs. */
export type Frequency = (typeof frequencies)[number];

/** When a schedule runs. */
export interface Timing {
  readonly frequency: Frequency;
  /** Weekly: 1 (Monday) to 7 (Sunday). Monthly: 1 to 31, in shorter months their last day. Daily: null. */
  readonly day: number | null;
  /** 0 to 23, on the clocks of the time zone. */
  readonly hour: number;
  /** IANA name. */
  readonly timeZone: string;
}

/** Days that a report is about, both inclusive. */
export interface Period {
  readonly start: Day;
  readonly end: Day;
}

/** The first instant after another at which a schedule runs. Where clocks are set forward over its hour, it runs at the
 *  first instant after the gap; where they are set back and its hour comes twice, it runs in the first of them alone. */
export function nextRun(timing: Timing, after: Date): Date {
  const today = localDay(after, timing.timeZone);
  // A gap can put a run on the day after its own, so that yesterday's may still be to come.
  let day = dayOnOrAfter(timing, today.subtract({ days: 1 }));
  for (;;) {
    const run = instantOf(timing, day);
    if (run > after.getTime()) return new Date(run);
    day = dayOnOrAfter(timing, day.add({ days: 1 }));
  }
}

/** The last of the instants at which a schedule ran or should have run, from one that is due up to now: runs that were
 *  missed are made up for once, by the latest. */
export function latestRun(timing: Timing, due: Date, now: Date): Date {
  // From the longest time that lies between two runs on: nothing between is skipped.
  const recent = new Date(Math.max(due.getTime(), now.getTime() - longestWaitMs) - 1);
  let latest = due;
  for (let run = nextRun(timing, recent); run <= now; run = nextRun(timing, run)) latest = run;
  return latest;
}

const longestWaitMs = 35 * 86_400_000;

/** What a report that is due at an instant is about, by the calendar of the schedule's time zone: the day before, the
 *  calendar week before (Monday to Sunday), the calendar month before. */
export function periodBefore({ frequency, timeZone }: Pick<Timing, 'frequency' | 'timeZone'>, due: Date): Period {
  const local = localDay(due, timeZone);
  const today = local.toString() as Day;
  switch (frequency) {
    case 'daily': {
      const yesterday = addDays(today, -1);
      return { start: yesterday, end: yesterday };
    }
    case 'weekly': {
      const monday = addDays(today, 1 - local.dayOfWeek);
      return { start: addDays(monday, -7), end: addDays(monday, -1) };
    }
    case 'monthly': {
      const month = addMonths(monthOf(today), -1);
      return { start: firstDay(month), end: lastDay(month) };
    }
    default:
      return frequency satisfies never;
  }
}

/** Reads the IANA name of a time zone, whatever its case; null for anything else, offsets such as `+02:00` among them. */
export function parseTimeZone(text: string): string | null {
  if (!/^[a-z][a-z0-9_+-]*(\/[a-z0-9_+-]+)*$/i.test(text)) return null;
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(text).timeZoneId;
  } catch {
    return null;
  }
}

function localDay(instant: Date, timeZone: string): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(timeZone).toPlainDate();
}

function dayOnOrAfter({ frequency, day }: Timing, from: Temporal.PlainDate): Temporal.PlainDate {
  switch (frequency) {
    case 'daily':
      return from;
    case 'weekly':
      return from.add({ days: ((day ?? 1) - from.dayOfWeek + 7) % 7 });
    case 'monthly': {
      const wanted = from.with({ day: day ?? 1 }); // 31 becomes the month's last
      if (Temporal.PlainDate.compare(wanted, from) >= 0) return wanted;
      return from
        .with({ day: 1 })
        .add({ months: 1 })
        .with({ day: day ?? 1 });
    }
    default:
      return frequency satisfies never;
  }
}

/** The run of a local day, in milliseconds. */
function instantOf({ hour, timeZone }: Timing, day: Temporal.PlainDate): number {
  const wanted = day.toPlainDateTime({ hour });
  const run = wanted.toZonedDateTime(timeZone, { disambiguation: 'compatible' });
  const isInGap = !run.toPlainDateTime().equals(wanted);
  // The transition may be the run itself, and is looked for strictly before.
  const afterGap = isInGap ? run.add({ nanoseconds: 1 }).getTimeZoneTransition('previous') : null;
  return (afterGap ?? run).epochMilliseconds;
}
