import { Muted } from '../parts/form/menu.tsx';
import { Card, Status } from '../parts/page/card.tsx';
import { Empty } from '../parts/page/page.tsx';
import { DataTable, TwoLines, type Column } from '../parts/list/table.tsx';
import { moment, money, plainPercent, shortDay } from '../words/format.ts';
import { reachedOn, type Burn } from './burn-chart.tsx';
import { periods } from './period.ts';
import type { BudgetDetails } from './queries.ts';

interface Props {
  readonly budget: BudgetDetails;
  /** Null while the daily costs are unknown or in another currency. */
  readonly burn: Burn | null;
}

interface Row {
  readonly threshold: number;
  readonly amount: number;
  readonly alert: BudgetDetails['alerts'][number] | null;
  readonly isPassed: boolean;
  /** Expected date of reaching the threshold, in words. */
  readonly expected: string;
}

/** Thresholds of a budget: those alerted in this period, and when the others are expected. */
export function ThresholdsCard({ budget, burn }: Props) {
  const { currency, alertThresholds } = budget;
  const { noun } = periods[budget.period];
  const columns: Column<Row>[] = [
    { title: 'Threshold', cell: ({ threshold }) => plainPercent(threshold) },
    { title: 'Spend', align: 'right', hideOn: 'half', cell: ({ amount }) => money(amount, currency) },
    { title: `This ${noun}`, grow: true, cell: (row) => <State row={row} currency={currency} /> },
  ];
  return (
    <Card title="Alerts" note={`One alert per threshold and ${noun}`} flush>
      {alertThresholds.length === 0 ? (
        <Empty title="No alerts" text="No thresholds set." />
      ) : (
        <DataTable
          label="Alert thresholds"
          rows={rowsOf(budget, burn)}
          columns={columns}
          keyOf={({ threshold }) => String(threshold)}
        />
      )}
    </Card>
  );
}

/** All thresholds, including removed ones that had already alerted. */
function rowsOf(budget: BudgetDetails, burn: Burn | null): Row[] {
  const { amount, alertThresholds, alerts, percentUsed } = budget;
  const all = new Set([...alertThresholds, ...alerts.map(({ threshold }) => threshold)]);
  return [...all]
    .toSorted((a, b) => a - b)
    .map((threshold) => ({
      threshold,
      amount: (amount * threshold) / 100,
      alert: alerts.find((alert) => alert.threshold === threshold) ?? null,
      isPassed: percentUsed !== null && percentUsed >= threshold,
      expected: expectedWords(budget, burn, (amount * threshold) / 100),
    }));
}

/** Without daily costs (for example in another currency), the forecast still shows whether the period reaches an amount. */
function expectedWords({ period, forecastedSpend }: BudgetDetails, burn: Burn | null, amount: number): string {
  const day = burn && reachedOn(burn, amount);
  if (day) return `Expected on ${shortDay(day)}`;
  if (forecastedSpend === null) return 'Not known yet';
  return forecastedSpend >= amount ? `Expected this ${periods[period].noun}` : 'Not expected';
}

function State({ row, currency }: { readonly row: Row; readonly currency: string }) {
  const { alert, isPassed, expected } = row;
  if (alert)
    return (
      <TwoLines
        top={<Status value="ALERTED" tone="bad" label={`Alerted ${moment(alert.triggeredAt)}`} />}
        below={`At a spend of ${money(alert.spend, currency)}`}
      />
    );
  if (isPassed) return <Status value="PASSED" tone="warn" label="Reached" />;
  return <Muted>{expected}</Muted>;
}
