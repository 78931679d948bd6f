import { emailsFault } from '../../parts/form/recipients.tsx';
import { counted } from '../../words/format.ts';
import { filterFaults, filtersFrom, type FilterName, type Filters } from '../filters/filters.ts';
import type { Schedule } from '../queries.ts';

/** Form state of a schedule. */
export type ScheduleForm = Pick<
  Schedule,
  'name' | 'type' | 'format' | 'frequency' | 'hour' | 'timeZone' | 'slack' | 'enabled'
> & {
  /** Day of the week or month; unused for daily schedules. */
  readonly day: number;
  readonly filters: Filters;
  readonly recipients: readonly string[];
  readonly channelIds: readonly string[];
  readonly valueRecipients: readonly ValueRecipients[];
};

/** Recipients of the showback of one value. */
export type ValueRecipients = Schedule['valueRecipients'][number];

/** Validation errors by field. */
export type Faults = Readonly<Partial<Record<'name' | 'recipients' | 'valueRecipients' | FilterName, string>>>;

/** Maximum recipients per schedule. */
export const mostRecipients = 50;
/** Maximum values with recipients per schedule. */
export const mostValues = 200;

/** Form state of a new schedule. */
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
    valueRecipients: [],
    slack: false,
    channelIds: [],
    enabled: true,
  };
}

/** Converts a schedule to its form state. */
export function formOf(schedule: Schedule): ScheduleForm {
  const { name, type, format, frequency, hour, timeZone, recipients, slack, channelIds, enabled } = schedule;
  return {
    name,
    type,
    format,
    frequency,
    hour,
    timeZone,
    recipients,
    slack,
    channelIds,
    enabled,
    day: schedule.day ?? 1,
    filters: filtersFrom(schedule.filters),
    valueRecipients: schedule.valueRecipients.map(({ value, recipients: of }) => ({ value, recipients: of })),
  };
}

/** Validates what the client can check; the API validates the rest. */
export function faultsOf(form: ScheduleForm): Faults {
  const recipients = emailsFault(form.recipients, mostRecipients);
  const values = valuesFault(form);
  return {
    ...filterFaults(form.type, form.filters),
    ...(form.name.trim() === '' && { name: 'Enter a name' }),
    ...(recipients && { recipients }),
    ...(values && { valueRecipients: values }),
  };
}

function valuesFault({ type, valueRecipients }: ScheduleForm): string | null {
  if (type !== 'SHOWBACK') return null;
  const names = valueRecipients.map(({ value }) => value.trim());
  if (names.includes('')) return 'Enter the value';
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) return `${twice} is listed twice`;
  const unaddressed = valueRecipients.find(({ recipients }) => recipients.length === 0);
  if (unaddressed) return `Enter at least one address for ${unaddressed.value}`;
  return valueRecipients.flatMap(({ recipients }) => emailsFault(recipients, mostRecipients) ?? [])[0] ?? null;
}

/** Converts form state to the API's input. */
export function valuesOf(form: ScheduleForm) {
  return {
    ...form,
    name: form.name.trim(),
    day: form.frequency === 'DAILY' ? null : form.day,
    recipients: [...form.recipients],
    channelIds: [...form.channelIds],
    valueRecipients:
      form.type === 'SHOWBACK'
        ? form.valueRecipients.map(({ value, recipients }) => ({ value: value.trim(), recipients: [...recipients] }))
        : [],
  };
}

type Frequency = Schedule['frequency'];

/** Label of each frequency, with the days that its report covers. */
export const frequencies = {
  DAILY: {
    label: 'Daily',
    period: 'for the last complete day',
    description: 'Every day, for the last day with complete bills',
  },
  WEEKLY: {
    label: 'Weekly',
    period: 'for the previous week',
    description: 'Every week, for the previous week, Monday to Sunday',
  },
  MONTHLY: { label: 'Monthly', period: 'for the previous month', description: 'Every month, for the previous month' },
} as const satisfies Record<Frequency, { label: string; period: string; description: string }>;

/** Weekdays in ISO order: the API's 1 is Monday. */
export const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

/** Formats the timing, such as `Weekly on Monday at 08:00`. */
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

/** Formats an hour, such as `08:00`. */
export function hourText(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}

/** The user's time zone. */
export function ownZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Time zones known to the browser. */
export function timeZones(): string[] {
  return [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])];
}

/** Formats an instant in a time zone, such as `Mon, Nov 23, 08:00`; null if the browser does not know the zone. */
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

/** Summarizes a schedule's recipients. */
export function recipientsText({ recipients, channelIds }: Pick<Schedule, 'recipients' | 'channelIds'>): string {
  const [only] = recipients;
  const people = !only ? 'Owner' : recipients.length === 1 ? only : counted(recipients.length, 'address', 'addresses');
  return channelIds.length > 0 ? `${people}, ${counted(channelIds.length, 'channel')}` : people;
}
