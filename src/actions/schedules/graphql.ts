import { builder } from '../../graph/builder.ts';
import { actorOf, viewerOf } from '../../graph/context.ts';
import { pageArgs, pageComplexity, pageOf, pageRequest, pageSelection, sortArg } from '../../graph/paging.ts';
import { readRoute, writeRoute } from '../../graph/rest.ts';
import { filtersOf, ReportFiltersInput } from '../reports/graphql-inputs.ts';
import { ReportFormatEnum, ReportTypeEnum } from '../reports/graphql-types.ts';
import { SchedulePage, ScheduleType, FrequencyEnum } from './graphql-types.ts';
import { createSchedule, deleteSchedule, pageSchedules, updateSchedule, readSchedule } from './schedules.ts';
import { scheduleSortFields } from './store.ts';
import { nameRule } from '../../tenancy/login/input.ts';
import { bounded, unclearable } from '../../graph/bounded.ts';
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

const CreateReportScheduleInput = builder.inputType('CreateReportScheduleInput', {
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

const UpdateReportScheduleInput = builder.inputType('UpdateReportScheduleInput', {
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

builder.queryFields((t) => ({
  reportSchedules: t.field({
    type: SchedulePage,
    description: 'Lists report schedules, newest first. Only schedules whose accounts are all in the caller’s scope.',
    complexity: pageComplexity,
    args: {
      type: t.arg({ type: [ReportTypeEnum], description: 'Only schedules with these subjects.' }),
      format: t.arg({ type: [ReportFormatEnum], description: 'Only schedules with these file formats.' }),
      enabled: t.arg.boolean({ description: 'True: only enabled items. False: only disabled items.' }),
      ...sortArg('ReportSchedule', scheduleSortFields),
      ...pageArgs(),
    },
    ...readRoute('Reports', '/reports/schedules', { csv: 'data' }),
    async resolve(_root, args, ctx, info) {
      const page = pageRequest(args);
      const selected = { ...page, ...pageSelection(ctx, info) };
      const { rows, total } = await pageSchedules(ctx.deps, viewerOf(ctx).scope, args, selected);
      return pageOf(rows, total, page);
    },
  }),
  reportSchedule: t.prismaField({
    type: ScheduleType,
    description: 'Returns a report schedule.',
    args: { id: t.arg.id({ required: true, description: 'UUID of the schedule.' }) },
    ...readRoute('Reports', '/reports/schedules/{id}'),
    resolve: (query, _root, { id }, ctx) => readSchedule(ctx.deps, viewerOf(ctx).scope, id, query),
  }),
}));

builder.mutationFields((t) => ({
  createReportSchedule: t.prismaField({
    type: ScheduleType,
    description: 'Creates a report schedule, owned by the caller. Not for Viewers.',
    args: {
      input: t.arg({ type: CreateReportScheduleInput, required: true, description: 'The report schedule to create.' }),
    },
    ...writeRoute('Reports', 'reports.write', { method: 'POST', path: '/reports/schedules', status: 201 }),
    async resolve(query, _root, { input }, ctx) {
      const filters = filtersOf(input.filters);
      const { id } = await createSchedule(ctx.deps, viewerOf(ctx), actorOf(ctx), { ...input, filters });
      return readSchedule(ctx.deps, viewerOf(ctx).scope, id, query);
    },
  }),
  updateReportSchedule: t.prismaField({
    type: ScheduleType,
    description: 'Updates a report schedule. Members can update their own; Admins all.',
    args: {
      id: t.arg.id({ required: true, description: 'UUID of the schedule.' }),
      input: t.arg({ type: UpdateReportScheduleInput, required: true, description: 'Fields to change.' }),
    },
    ...writeRoute('Reports', 'reports.write', { method: 'PATCH', path: '/reports/schedules/{id}' }),
    async resolve(query, _root, { id, input: { filters, ...input } }, ctx) {
      const filtered = filters === undefined ? {} : { filters: filtersOf(filters) };
      await updateSchedule(ctx.deps, viewerOf(ctx), actorOf(ctx), { ...input, ...filtered, id });
      return readSchedule(ctx.deps, viewerOf(ctx).scope, id, query);
    },
  }),
  deleteReportSchedule: t.boolean({
    description: 'Deletes a report schedule. Its reports are kept. Members can delete their own; Admins all.',
    args: { id: t.arg.id({ required: true, description: 'UUID of the schedule.' }) },
    ...writeRoute('Reports', 'reports.write', { method: 'DELETE', path: '/reports/schedules/{id}', status: 204 }),
    async resolve(_root, { id }, ctx) {
      await deleteSchedule(ctx.deps, viewerOf(ctx), actorOf(ctx), id);
      return true;
    },
  }),
}));
