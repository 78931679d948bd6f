export const reportTypes = [
  'cost_summary',
  'cost_by_service',
  'cost_by_account',
  'cost_by_tag',
  'inventory',
  'recommendations',
  'anomalies',
  'budgets',
  'coverage',
  'invoices',
] as const;

export type ReportType = (typeof reportTypes)[number];

export const reportFormats = ['csv', 'xlsx', 'pdf', 'json'] as const;

export type ReportFormat = (typeof reportFormats)[number];

/** The title of each type. */
export const reportTitles = {
  cost_summary: 'Cost summary',
  cost_by_service: 'Cost by service',
  cost_by_account: 'Cost by account',
  cost_by_tag: 'Cost by tag',
  inventory: 'Inventory',
  recommendations: 'Recommendations',
  anomalies: 'Anomalies',
  budgets: 'Budgets',
  coverage: 'Commitment coverage',
  invoices: 'Invoices',
} as const satisfies Record<ReportType, string>;

/** The media type of each format (IANA). */
export const mediaTypes = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pdf: 'application/pdf',
  json: 'application/json; charset=utf-8',
} as const satisfies Record<ReportFormat, string>;

/** Parses a stored type. @throws {Error} for any other text: stored ones are validated */
export function reportTypeOf(text: string): ReportType {
  const type = reportTypes.find((known) => known === text);
  if (!type) throw new Error(`No report is about ${text}`);
  return type;
}

/** Parses a stored format. @throws {Error} for any other text: stored ones are validated */
export function reportFormatOf(text: string): ReportFormat {
  const format = reportFormats.find((known) => known === text);
  if (!format) throw new Error(`No report is written as ${text}`);
  return format;
}
