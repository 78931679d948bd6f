import type { CostAnswer, CostsDaily, GroupedCosts } from '../../../facts/costs/graphql-types.ts';
import type { CostArgs } from '../../../facts/costs/question.ts';
import { costsDaily, costsSummary } from '../../../facts/costs/run.ts';
import { beginsBefore, completeDays, isChangeBase, previousDays } from '../../../kit/time/compared-days.ts';
import { addDays, dayOf, daysBetween, parseDay, type Day, type DayRange } from '../../../kit/time/period.ts';
import { type Fact, formatChange, type Section } from '../document.ts';
import { formatDay, formatMoney, formatPeriod } from '../../../kit/text/format.ts';
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

/** Computes the total, and the change and the daily mean of the complete days. */
export async function costFacts(request: DataRequest, args: CostArgs, answer: CostAnswer): Promise<Fact[]> {
  const { deps, scope } = request;
  const { startDate, endDate, lastCompleteDay, dataFrom, totalCost, currency } = answer;
  const asked = { start: startDate, end: addDays(endDate, 1) };
  const range = completeDays(asked, lastCompleteDay, dayOf(deps.clock.now()));
  const costIn = async ({ start, end }: DayRange) =>
    (await costsSummary(deps, scope, { ...args, startDate: start, endDate: addDays(end, -1) })).totalCost;
  const total = { label: 'Total cost', value: formatMoney(totalCost, currency) };
  const excluded = excludedFacts(answer);
  if (range === null) return [total, ...excluded];
  const isWhole = range.end === asked.end;
  const cost = isWhole ? totalCost : await costIn(range);
  const billed = daysBetween(dataFrom !== null && dataFrom > range.start ? dataFrom : range.start, range.end);
  const before = previousDays(range, asked);
  const isComparable = parseDay(before.start) !== null && !beginsBefore(before.start, dataFrom);
  const then = isComparable ? await costIn(before) : 0;
  const change = `vs. ${daysOf(before)}`;
  const average = isWhole ? 'Average per day' : `Average per day, ${daysOf(range)}`;
  return [
    total,
    ...excluded,
    ...(isChangeBase(then)
      ? [
          {
            label: isWhole ? change : `${daysOf(range)} ${change}`,
            value: formatChange(((cost - then) / then) * 100),
          },
        ]
      : []),
    ...(billed > 0 ? [{ label: average, value: formatMoney(cost / billed, currency) }] : []),
  ];
}

function daysOf({ start, end }: DayRange): string {
  return formatPeriod(start, addDays(end, -1));
}

/** Returns the caveats of an answer about costs, which are compared with the days before. */
export function costNotes(answer: CostAnswer): string[] {
  const { startDate, endDate, dataFrom } = answer;
  const { start } = previousDays({ start: startDate, end: addDays(endDate, 1) });
  if (!beginsBefore(start, dataFrom)) return answerNotes(answer);
  return [
    ...answerNotes(answer),
    `Bills begin on ${formatDay(dataFrom)}, so there is no comparison with earlier days.`,
  ];
}

/** Returns the costs that the total excludes because they have no exchange rate, as a key figure; none without such costs. */
export function excludedFacts({ unconverted }: Pick<CostAnswer, 'unconverted'>): Fact[] {
  return unconverted.length === 0 ? [] : [{ label: 'Excluded (no exchange rate)', value: sumsText(unconverted) }];
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
  return [...new Set(rates.map(({ currency }) => currency))].map(
    (currency) =>
      `Amounts converted from ${currency} are provisional, because some months have no final exchange rate.`,
  );
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
