import { bounded } from '../../graph/bounded.ts';
import { builder } from '../../graph/builder.ts';
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

export const ReportTypeEnum = builder.enumType('ReportType', {
  description: 'Subject of a report.',
  values: {
    COST_SUMMARY: { value: 'cost_summary', description: 'Costs by month or day.' },
    COST_BY_SERVICE: { value: 'cost_by_service', description: 'Costs by service.' },
    COST_BY_ACCOUNT: { value: 'cost_by_account', description: 'Costs by account and sub-account.' },
    COST_BY_TAG: { value: 'cost_by_tag', description: 'Costs by the values of a tag key.' },
    INVENTORY: { value: 'inventory', description: 'Resources as of the report’s creation.' },
    RECOMMENDATIONS: { value: 'recommendations', description: 'Recommendations as of the report’s creation.' },
    ANOMALIES: { value: 'anomalies', description: 'Anomalies in the period.' },
    BUDGETS: { value: 'budgets', description: 'Budgets as of the report’s creation.' },
    COVERAGE: { value: 'coverage', description: 'Spend by pricing: commitments, spot, on demand.' },
    INVOICES: {
      value: 'invoices',
      description: 'Invoices of the billing months of the period, compared with their lines.',
    },
  } as const,
});

export const ReportFormatEnum = builder.enumType('ReportFormat', {
  description: 'File format of a report.',
  values: {
    CSV: { value: 'csv', description: 'The report’s main table (RFC 4180, UTF-8).' },
    XLSX: { value: 'xlsx', description: 'A workbook with a sheet for each table.' },
    PDF: { value: 'pdf', description: 'A document with charts and tables.' },
    JSON: { value: 'json', description: 'All tables, for programs.' },
  } as const,
});

export const ReportStatusEnum = builder.enumType('ReportStatus', {
  description: 'Status of a report.',
  values: {
    PENDING: { value: 'pending', description: 'The file is queued or being written.' },
    READY: { value: 'ready', description: 'The file can be downloaded until the report expires.' },
    FAILED: { value: 'failed', description: 'Failed without a file; create another report.' },
  } as const,
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
