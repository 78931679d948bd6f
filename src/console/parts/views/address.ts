import { isRecord } from '../../api/refusal.ts';
import type { UrlState } from '../list/url-state.ts';
import type { ViewPage } from './queries.ts';

/** Path of each page with views. */
const pathOf: Readonly<Record<ViewPage, string>> = {
  COSTS: '/costs',
  UNIT_COSTS: '/unit-costs',
  INVOICES: '/invoices',
  FORECAST: '/forecast',
  ANOMALIES: '/anomalies',
  RECOMMENDATIONS: '/recommendations',
  BUDGETS: '/budgets',
  COVERAGE: '/coverage',
  PLANNER: '/coverage/planner',
  INVENTORY: '/inventory',
  TAGS: '/tags',
  TAG_VIOLATIONS: '/tags/violations',
  ALERT_RULES: '/alert-rules',
  REPORTS: '/reports',
  REPORT_SCHEDULES: '/reports/schedules',
  ACCOUNTS: '/accounts',
};

/** URL key with the ID of the view that the page was opened with. */
export const savedKey = 'saved';
/** URL keys that no view contains: they belong to a visit. */
const notSaved = new Set([savedKey, 'page', 'costs', 'day']);

/** Parameters of an address, by name, as the API stores them. */
export type ViewQuery = Readonly<Record<string, string | readonly string[]>>;

/** Parameters of the current address that a view contains. */
export function queryOfState(state: UrlState): Record<string, string | string[]> {
  const keys = state.keys().filter((key) => !notSaved.has(key) && state.has(key));
  return Object.fromEntries(
    keys.map((key) => {
      const values = state.all(key);
      return [key, values.length === 1 ? (values[0] ?? '') : values];
    }),
  );
}

/** Reads a query of the API. */
export function viewQuery(value: unknown): ViewQuery {
  return isRecord(value) ? (value as ViewQuery) : {};
}

/** Converts a query to URL parameters. */
export function paramsOf(query: ViewQuery): URLSearchParams {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(query))
    for (const one of typeof value === 'string' ? [value] : value) params.append(key, one);
  return params;
}

/** URL of a page with a query. */
export function pageHref(page: ViewPage, query: ViewQuery): string {
  const text = paramsOf(query).toString();
  return text === '' ? pathOf[page] : `${pathOf[page]}?${text}`;
}

/** URL of a saved view. */
export function viewHref({
  id,
  page,
  query,
}: {
  readonly id: string;
  readonly page: ViewPage;
  readonly query: unknown;
}) {
  return pageHref(page, { ...viewQuery(query), [savedKey]: id });
}

/** Whether two queries have the same parameters, in any order of names. */
export function isSameQuery(one: ViewQuery, other: ViewQuery): boolean {
  const textOf = (query: ViewQuery) => {
    const params = paramsOf(query);
    params.sort();
    return params.toString();
  };
  return textOf(one) === textOf(other);
}

/** Page state of a query that is not in the address; it cannot be changed. */
export function fixedState(query: ViewQuery): UrlState {
  const params = paramsOf(query);
  const all = (key: string) => params.getAll(key).filter((value) => value !== '');
  return {
    one: (key) => params.get(key) || null,
    all,
    keys: () => [...new Set(params.keys())],
    has: (...keys) => keys.some((key) => all(key).length > 0),
    set: () => undefined,
    with: () => '',
  };
}
