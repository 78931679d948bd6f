import { columns, flag, instant, int, of, orNull, text, texts, uuid } from '../../graph/answers.ts';
import { builder } from '../../graph/builder.ts';
import { wordEnum } from '../../graph/stored-words.ts';
import { viewerOf } from '../../graph/context.ts';
import { pageType } from '../../graph/paging.ts';
import { batchedById, batchedByQuery, relation, restName, takeOf, toMany } from '../../graph/relations.ts';
import { memberRelation } from '../../tenancy/people/graphql.ts';
import { storedFilters } from '../reports/filters.ts';
import { ReportFiltersType } from '../reports/graphql-inputs.ts';
import { ReportObject, ReportFormatEnum, ReportStatusEnum, ReportTypeEnum } from '../reports/graphql-types.ts';
import { selectReportsOfSchedules, type ReportSelection, type ScheduleReports } from '../reports/store.ts';
import { selectSchedulesById } from './store.ts';

/** Schedule frequencies. */
export const FrequencyEnum = wordEnum(
  'ReportFrequency',
  'Frequency and period of a scheduled report, by the calendar of its time zone.',
  {
    daily: 'Daily, for the day before.',
    weekly: 'Weekly, for the week before, Monday to Sunday.',
    monthly: 'Monthly, for the month before.',
  },
);

/** A schedule, as nested in any answer. */
export const ScheduleType = builder.prismaObject('ReportSchedule', {
  select: { id: true },
  findUnique: ({ id }, ctx) => ({ id, organizationId: viewerOf(ctx).scope.organizationId }),
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
      slack: flag('Whether to notify the owner’s webhook as well.'),
      enabled: flag('Whether the schedule runs.'),
      nextRunAt: orNull(instant('Next run; null while disabled.')),
      lastRunAt: orNull(instant('Last run; null before the first.')),
      lastStatus: orNull(of(ReportStatusEnum, 'Status of the last run’s report; null before the first run.')),
      createdById: uuid('UUID of the owner; the Super Admin’s for a former member’s schedule.', restName('created_by')),
      createdBy: t.field(memberRelation('createdById', 'The owner; the Super Admin for a former member’s schedule.')),
      createdAt: instant('Creation time.'),
    }),
});

const scheduleById = batchedById((ids, query: Parameters<typeof selectSchedulesById>[3], ctx) =>
  selectSchedulesById(ctx.deps.db, viewerOf(ctx).scope, ids, query),
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

export const SchedulePage = pageType('ReportSchedule', ScheduleType);
