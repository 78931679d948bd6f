import { useCallback } from 'react';
import type { VariablesOf } from '../../api/graphql.ts';
import { useMe } from '../../api/me.tsx';
import { virtualKeyIn } from '../../costs/dimensions.ts';
import { useAccountNames } from '../../parts/choices/choices.tsx';
import { typeName } from '../../recommendations/types.ts';
import { providerName } from '../../../kit/text/provider-name.ts';
import { plainMoney, words } from '../../words/format.ts';
import type { CreateReport, Report, ReportType } from '../queries.ts';

/** Value of one filter, in the API's format. */
export type FilterValue = string | number | boolean | readonly string[];

/** Filters in the API's format; unset ones are absent. */
export type Filters = Readonly<NonNullable<VariablesOf<typeof CreateReport>['input']['filters']>>;

const costs = [
  'accountId',
  'provider',
  'service',
  'region',
  'subAccountId',
  'chargeCategory',
  'tagKey',
  'tagValue',
  'untagged',
  'costMetric',
] as const;

/** Filters of each report type, in form order. */
export const filtersOf = {
  COST_SUMMARY: ['granularity', ...costs],
  COST_BY_SERVICE: costs,
  COST_BY_ACCOUNT: costs,
  COST_BY_TAG: [
    'tagKey',
    'accountId',
    'provider',
    'service',
    'region',
    'subAccountId',
    'chargeCategory',
    'tagValue',
    'untagged',
    'costMetric',
  ],
  SHOWBACK: ['tagKey', 'tagValue', 'accountId', 'provider', 'service', 'region', 'subAccountId', 'costMetric'],
  INVENTORY: [
    'accountId',
    'provider',
    'resourceType',
    'service',
    'region',
    'tagKey',
    'tagValue',
    'search',
    'includeGone',
  ],
  RECOMMENDATIONS: ['accountId', 'provider', 'type', 'status', 'minSavings', 'includeSnoozed'],
  INVOICES: ['accountId', 'issuer', 'status'],
  ANOMALIES: ['accountId', 'provider', 'service', 'status', 'severity'],
  BUDGETS: ['accountId', 'provider', 'service', 'subAccountId', 'tagKey', 'tagValue', 'period', 'status'],
  COVERAGE: ['accountId', 'provider', 'service', 'region'],
} as const satisfies Record<ReportType, readonly (keyof Filters)[]>;

/** Filter name. */
export type FilterName = (typeof filtersOf)[ReportType][number];

/** Label of each filter. */
export const filterLabels: Readonly<Record<FilterName, string>> = {
  accountId: 'Account',
  provider: 'Provider',
  service: 'Service',
  region: 'Region',
  subAccountId: 'Sub-account',
  chargeCategory: 'Charge category',
  tagKey: 'Tag key',
  tagValue: 'Tag value',
  untagged: 'Only untagged charges',
  costMetric: 'Cost metric',
  granularity: 'Granularity',
  resourceType: 'Resource type',
  search: 'Search',
  includeGone: 'Include deleted resources',
  type: 'Recommendation type',
  period: 'Budget period',
  status: 'Status',
  minSavings: 'Minimum monthly savings',
  includeSnoozed: 'Include snoozed',
  severity: 'Severity',
  issuer: 'Issuer',
};

/** Allowed values of enum filters. */
export const wordsOf = {
  chargeCategory: ['USAGE', 'PURCHASE', 'TAX', 'CREDIT', 'ADJUSTMENT'],
  costMetric: ['EFFECTIVE', 'BILLED', 'CONTRACTED', 'LIST'],
  granularity: ['MONTHLY', 'DAILY'],
  period: ['MONTHLY', 'QUARTERLY', 'YEARLY'],
  severity: ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'],
} as const;

/** Allowed values of `status`, which depend on the type. */
export const statusesOf: Readonly<Partial<Record<ReportType, Filters['status']>>> = {
  RECOMMENDATIONS: ['OPEN', 'IN_PROGRESS', 'APPLIED', 'ARCHIVED'],
  INVOICES: ['MATCHED', 'DIFFERENT', 'PROVISIONAL', 'MISSING'],
  ANOMALIES: ['OPEN', 'ACKNOWLEDGED', 'RESOLVED'],
  BUDGETS: ['OK', 'WARNING', 'EXCEEDED'],
};

/** Filters in an answer that are set. */
function entriesOf(answer: Report['filters']): [FilterName, FilterValue][] {
  const names = Object.keys(filterLabels) as FilterName[];
  return names.flatMap((name) => {
    const value = answer[name];
    return value === null ? [] : [[name, value]];
  });
}

/** Converts filters from an answer to form state. */
export function filtersFrom(answer: Report['filters']): Filters {
  return Object.fromEntries(entriesOf(answer));
}

/** Values of a multi-value filter. */
export function listOf(value: FilterValue | undefined): string[] {
  if (value === undefined) return [];
  return typeof value === 'object' ? [...value] : [String(value)];
}

/** Returns filters with one changed; null, empty and false remove it. */
export function withFilter(filters: Filters, name: FilterName, value: FilterValue | null): Filters {
  const { [name]: _, ...others } = filters;
  const isNothing =
    value === null || value === '' || value === false || (typeof value === 'object' && value.length === 0);
  // Each field only offers values of its own filter.
  if (!isNothing) return { ...others, [name]: value } as Filters;
  const isOfTag = (one: string) => ofTagKey.some((known) => known === one);
  return name === 'tagKey' ? Object.fromEntries(Object.entries(others).filter(([one]) => !isOfTag(one))) : others;
}

/** Filters that require a tag key. */
const ofTagKey = ['tagValue', 'untagged'] as const;

/** Filters of a type that are currently usable: tag values require a tag key. */
export function usableFilters(type: ReportType, filters: Filters): FilterName[] {
  const hasKey = filters.tagKey !== undefined;
  return filtersOf[type].filter((name) => hasKey || !ofTagKey.some((known) => known === name));
}

/** Whether both types accept the same tag keys: only a showback requires a virtual tag, and an inventory has none. */
function hasSameKeys(type: ReportType, before: ReportType, name: string): boolean {
  const kindOf = (one: ReportType) => (one === 'SHOWBACK' || one === 'INVENTORY' ? one : 'costs');
  return !['tagKey', ...ofTagKey].includes(name) || kindOf(type) === kindOf(before);
}

/** Keeps the filters that the new type supports, but drops those whose values differ by type. */
export function keptFor(type: ReportType, before: ReportType, filters: Filters): Filters {
  const names: readonly string[] = filtersOf[type];
  const ofOther = (name: string) => name === 'status' || name === 'type' || !hasSameKeys(type, before, name);
  const kept = Object.entries(filters).filter(([name]) => names.includes(name) && (type === before || !ofOther(name)));
  return Object.fromEntries(kept);
}

/** Validation errors by filter name. */
export function filterFaults(type: ReportType, filters: Filters): Readonly<Partial<Record<FilterName, string>>> {
  if (filters.tagKey !== undefined) return {};
  if (type === 'SHOWBACK') return { tagKey: 'Choose a virtual tag' };
  return type === 'COST_BY_TAG' ? { tagKey: 'Choose the tag key to group by' } : {};
}

/** Returns a formatter for filters, such as `Provider: AWS, Azure · Status: Open`; null if there are none. */
export function useFilterWords(): (filters: Report['filters']) => string | null {
  const accountName = useAccountNames();
  const { currency } = useMe().organization;
  return useCallback(
    (filters) => {
      const texts = entriesOf(filters).map(([name, value]) => {
        const virtualKey = name === 'tagKey' ? virtualKeyIn(String(value)) : null;
        if (virtualKey !== null) return `Virtual tag: ${virtualKey}`;
        if (value === true) return filterLabels[name];
        if (name === 'minSavings') return `${filterLabels[name]}: ${plainMoney(Number(value), currency)}`;
        return `${filterLabels[name]}: ${valueWords(name, value, accountName)}`;
      });
      return texts.length === 0 ? null : texts.join(' · ');
    },
    [accountName, currency],
  );
}

function valueWords(name: FilterName, value: FilterValue, accountName: (id: string) => string): string {
  return listOf(value)
    .map((one) => {
      switch (name) {
        case 'accountId':
          return accountName(one);
        case 'provider':
          return providerName(one);
        case 'chargeCategory':
        case 'costMetric':
        case 'granularity':
        case 'period':
        case 'status':
        case 'severity':
          return words(one);
        case 'type':
          return typeName(one);
        default:
          return one;
      }
    })
    .join(', ');
}
