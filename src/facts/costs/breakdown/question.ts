import { chargeCategories } from '../../../engine/codebook.ts';
import { invalid } from '../../../kit/errors.ts';
import type { Day, DayRange } from '../../../kit/period.ts';
import { addDays, addMonths, daysBetween, firstDay, lastDay, monthOf } from '../../../kit/period.ts';
import { parseSort } from '../../../kit/sort.ts';
import { identityOf, tagDimension, tagKeyOf, type Dimension, type DimensionName } from '../dimensions.ts';
import {
  carrying,
  filterOf,
  joinFilters,
  type CostMetric,
  type CostQuery,
  type Filter,
  type Filters,
} from '../query.ts';
import { resolveRange } from '../question.ts';
import { rowSortFields, type Ranking } from '../reading/ranking.ts';

/** A dimension as clients name it: exactly one of the two fields is set. */
export interface DimensionInput {
  /** `tag` stands for the tag keys themselves. */
  readonly dimension?: DimensionName | 'tag' | null;
  /** A tag key. */
  readonly tag?: string | null;
}

/** Values of a dimension. */
export interface FilterInput extends DimensionInput {
  /** A trailing `*` makes a prefix, `\*` a literal one; null: charges without a value. Absent: charges with any value. */
  readonly values?: readonly (string | null | undefined)[] | null;
}

/** Filters as clients write them. */
export interface FiltersInput {
  readonly include?: readonly FilterInput[] | null;
  readonly exclude?: readonly FilterInput[] | null;
}

/** The range with which costs are compared. */
export type Comparison = 'none' | 'previous_period' | 'previous_month' | 'previous_year';

/** What points are per. */
export type SeriesGranularity = 'none' | 'daily' | 'monthly';

/** Parameters that `costs` and `costDimensionValues` share. */
export interface RangeArgs {
  readonly startDate?: string | null;
  readonly endDate?: string | null;
  readonly costMetric?: CostMetric | null;
  readonly filters?: FiltersInput | null;
  readonly limit?: number | null;
}

/** Parameters of `costs`, by their GraphQL names. Absent and null mean the same. */
export interface BreakdownArgs extends RangeArgs {
  readonly groupBy?: readonly DimensionInput[] | null;
  readonly granularity?: SeriesGranularity | null;
  readonly compare?: Comparison | null;
  readonly sortBy?: string | null;
}

/** Parameters of `costDimensionValues`. */
export interface ValuesArgs extends RangeArgs {
  readonly dimension: DimensionInput;
  readonly search?: string | null;
}

/** A question over any dimensions, with nothing left to decide. */
export interface BreakdownQuestion {
  readonly query: CostQuery;
  readonly ranking: Ranking;
  readonly compare: Comparison;
}

const mostDimensions = 3;
const defaultLimit = 50;
const mostRows = 1000;
/** Rows that have points. */
const mostSeries = 20;
const mostFilterValues = 1000;

/** Resolves the parameters of `costs`.
 *  @throws {AppError} VALIDATION_ERROR that names the parameter */
export function resolveBreakdown(args: BreakdownArgs, today: Day): BreakdownQuestion {
  const granularity = args.granularity ?? 'none';
  const compare = args.compare ?? 'none';
  const range = resolveRange(args, today, granularity === 'monthly');
  const sort = parseSort(args.sortBy, rowSortFields) ?? { field: 'cost', direction: 'desc' };
  if (sort.field === 'change' && compare === 'none')
    throw invalid('sort_by change needs a comparison: set compare, such as compare=previous_period');
  const limit = resolveLimit(args.limit);
  const query: CostQuery = {
    range,
    costMetric: args.costMetric ?? 'effective',
    bucket: granularity === 'none' ? 'none' : granularity === 'daily' ? 'day' : 'month',
    dimensions: resolveGroups(args.groupBy ?? []),
    ...resolveFilters(args.filters),
  };
  const previous = previousRange(range, compare);
  const shown = granularity === 'none' ? limit : Math.min(limit, mostSeries);
  return { query, compare, ranking: { previous, sort, limit: shown, search: null } };
}

/** Resolves the parameters of `costDimensionValues`.
 *  @throws {AppError} VALIDATION_ERROR that names the parameter */
export function resolveValues(args: ValuesArgs, today: Day): BreakdownQuestion {
  const query: CostQuery = {
    range: resolveRange(args, today, false),
    costMetric: args.costMetric ?? 'effective',
    bucket: 'none',
    dimensions: [dimensionOf(args.dimension, 'dimension')],
    ...resolveFilters(args.filters),
  };
  const search = args.search?.trim().toLowerCase() || null;
  const sort = { field: 'cost', direction: 'desc' } as const;
  return { query, compare: 'none', ranking: { previous: null, sort, limit: resolveLimit(args.limit), search } };
}

/** Resolves filters: those of one dimension are joined.
 *  @throws {AppError} VALIDATION_ERROR that names the dimension */
export function resolveFilters(filters: FiltersInput | null | undefined): Filters {
  const include = (filters?.include ?? []).map((filter) => resolveFilter(filter, ''));
  const exclude = (filters?.exclude ?? []).map((filter) => resolveFilter(filter, 'exclude_'));
  return { include: joinFilters(include), exclude: joinFilters(exclude) };
}

function resolveGroups(inputs: readonly DimensionInput[]): Dimension[] {
  if (inputs.length > mostDimensions)
    throw invalid(`group_by has ${inputs.length} dimensions; at most ${mostDimensions} are possible`);
  const dimensions = inputs.map((input) => dimensionOf(input, 'group_by'));
  const seen = new Set<string>();
  for (const dimension of dimensions) {
    if (dimension === 'tag') throw invalid('group_by "tag" lacks the key; write tag:KEY, such as tag:team');
    if (seen.has(identityOf(dimension))) throw invalid(`group_by has ${dimension} twice; name each dimension once`);
    seen.add(identityOf(dimension));
  }
  return dimensions;
}

function dimensionOf({ dimension, tag }: DimensionInput, at: string): Dimension {
  const hasTag = tag !== null && tag !== undefined;
  const hasName = dimension !== null && dimension !== undefined;
  if (hasTag && hasName) throw invalid(`${at} sets both dimension and tag; set one of them`);
  if (hasTag) return tagDimension(tag, at);
  if (hasName) return dimension;
  throw invalid(`${at} sets neither dimension nor tag; set one of them`);
}

function resolveFilter(input: FilterInput, prefix: '' | 'exclude_'): Filter {
  const dimension = dimensionOf(input, prefix === '' ? 'filters.include' : 'filters.exclude');
  if (dimension === 'tag') throw invalid(`${prefix}tag lacks the key; write ${prefix}tag=KEY:VALUE`);
  const values = input.values ?? null;
  if (values === null) return carrying(dimension);
  const key = tagKeyOf(dimension);
  const at = key === null ? `${prefix}${dimension}` : `${prefix}tag ${key}`;
  if (values.length === 0) throw invalid(`${at} has no value; give at least one, or leave it out`);
  if (values.length > mostFilterValues)
    throw invalid(`${at} has ${values.length} values; at most ${mostFilterValues} are possible`);
  const exact: (string | null)[] = [];
  const prefixes: string[] = [];
  for (const given of values) {
    const value = given === null || given === undefined ? null : spelled(dimension, given, at);
    if (value === '' && key === null) throw invalid(`${at} has an empty value; give a value, or leave the filter out`);
    if (value === '*') throw invalid(`${at} "*" is a prefix without text; write text before the *, such as prod*`);
    if (value?.endsWith('\\*')) exact.push(`${value.slice(0, -2)}*`);
    else if (value?.endsWith('*')) prefixes.push(value.slice(0, -1));
    else exact.push(value);
  }
  return filterOf(dimension, exact, prefixes);
}

/** Categories are kept in lower case, but bills and FOCUS write them in title case. Those of charges are a closed list: another
 *  one is an error, since a filter that matches nothing would silently answer 0 or leave nothing out. */
function spelled(dimension: Dimension, value: string, at: string): string {
  if (dimension === 'pricing_category') return value.toLowerCase();
  if (dimension !== 'charge_category' || value === '' || value === '*') return value;
  const folded = value.toLowerCase();
  const known = chargeCategories.map((name) => name.toLowerCase());
  const isKnown = folded.endsWith('*')
    ? known.some((name) => name.startsWith(folded.slice(0, -1)))
    : known.includes(folded);
  if (isKnown) return folded;
  throw invalid(`${at} "${value.slice(0, 80)}" is not a charge category; use ${known.join(', ')}`);
}

function resolveLimit(limit: number | null | undefined): number {
  const wanted = limit ?? defaultLimit;
  if (wanted >= 1 && wanted <= mostRows) return wanted;
  throw invalid(`limit must be 1 to ${mostRows}, not ${wanted}`);
}

const monthsBack = { previous_month: 1, previous_year: 12 } as const;

/** The days with which a range is compared, half-open; null without a comparison.
 *  @throws {AppError} VALIDATION_ERROR when they would overlap with the range */
export function previousRange(range: DayRange, compare: Comparison): DayRange | null {
  if (compare === 'none') return null;
  if (compare === 'previous_period') return previousPeriod(range);
  const previous = monthsEarlier(range, monthsBack[compare]);
  if (previous.end <= range.start) return previous;
  throw invalid(
    `compare ${compare} overlaps with a range of ${daysBetween(range.start, range.end)} days; ask for fewer days, or use previous_period`,
  );
}

/** Calendar months are compared with as many before them, from the first to the same day; other ranges with as many days
 *  just before. */
function previousPeriod(range: DayRange): DayRange {
  const last = addDays(range.end, -1);
  const days = daysBetween(range.start, range.end);
  if (range.start !== firstDay(monthOf(range.start)) || days === 1)
    return { start: addDays(range.start, -days), end: range.start };
  const number = (day: Day) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));
  return monthsEarlier(range, number(last) - number(range.start) + 1);
}

/** The same days of months before. A range of whole months stays one. */
function monthsEarlier(range: DayRange, months: number): DayRange {
  const last = addDays(range.end, -1);
  const isWhole = range.start === firstDay(monthOf(range.start)) && last === lastDay(monthOf(last));
  const month = addMonths(monthOf(last), -months);
  const end = isWhole ? lastDay(month) : dayIn(month, last);
  return { start: dayIn(addMonths(monthOf(range.start), -months), range.start), end: addDays(end, 1) };
}

/** The same day of another month, or its last day. */
function dayIn(month: ReturnType<typeof monthOf>, day: Day): Day {
  const same = `${month}-${day.slice(8)}` as Day;
  return same > lastDay(month) ? lastDay(month) : same;
}
