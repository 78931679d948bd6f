import { SimpleGrid } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Answer } from '../api/use-answer.ts';
import { costsHref } from '../costs/address.ts';
import { changeOf, fromMicros, micros } from '../costs/exact.ts';
import { FigureCard } from '../parts/figure-card.tsx';
import { Change } from '../parts/figures.tsx';
import { count, counted, days, money, month as monthName, signedMoney, wholeMoney } from '../words/format.ts';
import type { MonthToDate } from './month.ts';
import type { Findings } from './queries.ts';

interface Props {
  readonly month: MonthToDate | null;
  readonly currency: string;
  readonly findings: Answer<Findings>;
  /** The forecast knows little history. */
  readonly isRough: boolean;
}

/** The figures that one comes for. */
export function Headlines({ month, currency, findings, isRough }: Props) {
  const { anomalies, recommendationsSummary: savings } = findings.data ?? {};
  const [worst] = anomalies?.data ?? [];
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} spacing="md">
      {month ? <Months month={month} currency={currency} isRough={isRough} /> : <NoMonth />}
      <FigureCard
        label="Savings available"
        href="/recommendations"
        value={savings ? <>{wholeMoney(savings.totalEstimatedMonthlySavings, savings.currency)}</> : '–'}
        below={savings ? `a month, by ${counted(savings.totalCount, 'recommendation')}` : null}
      />
      <FigureCard
        label="Open anomalies"
        href="/anomalies?status=open"
        value={anomalies ? count(anomalies.pagination.total) : '–'}
        below={
          worst
            ? `${signedMoney(worst.impact, worst.currency)} the largest, ${worst.service}`
            : 'Nothing unusual is open'
        }
      />
    </SimpleGrid>
  );
}

function Months({ month, currency, isRough }: Pick<Props, 'currency' | 'isRough'> & { readonly month: MonthToDate }) {
  const { days: range, cost, before, beforeCost, expected, lastMonth } = month;
  const [name, lastName] = [monthName(range.from), monthName(before.from)];
  return (
    <>
      <FigureCard
        label={`${name} to date`}
        href={costsHref({ from: range.from, to: range.to })}
        value={money(cost, currency)}
        below={
          <Compared {...{ now: cost, was: beforeCost, currency }}>
            {days(range.from, range.to)}, against {money(beforeCost, currency)} in {days(before.from, before.to)}
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
            <Compared {...{ now: expected, was: lastMonth, currency }}>
              against {wholeMoney(lastMonth, currency)} in {lastName}
              {expected > 0 && `; ${Math.round((cost / expected) * 100)}% is spent`}
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
  readonly children: ReactNode;
}

function Compared({ now, was, currency, children }: ComparedProps) {
  return (
    <>
      <Change percent={changeOf(now, was)} amount={{ value: fromMicros(micros(now) - micros(was)), currency }} />{' '}
      {children}
    </>
  );
}

function NoMonth() {
  return (
    <FigureCard
      label="Month to date"
      href={costsHref({})}
      value="–"
      below="No day of this month or the last is complete yet: comparing would mislead."
    />
  );
}
