import { channelsShown } from '../../analysis/budgets/channels.ts';
import { valueRule } from '../../facts/allocation/rules.ts';
import { enabledArg } from '../../facts/graphql.ts';
import { bounded } from '../../graph/bounded.ts';
import { builder } from '../../graph/builder.ts';
import { actorOf, viewerOf } from '../../graph/context.ts';
import { listArgs, pageField, pageType, selectedPage } from '../../graph/paging.ts';
import { readRoute, writeRoute } from '../../graph/rest.ts';
import { filtersOf, ReportFiltersInput, ReportFiltersType } from '../reports/graphql-inputs.ts';
import { ReportFormatEnum, ReportTypeEnum, ReportObject, ReportStatusEnum } from '../reports/graphql.ts';
import { createSchedule, deleteSchedule, sendSchedule, updateSchedule } from './schedules.ts';
import { pageSchedules, schedules, scheduleSortFields } from './store.ts';
import { recordOperations } from '../../graph/record-operations.ts';
import { clearable, given } from '../../kit/record-fields.ts';
import { recipientsRule, scheduleFields, scheduleLimits } from './input.ts';
import { storedValueRecipients } from './schedule.ts';
import { answerType, columns, flag, instant, int, of, orNull, text, texts, uuid, uuids } from '../../graph/answers.ts';
import { wordEnum } from '../../graph/stored-words.ts';
import { foundById, batchedById, batchedByQuery, relation, restName, takeOf, toMany } from '../../graph/relations.ts';
import type { Selection } from '../../tenancy/accounts/about.ts';
import { memberRelation } from '../../tenancy/people/graphql.ts';
import { storedFilters } from '../reports/filters.ts';
import { readReport, selectReportsOfSchedules, type ReportSelection, type ScheduleReports } from '../reports/store.ts';

/** Schedule frequencies. */
const FrequencyEnum = wordEnum(
  'ReportFrequency',
  'Frequency and period of a scheduled report, by the calendar of its time zone.',
  {
    daily: 'Daily, for the last day with complete bills, at the latest the day before; without bills, the day before.',
    weekly: 'Weekly, for the week before, Monday to Sunday.',
    monthly: 'Monthly, for the month before.',
  },
);

const valueRecipientsText =
  'For a showback: recipients of the file of one value of the virtual tag, in addition to the whole report.';

const ValueRecipientsType = answerType('ReportValueRecipients', 'Recipients of the showback of one value.', {
  value: text('Value of the virtual tag.'),
  recipients: texts('Email addresses that get its file.'),
});

const ValueRecipientsInput = builder.inputType('ReportValueRecipientsInput', {
  description: 'Recipients of the showback of one value.',
  fields: (t) => ({
    value: t.string({ ...bounded(valueRule), required: true, description: 'Value of the virtual tag.' }),
    recipients: t.stringList({
      ...bounded({ ...recipientsRule, minItems: 1 }),
      required: true,
      description: `Email addresses that get its file, at most ${scheduleLimits.recipients}.`,
    }),
  }),
});

/** A schedule, as nested in any answer. */
const ScheduleType = builder.prismaObject('ReportSchedule', {
  ...foundById,
  description:
    'A recurring report, created in its owner’s current scope and emailed to recipients. Several missed runs are replaced by one run.',
  fields: (t) =>
    columns(t, 'ReportSchedule', {
      id: uuid('UUIDv7 of the schedule.'),
      name: text('Display name.'),
      type: of(ReportTypeEnum, 'Subject of the reports.'),
      format: of(ReportFormatEnum, 'File format of the reports.'),
      filters: t.field({
        type: ReportFiltersType,
        description: 'Filters of the reports.',
        select: { filters: true },
        resolve: ({ filters }) => storedFilters(filters),
      }),
      frequency: of(FrequencyEnum, 'Frequency.'),
      day: orNull(
        int('Weekly: 1 (Monday) to 7 (Sunday). Monthly: 1 to 31; shorter months use their last day. Daily: null.'),
      ),
      hour: int(
        'Hour of the day in the time zone, 0 to 23. When daylight saving time begins, a run in the skipped hour starts right after the change; when it ends, a run in the repeated hour starts once, the first time.',
      ),
      timeZone: text('IANA time zone, such as `Europe/Berlin`.'),
      recipients: texts(
        'Email addresses that receive each report; if empty, the owner’s address. Members receive only reports within their own scope and preferences.',
      ),
      valueRecipients: t.field({
        type: [ValueRecipientsType],
        description: `${valueRecipientsText} Values without recipients are only in the whole report.`,
        select: { valueRecipients: true },
        resolve: ({ valueRecipients }) => storedValueRecipients(valueRecipients),
      }),
      slack: flag('Whether to notify the owner’s webhook as well.'),
      channelIds: uuids('UUIDs of the channels that are notified as well.'),
      enabled: flag('Whether the schedule runs.'),
      nextRunAt: orNull(instant('Next run; null while disabled.')),
      lastRunAt: orNull(instant('Last run; null before the first.')),
      lastStatus: orNull(of(ReportStatusEnum, 'Status of the last run’s report; null before the first run.')),
      createdById: uuid('UUID of the owner; the Super Admin’s for a former member’s schedule.', restName('created_by')),
      createdBy: t.field(memberRelation('createdById', 'The owner; the Super Admin for a former member’s schedule.')),
      createdAt: instant('Creation time.'),
      updatedAt: instant('Time of the last change.'),
    }),
});

const scheduleById = batchedById((ids, query: Selection, ctx) =>
  schedules.select(ctx.deps.db, viewerOf(ctx).scope, ids, query),
);

builder.prismaObjectField('Report', 'schedule', (t) =>
  t.prismaField({
    ...relation,
    type: ScheduleType,
    nullable: true,
    description: 'Schedule of the report; null if there is none or it was deleted.',
    select: { scheduleId: true },
    resolve: (query, { scheduleId }, _args, ctx) => scheduleById(scheduleId, query, ctx),
  }),
);

const reportsOf = batchedByQuery((pages: readonly ScheduleReports[], query: ReportSelection, ctx) =>
  selectReportsOfSchedules(ctx.deps.db, viewerOf(ctx).scope, { pages, now: ctx.deps.clock.now() }, query),
);

builder.prismaObjectField('ReportSchedule', 'reports', (t) =>
  t.prismaField({
    ...toMany,
    type: [ReportObject],
    description: 'Reports of the schedule that have not expired, newest first.',
    resolve: (query, { id: scheduleId }, args, ctx) => reportsOf({ scheduleId, first: takeOf(args) }, query, ctx),
  }),
);

const SchedulePage = pageType('ReportSchedule', ScheduleType);

builder.queryField('reportSchedules', (t) =>
  t.field({
    ...pageField(SchedulePage),
    description: 'Lists report schedules, newest first. Only schedules whose accounts are all in the caller’s scope.',
    args: {
      type: t.arg({ type: [ReportTypeEnum], description: 'Only schedules with these subjects.' }),
      format: t.arg({ type: [ReportFormatEnum], description: 'Only schedules with these file formats.' }),
      ...enabledArg,
      ...listArgs('ReportSchedule', scheduleSortFields),
    },
    ...readRoute('Reports', '/reports/schedules', { csv: 'data' }),
    resolve: selectedPage((ctx, args, page) => pageSchedules(ctx.deps, viewerOf(ctx).scope, args, page)),
  }),
);

recordOperations('ReportSchedule', 'a report schedule', {
  type: ScheduleType,
  tag: 'Reports',
  path: '/reports/schedules',
  can: 'reports.write',
  // Filters arrive as the input type of reports.
  fields: { ...scheduleFields, filters: clearable(null, given<typeof ReportFiltersInput.$inferInput>) },
  shown: {
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
    valueRecipients: {
      type: [ValueRecipientsInput],
      text: `${valueRecipientsText} At most ${scheduleLimits.values} values.`,
      onUpdate: ' Replaces the current ones.',
    },
    slack: { type: 'Boolean', text: 'Whether to notify the owner’s webhook as well.' },
    ...channelsShown,
    enabled: { type: 'Boolean', text: 'Whether the schedule runs.' },
  },
  descriptions: {
    id: 'UUID of the schedule.',
    read: 'Returns a report schedule.',
    create: 'Creates a report schedule, owned by the caller. Not for Viewers.',
    update: 'Updates a report schedule. Members can update their own, Admins any.',
    remove: 'Deletes a report schedule. Its reports are kept. Members can delete their own, Admins any.',
  },
  read: (deps, { scope }, id, query) => schedules.read(deps, scope, id, query),
  create: (deps, viewer, actor, { filters, ...input }) =>
    createSchedule(deps, viewer, actor, { ...input, filters: filtersOf(filters) }),
  update: (deps, viewer, actor, { filters, ...change }) =>
    updateSchedule(deps, viewer, actor, { ...change, ...(filters !== undefined && { filters: filtersOf(filters) }) }),
  remove: deleteSchedule,
});

builder.mutationField('sendReportSchedule', (t) =>
  t.prismaField({
    type: ReportObject,
    description:
      'Creates the report of a schedule for the last complete period now and sends it to its recipients, even while the schedule is disabled. The next run does not change. Members can send their own, Admins any.',
    args: { id: t.arg.id({ required: true, description: 'UUID of the schedule.' }) },
    ...writeRoute('Reports', 'reports.write', {
      path: '/reports/schedules/{id}/send',
      status: 201,
      category: 'report',
      errors: ['CONFLICT'],
    }),
    async resolve(query, _root, args, ctx) {
      const viewer = viewerOf(ctx);
      const { id } = await sendSchedule(ctx.deps, viewer, actorOf(ctx), args.id);
      return readReport(ctx.deps, viewer.scope, id, query);
    },
  }),
);
