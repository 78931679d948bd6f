import { readBreakdown } from '../../../facts/costs/breakdown/run.ts';
import type { Breakdown, BreakdownRow } from '../../../facts/costs/breakdown/graphql-types.ts';
import type { BreakdownArgs, FilterInput } from '../../../facts/costs/breakdown/question.ts';
import type { CostRequest } from '../../../facts/costs/question.ts';
import { readLive } from '../../../facts/costs/reading/tag-basis.ts';
import { arg, fix, invalid } from '../../../kit/errors/errors.ts';
import { round6 } from '../../../kit/money.ts';
import { formatMonth, formatMoney, formatPeriod } from '../../../kit/text/format.ts';
import {
  addDays,
  addMonths,
  firstDay,
  lastDay,
  monthOf,
  monthsIn,
  type Day,
  type Month,
} from '../../../kit/time/period.ts';
import { formatChange, formatPercent, type Fact, type RankChart, type Section } from '../document.ts';
import { argsOf, type Filters } from '../filters.ts';
import { showbackValue } from '../kinds.ts';
import type { Report } from '../store.ts';
import { barChart, monthChart } from './charts.ts';
import { answerNotes, metricWords } from './cost-parts.ts';
import { field, present, tableOf, totalsOf, type DataRequest, type Field, type ReadDataSet } from './data-set.ts';

/** The most values in a table; the others are combined. */
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
  if (tagKey.startsWith('virtual:')) return tagKey.slice('virtual:'.length);
  throw invalid`${arg('tag_key', tagKey)} is not a virtual tag${fix}write virtual:KEY, such as virtual:team`;
}

/** Reads the cost of each value of a virtual tag with its shared costs, compared with the period before, and the months up to
 *  it. Credits, taxes and unused commitments are parts of these costs, shared alike. */
export const readShowback: ReadDataSet = async (request) => {
  const key = virtualKey(argsOf('showback', request.report.filters).tagKey);
  const answer = await read(request, { compare: 'previous_period' });
  const parts = {
    credits: await partOf(request, { dimension: 'charge_category', values: ['credit'] }),
    tax: await partOf(request, { dimension: 'charge_category', values: ['tax'] }),
    unused: await partOf(request, { dimension: 'commitment_status', values: ['unused'] }),
  };
  const months = await readMonths(request);
  const services = await read(request, { groupBy: [{ virtualTag: key }, { dimension: 'service' }] });
  const value = showbackValue(request.report.filters);
  return {
    subtitle: `Cost of ${value === null ? `each value of ${key}` : `${key} ${value}`} including shared costs, as ${metricWords(answer)}.`,
    summary: await factsOf(request, key, answer),
    charts: present(value === null ? valueChart(key, answer) : stepChart(answer), monthChartOf(key, months)),
    sections: [valueTable(key, answer, parts), monthTable(key, months), serviceTable(key, services)],
    notes: [...answerNotes(answer), ...skippedNotes(answer)],
  };
};

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
    [{ dimension: 'provider' }, lists.provider],
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

/** The part of each value's cost that a filter selects. */
interface Part {
  readonly total: number;
  readonly of: ReadonlyMap<string, number>;
}

async function partOf(request: DataRequest, filter: FilterInput): Promise<Part> {
  const { totalCost, rows } = await read(request, { filters: { include: [filter] } });
  return { total: totalCost, of: new Map(rows.map((row) => [valueOf(row), row.cost])) };
}

/** Reads whole months up to the end of the report, from the first that has costs. */
async function readMonths(request: DataRequest): Promise<Breakdown> {
  const { startDate, endDate } = request.report;
  const earliest = firstDay(addMonths(monthOf(endDate), 1 - shownMonths));
  const start = firstDay(monthOf(startDate < earliest ? startDate : earliest));
  const answer = await read(request, { startDate: start, granularity: 'monthly' });
  const parts = [...answer.rows, answer.other];
  const dates = parts.flatMap(({ points }) => (points ?? []).flatMap(({ cost, date }) => (cost === 0 ? [] : [date])));
  const first = dates.toSorted()[0] ?? start;
  const since = <Row extends (typeof parts)[number]>(row: Row) => ({
    ...row,
    points: (row.points ?? []).filter(({ date }) => date >= first),
  });
  return { ...answer, startDate: first, rows: answer.rows.map(since), other: since(answer.other) };
}

function valueOf({ keys }: Pick<BreakdownRow, 'keys'>): string {
  return keys[0]?.value ?? '';
}

async function factsOf(request: DataRequest, key: string, answer: Breakdown): Promise<Fact[]> {
  const { totalCost, currency, previous } = answer;
  const change = previous?.changePercent ?? null;
  return [
    { label: 'Total cost', value: formatMoney(totalCost, currency) },
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
  const rest = answer.rows.find((row) => valueOf(row) === live?.defaultValue)?.percentage ?? 0;
  return [{ label: 'Allocated', value: formatPercent(100 - rest) }];
}

function valueChart(key: string, { rows, other, currency }: Breakdown): RankChart | null {
  const bars = rows.map((row) => ({ label: valueOf(row), value: row.cost }));
  return barChart(`Largest values of ${key}`, currency, [...bars, { label: 'Other', value: other.cost }]);
}

/** From the direct cost of a single value to its total. */
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

type Line = Pick<BreakdownRow, 'cost' | 'directCost' | 'sharedCost' | 'previousCost' | 'changePercent'> & {
  readonly value: string;
  readonly credits: number;
  readonly tax: number;
  readonly unused: number;
};

function valueTable(
  key: string,
  answer: Breakdown,
  parts: Readonly<Record<'credits' | 'tax' | 'unused', Part>>,
): Section {
  const { rows, other, currency, totalCost, previous } = answer;
  const shown = rows.map(valueOf);
  const of = ({ of: amounts }: Part, value: string) => amounts.get(value) ?? 0;
  const beyond = (part: Part) => round6(part.total - sum(shown.map((value) => of(part, value))));
  const lines: Line[] = rows.map((row) => {
    const value = valueOf(row);
    return {
      ...row,
      value,
      credits: of(parts.credits, value),
      tax: of(parts.tax, value),
      unused: of(parts.unused, value),
    };
  });
  if (other.count > 0)
    lines.push({
      ...other,
      value: `Other (${other.count})`,
      credits: beyond(parts.credits),
      tax: beyond(parts.tax),
      unused: beyond(parts.unused),
    });
  const money = (name: keyof Line & string, label: string, at = name as string) =>
    field<Line>(at, label, { type: 'money', currency }, (line) => line[name]);
  const fields: Field<Line>[] = [
    field('value', key, 'text', ({ value }) => value),
    money('directCost', 'Direct', 'direct_cost'),
    money('sharedCost', 'Shared', 'shared_cost'),
    money('cost', 'Cost'),
    money('credits', 'Credits'),
    money('tax', 'Tax'),
    money('unused', 'Unused commitments', 'unused_commitments'),
    money('previousCost', 'Previous period', 'previous_cost'),
    field('change_percent', 'Change', 'percent', ({ changePercent }) => changePercent),
  ];
  const totals = totalsOf(fields, {
    direct_cost: sum(lines.map(({ directCost }) => directCost)),
    shared_cost: sum(lines.map(({ sharedCost }) => sharedCost)),
    cost: totalCost,
    credits: parts.credits.total,
    tax: parts.tax.total,
    unused_commitments: parts.unused.total,
    previous_cost: previous?.totalCost ?? null,
    change_percent: previous?.changePercent ?? null,
  });
  return tableOf({ key: 'values', title: `Cost by ${key}` }, fields, lines, totals);
}

interface MonthLine {
  readonly value: string;
  readonly month: Month;
  readonly cost: number;
  readonly changePercent: number | null;
}

/** Lists the months of each value, with the change from the month before. */
function monthTable(key: string, { rows, other, currency, startDate, endDate }: Breakdown): Section {
  const months = monthsIn({ start: startDate, end: addDays(endDate, 1) });
  const whole = (month: Month) => lastDay(month) <= endDate;
  const lines = [...rows.map((row) => ({ ...row, value: valueOf(row) })), ...otherOf(other)].flatMap(
    ({ value, points }) => {
      const costs = new Map((points ?? []).map(({ date, cost }) => [monthOf(date), cost]));
      return months.map((month): MonthLine => {
        const [cost, before] = [costs.get(month) ?? 0, costs.get(addMonths(month, -1)) ?? 0];
        const isComparable = before !== 0 && whole(month);
        const changePercent = isComparable ? Math.round(((cost - before) / Math.abs(before)) * 1e4) / 100 : null;
        return { value, month, cost, changePercent };
      });
    },
  );
  const fields: Field<MonthLine>[] = [
    field('value', key, 'text', ({ value }) => value),
    field('month', 'Month', 'month', ({ month }) => month),
    field('cost', 'Cost', { type: 'money', currency }, ({ cost }) => cost),
    field('change_percent', 'Change from the month before', 'percent', ({ changePercent }) => changePercent),
  ];
  return tableOf({ key: 'months', title: 'Cost by month' }, fields, lines);
}

function otherOf(other: Breakdown['other']) {
  return other.count === 0 ? [] : [{ ...other, value: `Other (${other.count})` }];
}

type ServiceLine = Pick<BreakdownRow, 'cost' | 'directCost' | 'sharedCost'> & {
  readonly value: string;
  readonly service: string | null;
};

function serviceTable(key: string, { rows, other, currency, totalCost }: Breakdown): Section {
  const lines: ServiceLine[] = [
    ...rows.map((row) => ({ ...row, value: valueOf(row), service: row.keys[1]?.value ?? null })),
    ...otherOf(other).map((rest) => ({ ...rest, service: null })),
  ];
  const fields: Field<ServiceLine>[] = [
    field('value', key, 'text', ({ value }) => value),
    field('service', 'Service', 'text', ({ service }) => service),
    field('direct_cost', 'Direct', { type: 'money', currency }, ({ directCost }) => directCost),
    field('shared_cost', 'Shared', { type: 'money', currency }, ({ sharedCost }) => sharedCost),
    field('cost', 'Cost', { type: 'money', currency }, ({ cost }) => cost),
  ];
  const totals = totalsOf(fields, {
    direct_cost: sum(lines.map(({ directCost }) => directCost)),
    shared_cost: sum(lines.map(({ sharedCost }) => sharedCost)),
    cost: totalCost,
  });
  return tableOf({ key: 'services', title: `Cost by ${key} and service` }, fields, lines, totals);
}

function skippedNotes({ skippedSplits }: Breakdown): string[] {
  const byName = Map.groupBy(skippedSplits ?? [], ({ name }) => name);
  return [...byName].map(
    ([name, skipped]) =>
      `The split “${name}” was not applied in ${skipped.map(({ month }) => formatMonth(monthOf(month as Day))).join(', ')}, because none of its targets had a weight: its costs stay with their source values.`,
  );
}

/** Sums figures of 6 decimals. */
function sum(figures: readonly (number | null)[]): number {
  return round6(figures.reduce<number>((total, figure) => total + (figure ?? 0), 0));
}
