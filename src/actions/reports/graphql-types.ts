import { columns, day, decimal, instant, of, orNull, text, uuid } from '../../graph/answers.ts';
import { bounded } from '../../graph/bounded.ts';
import { builder } from '../../graph/builder.ts';
import { wordEnum } from '../../graph/stored-words.ts';
import { viewerOf } from '../../graph/context.ts';
import { pageType } from '../../graph/paging.ts';
import { restName } from '../../graph/relations.ts';
import { storedMessage } from '../../kit/errors/stored-error.ts';
import { memberRelation } from '../../tenancy/people/graphql.ts';
import { downloadUrl } from './download.ts';
import { storedFilters } from './filters.ts';
import { ReportFiltersType } from './graphql-inputs.ts';

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

export const ReportPage = pageType('Report', ReportObject);
