import { useCallback } from 'react';
import type { VariablesOf } from '../../api/graphql.ts';
import { useMe } from '../../api/me.tsx';
import { useAccountNames } from '../../parts/choices/choices.tsx';
import { typeName } from '../../recommendations/types.ts';
import { plainMoney, providerName, words } from '../../words/format.ts';
import type { CreateReport, Report, ReportType } from '../queries.ts';

/** The value of one filter, as the API takes it. */
export type FilterValue = string | number | boolean | readonly string[];

/** Filters as the API takes them; those that are not set are absent. */
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

/** The filters that each type takes, in the order of the form. */
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
  ANOMALIES: ['accountId', 'provider', 'service', 'status', 'severity'],
  BUDGETS: ['accountId', 'provider', 'service', 'status'],
  COVERAGE: ['accountId', 'provider', 'service', 'region'],
} as const satisfies Record<ReportType, readonly (keyof Filters)[]>;

/** Name of a filter. */
export type FilterName = (typeof filtersOf)[ReportType][number];

/** What each filter is called. */
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
  costMetric: 'Cost basis',
  granularity: 'Granularity',
  resourceType: 'Resource type',
  search: 'Search',
  includeGone: 'With resources that are gone',
  type: 'Recommendation type',
  status: 'Status',
  minSavings: 'Least saving a month',
  includeSnoozed: 'With snoozed ones',
  severity: 'Severity',
};

/** The values of filters that take some words only. */
export const wordsOf = {
  chargeCategory: ['USAGE', 'PURCHASE', 'TAX', 'CREDIT', 'ADJUSTMENT'],
  costMetric: ['EFFECTIVE', 'BILLED', 'CONTRACTED', 'LIST'],
  granularity: ['MONTHLY', 'DAILY'],
  severity: ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'],
} as const;

/** The values of `status`, which differ by type. */
export const statusesOf: Readonly<Partial<Record<ReportType, Filters['status']>>> = {
  RECOMMENDATIONS: ['OPEN', 'IN_PROGRESS', 'APPLIED', 'ARCHIVED'],
  ANOMALIES: ['OPEN', 'ACKNOWLEDGED', 'RESOLVED'],
  BUDGETS: ['OK', 'WARNING', 'EXCEEDED'],
};

/** The filters of an answer that are set. */
function entriesOf(answer: Report['filters']): [FilterName, FilterValue][] {
  const names = Object.keys(filterLabels) as FilterName[];
  return names.flatMap((name) => {
    const value = answer[name];
    return value === null ? [] : [[name, value]];
  });
}

/** The same, as a form holds them. */
export function filtersFrom(answer: Report['filters']): Filters {
  return Object.fromEntries(entriesOf(answer));
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
  // Each field offers values of its filter alone.
  if (!isNothing) return { ...others, [name]: value } as Filters;
  const isOfTag = (one: string) => ofTagKey.some((known) => known === one);
  return name === 'tagKey' ? Object.fromEntries(Object.entries(others).filter(([one]) => !isOfTag(one))) : others;
}

/** What means nothing without a tag key. */
const ofTagKey = ['tagValue', 'untagged'] as const;

/** The filters of a type that can be used now: values of a tag need its key. */
export function usableFilters(type: ReportType, filters: Filters): FilterName[] {
  const hasKey = filters.tagKey !== undefined;
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
  const lacksKey = type === 'COST_BY_TAG' && filters.tagKey === undefined;
  return lacksKey ? { tagKey: 'Choose the tag key to group by' } : {};
}

/** Says filters in words, such as `Provider: AWS, Azure · Status: Open`; null where there are none. */
export function useFilterWords(): (filters: Report['filters']) => string | null {
  const accountName = useAccountNames();
  const { currency } = useMe().organization;
  return useCallback(
    (filters) => {
      const said = entriesOf(filters).map(([name, value]) => {
        if (value === true) return filterLabels[name];
        if (name === 'minSavings') return `${filterLabels[name]}: ${plainMoney(Number(value), currency)}`;
        return `${filterLabels[name]}: ${valueWords(name, value, accountName)}`;
      });
      return said.length === 0 ? null : said.join(' · ');
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
