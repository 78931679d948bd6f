import { Stack } from '@mantine/core';
import { Act, Muted } from '../parts/form/menu.tsx';
import { StackChart } from '../charts/stack-chart.tsx';
import { useAnswer } from '../api/use-api.ts';
import { MonthlyCosts } from '../costs/totals.ts';
import { Card, type Fact, Facts } from '../parts/page/card.tsx';
import { Caveats } from '../parts/page/caveats.tsx';
import { Empty, Shown } from '../parts/page/page.tsx';
import { scopeArguments, scopeValues, type Scope } from '../parts/choices/scope.tsx';
import { addDays, addMonths, today } from '../words/days.ts';
import { counted, money, month, percent } from '../words/format.ts';
import { periodName, periods, periodStart } from './period.ts';
import type { BudgetDetails } from './queries.ts';

interface Props {
  readonly form: Scope & Pick<BudgetDetails, 'period' | 'costMetric'> & { readonly amount: number | null };
  readonly currency: string;
  onUse(amount: number): void;
}

/** Number of periods shown of each kind, and the title. */
const shown = {
  MONTHLY: { count: 6, title: 'The last six months' },
  QUARTERLY: { count: 4, title: 'The last four quarters' },
  YEARLY: { count: 2, title: 'The last two years' },
} as const satisfies Record<BudgetDetails['period'], { count: number; title: string }>;

/** Cost of the budget's scope in the last complete periods, to help choose an amount. */
export function HistoryCard({ form, currency, onUse }: Props) {
  const { period, amount, costMetric } = form;
  const { count, title } = shown[period];
  const now = periodStart(period, today());
  const range = { startDate: addMonths(now, -count * periods[period].months), endDate: addDays(now, -1) };
  const answer = useAnswer(MonthlyCosts, { ...range, ...scopeArguments(scopeValues(form)), costMetric });
  return (
    <Card title={title} note="of this scope and cost metric">
      <Shown of={answer} height={260}>
        {({ costsSummary }) => {
          const known = costsSummary && sumsOf(period, costsSummary);
          const hasCosts = costsSummary?.periods.some(({ cost }) => cost !== 0) ?? false;
          return (
            <Stack gap="sm">
              {costsSummary && <Caveats of={costsSummary} />}
              {known && known.some(isWhole) ? (
                <History period={period} sums={known} of={costsSummary.currency} {...{ currency, amount, onUse }} />
              ) : (
                <Empty
                  title={hasCosts ? `No complete ${periods[period].noun}` : 'No cost'}
                  text={
                    known && known.length > 0
                      ? `Each ${periods[period].noun} has a missing bill or costs without an exchange rate.`
                      : hasCosts
                        ? `The costs of this scope do not cover a whole ${periods[period].noun} yet.`
                        : `No costs of this scope in ${title.toLowerCase()}.`
                  }
                />
              )}
            </Stack>
          );
        }}
      </Shown>
    </Card>
  );
}

/** Cost of one period. */
interface Sum {
  readonly start: string;
  readonly cost: number;
  /** Costs without an exchange rate or of a missing bill are not included: such periods would skew the average, too. */
  readonly isPartial: boolean;
}

function isWhole({ isPartial }: Sum): boolean {
  return !isPartial;
}

interface Month {
  readonly periodStart: string;
  readonly cost: number;
  readonly unconverted: readonly object[];
}

interface Costs {
  readonly periods: readonly Month[];
  readonly missingBills: readonly { readonly month: string }[];
}

/** Sums months by period, from the first period that has costs in all of its months: others would skew the average. */
function sumsOf(kind: BudgetDetails['period'], { periods: months, missingBills }: Costs): Sum[] {
  const since = months.find(({ cost }) => cost !== 0)?.periodStart;
  if (since === undefined) return [];
  const missing = new Set(missingBills.map((bill) => bill.month));
  const groups = Map.groupBy(months, (one) => periodStart(kind, one.periodStart));
  const sums = [...groups].map(([start, own]) => ({
    start,
    cost: own.reduce((sum, { cost }) => sum + cost, 0),
    isPartial: own.some(({ periodStart: day, unconverted }) => unconverted.length > 0 || missing.has(day.slice(0, 7))),
  }));
  return sums.filter(({ start }) => start >= since);
}

interface HistoryProps {
  readonly period: BudgetDetails['period'];
  readonly sums: readonly Sum[];
  /** Currency of the costs. */
  readonly of: string;
  readonly currency: string;
  readonly amount: number | null;
  onUse(amount: number): void;
}

const series = [{ key: 'cost', label: 'Cost', colour: 'var(--chart-1)' }];

function History({ period, sums, of, currency, amount, onUse }: HistoryProps) {
  const { noun } = periods[period];
  const whole = sums.filter(isWhole);
  const average = whole.reduce((sum, { cost }) => sum + cost, 0) / whole.length;
  const last = sums.at(-1);
  const most = whole.reduce((found, one) => (one.cost > found.cost ? one : found));
  const use = (value: number) => (of === currency && value > 0 ? () => onUse(rounded(value)) : null);
  return (
    <Stack gap="sm">
      <StackChart
        label={`Cost of ${counted(sums.length, noun)}, ${money(average, of)} on average over ${counted(whole.length, `complete ${noun}`)}.`}
        stacks={sums.map(({ start, cost }) => ({
          key: start,
          label: period === 'MONTHLY' ? month(start).slice(0, 3) : periodName(period, start),
          title: periodName(period, start),
          parts: [cost],
        }))}
        series={series}
        currency={of}
        height={150}
      />
      <Facts
        facts={[
          fact('Average', average, of, use(average)),
          ...(last && isWhole(last) ? [fact(`Last ${noun}`, last.cost, of, use(last.cost))] : []),
          fact(`Highest, ${periodName(period, most.start)}`, most.cost, of, use(most.cost)),
        ]}
      />
      <Compared amount={of === currency ? amount : null} average={average} noun={noun} />
    </Stack>
  );
}

function fact(name: string, value: number, currency: string, use: (() => void) | null): Fact {
  return [
    name,
    <span key={name} style={{ display: 'flex', justifyContent: 'space-between', gap: 8 }}>
      {money(value, currency)}
      {use && (
        <Act label="Use" variant="subtle" size="compact-xs" onClick={use} aria-label={`Use as amount: ${name}`} />
      )}
    </span>,
  ];
}

interface ComparedProps {
  readonly amount: number | null;
  readonly average: number;
  readonly noun: string;
}

function Compared({ amount, average, noun }: ComparedProps) {
  if (amount === null || amount <= 0 || !(average > 0)) return null;
  return (
    <Muted role="status">
      The amount is {percent((amount / average) * 100)} of the average {noun}.
    </Muted>
  );
}

/** Rounds up to three significant digits. */
function rounded(value: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(value)) - 2);
  return Math.ceil(value / step) * step;
}
