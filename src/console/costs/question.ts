import { dayFaults, type DayRange, type Fault, faultOf } from '../parts/list/day-range.tsx';
import type { Changes, UrlState } from '../parts/list/url-state.ts';
import { addDays } from '../words/days.ts';
import * as known from './address.ts';
import { isDimension, type Dimension, type Grouping } from './dimensions.ts';

/** Values of a dimension that charges must have, or must not have. A value that ends in `*` is a prefix. */
export interface Filter {
  readonly dimension: Dimension;
  readonly isExcluded: boolean;
  readonly values: readonly string[];
}

/** What the explorer asks. */
export interface Question {
  readonly range: DayRange;
  readonly granularity: known.Granularity;
  /** One dimension or two; or `day` alone. */
  readonly groups: readonly [Grouping, Dimension?];
  readonly metric: known.Metric;
  /** In the order of the address, which is the order in which they were added. */
  readonly filters: readonly Filter[];
  readonly compare: known.Compare;
  /** A column, with `-` before it for descending. */
  readonly sort: string;
}

/** The key of the address that holds a filter. */
export function filterKey({ dimension, isExcluded }: Pick<Filter, 'dimension' | 'isExcluded'>): known.FilterKey {
  return isExcluded ? `exclude_${dimension}` : dimension;
}

/** The days of the address. A missing day follows from the other, or from the last day with complete bills. */
export function rangeOf(state: UrlState, lastDay: string): DayRange {
  const to = state.one('to') ?? lastDay;
  const from = state.one('from');
  // Without a valid last day both stay as they are, and the page names the fault.
  return { from: from ?? (faultOf({ from: to, to }) ? to : addDays(to, -29)), to };
}

/** Reads the address.
 *  @param lastDay where the range ends when the address does not say */
export function questionOf(state: UrlState, lastDay: string): Question {
  const [first = 'service', then] = state.all('group').filter(isGrouping);
  const groups =
    first === 'day' || then === undefined || then === 'day' ? ([first] as const) : ([first, then] as const);
  return {
    range: rangeOf(state, lastDay),
    granularity: oneOf(known.granularities, state.one('granularity')) ?? 'daily',
    groups,
    metric: oneOf(known.metrics, state.one('metric')) ?? 'effective',
    filters: filtersOf(state),
    compare: oneOf(known.comparisons, state.one('compare')) ?? 'previous_period',
    sort: state.one('sort') ?? (first === 'day' ? 'name' : '-cost'),
  };
}

function filtersOf(state: UrlState): Filter[] {
  return state.keys().flatMap((key) => {
    const isExcluded = key.startsWith('exclude_');
    const dimension = isExcluded ? key.slice('exclude_'.length) : key;
    const values = [...new Set(state.all(key))];
    return isDimension(dimension) && values.length > 0 ? [{ dimension, isExcluded, values }] : [];
  });
}

/** Changes to the address that remove every filter. */
export function withoutFilters({ filters }: Question): Changes {
  return { ...Object.fromEntries(filters.map((filter) => [filterKey(filter), null])), path: null, find: null };
}

/** What keeps the address from being asked; nothing for every address that the console makes. */
export function faultsOf(state: UrlState, range: DayRange): Fault[] {
  const faults = dayFaults(range);
  const choices = [
    ['granularity', known.granularities],
    ['metric', known.metrics],
    ['compare', known.comparisons],
    ['charge_category', known.chargeCategories],
  ] as const;
  for (const [key, values] of choices) {
    const wrong = state.all(key).find((value) => oneOf<string>(values, value) === null);
    if (wrong !== undefined) faults.push({ text: `${key}=${wrong} is not one of ${values.join(', ')}.`, keys: [key] });
  }
  const groups = state.all('group');
  const wrong = groups.find((value) => !isGrouping(value));
  if (wrong !== undefined)
    faults.push({ text: `group=${wrong} is not a dimension, such as service, meter or tag:team.`, keys: ['group'] });
  if (groups.length > 2) faults.push({ text: 'Costs can be grouped by two dimensions at most.', keys: ['group'] });
  const rest = ['tagValue', 'untagged'].filter((key) => state.has(key));
  if (rest.length > 0) faults.push({ text: 'Tag values need a tag key: use tag:KEY=VALUE.', keys: rest });
  return faults;
}

function isGrouping(value: string): value is Grouping {
  return value === 'day' || isDimension(value);
}

function oneOf<Value extends string>(values: readonly Value[], value: string | null): Value | null {
  return values.find((one) => one === value) ?? null;
}

/** Changes that bring an address of an earlier version to today's spelling; null where it needs none. */
export function modernized(state: UrlState): Changes | null {
  const tagKey = state.one('tagKey');
  const values = state.all('tagValue');
  const isUntagged = state.one('untagged') === 'true';
  const ofTags = tagKey === null || (isUntagged && values.length > 0) ? [] : ['tagKey', 'tagValue', 'untagged'];
  const old = ['subAccount', 'category', ...ofTags].filter((key) => state.has(key));
  if (old.length === 0) return null;
  const isByTag = state.one('group') === 'tag';
  return {
    ...Object.fromEntries(old.map((key) => [key, null])),
    ...(old.includes('subAccount') && { sub_account: state.all('subAccount') }),
    ...(old.includes('category') && { charge_category: state.all('category').map((one) => one.toLowerCase()) }),
    ...(ofTags.length > 0 && {
      ...(isByTag && { group: `tag:${tagKey}` }),
      ...((isUntagged || values.length > 0) && { [`tag:${tagKey}`]: isUntagged ? known.noValue : values }),
      // A key without values kept the charges that carry it.
      ...(!isByTag && !isUntagged && values.length === 0 && { [`exclude_tag:${tagKey}`]: known.noValue }),
    }),
  };
}
