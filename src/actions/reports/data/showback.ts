import type { Breakdown } from '../../../facts/costs/breakdown/graphql-types.ts';
import type { BreakdownArgs, FilterInput } from '../../../facts/costs/breakdown/question.ts';
import { readBreakdown } from '../../../facts/costs/breakdown/run.ts';
import { keyDimension, virtualKeyOf } from '../../../facts/costs/dimensions.ts';
import type { CostRequest } from '../../../facts/costs/question.ts';
import { costsSummary } from '../../../facts/costs/run.ts';
import { readLive } from '../../../facts/costs/reading/tag-basis.ts';
import { parseProviders } from '../../../facts/provider.ts';
import { arg, fix, invalid } from '../../../kit/errors/errors.ts';
import { formatDay, formatMoney, formatMonth, formatPeriod } from '../../../kit/text/format.ts';
import { beginsBefore, completeDays } from '../../../kit/time/compared-days.ts';
import {
  addDays,
  addMonths,
  dayOf,
  firstDay,
  lastDay,
  monthOf,
  monthsIn,
  type Day,
  type Month,
} from '../../../kit/time/period.ts';
import { formatChange, formatShare, type Fact, type RankChart } from '../document.ts';
import { argsOf, type Filters } from '../filters.ts';
import { showbackValue } from '../kinds.ts';
import type { Report } from '../store.ts';
import { barChart, monthChart } from './charts.ts';
import { costNotes, excludedFacts, metricWords, excludedText, type Excluded } from './cost-parts.ts';
import { present, type DataRequest, type ReadDataSet } from './data-set.ts';
import {
  monthTable,
  serviceTable,
  sum,
  valueOf,
  valueTable,
  type Months,
  type Part,
  type ReadCosts,
} from './showback-tables.ts';

/** Maximum values in a table; the others are combined. */
const mostValues = 1_000;
/** Calendar months in the table of months, at least. */
const shownMonths = 6;

/** Returns the filters of a showback as a cost question, for checking them.
 *  @throws {AppError} VALIDATION_ERROR if no virtual tag is named */
export function showbackQuestion(filters: Filters): CostRequest {
  const { tagKey, ...args } = argsOf('showback', filters);
  virtualKey(tagKey);
  return { ...args, tagKey, view: 'by-tag' };
}

function virtualKey(tagKey: string | null): string {
  if (tagKey === null) throw invalid`${arg('tag_key')} is required: the virtual tag, as virtual:KEY`;
  const key = virtualKeyOf(keyDimension(tagKey));
  if (key !== null) return key;
  throw invalid`${arg('tag_key', tagKey)} is not a virtual tag${fix}write virtual:KEY, such as virtual:team`;
}

/** Reads the cost of each value of a virtual tag with its shared costs, compared with the period before, and the months up to
 *  it. Credits, taxes and unused commitments are parts of these costs, shared in the same way. */
export const readShowback: ReadDataSet = async (request) => {
  const key = virtualKey(argsOf('showback', request.report.filters).tagKey);
  const answer = await read(request, { compare: 'previous_period' });
  const compared = await readCompared(request, answer);
  const parts = {
    // Largest credits first.
    credits: await partOf(request, { dimension: 'charge_category', values: ['credit'] }, 'cost'),
    tax: await partOf(request, { dimension: 'charge_category', values: ['tax'] }),
    unused: await partOf(request, { dimension: 'commitment_status', values: ['unused'] }),
  };
  const months = await readMonths(request);
  const services = await read(request, { groupBy: [{ virtualTag: key }, { dimension: 'service' }] });
  const value = showbackValue(request.report.filters);
  return {
    subtitle: `Cost of ${value === null ? `each value of ${key}` : `${key} ${value}`} including shared costs, as ${metricWords(answer)}.`,
    summary: await factsOf(request, key, { answer, compared }),
    charts: present(value === null ? valueChart(key, answer) : stepChart(answer), monthChartOf(key, months)),
    sections: [
      valueTable(key, { answer, compared }, parts),
      monthTable(key, months, compared?.endDate ?? null),
      serviceTable(key, services),
    ],
    excluded: excludedText(ownOf(answer)),
    notes: [
      ...costNotes({ ...answer, missingBills: [...answer.missingBills, ...months.missingBills] }, compared?.previous),
      ...comparisonNotes(answer, compared),
      ...partialNotes(answer),
      ...unconvertedNotes(months),
      ...skippedNotes(answer),
      ...accountNotes(request),
    ],
  };
};

/** The costs that the report's own days lack, without those of the compared range. */
function ownOf({ startDate, endDate, unconverted, missingBills }: Breakdown): Excluded {
  const months = monthsIn({ start: startDate, end: addDays(endDate, 1) });
  return { unconverted, missingBills: missingBills.filter(({ month }) => months.includes(month)) };
}

/** Reads the costs of the complete days: the incomplete bills of the last days would look like savings. */
async function readCompared(request: DataRequest, answer: Breakdown): Promise<Breakdown | null> {
  const { startDate, endDate, lastCompleteDay } = answer;
  const asked = { start: startDate, end: addDays(endDate, 1) };
  const complete = completeDays(asked, lastCompleteDay, dayOf(request.deps.clock.now()));
  if (complete === null) return null;
  if (complete.end === asked.end) return answer;
  return read(request, { compare: 'previous_period', endDate: addDays(complete.end, -1) });
}

function comparisonNotes({ endDate }: Breakdown, compared: Breakdown | null): string[] {
  if (
    !compared?.previous ||
    compared.endDate === endDate ||
    beginsBefore(compared.previous.startDate, compared.dataFrom)
  )
    return [];
  const { startDate, previous } = compared;
  return [
    `Changes compare the complete days, ${formatPeriod(startDate, compared.endDate)}, with ${formatPeriod(previous.startDate, previous.endDate)}.`,
  ];
}

function partialNotes({ endDate }: Breakdown): string[] {
  const month = monthOf(endDate);
  return endDate === lastDay(month)
    ? []
    : [`${formatMonth(month)} includes only the days up to ${formatDay(endDate)}.`];
}

function accountNotes({ report: { filters } }: DataRequest): string[] {
  if ((filters['account_id'] ?? null) === null) return [];
  return ['Splits of shared costs include only the accounts of this report.'];
}

/** Reads costs by value, narrowed to the report's filters. */
function read({ deps, scope, report }: DataRequest, args: BreakdownArgs): Promise<Breakdown> {
  const { filters, ...asked } = questionOf(report);
  const include = [...filters, ...(args.filters?.include ?? [])];
  return readBreakdown(deps, scope, { ...asked, ...args, filters: { include } });
}

function questionOf({ filters, startDate, endDate }: Pick<Report, 'filters' | 'startDate' | 'endDate'>) {
  const { tagKey, tagValue, costMetric, ...lists } = argsOf('showback', filters);
  const virtualTag = virtualKey(tagKey);
  const named: [FilterInput, readonly string[] | null][] = [
    [{ dimension: 'account' }, lists.accountId],
    [{ dimension: 'provider' }, parseProviders(lists.provider)],
    [{ dimension: 'service' }, lists.service],
    [{ dimension: 'region' }, lists.region],
    [{ dimension: 'sub_account' }, lists.subAccountId],
    [{ virtualTag }, tagValue],
  ];
  return {
    startDate,
    endDate,
    costMetric,
    groupBy: [{ virtualTag }],
    includeShared: true,
    limit: mostValues,
    filters: named.flatMap(([of, values]) => (values === null ? [] : [{ ...of, values: values.map(exactly) }])),
  };
}

/** Returns a filter value that matches only this text. */
function exactly(value: string): string {
  return value.endsWith('*') ? `${value.slice(0, -1)}\\*` : value;
}

async function partOf(
  request: DataRequest,
  filter: FilterInput,
  sortBy: BreakdownArgs['sortBy'] = '-cost',
): Promise<Part> {
  const { totalCost, rows } = await read(request, { filters: { include: [filter] }, sortBy });
  return { total: totalCost, of: new Map(rows.map((row) => [valueOf(row), row.cost])) };
}

/** Reads the months of the report, at least six up to its end, from the first that has costs. */
async function readMonths(request: DataRequest): Promise<Months> {
  const { startDate, endDate } = request.report;
  const earliest = firstDay(addMonths(monthOf(endDate), 1 - shownMonths));
  const start = startDate < earliest ? startDate : earliest;
  const answer = await read(request, { startDate: start, granularity: 'monthly' });
  const parts = [...answer.rows, answer.other];
  const dates = parts.flatMap(({ points }) => (points ?? []).flatMap(({ cost, date }) => (cost === 0 ? [] : [date])));
  const first = dates.toSorted()[0] ?? start;
  const since = <Row extends (typeof parts)[number]>(row: Row) => ({
    ...row,
    points: (row.points ?? []).filter(({ date }) => date >= first),
  });
  const lines = { startDate: first, rows: answer.rows.map(since), other: since(answer.other) };
  return { ...answer, ...lines, unconvertedMonths: await unconvertedMonths(request, first) };
}

/** Lists the months, from a day on, with costs that lack an exchange rate, whatever their values: splits distribute these costs. */
async function unconvertedMonths({ deps, scope, report }: DataRequest, startDate: Day): Promise<Month[]> {
  const { tagKey: _key, tagValue: _value, ...args } = argsOf('showback', report.filters);
  const { periods } = await costsSummary(deps, scope, { ...args, startDate, endDate: report.endDate });
  return periods.flatMap(({ periodStart, unconverted }) => (unconverted.length > 0 ? [monthOf(periodStart)] : []));
}

async function factsOf(request: DataRequest, key: string, { answer, compared }: ReadCosts): Promise<Fact[]> {
  const previous = compared?.previous ?? null;
  const change = previous?.changePercent ?? null;
  return [
    { label: 'Total cost', value: formatMoney(answer.totalCost, answer.currency) },
    ...excludedFacts(ownOf(answer)),
    ...(previous && change !== null
      ? [{ label: `vs. ${formatPeriod(previous.startDate, previous.endDate)}`, value: formatChange(change) }]
      : []),
    ...sharedFacts(request, answer),
    ...(await allocatedFact(request, key, answer)),
  ];
}

/** Returns the direct and shared cost of a single value, or the costs that splits move among all. */
function sharedFacts({ report }: DataRequest, { rows, other, currency }: Breakdown): Fact[] {
  const lines = [...rows, other];
  if (showbackValue(report.filters) !== null)
    return [
      { label: 'Direct cost', value: formatMoney(sum(lines.map(({ directCost }) => directCost)), currency) },
      { label: 'Shared cost', value: formatMoney(sum(lines.map(({ sharedCost }) => sharedCost)), currency) },
    ];
  const moved = sum(lines.map(({ sharedCost }) => Math.max(0, sharedCost ?? 0)));
  return moved === 0 ? [] : [{ label: 'Shared cost', value: formatMoney(moved, currency) }];
}

/** Returns the share of the costs whose value is not the default one. */
async function allocatedFact({ deps, scope, report }: DataRequest, key: string, answer: Breakdown): Promise<Fact[]> {
  if (argsOf('showback', report.filters).tagValue !== null || answer.totalCost === 0) return [];
  const live = (await readLive(deps.pool, scope, [key])).get(key);
  const rest = answer.rows.find((row) => valueOf(row) === live?.defaultValue)?.cost ?? null;
  if (rest === null && answer.other.count > 0) return [];
  return [{ label: 'Allocated', value: formatShare(answer.totalCost - (rest ?? 0), answer.totalCost) }];
}

function valueChart(key: string, { rows, other, currency }: Breakdown): RankChart | null {
  const bars = rows.map((row) => ({ label: valueOf(row), value: row.cost }));
  return barChart(`Largest values of ${key}`, currency, [...bars, { label: 'Other', value: other.cost }]);
}

/** Builds the chart from the direct cost of a single value to its total. */
function stepChart({ rows: [row], currency }: Breakdown): RankChart | null {
  if (!row) return null;
  const { directCost, sharedCost, cost } = row;
  const items = [
    { label: 'Direct cost', value: directCost ?? 0 },
    { label: 'Shared cost', value: sharedCost ?? 0 },
    { label: 'Total cost', value: cost },
  ];
  return { kind: 'bars', title: 'From direct to total cost', unit: { kind: 'money', currency }, items };
}

function monthChartOf(key: string, { rows, other, currency }: Breakdown) {
  const series = [...rows.map((row) => [valueOf(row), row.points] as const), ['Other', other.points] as const].map(
    ([label, points]) => [label, new Map((points ?? []).map(({ date, cost }) => [monthOf(date), cost]))] as const,
  );
  return monthChart(`Monthly cost by ${key}`, currency, new Map(series));
}

function unconvertedNotes({ unconvertedMonths: months }: Months): string[] {
  if (months.length === 0) return [];
  return [`The months exclude costs without an exchange rate, in ${months.map(formatMonth).join(', ')}.`];
}

function skippedNotes({ skippedSplits }: Breakdown): string[] {
  const byName = Map.groupBy(skippedSplits ?? [], ({ name }) => name);
  return [...byName].map(
    ([name, skipped]) =>
      `The split “${name}” was not applied in ${skipped.map(({ month }) => formatMonth(monthOf(month as Day))).join(', ')}, because no target had costs or metric values: its costs stay with their source values.`,
  );
}
