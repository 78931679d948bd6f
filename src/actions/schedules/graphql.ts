import { builder } from '../../graph/builder.ts';
import { actorOf, viewerOf } from '../../graph/context.ts';
import { pageArgs, pageComplexity, pageOf, pageRequest, sortArg } from '../../graph/paging.ts';
import type { RestRoute } from '../../graph/rest.ts';
import { ReportFormatEnum, ReportTypeEnum } from '../reports/graphql-types.ts';
import { FrequencyEnum, SchedulePage, ScheduleType } from './graphql-types.ts';
import { scheduleLimits } from './input.ts';
import { createSchedule, deleteSchedule, pageSchedules, updateSchedule } from './schedules.ts';
import { scheduleSortFields } from './store.ts';

const authScopes = { signedIn: true, can: 'reports.write' } as const;

builder.queryFields((t) => ({
  reportSchedules: t.field({
    type: SchedulePage,
    description: 'The report schedules that lie wholly inside the caller’s accounts; newest first.',
    authScopes: { signedIn: true },
    complexity: pageComplexity,
    args: {
      type: t.arg({ type: [ReportTypeEnum], description: 'Only of reports about these.' }),
      format: t.arg({ type: [ReportFormatEnum], description: 'Only of reports in these formats.' }),
      enabled: t.arg.boolean({ description: 'Only those that run, or that do not.' }),
      ...sortArg(scheduleSortFields),
      ...pageArgs(),
    },
    extensions: { rest: route({ method: 'GET', path: '/reports/schedules', category: 'read', csv: 'data' }) },
    async resolve(_root, args, ctx) {
      const page = pageRequest(args);
      const { rows, total } = await pageSchedules(ctx.deps, viewerOf(ctx).scope, args, page);
      return pageOf(rows, total, page);
    },
  }),
}));

const typeText = 'What its reports are about.';
const formatText = 'What its reports are written as.';
const nameText = 'Display name, 1 to 100 characters on one line.';
const filtersText =
  'What narrows its reports, as `POST /reports` takes it. Who sees some accounts only makes it of those.';
const frequencyText = 'How often it runs.';
const dayText =
  'Weekly: 1 (Monday, the default) to 7 (Sunday). Monthly: 1 (the default) to 31; in shorter months it runs on their last ' +
  'day. Daily ones take none.';
const hourText = '0 to 23, on the clocks of the time zone.';
const timeZoneText = 'IANA time zone, such as `Europe/Berlin`.';
const recipientsText = `Addresses that are told of each report, at most ${scheduleLimits.recipients}; none: the owner’s.`;
const slackText = 'Whether the owner’s webhook is told of each report, too.';

builder.mutationFields((t) => ({
  createReportSchedule: t.field({
    type: ScheduleType,
    description: 'Makes a report schedule of the caller’s. For all but Viewers.',
    authScopes,
    args: {
      name: t.arg.string({ required: true, description: nameText }),
      type: t.arg({ type: ReportTypeEnum, required: true, description: typeText }),
      format: t.arg({ type: ReportFormatEnum, required: true, description: formatText }),
      filters: t.arg({ type: 'JSON', description: filtersText }),
      frequency: t.arg({ type: FrequencyEnum, required: true, description: frequencyText }),
      day: t.arg.int({ description: dayText, extensions: { jsonSchema: { minimum: 1, maximum: 31 } } }),
      hour: t.arg.int({
        defaultValue: 8,
        description: hourText,
        extensions: { jsonSchema: { minimum: 0, maximum: 23 } },
      }),
      timeZone: t.arg.string({ defaultValue: 'UTC', description: timeZoneText }),
      recipients: t.arg.stringList({ description: recipientsText }),
      slack: t.arg.boolean({ defaultValue: false, description: slackText }),
      enabled: t.arg.boolean({ defaultValue: true, description: 'Whether it runs.' }),
    },
    extensions: { rest: route({ method: 'POST', path: '/reports/schedules', status: 201, category: 'write' }) },
    resolve: (_root, args, ctx) => createSchedule(ctx.deps, viewerOf(ctx), actorOf(ctx), args),
  }),
  updateReportSchedule: t.field({
    type: ScheduleType,
    description: 'Changes what is named of a report schedule. For Admins, and for Members their own.',
    authScopes,
    args: {
      id: t.arg.id({ required: true, description: 'UUID of the schedule.' }),
      name: t.arg.string({ description: nameText }),
      type: t.arg({ type: ReportTypeEnum, description: typeText }),
      format: t.arg({ type: ReportFormatEnum, description: formatText }),
      filters: t.arg({ type: 'JSON', description: `${filtersText} In place of those it had; null: none.` }),
      frequency: t.arg({ type: FrequencyEnum, description: frequencyText }),
      day: t.arg.int({
        description: `${dayText} Another frequency without a day gets the default.`,
        extensions: { jsonSchema: { minimum: 1, maximum: 31 } },
      }),
      hour: t.arg.int({ description: hourText, extensions: { jsonSchema: { minimum: 0, maximum: 23 } } }),
      timeZone: t.arg.string({ description: timeZoneText }),
      recipients: t.arg.stringList({ description: `${recipientsText} In place of those it had.` }),
      slack: t.arg.boolean({ description: slackText }),
      enabled: t.arg.boolean({ description: 'Whether it runs.' }),
    },
    extensions: { rest: route({ method: 'PATCH', path: '/reports/schedules/{id}', category: 'write' }) },
    resolve: (_root, args, ctx) => updateSchedule(ctx.deps, viewerOf(ctx), actorOf(ctx), args),
  }),
  deleteReportSchedule: t.boolean({
    description: 'Deletes a report schedule; the reports that it made stay. For Admins, and for Members their own.',
    authScopes,
    args: { id: t.arg.id({ required: true, description: 'UUID of the schedule.' }) },
    extensions: { rest: route({ method: 'DELETE', path: '/reports/schedules/{id}', status: 204, category: 'write' }) },
    async resolve(_root, { id }, ctx) {
      await deleteSchedule(ctx.deps, viewerOf(ctx), actorOf(ctx), id);
      return true;
    },
  }),
}));

function route(rest: Partial<RestRoute> & Pick<RestRoute, 'method' | 'path' | 'category'>): RestRoute {
  return { status: 200, tags: ['Reports'], ...rest };
}
