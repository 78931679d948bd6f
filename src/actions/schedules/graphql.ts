import { builder } from '../../graph/builder.ts';
import { actorOf, viewerOf } from '../../graph/context.ts';
import { pageArgs, pageComplexity, pageOf, pageRequest, pageSelection, sortArg } from '../../graph/paging.ts';
import { readRoute, writeRoute } from '../../graph/rest.ts';
import { filtersOf, ReportFiltersInput } from '../reports/graphql-inputs.ts';
import { ReportFormatEnum, ReportTypeEnum } from '../reports/graphql-types.ts';
import { SchedulePage, ScheduleType, FrequencyEnum } from './graphql-types.ts';
import { createSchedule, deleteSchedule, pageSchedules, updateSchedule, readSchedule } from './schedules.ts';
import { scheduleSortFields } from './store.ts';
import { recordInputs } from '../../graph/record-inputs.ts';
import { clearable, given } from '../../kit/record-fields.ts';
import { scheduleFields, scheduleLimits } from './input.ts';

const [CreateReportScheduleInput, UpdateReportScheduleInput] = recordInputs(
  'ReportSchedule',
  'a report schedule',
  // Filters arrive as the input type of reports.
  { ...scheduleFields, filters: clearable(null, given<typeof ReportFiltersInput.$inferInput>) },
  {
    name: { type: 'String', text: 'Display name, 1 to 100 characters on one line.' },
    type: { type: ReportTypeEnum, text: 'Subject of the reports.' },
    format: { type: ReportFormatEnum, text: 'File format of the reports.' },
    filters: {
      type: ReportFiltersInput,
      text: 'Filters of the reports. Callers with access to some accounts schedule reports of those accounts only.',
      onUpdate: ' Replaces the current filters; null removes them.',
    },
    frequency: { type: FrequencyEnum, text: 'Frequency.' },
    day: {
      type: 'Int',
      text: 'Weekly: 1 (Monday, default) to 7 (Sunday). Monthly: 1 (default) to 31; shorter months use their last day. Not for daily schedules.',
      onUpdate: ' A new frequency without a day uses the default.',
    },
    hour: { type: 'Int', text: 'Hour of the day in the time zone, 0 to 23.' },
    timeZone: { type: 'String', text: 'IANA time zone, such as `Europe/Berlin`.' },
    recipients: {
      type: ['String'],
      text: `Email addresses that receive each report, at most ${scheduleLimits.recipients}; if empty, the owner’s address.`,
      onUpdate: ' Replaces the current recipients.',
    },
    slack: { type: 'Boolean', text: 'Whether to notify the owner’s webhook as well.' },
    enabled: { type: 'Boolean', text: 'Whether the schedule runs.' },
  },
);

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
