import { arg, fix, invalid } from '../../kit/errors/errors.ts';
import { notNull, unchanged } from '../../kit/errors/refusals.ts';
import { emailRule, parseEmail, parseName } from '../../tenancy/login/input.ts';
import type { Filters } from '../reports/filters.ts';
import type { ReportFormat, ReportType } from '../reports/kinds.ts';
import { parseTimeZone, type ScheduleValues, type Frequency, type Timing } from './schedule.ts';

/** Request input of a schedule. */
export interface ScheduleInput {
  readonly name: string;
  readonly type: ReportType;
  readonly format: ReportFormat;
  readonly filters?: Filters | null;
  readonly frequency: Frequency;
  /** Default: 1 for weekly and monthly schedules; not allowed for daily ones. */
  readonly day?: number | null;
  /** Default: 8. */
  readonly hour?: number | null;
  /** Default: UTC. */
  readonly timeZone?: string | null;
  readonly recipients?: readonly string[] | null;
  readonly slack?: boolean | null;
  readonly enabled?: boolean | null;
}

/** Changes to a schedule: absent fields stay unchanged, null clears optional ones. */
export type ScheduleChange = { readonly id: string } & {
  readonly [Field in keyof ScheduleInput]?: ScheduleInput[Field] | null;
};

/** Limits of schedules. */
export const scheduleLimits = { schedules: 200, recipients: 50 } as const;

const defaultHour = 8;
const lastDays = { daily: 0, weekly: 7, monthly: 31 } as const;

/** Bounds of a schedule's timing and recipients. */
export const dayRule = { minimum: 1, maximum: lastDays.monthly } as const;
export const hourRule = { minimum: 0, maximum: 23 } as const;
export const recipientsRule = { maxItems: scheduleLimits.recipients, items: emailRule } as const;

/** Parses the input of a schedule, except for its filters, which depend on the caller.
 *  @throws {AppError} VALIDATION_ERROR naming the field */
export function parseSchedule(input: ScheduleInput): ScheduleValues {
  return {
    name: parseName(input.name, 'name'),
    type: input.type,
    format: input.format,
    filters: input.filters ?? {},
    ...parseTiming(input.frequency, {
      day: input.day ?? null,
      hour: input.hour ?? defaultHour,
      timeZone: input.timeZone ?? 'UTC',
    }),
    recipients: parseRecipients(input.recipients ?? []),
    slack: input.slack ?? false,
    enabled: input.enabled ?? true,
  };
}

const mandatory = {
  name: 'name',
  type: 'type',
  format: 'format',
  frequency: 'frequency',
  hour: 'hour',
  timeZone: 'time_zone',
  slack: 'slack',
  enabled: 'enabled',
} as const satisfies Partial<Record<keyof ScheduleInput, string>>;
const nullable = { filters: 'filters', day: 'day', recipients: 'recipients' } as const;

/** Returns the fields that a change contains. */
export function namedFields(change: Omit<ScheduleChange, 'id'>): string[] {
  return Object.entries(change).flatMap(([field, value]) => (value === undefined ? [] : [field]));
}

/** Rejects an empty change, and one that clears a mandatory field.
 *  @throws {AppError} VALIDATION_ERROR */
export function refuseEmpty(change: Omit<ScheduleChange, 'id'>): void {
  if (namedFields(change).length === 0) throw unchanged(...Object.values({ ...mandatory, ...nullable }));
  const cleared = fieldsOf(mandatory).find((field) => change[field] === null);
  if (cleared) throw notNull(mandatory[cleared]);
}

function fieldsOf<Key extends string>(record: Readonly<Record<Key, unknown>>): Key[] {
  // Safe, because the record is one of our own object literals.
  return Object.keys(record) as Key[];
}

/** Applies a change to a schedule.
 *  @throws {AppError} VALIDATION_ERROR naming the field */
export function changedSchedule(before: ScheduleValues, change: Omit<ScheduleChange, 'id'>): ScheduleValues {
  const { name, type, format, filters, recipients, slack, enabled } = change;
  return {
    name: typeof name === 'string' ? parseName(name, 'name') : before.name,
    type: type ?? before.type,
    format: format ?? before.format,
    filters: filters === undefined ? before.filters : (filters ?? {}),
    ...changedTiming(before, change),
    recipients: recipients === undefined ? before.recipients : parseRecipients(recipients ?? []),
    slack: slack ?? before.slack,
    enabled: enabled ?? before.enabled,
  };
}

/** Applies a change of timing. The previous day does not carry over to another frequency. */
function changedTiming(before: Timing, change: Omit<ScheduleChange, 'id'>): Timing {
  const frequency = change.frequency ?? before.frequency;
  const kept = frequency === before.frequency ? before.day : null;
  return parseTiming(frequency, {
    day: change.day === undefined ? kept : change.day,
    hour: change.hour ?? before.hour,
    timeZone: change.timeZone ?? before.timeZone,
  });
}

function parseTiming(
  frequency: Frequency,
  { day, hour, timeZone }: { day: number | null; hour: number; timeZone: string },
): Timing {
  const last = lastDays[frequency];
  if (day !== null && last === 0) throw invalid`${arg('day')} must be left out of a daily schedule: it runs each day`;
  if (day !== null && !(day >= dayRule.minimum && day <= last))
    throw frequency === 'weekly'
      ? invalid`${arg('day', day)} must be 1 (Monday) to 7 (Sunday) of a weekly schedule`
      : invalid`${arg('day', day)} must be 1 to 31 of a monthly schedule`;
  if (!(hour >= hourRule.minimum && hour <= hourRule.maximum)) throw invalid`${arg('hour', hour)} must be 0 to 23`;
  const zone = parseTimeZone(timeZone);
  if (zone === null)
    throw invalid`${arg('time_zone', timeZone)} is not an IANA time zone${fix}use a name such as "Europe/Berlin" or "UTC"`;
  return { frequency, day: last === 0 ? null : (day ?? 1), hour, timeZone: zone };
}

function parseRecipients(recipients: readonly string[]): string[] {
  const most = recipientsRule.maxItems;
  if (recipients.length > most)
    throw invalid`${arg('recipients')} takes at most ${most} addresses, not ${recipients.length}${fix}use a mailing list`;
  return [...new Set(recipients.map((email, index) => parseEmail(email, `recipients[${index}]`)))];
}
