import { bounded } from '../../graph/bounded.ts';
import { builder } from '../../graph/builder.ts';
import { wordEnum } from '../../graph/stored-words.ts';
import { viewerOf } from '../../graph/context.ts';
import { pageType } from '../../graph/paging.ts';
import { restName } from '../../graph/relations.ts';
import { dayOf } from '../../kit/time/period.ts';
import { storedMessage } from '../../kit/errors/stored-error.ts';
import { memberRelation } from '../../tenancy/people/graphql.ts';
import { downloadUrl } from './download.ts';
import { storedFilters } from './filters.ts';
import { ReportFiltersType } from './graphql-inputs.ts';
import { reportFormatOf, reportTypeOf } from './kinds.ts';

export const ReportTypeEnum = wordEnum('ReportType', 'Subject of a report.', {
  cost_summary: 'Costs by month or day.',
  cost_by_service: 'Costs by service.',
  cost_by_account: 'Costs by account and sub-account.',
  cost_by_tag: 'Costs by the values of a tag key.',
  inventory: 'Resources as of the report’s creation.',
  recommendations: 'Recommendations as of the report’s creation.',
  anomalies: 'Anomalies in the period.',
  budgets: 'Budgets as of the report’s creation.',
  coverage: 'Spend by pricing: commitments, spot, on demand.',
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
  select: { id: true },
  findUnique: ({ id }, ctx) => ({ id, organizationId: viewerOf(ctx).scope.organizationId }),
  description: 'A report file, created by a background job and kept for 30 days.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUIDv7 of the report.' }),
    type: t.field({
      type: ReportTypeEnum,
      description: 'Subject of the report.',
      select: { type: true },
      resolve: ({ type }) => reportTypeOf(type),
    }),
    format: t.field({
      type: ReportFormatEnum,
      description: 'File format.',
      select: { format: true },
      resolve: ({ format }) => reportFormatOf(format),
    }),
    startDate: t.field({
      type: 'Date',
      description: 'First day of its period.',
      select: { startDate: true },
      resolve: ({ startDate }) => dayOf(startDate),
    }),
    endDate: t.field({
      type: 'Date',
      description: 'Last day of its period, inclusive. Budgets, inventory and recommendations are as of its creation.',
      select: { endDate: true },
      resolve: ({ endDate }) => dayOf(endDate),
    }),
    filters: t.field({
      type: ReportFiltersType,
      description: 'Filters of the report.',
      select: { filters: true },
      resolve: ({ filters }) => storedFilters(filters),
    }),
    status: t.expose('status', { type: ReportStatusEnum, description: 'Status.' }),
    failureReason: t.field({
      type: 'String',
      nullable: true,
      description: 'Why it failed; null otherwise.',
      select: { failure: true },
      resolve: ({ failure }, _args, { spell }) => storedMessage(failure, spell),
    }),
    sizeBytes: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'Size of the file in bytes; null until it is ready.',
      select: { sizeBytes: true },
      resolve: ({ sizeBytes }) => sizeBytes,
    }),
    sha256: t.exposeString('sha256', {
      nullable: true,
      description: 'SHA-256 of the file in hexadecimal digits; null until it is ready.',
    }),
    downloadUrl: t.string({
      ...bounded({ format: 'uri' }),
      description: 'URL of the file once it is ready; requires the Bearer token.',
      resolve: ({ id }, _args, { deps }) => downloadUrl(deps.config, id),
    }),
    createdById: t.exposeID('createdById', {
      description: 'UUID of the owner; the Super Admin’s for a former member’s report.',
      ...restName('created_by'),
    }),
    createdBy: t.field(memberRelation('createdById', 'The owner; the Super Admin for a former member’s report.')),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Creation time.' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'When the report and its file are deleted: 30 days after its creation.',
    }),
  }),
});

export const ReportPage = pageType('Report', ReportObject);
