import { SimpleGrid } from '@mantine/core';
import { keysOf, TermField } from '../parts/form/fields.tsx';
import { anyOf } from '../parts/list/definition.tsx';
import { PageTabs } from '../parts/page/tabs.tsx';
import type { ReportFormat, ReportType } from './queries.ts';

/** Labels of the report types. */
export const types = {
  COST_SUMMARY: { label: 'Cost summary', description: 'Total cost by month or day' },
  COST_BY_SERVICE: { label: 'Cost by service', description: 'Cost of each service' },
  COST_BY_ACCOUNT: { label: 'Cost by account', description: 'Cost of each account and sub-account' },
  COST_BY_TAG: { label: 'Cost by tag', description: 'Cost of each value of a tag key' },
  SHOWBACK: { label: 'Showback', description: 'Direct and shared cost of each value of a virtual tag' },
  INVENTORY: { label: 'Inventory', description: 'Resources at the time of creation' },
  RECOMMENDATIONS: { label: 'Recommendations', description: 'Recommendations and savings at the time of creation' },
  ANOMALIES: { label: 'Anomalies', description: 'Anomalies in the selected period' },
  BUDGETS: { label: 'Budgets', description: 'Budget status at the time of creation' },
  COVERAGE: { label: 'Commitment coverage', description: 'Cost by pricing model: commitments, spot, on-demand' },
  INVOICES: { label: 'Invoices', description: 'Invoices compared with their lines, by billing month' },
} as const satisfies Record<ReportType, { label: string; description: string }>;

/** Labels of the file formats. */
export const formats = {
  PDF: { label: 'PDF', description: 'For reading and printing, with charts and tables' },
  XLSX: { label: 'XLSX', description: 'Workbook with one sheet per table' },
  CSV: { label: 'CSV', description: 'Main table only' },
  JSON: { label: 'JSON', description: 'All tables, for programs' },
} as const satisfies Record<ReportFormat, { label: string; description: string }>;

/** Whether a report type describes the moment of its creation rather than a date range. */
export function isOfTheMoment(type: ReportType): boolean {
  return type === 'INVENTORY' || type === 'RECOMMENDATIONS' || type === 'BUDGETS';
}

interface Props {
  readonly type: ReportType;
  readonly format: ReportFormat;
  onType(type: ReportType): void;
  onFormat(format: ReportFormat): void;
}

/** Fields for type and file format. */
export function AboutFields({ type, format, onType, onFormat }: Props) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <TermField label="Type" terms={types} value={type} onChange={onType} />
      <TermField label="Format" terms={formats} value={format} onChange={onFormat} />
    </SimpleGrid>
  );
}

/** Tabs for reports and schedules. */
export function ReportTabs() {
  return (
    <PageTabs
      label="Reports"
      tabs={[
        ['Reports', '/reports'],
        ['Schedules', '/reports/schedules'],
      ]}
    />
  );
}

/** Filters shared by reports and schedules. */
export const reportFilters = {
  type: anyOf('type', 'Type', keysOf(types), { labelOf: (type) => types[type].label }),
  format: anyOf('format', 'Format', keysOf(formats), { labelOf: (format) => formats[format].label }),
};
