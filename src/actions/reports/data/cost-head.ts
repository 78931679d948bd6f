import type { CostAnswer, CostsDaily } from '../../../facts/costs/graphql-types.ts';
import type { CostArgs } from '../../../facts/costs/question.ts';
import { costsDaily, costsSummary } from '../../../facts/costs/run.ts';
import { completeDays, previousDays } from '../../../kit/time/compared-days.ts';
import { addDays, dayOf, daysBetween, parseDay, type Day, type DayRange } from '../../../kit/time/period.ts';
import { type Fact, formatChange, type Section } from '../document.ts';
import { formatDay, formatMoney, formatPeriod } from '../../../kit/text/format.ts';
import { tableOf, totalsOf, type DataRequest, type Field } from './data-set.ts';

/** The opening of every cost report. */
export interface CostHead {
  readonly summary: Fact[];
  readonly notes: string[];
}

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

/** Computes the total, the change of the complete days from the days before, the daily mean, and the notes. */
export async function costHead(
  { deps, scope }: Pick<DataRequest, 'deps' | 'scope'>,
  args: CostArgs,
  answer: CostAnswer,
): Promise<CostHead> {
  const { currency, totalCost } = answer;
  const days = daysBetween(answer.startDate, answer.endDate) + 1;
  return {
    summary: [
      { label: 'Total cost', value: formatMoney(totalCost, currency) },
      ...(await changeFact({ deps, scope }, args, answer)),
      { label: 'Average per day', value: formatMoney(totalCost / days, currency) },
    ],
    notes: answerNotes(answer),
  };
}

/** Computes the change of the answer's complete days from the days before; none if no day is complete or the earlier ones
 *  cost nothing. */
async function changeFact(
  { deps, scope }: Pick<DataRequest, 'deps' | 'scope'>,
  args: CostArgs,
  { startDate, endDate, completeThrough, totalCost }: CostAnswer,
): Promise<Fact[]> {
  const asked = { start: startDate, end: addDays(endDate, 1) };
  const range = completeDays(asked, completeThrough, dayOf(deps.clock.now()));
  if (range === null) return [];
  const before = previousDays(range, asked);
  if (parseDay(before.start) === null) return [];
  const costIn = async ({ start, end }: DayRange) =>
    (await costsSummary(deps, scope, { ...args, startDate: start, endDate: addDays(end, -1) })).totalCost;
  const [now, then] = [range.end === asked.end ? totalCost : await costIn(range), await costIn(before)];
  if (then === 0) return [];
  const named = ({ start, end }: DayRange) => formatPeriod(start, addDays(end, -1));
  const label = range.end === asked.end ? `vs. ${named(before)}` : `${named(range)} vs. ${named(before)}`;
  return [{ label, value: formatChange(((now - then) / Math.abs(then)) * 100) }];
}

/** Returns the caveats of an answer. */
export function answerNotes({
  completeThrough,
  endDate,
  unconverted,
}: {
  readonly completeThrough: Day | null;
  readonly endDate: Day;
  readonly unconverted: CostAnswer['unconverted'];
}): string[] {
  const isOpen = completeThrough !== null && completeThrough < endDate;
  return [
    ...(isOpen
      ? [`Bills are complete through ${formatDay(completeThrough)}; costs of later days can still increase.`]
      : []),
    ...unconverted.map(
      ({ currency, cost }) =>
        `${formatMoney(cost, currency)} are excluded from all figures, because ${currency} has no exchange rate for that month.`,
    ),
  ];
}

/** Reads each day of the period, split by a dimension. */
export async function dailyBy(
  { deps, scope, report }: Pick<DataRequest, 'deps' | 'scope' | 'report'>,
  args: CostArgs,
  groupBy: 'service' | 'account' | 'region' | 'provider',
): Promise<CostsDaily> {
  return costsDaily(deps, scope, { ...args, startDate: report.startDate, endDate: report.endDate, groupBy });
}

/** Builds the table of days at the end of every cost report. */
export function dayTable(daily: CostsDaily): Section {
  const fields: Field<CostsDaily['days'][number]>[] = [
    { key: 'date', label: 'Day', type: 'date', of: ({ date }) => date },
    { key: 'cost', label: 'Cost', type: 'money', currency: daily.currency, of: ({ cost }) => cost },
  ];
  return tableOf(
    { key: 'days', title: 'Cost by day' },
    fields,
    daily.days,
    totalsOf(fields, { cost: daily.totalCost }),
  );
}
