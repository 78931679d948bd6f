import { emailsFault } from '../../parts/form/recipients.tsx';
import { counted } from '../../words/format.ts';
import { filterFaults, filtersFrom, type FilterName, type Filters } from '../filters/filters.ts';
import type { Schedule } from '../queries.ts';

/** What a form holds of a schedule. */
export type ScheduleForm = Pick<
  Schedule,
  'name' | 'type' | 'format' | 'frequency' | 'hour' | 'timeZone' | 'slack' | 'enabled'
> & {
  /** Of a week or month; daily ones have none. */
  readonly day: number;
  readonly filters: Filters;
  readonly recipients: readonly string[];
};

/** What is wrong with a form, by field. */
export type Faults = Readonly<Partial<Record<'name' | 'recipients' | FilterName, string>>>;

/** Addresses that a schedule takes. */
export const mostRecipients = 50;

/** A schedule that is not written yet. */
export function blankSchedule(): ScheduleForm {
  return {
    name: '',
    type: 'COST_SUMMARY',
    format: 'PDF',
    filters: {},
    frequency: 'WEEKLY',
    day: 1,
    hour: 8,
    timeZone: ownZone(),
    recipients: [],
    slack: false,
    enabled: true,
  };
}

/** A schedule as its form shows it. */
export function formOf(schedule: Schedule): ScheduleForm {
  const { name, type, format, frequency, hour, timeZone, recipients, slack, enabled } = schedule;
  return {
    name,
    type,
    format,
    frequency,
    hour,
    timeZone,
    recipients,
    slack,
    enabled,
    day: schedule.day ?? 1,
    filters: filtersFrom(schedule.filters),
  };
}

/** Judges a form as far as it can be before the API does. */
export function faultsOf(form: ScheduleForm): Faults {
  const recipients = emailsFault(form.recipients, mostRecipients);
  return {
    ...filterFaults(form.type, form.filters),
    ...(form.name.trim() === '' && { name: 'Enter a name' }),
    ...(recipients && { recipients }),
  };
}

/** A form as the API takes it. */
export function valuesOf(form: ScheduleForm) {
  return {
    ...form,
    name: form.name.trim(),
    day: form.frequency === 'DAILY' ? null : form.day,
    recipients: [...form.recipients],
  };
}

type Frequency = Schedule['frequency'];

/** How often a schedule makes a report, and of which days. */
export const frequencies = {
  DAILY: { label: 'Daily', description: 'Each day, of the day before' },
  WEEKLY: { label: 'Weekly', description: 'Each week, of the week before, Monday to Sunday' },
  MONTHLY: { label: 'Monthly', description: 'Each month, of the month before' },
} as const satisfies Record<Frequency, { label: string; description: string }>;

/** Every frequency. */
export const allFrequencies = ['DAILY', 'WEEKLY', 'MONTHLY'] as const satisfies readonly Frequency[];

/** Days of a week as the API counts them: 1 is Monday. */
export const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

/** When a schedule runs, such as `Weekly on Monday at 08:00`. */
export function whenOf({ frequency, day, hour }: Pick<Schedule, 'frequency' | 'day' | 'hour'>): string {
  const at = `at ${hourText(hour)}`;
  switch (frequency) {
    case 'DAILY':
      return `Daily ${at}`;
    case 'WEEKLY':
      return `Weekly on ${weekdays[(day ?? 1) - 1] ?? 'Monday'} ${at}`;
    case 'MONTHLY':
      return `Monthly on day ${day ?? 1} ${at}`;
    default:
      return frequency satisfies never;
  }
}

/** An hour of a clock, such as `08:00`. */
export function hourText(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}

/** The time zone of the reader. */
export function ownZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Time zones that the browser knows. */
export function timeZones(): string[] {
  return [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])];
}

/** An instant on the clocks of a time zone, such as `Mon, Nov 23, 08:00`; null for a zone that the browser does not know. */
export function inZone(instant: string, timeZone: string): string | null {
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      weekday: 'short',
      month: 'short',
      day: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
    return format.format(new Date(instant));
  } catch {
    return null;
  }
}

/** Who gets a schedule's reports, in a few words. */
export function recipientsText({ recipients, slack }: Pick<Schedule, 'recipients' | 'slack'>): string {
  const [only] = recipients;
  const people = !only
    ? 'Its owner'
    : recipients.length === 1
      ? only
      : counted(recipients.length, 'address', 'addresses');
  return slack ? `${people}, chat` : people;
}
