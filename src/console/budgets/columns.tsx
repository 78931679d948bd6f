import { Text } from '@mantine/core';
import { Meter } from '../parts/meter.tsx';
import type { Scope } from '../parts/scope.tsx';
import { StatusOf } from '../parts/status.tsx';
import { TwoLines, type Column } from '../parts/table.tsx';
import { money, percent, plainMoney } from '../words/format.ts';
import type { BudgetRow } from './queries.ts';
import { toneOf } from './tone.ts';
import classes from './budgets.module.css';

/** The columns of the list. */
export function columnsOf(scopeWords: (scope: Scope) => string): Column<BudgetRow>[] {
  return [
    {
      key: 'name',
      title: 'Budget',
      sortBy: 'name',
      grow: true,
      cell: (row) => <TwoLines top={row.name} below={scopeWords(row)} />,
    },
    { key: 'used', title: 'Used', sortBy: 'percent_used', cell: (row) => <Used row={row} /> },
    {
      key: 'remaining',
      title: 'Remaining',
      sortBy: 'remaining',
      align: 'right',
      hideOn: 'tablet',
      cell: ({ remaining, currency }) => money(remaining, currency),
    },
    {
      key: 'forecast',
      title: 'Forecast',
      sortBy: 'forecasted_spend',
      align: 'right',
      hideOn: 'phone',
      cell: (row) => <ForecastCell row={row} />,
    },
    { key: 'status', title: 'Status', hideOn: 'phone', cell: ({ status }) => <StatusOf value={status} /> },
  ];
}

function Used({ row }: { readonly row: BudgetRow }) {
  const { name, amount, currency, currentSpend, percentUsed, status } = row;
  return (
    <div className={classes.used}>
      <div className={classes.usedText}>
        <span>
          {money(currentSpend, currency)}{' '}
          <Text span size="xs" c="dimmed">
            of {plainMoney(amount, currency)}
          </Text>
        </span>
        <span>{percent(percentUsed)}</span>
      </div>
      <Meter percent={percentUsed} tone={toneOf(status)} label={`Used of ${name}`} />
    </div>
  );
}

function ForecastCell({ row: { forecastedSpend, amount, currency } }: { readonly row: BudgetRow }) {
  if (forecastedSpend === null) return <>–</>;
  const over = forecastedSpend - amount;
  const share = percent((forecastedSpend / amount) * 100, 0);
  return (
    <TwoLines
      top={money(forecastedSpend, currency)}
      below={over > 0 ? <span className={classes.over}>{share}, over budget</span> : share}
    />
  );
}
