import { emailsFault } from '../parts/recipient-fields.tsx';
import { filterFaults, filtersFrom, type FilterName, type Filters } from './filters.ts';
import type { Schedule } from './queries.ts';
import { ownZone } from './timing.ts';

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
    ...(form.name.trim() === '' && { name: 'Give it a name' }),
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

/** Those fields that differ. */
export function changesOf(before: ScheduleForm, after: ScheduleForm): Partial<ReturnType<typeof valuesOf>> {
  const old: Readonly<Record<string, unknown>> = valuesOf(before);
  const changed = Object.entries(valuesOf(after)).filter(
    ([key, value]) => JSON.stringify(old[key]) !== JSON.stringify(value),
  );
  return Object.fromEntries(changed);
}
