import type { ReportType } from './queries.ts';

/** The value of one filter, as the API takes it. */
export type FilterValue = string | number | boolean | readonly string[];

/** Filters by the names of the API's parameters; what is not filtered by is absent. */
export type Filters = Readonly<Record<string, FilterValue>>;

const costs = [
  'account_id',
  'provider',
  'service',
  'region',
  'sub_account_id',
  'charge_category',
  'tag_key',
  'tag_value',
  'untagged',
  'cost_metric',
] as const;

/** The filters that each type takes, in the order of the form. */
export const filtersOf = {
  COST_SUMMARY: ['granularity', ...costs],
  COST_BY_SERVICE: costs,
  COST_BY_ACCOUNT: costs,
  COST_BY_TAG: [
    'tag_key',
    'account_id',
    'provider',
    'service',
    'region',
    'sub_account_id',
    'charge_category',
    'tag_value',
    'untagged',
    'cost_metric',
  ],
  INVENTORY: [
    'account_id',
    'provider',
    'resource_type',
    'service',
    'region',
    'tag_key',
    'tag_value',
    'search',
    'include_gone',
  ],
  RECOMMENDATIONS: ['account_id', 'provider', 'type', 'status', 'min_savings', 'include_snoozed'],
  ANOMALIES: ['account_id', 'provider', 'service', 'status', 'severity'],
  BUDGETS: ['account_id', 'provider', 'service', 'status'],
  COVERAGE: ['account_id', 'provider', 'service', 'region'],
} as const satisfies Record<ReportType, readonly string[]>;

/** Name of a filter. */
export type FilterName = (typeof filtersOf)[ReportType][number];

/** What each filter is called. */
export const filterLabels: Readonly<Record<FilterName, string>> = {
  account_id: 'Account',
  provider: 'Provider',
  service: 'Service',
  region: 'Region',
  sub_account_id: 'Sub-account',
  charge_category: 'Charge category',
  tag_key: 'Tag key',
  tag_value: 'Tag value',
  untagged: 'Only untagged charges',
  cost_metric: 'Cost basis',
  granularity: 'Granularity',
  resource_type: 'Resource type',
  search: 'Search',
  include_gone: 'With resources that are gone',
  type: 'Recommendation type',
  status: 'Status',
  min_savings: 'Least saving a month',
  include_snoozed: 'With snoozed ones',
  severity: 'Severity',
};

/** The values of filters that take some words only, as the API spells them. */
export const wordsOf = {
  charge_category: ['usage', 'purchase', 'tax', 'credit', 'adjustment'],
  cost_metric: ['effective', 'billed', 'contracted', 'list'],
  granularity: ['monthly', 'daily'],
  severity: ['critical', 'high', 'medium', 'low'],
} as const;

/** The values of `status`, which differ by type. */
export const statusesOf: Readonly<Partial<Record<ReportType, readonly string[]>>> = {
  RECOMMENDATIONS: ['open', 'in_progress', 'applied', 'archived'],
  ANOMALIES: ['open', 'acknowledged', 'resolved'],
  BUDGETS: ['ok', 'warning', 'exceeded'],
};

/** Reads the filters that the API answers. */
export function filtersFrom(json: Readonly<Record<string, unknown>>): Filters {
  const entries = Object.entries(json).flatMap(([name, value]) => {
    const known = valueFrom(value);
    return known === null ? [] : [[name, known] as const];
  });
  return Object.fromEntries(entries);
}

function valueFrom(value: unknown): FilterValue | null {
  if (Array.isArray(value)) return value.map(String);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

/** Values of a filter that takes several. */
export function listOf(value: FilterValue | undefined): string[] {
  if (value === undefined) return [];
  return typeof value === 'object' ? [...value] : [String(value)];
}

/** Filters with one changed; null, nothing and false take it off. */
export function withFilter(filters: Filters, name: FilterName, value: FilterValue | null): Filters {
  const { [name]: _, ...others } = filters;
  const isNothing =
    value === null || value === '' || value === false || (typeof value === 'object' && value.length === 0);
  if (!isNothing) return { ...others, [name]: value };
  const isOfTag = (one: string) => ofTagKey.some((known) => known === one);
  return name === 'tag_key' ? Object.fromEntries(Object.entries(others).filter(([one]) => !isOfTag(one))) : others;
}

/** What means nothing without a tag key. */
const ofTagKey = ['tag_value', 'untagged'] as const;

/** The filters of a type that can be used now: values of a tag need its key. */
export function usableFilters(type: ReportType, filters: Filters): FilterName[] {
  const hasKey = filters['tag_key'] !== undefined;
  return filtersOf[type].filter((name) => hasKey || !ofTagKey.some((known) => known === name));
}

/** Those filters that a type takes; statuses of one type mean nothing to another. */
export function keptFor(type: ReportType, before: ReportType, filters: Filters): Filters {
  const names: readonly string[] = filtersOf[type];
  const kept = Object.entries(filters).filter(
    ([name]) => names.includes(name) && (type === before || (name !== 'status' && name !== 'type')),
  );
  return Object.fromEntries(kept);
}

/** What is wrong with filters, by name. */
export function filterFaults(type: ReportType, filters: Filters): Readonly<Partial<Record<FilterName, string>>> {
  const lacksKey = type === 'COST_BY_TAG' && filters['tag_key'] === undefined;
  return lacksKey ? { tag_key: 'Choose the tag key to group by' } : {};
}
