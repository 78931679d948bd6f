import { SimpleGrid } from '@mantine/core';
import type { ReactNode } from 'react';
import { costsHref } from '../costs/address.ts';
import { previousOf } from '../costs/period.ts';
import { changeOf, fromMicros, micros, sumOf } from '../costs/table/rows.ts';
import { expectedIn } from '../forecast/expected.ts';
import type { DayRange } from '../parts/list/day-range.tsx';
import { Change, FigureCard } from '../parts/page/card.tsx';
import { beginsBefore } from '../../kit/time/compared-days.ts';
import { addMonths, monthEnd, monthStart } from '../words/days.ts';
import { count, counted, days, month as monthName, noCostsBefore, signedMoney, wholeMoney } from '../words/format.ts';
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
    <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} spacing="md">
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

function Months({ month, currency, isRough }: Pick<Props, 'currency' | 'isRough'> & { readonly month: MonthToDate }) {
  const { days: range, cost, before, beforeCost, expected, lastMonth, missesBefore } = month;
  const [name, lastName] = [monthName(range.from), monthName(before.from)];
  return (
    <>
      <FigureCard
        label={`${name} to date`}
        href={costsHref({ from: range.from, to: range.to })}
        value={wholeMoney(cost, currency)}
        below={
          <Compared {...{ now: cost, was: beforeCost, currency, missesBefore, against: days(before.from, before.to) }}>
            vs. {wholeMoney(beforeCost, currency)}
          </Compared>
        }
      />
      <FigureCard
        label={`${isRough ? 'Rough forecast' : 'Forecast'} for ${name}`}
        href="/forecast"
        value={expected === null ? '–' : wholeMoney(expected, currency)}
        below={
          expected === null ? (
            'Not known yet'
          ) : (
            <Compared {...{ now: expected, was: lastMonth, currency, missesBefore, against: lastName }}>
              vs. {wholeMoney(lastMonth, currency)}
            </Compared>
          )
        }
      />
    </>
  );
}

interface ComparedProps {
  readonly now: number;
  readonly was: number;
  readonly currency: string;
  /** Compared period, shown on hover. */
  readonly against: string;
  readonly missesBefore: MonthToDate['missesBefore'];
  readonly children: ReactNode;
}

function Compared({ now, was, currency, against, missesBefore, children }: ComparedProps) {
  if (missesBefore !== null) return <>No comparison: {noCostsBefore(missesBefore)}</>;
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
  /** The first day with costs, if it is after the first one of `before`. */
  readonly missesBefore: string | null;
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
  const start = spend.costsDaily?.dataFrom ?? null;
  const { points = [], historyTo = null } = spend.forecast ?? {};
  const whole = { from: range.from, to: monthEnd(last) };
  const expected = expectedIn({ days: known, points, completeTo: historyTo ?? last }, whole);
  return {
    days: range,
    cost: costIn(known, range),
    before,
    beforeCost: costIn(known, before),
    missesBefore: beginsBefore(before.from, start) ? start : null,
    expected: expected && expected.actual + expected.forecast,
    lastMonth: costIn(known, { from: month, to: monthEnd(month) }),
  };
}

function costIn(costs: readonly { readonly date: string; readonly cost: number }[], { from, to }: DayRange): number {
  return sumOf(costs.filter(({ date }) => date >= from && date <= to).map(({ cost }) => cost));
}
