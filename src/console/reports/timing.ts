import { counted } from '../words/format.ts';
import type { Schedule } from './queries.ts';

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
