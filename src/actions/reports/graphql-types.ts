import { builder } from '../../graph/builder.ts';
import { pageType } from '../../graph/paging.ts';
import { downloadUrl } from './download.ts';
import type { Report } from './store.ts';

/** What a report is about. */
export const ReportTypeEnum = builder.enumType('ReportType', {
  description: 'What a report is about.',
  values: {
    COST_SUMMARY: { value: 'cost_summary', description: 'What was spent, by month or day.' },
    COST_BY_SERVICE: { value: 'cost_by_service', description: 'What each service cost.' },
    COST_BY_ACCOUNT: { value: 'cost_by_account', description: 'What each account and sub-account cost.' },
    COST_BY_TAG: { value: 'cost_by_tag', description: 'What each value of a tag key cost.' },
    INVENTORY: { value: 'inventory', description: 'The resources that there are, when the report is made.' },
    RECOMMENDATIONS: { value: 'recommendations', description: 'What could be saved, when the report is made.' },
    ANOMALIES: { value: 'anomalies', description: 'The spikes of spend in the period.' },
    BUDGETS: { value: 'budgets', description: 'How budgets stand when the report is made.' },
    COVERAGE: { value: 'coverage', description: 'How spend was paid for: commitments, spot, on demand.' },
  } as const,
});

/** What a report is written as. */
export const ReportFormatEnum = builder.enumType('ReportFormat', {
  description: 'What a report is written as.',
  values: {
    CSV: { value: 'csv', description: 'The report’s main table (RFC 4180, UTF-8).' },
    XLSX: { value: 'xlsx', description: 'A workbook with a sheet for each table.' },
    PDF: { value: 'pdf', description: 'Pages to read or print, with charts and tables.' },
    JSON: { value: 'json', description: 'Every table, for programs.' },
  } as const,
});

/** Where a report stands. */
export const ReportStatusEnum = builder.enumType('ReportStatus', {
  description: 'Where a report stands.',
  values: {
    PENDING: { value: 'pending', description: 'Its file is being written, or will be soon.' },
    READY: { value: 'ready', description: 'Its file can be downloaded until the report expires.' },
    FAILED: { value: 'failed', description: 'It has no file and gets none; ask for another.' },
  } as const,
});

/** A report. */
export const ReportObject = builder.objectRef<Report>('Report').implement({
  description: 'Figures as a file, made in a job and kept for 30 days.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUIDv7 of the report.' }),
    type: t.field({ type: ReportTypeEnum, description: 'What it is about.', resolve: ({ type }) => type }),
    format: t.field({ type: ReportFormatEnum, description: 'What it is written as.', resolve: ({ format }) => format }),
    startDate: t.field({ type: 'Date', description: 'The first day of its period.', resolve: (row) => row.startDate }),
    endDate: t.field({
      type: 'Date',
      description:
        'The last day of its period, inclusive. Budgets, inventory and recommendations are those of its making.',
      resolve: (row) => row.endDate,
    }),
    filters: t.field({
      type: 'JSON',
      description: 'What narrows it, by the names of REST’s parameters.',
      resolve: ({ filters }) => filters,
    }),
    status: t.field({ type: ReportStatusEnum, description: 'Where it stands.', resolve: ({ status }) => status }),
    failureReason: t.string({
      nullable: true,
      description: 'Why it failed; null otherwise.',
      resolve: ({ failure }) => failure,
    }),
    sizeBytes: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'Length of the file in bytes; null until it is ready.',
      resolve: ({ sizeBytes }) => sizeBytes,
    }),
    sha256: t.exposeString('sha256', {
      nullable: true,
      description: 'SHA-256 of the file in hexadecimal digits; null until it is ready.',
    }),
    downloadUrl: t.string({
      description: 'Where its file is, with the same Bearer token, once it is ready.',
      resolve: ({ id }, _args, { deps }) => downloadUrl(deps.config, id),
    }),
    createdBy: t.id({
      description: 'UUID of the user whose report it is; of those who have left, the Super Admin.',
      resolve: ({ createdBy }) => createdBy,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was asked for.' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'When it and its file are deleted: 30 days after it was asked for.',
    }),
  }),
});

/** A page of reports. */
export const ReportPage = pageType('Report', ReportObject);
