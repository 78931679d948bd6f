import { nameRule } from '../../tenancy/login/input.ts';
import { bounded, unclearable } from '../../graph/bounded.ts';
import { builder } from '../../graph/builder.ts';
import { ReportFiltersInput } from '../reports/graphql-inputs.ts';
import { ReportFormatEnum, ReportTypeEnum } from '../reports/graphql-types.ts';
import { FrequencyEnum } from './graphql-types.ts';
import { scheduleLimits, dayRule, hourRule, recipientsRule } from './input.ts';

const typeText = 'Subject of the reports.';
const formatText = 'File format of the reports.';
const nameText = 'Display name, 1 to 100 characters on one line.';
const filtersText =
  'Filters of the reports. Callers with access to some accounts schedule reports of those accounts only.';
const frequencyText = 'Frequency.';
const dayText =
  'Weekly: 1 (Monday, default) to 7 (Sunday). Monthly: 1 (default) to 31; shorter months use their last day. Not for daily schedules.';
const hourText = 'Hour of the day in the time zone, 0 to 23.';
const timeZoneText = 'IANA time zone, such as `Europe/Berlin`.';
const recipientsText = `Email addresses that receive each report, at most ${scheduleLimits.recipients}; if empty, the owner’s address.`;
const slackText = 'Whether to notify the owner’s webhook as well.';

/** The input of `createReportSchedule`. */
export const CreateReportScheduleInput = builder.inputType('CreateReportScheduleInput', {
  description: 'A report schedule to create.',
  fields: (t) => ({
    name: t.string({ ...bounded(nameRule), required: true, description: nameText }),
    type: t.field({ type: ReportTypeEnum, required: true, description: typeText }),
    format: t.field({ type: ReportFormatEnum, required: true, description: formatText }),
    filters: t.field({ type: ReportFiltersInput, description: filtersText }),
    frequency: t.field({ type: FrequencyEnum, required: true, description: frequencyText }),
    day: t.int({ ...bounded(dayRule), description: dayText }),
    hour: t.int({
      defaultValue: 8,
      description: hourText,
      ...bounded(hourRule),
    }),
    timeZone: t.string({ defaultValue: 'UTC', description: timeZoneText }),
    recipients: t.stringList({ ...bounded(recipientsRule), description: recipientsText }),
    slack: t.boolean({ defaultValue: false, description: slackText }),
    enabled: t.boolean({ defaultValue: true, description: 'Whether the schedule runs.' }),
  }),
});

/** The input of `updateReportSchedule`. */
export const UpdateReportScheduleInput = builder.inputType('UpdateReportScheduleInput', {
  description: 'Changes to a report schedule: omitted fields stay unchanged.',
  fields: (t) => ({
    name: t.string({ ...unclearable(nameRule), description: nameText }),
    type: t.field({ ...unclearable(), type: ReportTypeEnum, description: typeText }),
    format: t.field({ ...unclearable(), type: ReportFormatEnum, description: formatText }),
    filters: t.field({
      type: ReportFiltersInput,
      description: `${filtersText} Replaces the current filters; null removes them.`,
    }),
    frequency: t.field({ ...unclearable(), type: FrequencyEnum, description: frequencyText }),
    day: t.int({
      description: `${dayText} A new frequency without a day uses the default.`,
      ...bounded(dayRule),
    }),
    hour: t.int({ ...unclearable(hourRule), description: hourText }),
    timeZone: t.string({ ...unclearable(), description: timeZoneText }),
    recipients: t.stringList({
      ...bounded(recipientsRule),
      description: `${recipientsText} Replaces the current recipients.`,
    }),
    slack: t.boolean({ ...unclearable(), description: slackText }),
    enabled: t.boolean({ ...unclearable(), description: 'Whether the schedule runs.' }),
  }),
});
