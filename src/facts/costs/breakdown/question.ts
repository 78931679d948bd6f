import { chargeCategories } from '../../../engine/codebook.ts';
import { elapsedDays, lastElapsedDay, monthsEarlier, previousDays } from '../../../kit/time/compared-days.ts';
import { arg, argChoice, argItem, choice, fix, invalid, mention, type Subject } from '../../../kit/errors/errors.ts';
import type { Day, DayRange } from '../../../kit/time/period.ts';
import { daysBetween, parseDay } from '../../../kit/time/period.ts';
import { parseSort, type SortBy } from '../../../kit/sort.ts';
import {
  identityOf,
  isNamed,
  tagDimension,
  tagKeyOf,
  virtualKeyOf,
  type Dimension,
  type DimensionName,
} from '../dimensions.ts';
import { carrying, filterOf, joinFilters, type CostQuery, type Filter, type Filters } from '../query.ts';
import { resolveRange, seriesLength, type CostArgs } from '../question.ts';
import { rowSortFields, type Ranking } from '../reading/ranking.ts';

/** A dimension as clients name it: exactly one of the fields is set. */
export interface DimensionInput {
  /** `tag` means the tag keys themselves. */
  readonly dimension?: DimensionName | 'tag' | null;
  /** A tag key. */
  readonly tag?: string | null;
  /** The key of a virtual tag. */
  readonly virtualTag?: string | null;
}

/** Values of a dimension. */
export interface FilterInput extends DimensionInput {
  /** A trailing `*` makes a prefix, `\*` is a literal asterisk; null: charges without a value. Absent: charges with any
   *  value. */
  readonly values?: readonly (string | null | undefined)[] | null;
  /** The query parameter it was parsed from, for messages, if that is not the dimension's own parameter. */
  readonly parameter?: string;
}

/** Filters as clients write them. */
export interface FiltersInput {
  readonly include?: readonly FilterInput[] | null;
  readonly exclude?: readonly FilterInput[] | null;
}

/** The comparison range. */
export type Comparison = 'none' | 'previous_period' | 'previous_month' | 'previous_year';

/** The interval of points. */
export type SeriesGranularity = 'none' | 'daily' | 'monthly';

/** Parameters that `costs` and `costDimensionValues` share. */
export interface RangeArgs extends Pick<CostArgs, 'startDate' | 'endDate' | 'costMetric'> {
  readonly filters?: FiltersInput | null;
  readonly limit?: number | null;
}

/** Parameters of `costs`, by their GraphQL names. Absent and null mean the same. */
export interface BreakdownArgs extends RangeArgs {
  readonly groupBy?: readonly DimensionInput[] | null;
  readonly granularity?: SeriesGranularity | null;
  readonly compare?: Comparison | null;
  readonly includeShared?: boolean | null;
  readonly sortBy?: SortBy<typeof rowSortFields> | null;
}

/** Parameters of `costDimensionValues`. */
export interface ValuesArgs extends RangeArgs {
  readonly dimension: DimensionInput;
  readonly search?: string | null;
}

/** A fully resolved question over any dimensions. */
export interface BreakdownQuestion {
  readonly query: CostQuery;
  /** Last day of the range, at most today. */
  readonly until: Day;
  readonly ranking: Ranking;
  readonly compare: Comparison;
  /** Whether shared costs of the virtual tag are split. */
  readonly includesShared: boolean;
}

/** Bounds of `group_by`. */
export const groupsRule = { maxItems: 3 } as const;
const defaultLimit = 50;
/** Bounds of `limit`. */
export const limitRule = { minimum: 1, maximum: 1000 } as const;
/** Maximum number of rows with points. */
const mostSeries = 20;

/** Resolves the parameters of `costs`.
 *  @throws {AppError} VALIDATION_ERROR that names the parameter */
export function resolveBreakdown(args: BreakdownArgs, today: Day): BreakdownQuestion {
  const granularity = args.granularity ?? 'none';
  const compare = args.compare ?? 'none';
  const range = resolveRange(args, today, granularity === 'monthly');
  const sort = parseSort(args.sortBy, rowSortFields) ?? { field: 'cost', direction: 'desc' };
  if (args.sortBy && sort.field === 'change' && compare === 'none')
    throw invalid`${argChoice('sort_by', args.sortBy)} requires a comparison${fix}set ${mention('compare')}, for example to ${choice('compare', 'previous_period')}`;
  const limit = resolveLimit(args.limit);
  const query: CostQuery = {
    range,
    costMetric: args.costMetric ?? 'effective',
    bucket: granularity === 'none' ? 'none' : granularity === 'daily' ? 'day' : 'month',
    dimensions: resolveGroups(args.groupBy ?? []),
    ...resolveFilters(args.filters),
  };
  const includesShared = args.includeShared ?? false;
  if (includesShared && query.dimensions.filter((dimension) => virtualKeyOf(dimension) !== null).length !== 1)
    throw invalid`${arg('include_shared', 'true')} requires one virtual tag in ${mention('group_by')}${fix}add virtual:KEY`;
  const previous = previousRange(elapsedDays(range, today), compare);
  const shown = granularity === 'none' ? limit : Math.min(limit, mostSeries);
  const until = lastElapsedDay(range, today);
  return { query, until, compare, includesShared, ranking: { previous, sort, limit: shown, search: null } };
}

/** Returns an upper bound of the number of rows of `costs`. */
export function rowsAsked({ groupBy, granularity, limit }: Partial<BreakdownArgs>): number {
  if ((groupBy ?? []).length === 0) return 1;
  return Math.min(valuesAsked({ limit }), (granularity ?? 'none') === 'none' ? limitRule.maximum : mostSeries);
}

/** Returns a close upper bound of the number of points in each row of `costs`. */
export function pointsAsked({ granularity, ...range }: Partial<BreakdownArgs>): number {
  const given = granularity ?? 'none';
  return given === 'none' ? 0 : seriesLength(range, given);
}

/** Returns an upper bound of the number of values of `costDimensionValues`. */
export function valuesAsked({ limit }: Partial<ValuesArgs>): number {
  return Math.min(limit ?? defaultLimit, limitRule.maximum);
}

/** Resolves the parameters of `costDimensionValues`.
 *  @throws {AppError} VALIDATION_ERROR that names the parameter */
export function resolveValues(args: ValuesArgs, today: Day): BreakdownQuestion {
  const range = resolveRange(args, today, false);
  const query: CostQuery = {
    range,
    costMetric: args.costMetric ?? 'effective',
    bucket: 'none',
    dimensions: [dimensionOf(args.dimension, 'dimension')],
    ...resolveFilters(args.filters),
  };
  const search = args.search?.trim().toLowerCase() || null;
  const sort = { field: 'cost', direction: 'desc' } as const;
  const ranking = { previous: null, sort, limit: resolveLimit(args.limit), search };
  return { query, until: lastElapsedDay(range, today), compare: 'none', includesShared: false, ranking };
}

/** Resolves filters and merges those of the same dimension.
 *  @throws {AppError} VALIDATION_ERROR that names the dimension */
export function resolveFilters(filters: FiltersInput | null | undefined): Filters {
  const include = (filters?.include ?? []).map((filter, index) =>
    resolveFilter(filter, `filters.include[${index}]`, ''),
  );
  const exclude = (filters?.exclude ?? []).map((filter, index) =>
    resolveFilter(filter, `filters.exclude[${index}]`, 'exclude_'),
  );
  return { include: joinFilters(include), exclude: joinFilters(exclude) };
}

function resolveGroups(inputs: readonly DimensionInput[]): Dimension[] {
  if (inputs.length > groupsRule.maxItems)
    throw invalid`${arg('group_by')} has ${inputs.length} dimensions; at most ${groupsRule.maxItems} are allowed`;
  const dimensions = inputs.map((input, index) => keyedDimensionOf(input, `group_by[${index}]`));
  const seen = new Set<string>();
  dimensions.forEach((dimension, index) => {
    const key = tagKeyOf(dimension) ?? virtualKeyOf(dimension);
    const named = isNamed(dimension) ? choice('group_by.dimension', dimension) : `tag ${JSON.stringify(key)}`;
    if (seen.has(identityOf(dimension)))
      throw invalid`${arg(`group_by[${index}]`, null, 'group_by')} repeats ${named}${fix}name each dimension once`;
    seen.add(identityOf(dimension));
  });
  return dimensions;
}

/** Resolves a dimension for grouping or filtering, where `tag` without a key is not allowed. */
function keyedDimensionOf(input: DimensionInput, at: string): Dimension {
  const dimension = dimensionOf(input, at);
  if (dimension !== 'tag') return dimension;
  const path = `${at}.dimension`;
  throw invalid`${argChoice(path, 'tag')} lacks the key${fix}set ${mention(`${at}.tag`)} to a tag key instead`;
}

function dimensionOf({ dimension = null, tag = null, virtualTag = null }: DimensionInput, at: string): Dimension {
  if ([dimension, tag, virtualTag].filter((given) => given !== null).length !== 1)
    throw invalid`${arg(at)} must set one of ${mention('dimension', 'tag', 'virtual_tag')}`;
  if (dimension !== null) return dimension;
  if (virtualTag !== null) {
    if (virtualTag.trim() !== '') return `virtual:${virtualTag}`;
    throw invalid`${arg(`${at}.virtual_tag`, virtualTag)} is blank${fix}give the key of a virtual tag such as team`;
  }
  const ofTag = tagDimension(tag ?? '');
  if (ofTag === null) throw invalid`${arg(`${at}.tag`, tag)} is blank${fix}give a tag key such as team`;
  return ofTag;
}

/** Resolves a filter.
 *  @param path the filter in GraphQL; query strings use a parameter per dimension instead, with this prefix */
function resolveFilter(input: FilterInput, path: string, prefix: '' | 'exclude_'): Filter {
  const dimension = keyedDimensionOf(input, path);
  const values = input.values ?? null;
  if (values === null) return carrying(dimension);
  const key = tagKeyOf(dimension);
  const spelledKind = isNamed(dimension) ? dimension : key === null ? 'virtual' : 'tag';
  const parameter = input.parameter ?? `${prefix}${spelledKind}`;
  if (values.length === 0)
    throw invalid`${arg(`${path}.values`, null, parameter)} has no value${fix}give at least one, or leave it out`;
  const exact: (string | null)[] = [];
  const prefixes: string[] = [];
  for (const [index, given] of values.entries()) {
    const at = (value?: string) => argItem(`${path}.values`, { index, count: values.length, value, parameter });
    const value = given === null || given === undefined ? null : spelled(dimension, given, at);
    if (value?.trim() === '' && key === null)
      throw invalid`${at(value)} is blank${fix}give a value, or leave the filter out`;
    if (value === '*') throw invalid`${at('*')} is a prefix without text${fix}write text before the *, such as prod*`;
    if (value?.endsWith('\\*')) exact.push(`${value.slice(0, -2)}*`);
    else if (value?.endsWith('*')) prefixes.push(value.slice(0, -1));
    else exact.push(value);
  }
  return filterOf(dimension, exact, prefixes);
}

function isLowerCase(dimension: Dimension): boolean {
  return dimension === 'pricing_category' || dimension === 'commitment_status';
}

/** Normalizes case: categories and statuses are stored in lower case, but bills and FOCUS write them in title case. Charge
 *  categories are a closed list, and unknown ones are rejected, since a filter that matches nothing would silently return 0
 *  or exclude nothing. */
export function spelled(dimension: Dimension, value: string, at: (value: string) => Subject): string {
  if (isLowerCase(dimension)) return value.toLowerCase();
  if (dimension !== 'charge_category' || value === '' || value === '*') return value;
  const folded = value.toLowerCase();
  const known = chargeCategories.map((name) => name.toLowerCase());
  const isKnown = folded.endsWith('*')
    ? known.some((name) => name.startsWith(folded.slice(0, -1)))
    : known.includes(folded);
  if (isKnown) return folded;
  throw invalid`${at(value)} is not a charge category${fix}use ${known.join(', ')}`;
}

function resolveLimit(limit: number | null | undefined): number {
  const wanted = limit ?? defaultLimit;
  if (wanted >= limitRule.minimum && wanted <= limitRule.maximum) return wanted;
  throw invalid`${arg('limit', wanted)} must be 1 to ${limitRule.maximum}`;
}

const monthsBack = { previous_month: 1, previous_year: 12 } as const;

/** Returns the comparison range, half-open; null without a comparison.
 *  @throws {AppError} VALIDATION_ERROR if it would overlap the range or begin before the first supported day */
export function previousRange(range: DayRange, compare: Comparison): DayRange | null {
  if (compare === 'none') return null;
  const previous = compare === 'previous_period' ? previousDays(range) : monthsEarlier(range, monthsBack[compare]);
  if (!parseDay(previous.start))
    throw invalid`${argChoice('compare', compare)} is not possible for ${range.start}: the days before are outside the calendar${fix}set ${mention('start_date')} to a later day`;
  if (previous.end <= range.start) return previous;
  throw invalid`${argChoice('compare', compare)} overlaps with a range of ${daysBetween(range.start, range.end)} days${fix}request fewer days, or use ${choice('compare', 'previous_period')}`;
}
