import { parseProviders } from '../provider.ts';
import { arg, fix, invalid, mention } from '../../kit/errors.ts';
import { blank, endBeforeStart, keyMissing } from '../../kit/refusals.ts';
import type { Day, DayRange, Month } from '../../kit/period.ts';
import { addDays, addMonths, daysBetween, firstDay, lastDay, monthOf, parseDay } from '../../kit/period.ts';
import type { Dimension } from './dimensions.ts';
import { carrying, filterOf, type CostMetric, type CostQuery, type Filter, type Filters } from './query.ts';

export type { CostMetric } from './query.ts';

/** The seven views of the cost cube. */
export type View = 'summary' | 'by-service' | 'by-account' | 'by-region' | 'by-tag' | 'daily' | 'trend';

/** FOCUS ChargeCategory. */
export type ChargeCategory = 'usage' | 'purchase' | 'tax' | 'credit' | 'adjustment';

/** The length of a summary's periods. */
export type Granularity = 'daily' | 'monthly';

/** What each day of the daily series may be split by. */
export type DailyGroup = 'service' | 'account' | 'region' | 'provider';

/** What a client asks: the contract's parameters, by their GraphQL names. Absent and null mean the same. */
export interface CostArgs {
  readonly startDate?: string | null;
  readonly endDate?: string | null;
  readonly accountId?: readonly string[] | null;
  readonly provider?: readonly string[] | null;
  readonly service?: readonly string[] | null;
  readonly region?: readonly string[] | null;
  readonly subAccountId?: readonly string[] | null;
  readonly chargeCategory?: readonly ChargeCategory[] | null;
  readonly tagKey?: string | null;
  readonly tagValue?: readonly string[] | null;
  readonly untagged?: boolean | null;
  readonly costMetric?: CostMetric | null;
}

/** A view with the parameters that only some views have. */
export interface CostRequest extends CostArgs {
  readonly view: View;
  /** Of a summary. */
  readonly granularity?: Granularity | null;
  /** Of the daily series. */
  readonly groupBy?: DailyGroup | null;
}

/** Which charges a tag key selects: those that carry it (with one of the values, where there are any), those that do
 *  not, or, in the by-tag view, both. */
export interface TagFilter {
  readonly key: string;
  readonly carried: 'yes' | 'no' | 'either';
  readonly values: readonly string[] | null;
}

/** A question with nothing left to decide: the same question is the same JSON. Null lists do not filter. */
export interface CostQuestion {
  readonly view: View;
  /** Charge days, half-open. */
  readonly range: DayRange;
  /** The month that is running, where the answer marks it; else null. */
  readonly runningMonth: Month | null;
  readonly costMetric: CostMetric;
  readonly granularity: Granularity | null;
  readonly groupBy: DailyGroup | null;
  readonly accountIds: readonly string[] | null;
  readonly providers: readonly string[] | null;
  readonly services: readonly string[] | null;
  readonly regions: readonly string[] | null;
  readonly subAccountIds: readonly string[] | null;
  readonly chargeCategories: readonly ChargeCategory[] | null;
  readonly tag: TagFilter | null;
}

/** Days between the first and the last day asked for. */
const maxDaysApart = 1_100;
const defaultDaysApart = 29;
const defaultMonthsApart = 5;

/** Resolves defaults and refuses what cannot be asked.
 *  @param today the UTC day it is now
 *  @throws {AppError} VALIDATION_ERROR that names the parameter */
export function resolveQuestion(request: CostRequest, today: Day): CostQuestion {
  const granularity = request.view === 'summary' ? (request.granularity ?? 'monthly') : null;
  const isTrend = request.view === 'trend';
  const range = resolveRange(request, today, isTrend || granularity === 'monthly');
  return {
    view: request.view,
    range: isTrend ? wholeMonths(range) : range,
    runningMonth: isTrend ? monthOf(today) : null,
    costMetric: request.costMetric ?? 'effective',
    granularity,
    groupBy: request.view === 'daily' ? (request.groupBy ?? null) : null,
    accountIds: filled('account_id', request.accountId),
    providers: list(parseProviders(request.provider)),
    services: filled('service', request.service),
    regions: filled('region', request.region),
    subAccountIds: filled('sub_account_id', request.subAccountId),
    chargeCategories: list(request.chargeCategory),
    tag: resolveTag(request),
  };
}

/** Resolves the default days of a range.
 *  @param byMonth whether the default is months rather than days
 *  @throws {AppError} VALIDATION_ERROR when it is no range, too long, or wholly in the future */
export function resolveRange(request: Pick<CostArgs, 'startDate' | 'endDate'>, today: Day, byMonth: boolean): DayRange {
  const start = readDay('start_date', request.startDate);
  const end = readDay('end_date', request.endDate);
  const lastOfRange = end ?? (start === null ? today : defaultEnd(start, today, byMonth));
  const firstOfRange = start ?? defaultStart(lastOfRange, byMonth);
  for (const day of [firstOfRange, lastOfRange]) {
    if (parseDay(day) === null)
      throw invalid`${arg(start === null ? 'end_date' : 'start_date')} makes a range that includes ${day}, which is outside the calendar${fix}use days of the years 1000 to 9990`;
  }
  if (lastOfRange < firstOfRange) throw endBeforeStart(lastOfRange, firstOfRange);
  if (firstOfRange > today && start === null)
    throw invalid`${arg('end_date', lastOfRange)} without ${mention('start_date')} asks for ${firstOfRange} and later, which is in the future${fix}set ${mention('start_date')} to ${today} or earlier`;
  if (firstOfRange > today)
    throw invalid`${arg('start_date', firstOfRange)} is in the future: costs are known up to today, ${today}`;
  const apart = daysBetween(firstOfRange, lastOfRange);
  if (apart > maxDaysApart) {
    throw invalid`${arg('start_date')} and ${mention('end_date')} are ${apart} days apart; at most ${maxDaysApart} are allowed`;
  }
  return { start: firstOfRange, end: addDays(lastOfRange, 1) };
}

function readDay(name: string, text: string | null | undefined): Day | null {
  if (text === null || text === undefined) return null;
  const day = parseDay(text);
  if (day === null) throw invalid`${arg(name, text)} is not a calendar day such as 2026-01-31`;
  return day;
}

function defaultStart(end: Day, byMonth: boolean): Day {
  return byMonth ? firstDay(addMonths(monthOf(end), -defaultMonthsApart)) : addDays(end, -defaultDaysApart);
}

/** As long a range as without a start, but not into the future: nothing is known there. */
function defaultEnd(start: Day, today: Day, byMonth: boolean): Day {
  const end = byMonth ? lastDay(addMonths(monthOf(start), defaultMonthsApart)) : addDays(start, defaultDaysApart);
  return start <= today && today < end ? today : end;
}

function wholeMonths(range: DayRange): DayRange {
  const lastMonth = monthOf(addDays(range.end, -1));
  return { start: firstDay(monthOf(range.start)), end: firstDay(addMonths(lastMonth, 1)) };
}

function resolveTag(request: CostRequest): TagFilter | null {
  const { view, tagKey: key } = request;
  const values = list(request.tagValue);
  const untagged = request.untagged ?? false;
  if (key?.trim() === '') throw invalid`${arg('tag_key', key)} is blank${fix}give the key of a tag, such as team`;
  if (key === null || key === undefined) {
    if (view === 'by-tag') throw invalid`${arg('tag_key')} is required: the tag key to group by`;
    if (values !== null) throw keyMissing('tag_value', values.join(', '));
    if (untagged) throw keyMissing('untagged', 'true');
    return null;
  }
  if (untagged && values !== null)
    throw invalid`${arg('untagged')} and ${mention('tag_value')} cannot be combined${fix}leave one out`;
  if (untagged) return { key, carried: 'no', values: null };
  return { key, carried: view === 'by-tag' && values === null ? 'either' : 'yes', values };
}

/** As `list`; only a tag's value can be blank. */
function filled(name: string, values: readonly string[] | null | undefined): string[] | null {
  const empty = values?.find((value) => value.trim() === '');
  if (empty !== undefined) throw blank(arg(name, empty));
  return list(values);
}

/** Sorted and without duplicates, so that the same question has the same key. NUL is in no stored text, and PostgreSQL
 *  refuses it in a parameter: such a value matches nothing. */
function list<Value extends string>(values: readonly Value[] | null | undefined): Value[] | null {
  if (values === null || values === undefined) return null;
  return [...new Set(values)].filter((value) => !value.includes('\0')).sort();
}

/** What has to be read for a view. */
export function queryOf(question: CostQuestion): CostQuery {
  const { view, range, costMetric, granularity } = question;
  // A trend also needs the month before.
  const start = view === 'trend' ? firstDay(addMonths(monthOf(range.start), -1)) : range.start;
  const byMonth = view === 'trend' || granularity === 'monthly';
  return {
    range: { start, end: range.end },
    costMetric,
    bucket: view === 'daily' || granularity === 'daily' ? 'day' : byMonth ? 'month' : 'none',
    dimensions: groupsOf(question),
    ...filtersOf(question),
  };
}

function groupsOf({ view, groupBy, tag }: CostQuestion): Dimension[] {
  switch (view) {
    case 'by-service':
      return ['provider', 'service', 'service_category'];
    case 'by-account':
      return ['provider', 'account', 'sub_account'];
    case 'by-region':
      return ['provider', 'region'];
    case 'by-tag':
      return tag === null ? [] : [`tag:${tag.key}`];
    case 'daily':
      return groupBy === null ? [] : groupBy === 'provider' ? ['provider'] : ['provider', groupBy];
    case 'summary':
    case 'trend':
      return [];
    default:
      return view satisfies never;
  }
}

/** What of a question's parameters are filters. Null lists do not filter. */
export type FilterLists = Pick<
  CostQuestion,
  'providers' | 'services' | 'regions' | 'subAccountIds' | 'chargeCategories' | 'tag'
>;

/** The filters of a question; accounts are none, because they are chosen before. */
export function filtersOf(lists: Partial<FilterLists>): Filters {
  const named = (dimension: Dimension, values: readonly string[] | null | undefined): Filter[] =>
    values === null || values === undefined ? [] : [filterOf(dimension, values)];
  const include = [
    ...named('provider', lists.providers),
    ...named('service', lists.services),
    ...named('region', lists.regions),
    ...named('sub_account', lists.subAccountIds),
    ...named('charge_category', lists.chargeCategories),
  ];
  const tag = lists.tag ?? null;
  if (tag === null || tag.carried === 'either') return { include, exclude: [] };
  const dimension: Dimension = `tag:${tag.key}`;
  if (tag.carried === 'no') return { include, exclude: [carrying(dimension)] };
  return {
    include: [...include, tag.values === null ? carrying(dimension) : filterOf(dimension, tag.values)],
    exclude: [],
  };
}
