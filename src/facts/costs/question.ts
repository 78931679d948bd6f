import { parseProviders } from '../provider.ts';
import { arg, fix, invalid, mention } from '../../kit/errors/errors.ts';
import { blank, endBeforeStart, keyMissing } from '../../kit/errors/refusals.ts';
import { lastElapsedDay } from '../../kit/time/compared-days.ts';
import type { Day, DayRange, Month } from '../../kit/time/period.ts';
import { addDays, addMonths, daysBetween, firstDay, lastDay, monthOf, parseDay } from '../../kit/time/period.ts';
import { keyDimension, type Dimension } from './dimensions.ts';
import { distinct, filtersOf, type CostMetric, type CostQuery, type TagFilter } from './query.ts';

/** The seven views of the cost cube. */
export type View = 'summary' | 'by-service' | 'by-account' | 'by-region' | 'by-tag' | 'daily' | 'trend';

/** FOCUS ChargeCategory. */
export type ChargeCategory = 'usage' | 'purchase' | 'tax' | 'credit' | 'adjustment';

/** The length of a summary's periods. */
export type Granularity = 'daily' | 'monthly';

/** Dimension that splits each day of the daily series. */
export type DailyGroup = 'service' | 'account' | 'region' | 'provider';

/** Request parameters by their GraphQL names. Absent and null mean the same. */
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
  /** For summaries only. */
  readonly granularity?: Granularity | null;
  /** For the daily series only. */
  readonly groupBy?: DailyGroup | null;
}

/** A fully resolved question. Equal questions serialize to equal JSON. */
export interface CostQuestion {
  readonly view: View;
  /** Charge days of the answer, half-open. */
  readonly range: DayRange;
  /** Last day of the range, at most today. */
  readonly until: Day;
  /** The query to run; for a trend it includes the month before. */
  readonly query: CostQuery;
  /** The current month if the answer marks it, otherwise null. */
  readonly runningMonth: Month | null;
  readonly granularity: Granularity | null;
  readonly groupBy: DailyGroup | null;
}

/** Maximum days between the first and last day. */
const maxDaysApart = 1_100;
const defaultDaysApart = 29;
const defaultMonthsApart = 5;
/** Days. */
const shortestMonth = 28;

/** Resolves defaults and validates the request.
 *  @param today the current UTC day
 *  @throws {AppError} VALIDATION_ERROR that names the parameter */
export function resolveQuestion(request: CostRequest, today: Day): CostQuestion {
  const { view } = request;
  const isTrend = view === 'trend';
  const granularity = view === 'summary' ? (request.granularity ?? 'monthly') : null;
  const groupBy = view === 'daily' ? (request.groupBy ?? null) : null;
  const byMonth = isTrend || granularity === 'monthly';
  const asked = resolveRange(request, today, byMonth);
  const range = isTrend ? wholeMonths(asked) : asked;
  const lists = {
    account: filled('account_id', request.accountId),
    provider: parseProviders(request.provider),
    service: filled('service', request.service),
    region: filled('region', request.region),
    sub_account: filled('sub_account_id', request.subAccountId),
    charge_category: request.chargeCategory ?? null,
  };
  const query: CostQuery = {
    range: { ...range, start: isTrend ? firstDay(addMonths(monthOf(range.start), -1)) : range.start },
    costMetric: request.costMetric ?? 'effective',
    bucket: view === 'daily' || granularity === 'daily' ? 'day' : byMonth ? 'month' : 'none',
    dimensions: dimensionsOf(view, groupBy, request.tagKey ?? ''),
    ...filtersOf(lists, resolveTag(request)),
  };
  const until = lastElapsedDay(range, today);
  return { view, range, until, query, runningMonth: isTrend ? monthOf(today) : null, granularity, groupBy };
}

function dimensionsOf(view: View, groupBy: DailyGroup | null, tagKey: string): Dimension[] {
  switch (view) {
    case 'by-service':
      return ['provider', 'service', 'service_category'];
    case 'by-account':
      return ['provider', 'account', 'sub_account'];
    case 'by-region':
      return ['provider', 'region'];
    case 'by-tag':
      return [keyDimension(tagKey)];
    case 'daily':
      return groupBy === null ? [] : groupBy === 'provider' ? ['provider'] : ['provider', groupBy];
    case 'summary':
    case 'trend':
      return [];
    default:
      return view satisfies never;
  }
}

/** Resolves a range and its defaults.
 *  @param byMonth whether the default is months rather than days
 *  @throws {AppError} VALIDATION_ERROR if it is not a range, too long, or entirely in the future */
export function resolveRange(request: Pick<CostArgs, 'startDate' | 'endDate'>, today: Day, byMonth: boolean): DayRange {
  const start = readDay('start_date', request.startDate);
  const end = readDay('end_date', request.endDate);
  const lastOfRange = end ?? (start === null ? today : defaultEnd(start, today, byMonth));
  const firstOfRange = start ?? defaultStart(lastOfRange, byMonth);
  for (const day of [firstOfRange, lastOfRange]) {
    if (parseDay(day) === null)
      throw invalid`${arg(start === null ? 'end_date' : 'start_date')} makes a range that includes ${day}, which is outside the calendar${fix}use days in the years 1000 to 9990`;
  }
  if (lastOfRange < firstOfRange) throw endBeforeStart(lastOfRange, firstOfRange);
  if (firstOfRange > today && start === null)
    throw invalid`${arg('end_date', lastOfRange)} without ${mention('start_date')} starts the range on ${firstOfRange}, which is in the future${fix}set ${mention('start_date')} to ${today} or earlier`;
  if (firstOfRange > today)
    throw invalid`${arg('start_date', firstOfRange)} is in the future: costs are known up to today, ${today}`;
  const apart = daysBetween(firstOfRange, lastOfRange);
  if (apart > maxDaysApart) {
    throw invalid`${arg('start_date')} and ${mention('end_date')} are ${apart} days apart; at most ${maxDaysApart} are allowed`;
  }
  return { start: firstOfRange, end: addDays(lastOfRange, 1) };
}

/** Returns a close upper bound of the number of days or months in a request's range. Does not validate the dates. */
export function seriesLength(
  { startDate, endDate }: Pick<CostArgs, 'startDate' | 'endDate'>,
  granularity: Granularity,
): number {
  const [start, end] = [parseDay(startDate ?? ''), parseDay(endDate ?? '')];
  if (!start || !end) return granularity === 'daily' ? defaultDaysApart + 1 : defaultMonthsApart + 1;
  const apart = Math.min(Math.max(daysBetween(start, end), 0), maxDaysApart);
  return granularity === 'daily' ? apart + 1 : Math.ceil(apart / shortestMonth) + 1;
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

/** Returns the default end: the default length after the start, but not in the future, where there are no costs. */
function defaultEnd(start: Day, today: Day, byMonth: boolean): Day {
  const end = byMonth ? lastDay(addMonths(monthOf(start), defaultMonthsApart)) : addDays(start, defaultDaysApart);
  return start <= today && today < end ? today : end;
}

/** Returns the calendar months that a range touches, whole. */
export function wholeMonths(range: DayRange): DayRange {
  const lastMonth = monthOf(addDays(range.end, -1));
  return { start: firstDay(monthOf(range.start)), end: firstDay(addMonths(lastMonth, 1)) };
}

function resolveTag(request: CostRequest): TagFilter | null {
  const { view, tagKey: key } = request;
  const values = request.tagValue ? distinct(request.tagValue) : null;
  const untagged = request.untagged ?? false;
  if (key?.trim() === '') throw invalid`${arg('tag_key', key)} is blank${fix}give the key of a tag, such as team`;
  if (key === null || key === undefined) {
    if (view === 'by-tag') throw invalid`${arg('tag_key')} is required: the tag key to group by`;
    if (values !== null) throw keyMissing('tag_value', values.join(', '));
    if (untagged) throw keyMissing('untagged', 'true');
    return null;
  }
  if (untagged && key.startsWith('virtual:'))
    throw invalid`${arg('untagged')} cannot be combined with a virtual tag, which gives every charge a value${fix}filter by its default value with ${mention('tag_value')}`;
  if (untagged && values !== null)
    throw invalid`${arg('untagged')} and ${mention('tag_value')} cannot be combined${fix}leave one out`;
  if (untagged) return { key, carried: 'no', values: null };
  return { key, carried: view === 'by-tag' && values === null ? 'either' : 'yes', values };
}

/** Rejects blank values, which only tags can have. */
function filled(name: string, values: readonly string[] | null | undefined): readonly string[] | null {
  const empty = values?.find((value) => value.trim() === '');
  if (empty !== undefined) throw blank(arg(name, empty));
  return values ?? null;
}
