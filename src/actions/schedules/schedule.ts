import type { ReportSchedule as ScheduleRow } from '../../../prisma/generated/client/client.ts';
import type { Filters } from '../reports/filters.ts';
import type { ReportFormat, ReportType } from '../reports/kinds.ts';
import { Temporal } from 'temporal-polyfill';
import { z } from 'zod';
import { addDays, addMonths, firstDay, lastDay, monthOf, type Day } from '../../kit/time/period.ts';

/** Status of a schedule's last run: its report is being written, is ready, or failed. */
export type RunStatus = 'pending' | 'ready' | 'failed';

/** The values of a schedule, without its owner and run state. */
export interface ScheduleValues extends Timing {
  readonly name: string;
  readonly type: ReportType;
  readonly format: ReportFormat;
  /** As stored with a report; `account_id`, if set, is a list. */
  readonly filters: Filters;
  /** Addresses; none: the owner's. */
  readonly recipients: readonly string[];
  /** For a showback: recipients of the file of one value. */
  readonly valueRecipients: readonly ValueRecipients[];
  /** Whether the owner's webhook is also notified. */
  readonly slack: boolean;
  /** Channels of the organization that are notified as well. */
  readonly channelIds: readonly string[];
  readonly enabled: boolean;
}

const valueRecipientsSchema = z.object({ value: z.string(), recipients: z.array(z.string()).readonly() });

/** The addresses that get the showback of one value of a virtual tag. */
export type ValueRecipients = Readonly<z.output<typeof valueRecipientsSchema>>;

/** Parses the stored recipients of values.
 *  @throws {ZodError} if they are invalid: only validated ones are stored */
export function storedValueRecipients(stored: unknown): ValueRecipients[] {
  return z.array(valueRecipientsSchema).parse(stored);
}

/** A report that is created and delivered regularly: its columns, with words and filters checked. */
export type Schedule = Omit<ScheduleRow, keyof ScheduleValues> & ScheduleValues;

/** Returns the accounts in filters; null: all that the owner can access. */
export function namedAccounts({ account_id: named }: Filters): string[] | null {
  return Array.isArray(named) ? named.filter((id) => typeof id === 'string') : null;
}

/** Schedule frequencies. */
export const frequencies = ['daily', 'weekly', 'monthly'] as const;

/** A schedule frequency. */
export type Frequency = (typeof frequencies)[number];

/** When a schedule runs. */
export interface Timing {
  readonly frequency: Frequency;
  /** Weekly: 1 (Monday) to 7 (Sunday). Monthly: 1 to 31, with the last day in shorter months. Daily: null. */
  readonly day: number | null;
  /** 0 to 23, local time. */
  readonly hour: number;
  /** IANA name. */
  readonly timeZone: string;
}

/** Days covered by a report, both inclusive. */
export interface Period {
  readonly start: Day;
  readonly end: Day;
}

/** Returns the first run after an instant. If the clock skips its hour, it runs at the first instant after the gap; if the
 *  hour occurs twice, it runs only in the first one. */
export function nextRun(timing: Timing, after: Date): Date {
  const today = localDay(after, timing.timeZone);
  // A gap can move a run to the next day, so that yesterday's may still be ahead.
  let day = dayOnOrAfter(timing, today.subtract({ days: 1 }));
  for (;;) {
    const run = instantOf(timing, day);
    if (run > after.getTime()) return new Date(run);
    day = dayOnOrAfter(timing, day.add({ days: 1 }));
  }
}

/** Returns the latest run between a due time and now: several missed runs are replaced by one. */
export function latestRun(timing: Timing, due: Date, now: Date): Date {
  // Starts one maximum interval before now, so that no run is missed.
  const recent = new Date(Math.max(due.getTime(), now.getTime() - longestWaitMs) - 1);
  let latest = due;
  for (let run = nextRun(timing, recent); run <= now; run = nextRun(timing, run)) latest = run;
  return latest;
}

const longestWaitMs = 35 * 86_400_000;

/** Returns the period before an instant, by the calendar of the schedule's time zone: the previous day, calendar week (Monday to
 *  Sunday) or calendar month. */
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

/** Parses the IANA name of a time zone, ignoring case; null for anything else, including offsets such as `+02:00`. */
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
      const wanted = from.with({ day: day ?? 1 }); // 31 becomes the last day of the month
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

/** Returns the run on a local day, in ms since the epoch. */
function instantOf({ hour, timeZone }: Timing, day: Temporal.PlainDate): number {
  const wanted = day.toPlainDateTime({ hour });
  const run = wanted.toZonedDateTime(timeZone, { disambiguation: 'compatible' });
  const isInGap = !run.toPlainDateTime().equals(wanted);
  // The transition can coincide with the run, but the search is exclusive.
  const afterGap = isInGap ? run.add({ nanoseconds: 1 }).getTimeZoneTransition('previous') : null;
  return (afterGap ?? run).epochMilliseconds;
}
