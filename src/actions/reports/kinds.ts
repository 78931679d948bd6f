/** The title of each report type. Stored reports name their type: never rename one. */
const reportTitles = {
  cost_summary: 'Cost summary',
  cost_by_service: 'Cost by service',
  cost_by_account: 'Cost by account',
  cost_by_tag: 'Cost by tag',
  showback: 'Showback',
  inventory: 'Inventory',
  recommendations: 'Recommendations',
  anomalies: 'Anomalies',
  budgets: 'Budgets',
  coverage: 'Commitment coverage',
  invoices: 'Invoices',
} as const;

export type ReportType = keyof typeof reportTitles;

export const reportFormats = ['csv', 'xlsx', 'pdf', 'json'] as const;

export type ReportFormat = (typeof reportFormats)[number];

/** Returns the title of a report: a showback of a single value names it. */
export function titleOf({ type, filters }: { readonly type: ReportType; readonly filters: unknown }): string {
  const value = type === 'showback' ? showbackValue(filters) : null;
  return value === null ? reportTitles[type] : `${reportTitles[type]} for ${value}`;
}

/** Returns the only value of the virtual tag that a showback covers; null if it covers several. */
export function showbackValue(filters: unknown): string | null {
  const { tag_value: values } = (filters ?? {}) as { readonly tag_value?: unknown };
  const [value, ...others] = [values].flat();
  return typeof value === 'string' && others.length === 0 ? value : null;
}

/** The media type of each format (IANA). */
export const mediaTypes = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pdf: 'application/pdf',
  json: 'application/json; charset=utf-8',
} as const satisfies Record<ReportFormat, string>;

/** Parses a stored type. @throws {Error} for any other text: stored ones are validated */
export function reportTypeOf(text: string): ReportType {
  const type = (Object.keys(reportTitles) as ReportType[]).find((known) => known === text);
  if (!type) throw new Error(`Unknown report type ${text}`);
  return type;
}

/** Parses a stored format. @throws {Error} for any other text: stored ones are validated */
export function reportFormatOf(text: string): ReportFormat {
  const format = reportFormats.find((known) => known === text);
  if (!format) throw new Error(`Unknown report format ${text}`);
  return format;
}
