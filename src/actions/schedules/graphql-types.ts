import { builder } from '../../graph/builder.ts';
import { pageType } from '../../graph/paging.ts';
import { ReportFormatEnum, ReportStatusEnum, ReportTypeEnum } from '../reports/graphql-types.ts';
import type { Schedule } from './schedule.ts';

/** How often a schedule runs. */
export const FrequencyEnum = builder.enumType('ReportFrequency', {
  description: 'How often a schedule makes a report, and of which days: by the calendar of its time zone.',
  values: {
    DAILY: { value: 'daily', description: 'Each day, of the day before.' },
    WEEKLY: { value: 'weekly', description: 'Each week, of the week before, Monday to Sunday.' },
    MONTHLY: { value: 'monthly', description: 'Each month, of the month before.' },
  } as const,
});

/** A schedule, in whatever answer it stands. */
export const ScheduleType = builder.objectRef<Schedule>('ReportSchedule').implement({
  description:
    'A report that is made again and again, in the scope that its owner has when it runs, and told to recipients by mail. Runs ' +
    'that the server missed are made up for by one.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUIDv7 of the schedule.' }),
    name: t.exposeString('name', { description: 'Display name.' }),
    type: t.field({ type: ReportTypeEnum, description: 'What its reports are about.', resolve: ({ type }) => type }),
    format: t.field({
      type: ReportFormatEnum,
      description: 'What its reports are written as.',
      resolve: ({ format }) => format,
    }),
    filters: t.field({
      type: 'JSON',
      description: 'What narrows its reports, by the names of REST’s parameters.',
      resolve: ({ filters }) => filters,
    }),
    frequency: t.field({ type: FrequencyEnum, description: 'How often it runs.', resolve: (row) => row.frequency }),
    day: t.exposeInt('day', {
      nullable: true,
      description:
        'Weekly: 1 (Monday) to 7 (Sunday). Monthly: 1 to 31; in shorter months it runs on their last day. Daily: null.',
    }),
    hour: t.exposeInt('hour', {
      description:
        '0 to 23, on the clocks of the time zone. Where these skip the hour, it runs as soon as they have; where the hour ' +
        'comes twice, the first time.',
    }),
    timeZone: t.exposeString('timeZone', { description: 'IANA time zone, such as `Europe/Berlin`.' }),
    recipients: t.exposeStringList('recipients', {
      description:
        'Addresses that are told of each report; none: the owner’s. A member gets only what their own scope and ' +
        'preferences allow.',
    }),
    slack: t.exposeBoolean('slack', { description: 'Whether the owner’s webhook is told of each report, too.' }),
    enabled: t.exposeBoolean('enabled', { description: 'Whether it runs.' }),
    nextRunAt: t.expose('nextRunAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it runs next; null while it is not enabled.',
    }),
    lastRunAt: t.expose('lastRunAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it ran last; null before its first run.',
    }),
    lastStatus: t.field({
      type: ReportStatusEnum,
      nullable: true,
      description: 'How the report of the last run stands; null before the first.',
      resolve: ({ lastStatus }) => lastStatus,
    }),
    createdBy: t.id({
      description: 'UUID of its owner: the user who made it; of those who have left, the Super Admin.',
      resolve: ({ createdById }) => createdById,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
  }),
});

/** A page of schedules. */
export const SchedulePage = pageType('ReportSchedule', ScheduleType);
