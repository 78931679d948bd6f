import { wholeScope, type Scope } from '../../parts/choices/scope.tsx';
import { fixedState, type ViewQuery } from '../../parts/views/address.ts';
import type { UrlState } from '../../parts/list/url-state.ts';
import { dimensionName, tagKeyIn, virtualKeyIn, filterValue, isPrefix } from '../dimensions.ts';
import { questionOf, type Filter, type Question } from '../question.ts';

/** URL key with the address of a cost view, from which a form takes its initial values. */
export const viewKey = 'costs';

/** Adds the filters of the explorer to the URL of a form. */
export function prefilledHref(path: string, params: URLSearchParams): string {
  return `${path}?${new URLSearchParams({ [viewKey]: params.toString() }).toString()}`;
}

/** The cost view that a form is opened from; null if it is opened without one. */
export function originOf(state: UrlState): Question | null {
  // The value is empty for a view without parameters.
  if (!state.keys().includes(viewKey)) return null;
  const params = new URLSearchParams(state.one(viewKey) ?? '');
  const query: ViewQuery = Object.fromEntries([...new Set(params.keys())].map((key) => [key, params.getAll(key)]));
  return questionOf(fixedState(query), '');
}

/** Initial values of a form, and the names of what it cannot express: filters and shared costs. */
export interface Prefilled<Values> {
  readonly values: Values;
  readonly left: readonly string[];
}

const scopeNames = new Map<string, 'accountId' | 'provider' | 'service' | 'subAccountId'>([
  ['account', 'accountId'],
  ['provider', 'provider'],
  ['service', 'service'],
  ['sub_account', 'subAccountId'],
]);

/** Converts the filters of a view to the scope of a budget or alert rule. */
export function scopeOfView({ filters, includesShared }: Question): Prefilled<Scope> {
  const found: { -readonly [Name in keyof Scope]: Scope[Name] } = { ...wholeScope };
  const left: string[] = [];
  for (const filter of filters) {
    const value = onlyValue(filter);
    const name = scopeNames.get(filter.dimension);
    const tagKey = tagKeyOf(filter);
    if (value !== null && name) found[name] = value;
    else if (value !== null && tagKey !== null && found.tagKey === null)
      Object.assign(found, { tagKey, tagValue: value });
    else left.push(nameOf(filter));
  }
  if (includesShared) left.push('shared costs');
  return { values: found, left };
}

const costMetrics = { effective: 'EFFECTIVE', billed: 'BILLED', list: 'LIST', contracted: 'CONTRACTED' } as const;

/** The cost metric of a view, as the API spells it. */
export function costMetricOf({ metric }: Question) {
  return costMetrics[metric];
}

/** The key of a tag filter as budgets and reports spell it: `virtual:KEY` for virtual tags. */
export function tagKeyOf({ dimension }: Pick<Filter, 'dimension'>): string | null {
  return tagKeyIn(dimension) ?? (virtualKeyIn(dimension) === null ? null : dimension);
}

/** Literal values of a filter; null for exclusions, prefixes and charges without a value. */
export function literals({ isExcluded, values }: Filter): string[] | null {
  if (isExcluded || values.some(isPrefix)) return null;
  const found = values.map(filterValue);
  return found.includes(null) ? null : found.map((value) => (value ?? '').replace(/\\\*$/, '*'));
}

function onlyValue(filter: Filter): string | null {
  const values = literals(filter);
  return values?.length === 1 ? (values[0] ?? null) : null;
}

/** Name of a filter for people. */
export function nameOf({ dimension, isExcluded }: Filter): string {
  return isExcluded ? `excluded ${dimensionName(dimension)}` : dimensionName(dimension);
}
