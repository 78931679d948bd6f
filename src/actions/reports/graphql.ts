import { builder } from '../../graph/builder.ts';
import { actorOf, viewerOf } from '../../graph/context.ts';
import { pageArgs, pageComplexity, pageOf, pageRequest, pageSelection, sortArg } from '../../graph/paging.ts';
import { readRoute, writeRoute } from '../../graph/rest.ts';
import { filtersOf, ReportFiltersInput } from './graphql-inputs.ts';
import { ReportFormatEnum, ReportObject, ReportPage, ReportStatusEnum, ReportTypeEnum } from './graphql-types.ts';
import { createReport, pageReports, readReport } from './reports.ts';
import { reportSortFields } from './store.ts';

builder.queryFields((t) => ({
  reports: t.field({
    type: ReportPage,
    description:
      'Lists reports that have not expired, newest first. Only reports whose accounts are all in the caller’s scope.',
    complexity: pageComplexity,
    args: {
      type: t.arg({ type: [ReportTypeEnum], description: 'Only reports on these subjects.' }),
      format: t.arg({ type: [ReportFormatEnum], description: 'Only reports in these formats.' }),
      status: t.arg({ type: [ReportStatusEnum], description: 'Only items with these statuses.' }),
      ...sortArg('Report', reportSortFields),
      ...pageArgs(),
    },
    ...readRoute('Reports', '/reports', { csv: 'data' }),
    async resolve(_root, args, ctx, info) {
      const page = pageRequest(args);
      const selected = { ...page, ...pageSelection(ctx, info) };
      const { rows, total } = await pageReports(ctx.deps, viewerOf(ctx).scope, args, selected);
      return pageOf(rows, total, page);
    },
  }),
  report: t.prismaField({
    type: ReportObject,
    description: 'Returns a report and the state of its file.',
    args: { id: t.arg.id({ required: true, description: 'UUID of the report.' }) },
    ...readRoute('Reports', '/reports/{id}'),
    resolve: (query, _root, { id }, ctx) => readReport(ctx.deps, viewerOf(ctx).scope, id, query),
  }),
}));

const CreateReportInput = builder.inputType('CreateReportInput', {
  description: 'A report to create.',
  fields: (t) => ({
    type: t.field({ type: ReportTypeEnum, required: true, description: 'Subject of the report.' }),
    format: t.field({ type: ReportFormatEnum, required: true, description: 'File format.' }),
    startDate: t.field({
      type: 'Date',
      description:
        'First day. Default: the same as for the corresponding cost view, usually 29 days before the last day.',
    }),
    endDate: t.field({
      type: 'Date',
      description:
        'Last day, inclusive. Default: the last day with complete bills. Budgets, inventory and recommendations are always as of the report’s creation.',
    }),
    email: t.boolean({
      defaultValue: true,
      description:
        'Whether to email the file to the caller when it is ready: attached up to 10 MB, else as a link that works for 7 days without signing in. The preference `email.reports` can turn it off as well.',
    }),
    filters: t.field({
      type: ReportFiltersInput,
      description: 'Filters of the report.',
    }),
  }),
});

builder.mutationFields((t) => ({
  createReport: t.prismaField({
    type: ReportObject,
    description:
      'Creates a report of the data in the caller’s scope. A background job creates the file. Not for Viewers.',
    args: {
      input: t.arg({ type: CreateReportInput, required: true, description: 'The report to create.' }),
    },
    ...writeRoute('Reports', 'reports.write', { method: 'POST', path: '/reports', status: 201, category: 'report' }),
    async resolve(query, _root, { input }, ctx) {
      const { userId, scope } = viewerOf(ctx);
      const filters = filtersOf(input.filters);
      const { id } = await createReport(ctx.deps, { userId, scope }, actorOf(ctx), { ...input, filters });
      return readReport(ctx.deps, scope, id, query);
    },
  }),
}));
