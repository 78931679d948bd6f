import { Stack } from '@mantine/core';
import { Act, Muted } from '../parts/form/menu.tsx';
import { StackedBars } from '../charts/stacked-bars.tsx';
import { useAnswer } from '../api/use-api.ts';
import { MonthlyCosts, scopeArguments } from '../costs/totals.ts';
import { Card, type Fact, Facts } from '../parts/page/card.tsx';
import { Empty, Shown } from '../parts/page/page.tsx';
import { addDays, addMonths, monthStart, today } from '../words/days.ts';
import { money, month, percent } from '../words/format.ts';
import type { BudgetForm } from './budget-form.tsx';

interface Props {
  readonly form: BudgetForm;
  readonly currency: string;
  onUse(amount: number): void;
}

/** Cost of the budget's scope in the last six complete months, to help choose an amount. */
export function HistoryCard({ form, currency, onUse }: Props) {
  const now = monthStart(today());
  const range = { startDate: addMonths(now, -6), endDate: addDays(now, -1) };
  const answer = useAnswer(MonthlyCosts, { ...range, ...scopeArguments(form), costMetric: form.costMetric });
  return (
    <Card title="The last six months" note="of this scope and cost basis">
      <Shown of={answer} height={260}>
        {({ costsSummary }) => {
          // Months before the first bill would skew the average.
          const periods = costsSummary?.periods ?? [];
          const months = periods.slice(periods.findIndex(({ cost }) => cost !== 0));
          return costsSummary && months.some(({ cost }) => cost !== 0) ? (
            <History
              months={months}
              of={costsSummary.currency}
              currency={currency}
              amount={form.amount}
              onUse={onUse}
            />
          ) : (
            <Empty title="No cost" text="No costs of this scope in the last six months." />
          );
        }}
      </Shown>
    </Card>
  );
}

interface HistoryProps {
  readonly months: readonly { readonly periodStart: string; readonly cost: number }[];
  /** Currency of the monthly costs. */
  readonly of: string;
  readonly currency: string;
  readonly amount: number | null;
  onUse(amount: number): void;
}

const series = [{ key: 'cost', label: 'Cost', colour: 'var(--chart-1)' }];

function History({ months, of, currency, amount, onUse }: HistoryProps) {
  const average = months.reduce((sum, { cost }) => sum + cost, 0) / months.length;
  const last = months.at(-1)?.cost ?? 0;
  const most = months.reduce((found, one) => (one.cost > found.cost ? one : found));
  const use = (value: number) => (of === currency && value > 0 ? () => onUse(rounded(value)) : null);
  return (
    <Stack gap="sm">
      <StackedBars
        label={`Cost of ${months.length} months, ${money(average, of)} on average.`}
        stacks={months.map(({ periodStart, cost }) => ({
          key: periodStart,
          label: month(periodStart).slice(0, 3),
          title: month(periodStart),
          parts: [cost],
        }))}
        series={series}
        currency={of}
        height={150}
      />
      <Facts
        facts={[
          fact('Average', average, of, use(average)),
          fact('Last month', last, of, use(last)),
          fact(`Highest, ${month(most.periodStart)}`, most.cost, of, use(most.cost)),
        ]}
      />
      <Compared amount={of === currency ? amount : null} average={average} />
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

function Compared({ amount, average }: { readonly amount: number | null; readonly average: number }) {
  if (amount === null || !(average > 0)) return null;
  return <Muted role="status">The amount is {percent((amount / average) * 100)} of the average month.</Muted>;
}

/** Rounds up to three significant digits. */
function rounded(value: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(value)) - 2);
  return Math.ceil(value / step) * step;
}
