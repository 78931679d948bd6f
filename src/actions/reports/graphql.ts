import { builder } from '../../graph/builder.ts';
import { actorOf, viewerOf } from '../../graph/context.ts';
import { listArgs, pageField, pageType, selectedPage } from '../../graph/paging.ts';
import { readRoute, writeRoute } from '../../graph/rest.ts';
import { filtersOf, ReportFiltersInput, ReportFiltersType } from './graphql-inputs.ts';
import { createReport } from './reports.ts';
import { pageReports, readReport, reportSortFields } from './store.ts';
import { columns, day, decimal, instant, of, orNull, text, uuid } from '../../graph/answers.ts';
import { bounded } from '../../graph/bounded.ts';
import { wordEnum } from '../../graph/stored-words.ts';
import { foundById, restName } from '../../graph/relations.ts';
import { storedMessage } from '../../kit/errors/stored-error.ts';
import { memberRelation } from '../../tenancy/people/graphql.ts';
import { downloadUrl } from './download.ts';
import { storedFilters } from './filters.ts';
import type { ReportType } from './kinds.ts';

export const ReportTypeEnum = wordEnum<ReportType>('ReportType', 'Subject of a report.', {
  cost_summary: 'Costs by month or day.',
  cost_by_service: 'Costs by service.',
  cost_by_account: 'Costs by account and sub-account.',
  cost_by_tag: 'Costs by the values of a tag key.',
  showback: 'Costs of each value of a virtual tag, with shared costs, by month.',
  inventory: 'Resources as of the report’s creation.',
  recommendations: 'Recommendations as of the report’s creation.',
  anomalies: 'Anomalies in the period.',
  budgets: 'Budgets as of the report’s creation.',
  coverage: 'Cost by pricing model: commitments, spot, on demand.',
  invoices: 'Invoices of the billing months of the period, compared with their lines.',
});

export const ReportFormatEnum = wordEnum('ReportFormat', 'File format of a report.', {
  csv: 'The report’s main table (RFC 4180, UTF-8).',
  xlsx: 'A workbook with a sheet for each table.',
  pdf: 'A document with charts and tables.',
  json: 'All tables, for programs.',
});

export const ReportStatusEnum = wordEnum('ReportStatus', 'Status of a report.', {
  pending: 'The file is queued or being written.',
  ready: 'The file can be downloaded until the report expires.',
  failed: 'Failed without a file; create another report.',
});

export const ReportObject = builder.prismaObject('Report', {
  ...foundById,
  description: 'A report file, created by a background job and kept for 30 days.',
  fields: (t) =>
    columns(t, 'Report', {
      id: uuid('UUIDv7 of the report.'),
      type: of(ReportTypeEnum, 'Subject of the report.'),
      format: of(ReportFormatEnum, 'File format.'),
      startDate: day('First day of its period.'),
      endDate: day('Last day of its period, inclusive. Budgets, inventory and recommendations are as of its creation.'),
      filters: t.field({
        type: ReportFiltersType,
        description: 'Filters of the report.',
        select: { filters: true },
        resolve: ({ filters }) => storedFilters(filters),
      }),
      status: of(ReportStatusEnum, 'Status.'),
      failureReason: t.field({
        type: 'String',
        nullable: true,
        description: 'Why it failed; null otherwise.',
        select: { failure: true },
        resolve: ({ failure }, _args, { spell }) => storedMessage(failure, spell),
      }),
      sizeBytes: orNull(decimal('Size of the file in bytes; null until it is ready.')),
      sha256: orNull(text('SHA-256 of the file in hexadecimal digits; null until it is ready.')),
      downloadUrl: t.string({
        ...bounded({ format: 'uri' }),
        description: 'URL of the file once it is ready; requires the Bearer token.',
        resolve: ({ id }, _args, { deps }) => downloadUrl(deps.config, id),
      }),
      createdById: uuid('UUID of the owner; the Super Admin’s for a former member’s report.', restName('created_by')),
      createdBy: t.field(memberRelation('createdById', 'The owner; the Super Admin for a former member’s report.')),
      createdAt: instant('Creation time.'),
      expiresAt: instant('When the report and its file are deleted: 30 days after its creation.'),
    }),
});

const ReportPage = pageType('Report', ReportObject);

builder.queryFields((t) => ({
  reports: t.field({
    ...pageField(ReportPage),
    description:
      'Lists reports that have not expired, newest first. Only reports whose accounts are all in the caller’s scope.',
    args: {
      type: t.arg({ type: [ReportTypeEnum], description: 'Only reports on these subjects.' }),
      format: t.arg({ type: [ReportFormatEnum], description: 'Only reports in these formats.' }),
      status: t.arg({ type: [ReportStatusEnum], description: 'Only items with these statuses.' }),
      ...listArgs('Report', reportSortFields),
    },
    ...readRoute('Reports', '/reports', { csv: 'data' }),
    resolve: selectedPage((ctx, args, page) => pageReports(ctx.deps, viewerOf(ctx).scope, args, page)),
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
        'First day. Default: the same as for the corresponding cost view, usually 29 days before the last day; for a showback without `endDate`, the first day of the previous month.',
    }),
    endDate: t.field({
      type: 'Date',
      description:
        'Last day, inclusive. Default: the same as for the corresponding cost view; without `startDate`, the last day with complete bills, or for a showback, the last day of the previous month. Budgets, inventory and recommendations are always as of the report’s creation.',
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
