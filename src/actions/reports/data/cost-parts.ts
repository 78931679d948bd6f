import type { CostAnswer, CostsDaily, GroupedCosts } from '../../../facts/costs/graphql-types.ts';
import type { CostArgs } from '../../../facts/costs/question.ts';
import { costsDaily, costsSummary } from '../../../facts/costs/run.ts';
import { beginsBefore, completeDays, isChangeBase, previousDays } from '../../../kit/time/compared-days.ts';
import { addDays, dayOf, daysBetween, parseDay, type Day, type DayRange } from '../../../kit/time/period.ts';
import { type Fact, formatChange, type Section } from '../document.ts';
import { formatDay, formatMoney, formatMonth, formatPeriod } from '../../../kit/text/format.ts';
import { compare } from '../../../kit/sort.ts';
import { missingBillNames, missingBillsText } from '../../../kit/text/missing-bills.ts';
import { field, tableOf, totalsOf, type DataRequest, type Field } from './data-set.ts';

const metrics = {
  effective: 'effective cost (commitments amortized over the usage that they cover)',
  billed: 'billed cost (as invoiced)',
  list: 'list cost (before any discount)',
  contracted: 'contracted cost (after negotiated discounts, before commitments)',
} as const;

/** Returns the cost metric in words. */
export function metricWords({ costMetric }: Pick<CostAnswer, 'costMetric'>): string {
  return metrics[costMetric];
}

/** Key figures of a cost report, and the caveats of its figures. */
interface CostFigures {
  readonly facts: readonly Fact[];
  readonly notes: readonly string[];
}

/** Computes the total, and the change and the daily mean of the complete days. */
export async function costFigures(request: DataRequest, args: CostArgs, answer: CostAnswer): Promise<CostFigures> {
  const { deps, scope } = request;
  const { startDate, endDate, lastCompleteDay, dataFrom, totalCost, currency } = answer;
  const asked = { start: startDate, end: addDays(endDate, 1) };
  const range = completeDays(asked, lastCompleteDay, dayOf(deps.clock.now()));
  const costsIn = ({ start, end }: DayRange) =>
    costsSummary(deps, scope, { ...args, startDate: start, endDate: addDays(end, -1) });
  const total = { label: 'Total cost', value: formatMoney(totalCost, currency) };
  const excluded = excludedFacts(answer);
  if (range === null) return { facts: [total, ...excluded], notes: costNotes(answer) };
  const isWhole = range.end === asked.end;
  const now = isWhole ? answer : await costsIn(range);
  const billed = daysBetween(dataFrom !== null && dataFrom > range.start ? dataFrom : range.start, range.end);
  const before = previousDays(range, asked);
  const isComparable = parseDay(before.start) !== null && !beginsBefore(before.start, dataFrom);
  const then = isComparable ? await costsIn(before) : null;
  const change = `vs. ${daysOf(before)}`;
  const average = isWhole ? 'Average per day' : `Average per day, ${daysOf(range)}`;
  const isWholly = isWhollyKnown(now) && then !== null && isWhollyKnown(then);
  const facts = [
    total,
    ...excluded,
    ...(isWholly && isChangeBase(then.totalCost)
      ? [
          {
            label: isWhole ? change : `${daysOf(range)} ${change}`,
            value: formatChange(((now.totalCost - then.totalCost) / then.totalCost) * 100),
          },
        ]
      : []),
    ...(billed > 0 ? [{ label: average, value: formatMoney(now.totalCost / billed, currency) }] : []),
  ];
  return { facts, notes: costNotes(answer, then) };
}

/** Returns whether an answer includes all costs of its range. */
function isWhollyKnown({ unconverted, missingBills }: CostAnswer): boolean {
  return unconverted.length + missingBills.length === 0;
}

function daysOf({ start, end }: DayRange): string {
  return formatPeriod(start, addDays(end, -1));
}

/** Days that costs are compared with. */
type Previous = Pick<CostAnswer, 'startDate' | 'endDate' | 'unconverted'> &
  Partial<Pick<CostAnswer, 'provisionalRates' | 'missingBills'>>;

/** Returns the caveats of an answer about costs, which are compared with the days before.
 *  @param previous the compared costs; null if they are unknown */
export function costNotes(answer: CostAnswer, previous: Previous | null = null): string[] {
  const { startDate, endDate, dataFrom, provisionalRates, missingBills } = answer;
  const { start } = previousDays({ start: startDate, end: addDays(endDate, 1) });
  const isLate = beginsBefore(start, dataFrom);
  return [
    ...answerNotes({ ...answer, provisionalRates: [...provisionalRates, ...(previous?.provisionalRates ?? [])] }),
    ...missingNotes([...(previous?.missingBills ?? []), ...missingBills]),
    ...(isLate ? [`Bills begin on ${formatDay(dataFrom)}, so there is no comparison with earlier days.`] : []),
    ...(previous && !isLate ? previousNotes(previous) : []),
  ];
}

/** Consequence of missing bills for figures that are not compared. */
export const notIncluded = 'and not included in these figures';

/** Names the months whose costs are unknown.
 *  @param consequence what that means for the figures */
export function missingNotes(
  bills: CostAnswer['missingBills'],
  consequence = 'so changes from or to them have no percentage',
): string[] {
  const text = missingBillsText(
    bills.toSorted((one, other) => compare(one.month, other.month)),
    formatMonth,
  );
  return text === null ? [] : [`There is ${text}: these costs are unknown, ${consequence}.`];
}

/** Names the costs that a comparison lacks. */
function previousNotes({ startDate, endDate, unconverted }: Previous): string[] {
  return unconverted.map(
    ({ currency, cost }) =>
      `${formatMoney(cost, currency)} of ${formatPeriod(startDate, endDate)} is excluded, because ${currency} has no exchange rate for these charges, so changes have no percentage.`,
  );
}

/** Costs that a total excludes. */
export type Excluded = Pick<CostAnswer, 'unconverted'> & Partial<Pick<CostAnswer, 'missingBills'>>;

/** Returns the costs that the total excludes, because a bill is missing or they have no exchange rate, as key figures; none without
 *  such costs. */
export function excludedFacts({ unconverted, missingBills = [] }: Excluded): Fact[] {
  const missing = missingBillNames(missingBills, formatMonth);
  return [
    ...(missing === null ? [] : [{ label: 'Missing bills', value: missing }]),
    ...(unconverted.length === 0 ? [] : [{ label: 'Excluded (no exchange rate)', value: sumsText(unconverted) }]),
  ];
}

/** Names the costs that a total excludes, such as `€90.00, no bill for Production (October 2026)`; empty without such costs. */
export function excludedText({ unconverted, missingBills = [] }: Excluded): string {
  const missing = missingBillsText(missingBills, formatMonth);
  return [sumsText(unconverted), missing].filter((text) => text).join(', ');
}

/** Lists costs by currency, such as `€90.00, ¥300`. */
export function sumsText(costs: CostAnswer['unconverted']): string {
  return costs.map(({ currency, cost }) => formatMoney(cost, currency)).join(', ');
}

/** Returns the caveats of an answer. */
export function answerNotes({
  completeThrough,
  endDate,
  unconverted,
  provisionalRates,
}: {
  readonly completeThrough: Day | null;
  readonly endDate: Day;
  readonly unconverted: CostAnswer['unconverted'];
  readonly provisionalRates: CostAnswer['provisionalRates'];
}): string[] {
  const isOpen = completeThrough !== null && completeThrough < endDate;
  return [
    ...(isOpen
      ? [`Bills are complete through ${formatDay(completeThrough)}; costs of later days can still increase.`]
      : []),
    ...unconverted.map(
      ({ currency, cost }) =>
        `${formatMoney(cost, currency)} is excluded from all figures, because ${currency} has no exchange rate for these charges.`,
    ),
    ...provisionalNotes(provisionalRates),
  ];
}

/** Returns a note for each currency whose amounts are converted at provisional exchange rates. */
export function provisionalNotes(rates: CostAnswer['provisionalRates']): string[] {
  return [...Map.groupBy(rates, ({ currency }) => currency)].map(([currency, own]) => {
    const months = [...new Set(own.map(({ month }) => month))].sort();
    const [first, last] = [months[0], months.at(-1)].map((month) => month && formatMonth(month));
    const period = months.length > 1 ? `of ${months.length} months from ${first} to ${last}` : `of ${first}`;
    return `Amounts ${period} converted from ${currency} are provisional, because there is no final exchange rate.`;
  });
}

/** Reads each day of the period, split by a dimension. */
export async function dailyBy(
  { deps, scope, report }: DataRequest,
  args: CostArgs,
  groupBy: 'service' | 'account',
): Promise<CostsDaily> {
  return costsDaily(deps, scope, { ...args, startDate: report.startDate, endDate: report.endDate, groupBy });
}

/** Builds the table of days at the end of a cost report. */
export function dayTable(daily: CostsDaily): Section {
  const fields: Field<CostsDaily['days'][number]>[] = [
    field('date', 'Day', 'date', ({ date }) => date),
    field('cost', 'Cost', { type: 'money', currency: daily.currency }, ({ cost }) => cost),
  ];
  return tableOf(
    { key: 'days', title: 'Cost by day' },
    fields,
    daily.days,
    totalsOf(fields, { cost: daily.totalCost }),
  );
}

/** Builds the table of an answer's groups, with their costs and shares.
 *  @param named the columns before these */
export function groupTable<Group extends { readonly cost: number; readonly percentage: number | null }>(
  about: Pick<Section, 'key' | 'title'>,
  { groups, currency, totalCost }: GroupedCosts<Group>,
  named: readonly Field<Group>[],
): Section {
  const fields: Field<Group>[] = [
    ...named,
    field('cost', 'Cost', { type: 'money', currency }, ({ cost }) => cost),
    field('percentage', 'Share', 'percent', ({ percentage }) => percentage),
  ];
  const totals = totalsOf(fields, { cost: totalCost, percentage: totalCost === 0 ? null : 100 });
  return tableOf(about, fields, groups, totals);
}
