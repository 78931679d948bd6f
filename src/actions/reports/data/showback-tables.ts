import type { Breakdown, BreakdownRow } from '../../../facts/costs/breakdown/graphql-types.ts';
import { beginsBefore } from '../../../kit/time/compared-days.ts';
import { changePercent, microsOf, round6 } from '../../../kit/money.ts';
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
import { formatPeriod } from '../../../kit/text/format.ts';
import type { Section } from '../document.ts';
import { field, tableOf, totalsOf, type Field } from './data-set.ts';

/** The costs of a report, and those of its complete days with the days before; null if no day is complete. */
export interface ReadCosts {
  readonly answer: Breakdown;
  readonly compared: Breakdown | null;
}

/** The part of each value's cost that a filter selects. */
export interface Part {
  readonly total: number;
  readonly of: ReadonlyMap<string, number>;
}

type Line = Pick<BreakdownRow, 'cost' | 'directCost' | 'sharedCost' | 'previousCost' | 'changePercent'> & {
  readonly value: string;
  readonly credits: number;
  readonly tax: number;
  readonly unused: number;
};

/** Lists the values with the parts of their costs and the change of the complete days. */
export function valueTable(
  key: string,
  { answer, compared }: ReadCosts,
  parts: Readonly<Record<'credits' | 'tax' | 'unused', Part>>,
): Section {
  const { rows, other, totalCost } = answer;
  const previous = compared?.previous ?? null;
  const before = new Map(compared?.rows.map((row) => [valueOf(row), row]));
  const changeOf = (row: Pick<Line, 'previousCost' | 'changePercent'> | undefined) => ({
    previousCost: row?.previousCost ?? (compared ? 0 : null),
    changePercent: row?.changePercent ?? null,
  });
  const shown = rows.map(valueOf);
  const of = ({ of: amounts }: Part, value: string) => amounts.get(value) ?? 0;
  const beyond = (part: Part) => round6(part.total - sum(shown.map((value) => of(part, value))));
  const lines: Line[] = rows.map((row) => {
    const value = valueOf(row);
    return {
      ...row,
      ...changeOf(before.get(value)),
      value,
      credits: of(parts.credits, value),
      tax: of(parts.tax, value),
      unused: of(parts.unused, value),
    };
  });
  if (other.count > 0)
    lines.push({
      ...other,
      ...changeOf(compared?.other),
      value: `Other (${other.count})`,
      credits: beyond(parts.credits),
      tax: beyond(parts.tax),
      unused: beyond(parts.unused),
    });
  const fields = valueFields(key, { answer, compared });
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

/** Columns of the values. */
function valueFields(key: string, { answer, compared }: ReadCosts): Field<Line>[] {
  const { currency } = answer;
  const previous = compared?.previous ?? null;
  const money = (name: keyof Line & string, label: string, at = name as string) =>
    field<Line>(at, label, { type: 'money', currency }, (line) => line[name]);
  return [
    field('value', key, 'text', ({ value }) => value),
    money('directCost', 'Direct', 'direct_cost'),
    money('sharedCost', 'Shared', 'shared_cost'),
    money('cost', 'Cost'),
    money('credits', 'Credits'),
    money('tax', 'Tax'),
    money('unused', 'Unused commitments', 'unused_commitments'),
    money(
      'previousCost',
      previous ? formatPeriod(previous.startDate, previous.endDate) : 'Previous period',
      'previous_cost',
    ),
    field('change_percent', changeLabel(answer, compared), 'percent', (line) => line.changePercent),
  ];
}

/** Names the compared days, unless they are those of the report. */
function changeLabel({ endDate }: Breakdown, compared: Breakdown | null): string {
  if (compared === null || compared.endDate === endDate) return 'Change';
  return `Change, ${formatPeriod(compared.startDate, compared.endDate)}`;
}

interface MonthLine {
  readonly value: string;
  readonly month: Month;
  readonly cost: number;
  readonly changePercent: number | null;
}

/** The costs of months, with those whose costs lack an exchange rate. */
export interface Months extends Breakdown {
  readonly unconvertedMonths: readonly Month[];
}

/** Lists the months of each value, with the change from the month before. */
export function monthTable(key: string, answer: Months, completeThrough: Day | null): Section {
  const { rows, other, currency, startDate, endDate } = answer;
  const months = monthsIn({ start: startDate, end: addDays(endDate, 1) });
  const missing = new Set(answer.missingBills.map((bill) => bill.month));
  const isWhole = (month: Month) =>
    completeThrough !== null &&
    firstDay(month) >= startDate &&
    !beginsBefore(firstDay(month), answer.dataFrom) &&
    !answer.unconvertedMonths.includes(month) &&
    !missing.has(month) &&
    lastDay(month) <= completeThrough;
  const lines = [...rows.map((row) => ({ ...row, value: valueOf(row) })), ...otherOf(other)].flatMap(
    ({ value, points }) => {
      const costs = new Map((points ?? []).map(({ date, cost }) => [monthOf(date), cost]));
      return months.map((month): MonthLine => {
        const [cost, before] = [costs.get(month) ?? 0, costs.get(addMonths(month, -1)) ?? 0];
        const isComparable = isWhole(addMonths(month, -1)) && isWhole(month);
        const change = isComparable ? changePercent(microsOf(cost), microsOf(before)) : null;
        return { value, month, cost, changePercent: change };
      });
    },
  );
  const fields: Field<MonthLine>[] = [
    field('value', key, 'text', ({ value }) => value),
    field('month', 'Month', 'month', ({ month }) => month),
    field('cost', 'Cost', { type: 'money', currency }, ({ cost }) => cost),
    field('change_percent', 'Month-over-month change', 'percent', (line) => line.changePercent),
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

/** Lists the services of each value. */
export function serviceTable(key: string, { rows, other, currency, totalCost }: Breakdown): Section {
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

/** Returns the value of the virtual tag of a row. */
export function valueOf({ keys }: Pick<BreakdownRow, 'keys'>): string {
  return keys[0]?.value ?? '';
}

/** Sums figures of 6 decimals. */
export function sum(figures: readonly (number | null)[]): number {
  return round6(figures.reduce<number>((total, figure) => total + (figure ?? 0), 0));
}
