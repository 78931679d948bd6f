import { askedDays, dayFaults, type DayRange, type Fault, faultOf, presetFaults } from '../parts/list/day-range.tsx';
import type { Changes, UrlState } from '../parts/list/url-state.ts';
import { addDays, today } from '../words/days.ts';
import * as known from './address.ts';
import { namedDimensions, noValue, isDimension, virtualKeyIn, type Dimension, type Grouping } from './dimensions.ts';

/** Values of a dimension to include or exclude. A trailing `*` makes a value a prefix. */
export interface Filter {
  readonly dimension: Dimension;
  readonly isExcluded: boolean;
  readonly values: readonly string[];
}

/** Query state of the explorer. */
export interface Question {
  /** The days in the URL. */
  readonly asked: DayRange;
  /** The days shown: those in the URL, without incomplete ones. */
  readonly range: DayRange;
  readonly granularity: known.Granularity;
  /** One or two dimensions, or only `day`. */
  readonly groups: readonly [Grouping, Dimension?];
  readonly metric: known.Metric;
  /** In URL order, which is the order they were added. */
  readonly filters: readonly Filter[];
  readonly compare: known.Compare;
  /** Whether shared costs of the grouped virtual tag are split among its values. */
  readonly includesShared: boolean;
  /** Column name; a leading `-` sorts descending. */
  readonly sort: string;
}

const filterKeys = [...namedDimensions, 'tag:*', 'virtual:*'];

/** All URL keys of the explorer, also those of earlier versions. */
export const readKeys = [
  'from',
  'to',
  'days',
  'granularity',
  'group',
  'metric',
  'compare',
  'shared',
  'incomplete',
  'sort',
  'chart',
  'hidden',
  'day',
  'drill',
  'path',
  'find',
  'tagKey',
  'tagValue',
  'untagged',
  'subAccount',
  'category',
  ...filterKeys,
  ...filterKeys.map((key) => `exclude_${key}`),
];

/** URL key of a filter. */
export function filterKey({ dimension, isExcluded }: Pick<Filter, 'dimension' | 'isExcluded'>): known.FilterKey {
  return isExcluded ? `exclude_${dimension}` : dimension;
}

/** Date range from the URL. A missing day is derived from the other one, or from the last complete day.
 *  @param fiscalStart first month of the fiscal year, 1 to 12 */
export function rangeOf(state: UrlState, lastDay: string, fiscalStart = 1): DayRange {
  const asked =
    lastDay === '' ? { from: state.one('from'), to: state.one('to') } : askedDays(state, { lastDay, fiscalStart });
  const to = asked.to ?? lastDay;
  const { from } = asked;
  // If the last day is invalid, keep both as they are; the page shows the error.
  return { from: from ?? (faultOf({ from: to, to }) ? to : addDays(to, -29)), to };
}

/** Removes the days after the last complete one, which would lower averages and changes. If incomplete days are requested, or no day
 *  is complete, removes only days in the future.
 *  @param lastDay the last complete day; empty if unknown */
export function shownDays(asked: DayRange, lastDay: string, isIncomplete = false): DayRange {
  if (lastDay === '' || faultOf(asked)) return asked;
  const last = isIncomplete || lastDay < asked.from ? today() : lastDay;
  return asked.to <= last || asked.from > last ? asked : { from: asked.from, to: last };
}

/** Parses the URL.
 *  @param lastDay default end of the range
 *  @param fiscalStart first month of the fiscal year, 1 to 12 */
export function questionOf(state: UrlState, lastDay: string, fiscalStart = 1): Question {
  const [first = 'service', then] = state.all('group').filter(isGrouping);
  const groups =
    first === 'day' || then === undefined || then === 'day' ? ([first] as const) : ([first, then] as const);
  const asked = rangeOf(state, lastDay, fiscalStart);
  return {
    asked,
    range: shownDays(asked, lastDay, state.one('incomplete') === 'true'),
    granularity: oneOf(known.granularities, state.one('granularity')) ?? 'daily',
    groups,
    metric: oneOf(known.metrics, state.one('metric')) ?? 'effective',
    filters: filtersOf(state),
    compare: oneOf(known.comparisons, state.one('compare')) ?? 'previous_period',
    includesShared: state.one('shared') === 'true' && sharedBy(groups) !== null,
    sort: state.one('sort') ?? (first === 'day' ? 'name' : '-cost'),
  };
}

/** The only virtual tag among the dimensions, whose shared costs can be split; null if there is none or more than one. */
export function sharedBy(groups: Question['groups']): Dimension | null {
  const [dimension, another] = groups.filter((one) => one !== undefined && virtualKeyIn(one) !== null);
  return dimension !== undefined && dimension !== 'day' && another === undefined ? dimension : null;
}

function filtersOf(state: UrlState): Filter[] {
  return state.keys().flatMap((key) => {
    const isExcluded = key.startsWith('exclude_');
    const dimension = isExcluded ? key.slice('exclude_'.length) : key;
    const values = [...new Set(state.all(key))];
    return isDimension(dimension) && values.length > 0 ? [{ dimension, isExcluded, values }] : [];
  });
}

/** URL changes that remove all filters. */
export function withoutFilters({ filters }: Question): Changes {
  return { ...Object.fromEntries(filters.map((filter) => [filterKey(filter), null])), path: null, find: null };
}

/** Errors in the URL; none for any URL that the console generates. */
export function faultsOf(state: UrlState, range: DayRange): Fault[] {
  const faults = [...dayFaults(range), ...presetFaults(state)];
  const choices = [
    ['granularity', known.granularities],
    ['metric', known.metrics],
    ['compare', known.comparisons],
    ['chart', known.charts],
    ['charge_category', known.chargeCategories],
  ] as const;
  for (const [key, values] of choices) {
    const wrong = state.all(key).find((value) => oneOf<string>(values, value) === null);
    if (wrong !== undefined) faults.push({ text: `${key}=${wrong} is not one of ${values.join(', ')}.`, keys: [key] });
  }
  const groups = state.all('group');
  const wrong = groups.find((value) => !isGrouping(value));
  if (wrong !== undefined)
    faults.push({
      text: `group=${wrong} is not a dimension, such as service, meter, tag:team or virtual:team.`,
      keys: ['group'],
    });
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

/** URL changes that upgrade a URL of an earlier version; null if none are needed. */
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
      ...((isUntagged || values.length > 0) && { [`tag:${tagKey}`]: isUntagged ? noValue : values }),
      // A key without values used to select the charges that carry it.
      ...(!isByTag && !isUntagged && values.length === 0 && { [`exclude_tag:${tagKey}`]: noValue }),
    }),
  };
}
