import { SimpleGrid } from '@mantine/core';
import type { ReactNode } from 'react';
import { costsHref } from '../costs/address.ts';
import { previousOf } from '../costs/period.ts';
import { changeOf, fromMicros, micros, sumOf } from '../costs/table/rows.ts';
import { unknownChange } from '../costs/unknown-change.ts';
import { expectedIn } from '../forecast/expected.ts';
import type { DayRange } from '../parts/list/day-range.tsx';
import { Change, FigureCard } from '../parts/page/card.tsx';
import { addMonths, monthEnd, monthStart } from '../words/days.ts';
import { count, counted, days, month as monthName, signedMoney, wholeMoney } from '../words/format.ts';
import type { AnomalyRow } from '../anomalies/queries.ts';
import { notIncluded, type Summary } from '../recommendations/queries.ts';
import type { Findings, Spend } from './queries.ts';

interface Props {
  readonly month: MonthToDate | null;
  readonly currency: string;
  readonly findings: Findings;
  /** The forecast is based on little history. */
  readonly isRough: boolean;
}

/** Headline figures of the overview. */
export function Headlines({ month, currency, findings, isRough }: Props) {
  const anomalies = findings.data?.anomalies;
  const savings = findings.data?.recommendationsSummary;
  const [worst] = anomalies?.data ?? [];
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, lg: month && !isOver(month) ? 4 : 3 }} spacing="md">
      {month ? <Months month={month} currency={currency} isRough={isRough} /> : <NoMonth />}
      <FigureCard
        label="Savings available"
        href="/recommendations"
        value={savings ? <>{wholeMoney(savings.totalEstimatedMonthlySavings, savings.currency)}</> : '–'}
        below={savings && <SavingsBelow savings={savings} />}
      />
      <FigureCard
        label="Open anomalies"
        href="/anomalies?status=open"
        value={anomalies ? count(anomalies.pagination.total) : '–'}
        below={anomalies && (worst ? `Largest: ${impactOf(worst)}, ${worst.service}` : 'No open anomalies')}
      />
    </SimpleGrid>
  );
}

/** Number of recommendations in the savings headline, and the savings that it excludes. */
function SavingsBelow({ savings }: { readonly savings: Summary }) {
  const { totalCount, unconverted } = savings;
  return (
    <>
      per month at most, from {counted(totalCount, 'recommendation')}
      {unconverted.length > 0 && <div>{notIncluded(unconverted)}</div>}
    </>
  );
}

/** Impact in the organization's currency, if there is a rate. */
function impactOf({ converted, impact, currency }: AnomalyRow): string {
  return converted ? signedMoney(converted.impact, converted.currency) : signedMoney(impact, currency);
}

/** Whether the bills are complete for the whole month, so that nothing is left to forecast. */
function isOver({ days: { to } }: MonthToDate): boolean {
  return to === monthEnd(to);
}

function Months({ month, currency, isRough }: Pick<Props, 'currency' | 'isRough'> & { readonly month: MonthToDate }) {
  const { days: range, cost, before, beforeCost, expected, lastMonth, unknownChange: unknown } = month;
  const [name, lastName] = [monthName(range.from), monthName(before.from)];
  return (
    <>
      <FigureCard
        label={isOver(month) ? name : `${name} to date`}
        href={costsHref({ from: range.from, to: range.to })}
        value={wholeMoney(cost, currency)}
        below={
          <Compared {...{ now: cost, was: beforeCost, currency, unknown, against: days(before.from, before.to) }}>
            vs. {wholeMoney(beforeCost, currency)}
          </Compared>
        }
      />
      {!isOver(month) && (
        <FigureCard
          label={`${isRough ? 'Rough forecast' : 'Forecast'} for ${name}`}
          href="/forecast"
          value={expected === null ? '–' : wholeMoney(expected, currency)}
          below={
            expected === null ? (
              'Not known yet'
            ) : (
              <Compared {...{ now: expected, was: lastMonth, currency, unknown, against: lastName }}>
                vs. {wholeMoney(lastMonth, currency)}
              </Compared>
            )
          }
        />
      )}
    </>
  );
}

interface ComparedProps {
  readonly now: number;
  readonly was: number;
  readonly currency: string;
  /** Compared period, shown on hover. */
  readonly against: string;
  readonly unknown: MonthToDate['unknownChange'];
  readonly children: ReactNode;
}

function Compared({ now, was, currency, against, unknown, children }: ComparedProps) {
  if (unknown !== null) return <>No comparison: {unknown}</>;
  return (
    <>
      <Change
        percent={changeOf(now, was)}
        amount={{ value: fromMicros(micros(now) - micros(was)), before: was, currency }}
        against={against}
      />{' '}
      {children}
    </>
  );
}

function NoMonth() {
  return <FigureCard label="Month to date" href={costsHref({})} value="–" below="No complete days to compare yet." />;
}

/** Month of the last complete day, compared like for like: its complete days and the same days of the previous month. */
export interface MonthToDate {
  readonly days: DayRange;
  readonly cost: number;
  readonly before: DayRange;
  readonly beforeCost: number;
  /** Why there is no comparison; null if there is one. */
  readonly unknownChange: string | null;
  /** Forecast total of the month; null without a forecast. */
  readonly expected: number | null;
  /** Total of the previous month. */
  readonly lastMonth: number;
}

/** First day that the month to date needs: the previous month is shown whole.
 *  @param lastDay the last complete day */
export function askedSince(lastDay: string): string {
  return monthStart(addMonths(lastDay, -1));
}

/** Computes the month to date; null without bills. */
export function monthToDate(spend: Spend): MonthToDate | null {
  const last = spend.costsDaily?.lastCompleteDay ?? null;
  if (last === null) return null;
  const range = { from: monthStart(last), to: last };
  const before = previousOf(range);
  const month = addMonths(last, -1);
  const known = spend.costsDaily?.days ?? [];
  const { points = [], historyTo = null } = spend.forecast ?? {};
  const whole = { from: range.from, to: monthEnd(last) };
  const expected = expectedIn({ days: known, points, completeTo: historyTo ?? last }, whole);
  return {
    days: range,
    cost: costIn(known, range),
    before,
    beforeCost: costIn(known, before),
    unknownChange: unknownChangeOf(spend.costsDaily, range, { from: month, to: monthEnd(month) }),
    expected: expected && expected.actual + expected.forecast,
    lastMonth: costIn(known, { from: month, to: monthEnd(month) }),
  };
}

/** Why the month cannot be compared with the one before. */
function unknownChangeOf(costs: Spend['costsDaily'], range: DayRange, lastMonth: DayRange): string | null {
  if (costs === null) return null;
  const { currency, dataFrom, missingBills } = costs;
  const excludedIn = ({ from, to }: DayRange) => {
    const all = costs.days.filter(({ date }) => date >= from && date <= to).flatMap(({ unconverted }) => unconverted);
    const byCurrency = Map.groupBy(all, (one) => one.currency);
    return [...byCurrency].map(([of, own]) => ({ currency: of, cost: sumOf(own.map(({ cost }) => cost)) }));
  };
  const previous = { startDate: lastMonth.from, endDate: lastMonth.to, unconverted: excludedIn(lastMonth) };
  return unknownChange({ currency, dataFrom, previous, unconverted: excludedIn(range), missingBills });
}

function costIn(costs: readonly { readonly date: string; readonly cost: number }[], { from, to }: DayRange): number {
  return sumOf(costs.filter(({ date }) => date >= from && date <= to).map(({ cost }) => cost));
}
