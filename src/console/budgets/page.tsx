import { Alert, Group, Stack, Text } from '@mantine/core';
import { IconCurrencyDollar, IconTargetArrow } from '@tabler/icons-react';
import { Muted } from '../parts/form/menu.tsx';
import { useMay } from '../api/me.tsx';
import { useScopeWords, type Scope } from '../parts/choices/scope.tsx';
import { anyOf, byAccount, byProvider, byService, bySubAccount, byTagKey, useList } from '../parts/list/definition.tsx';
import { ListPage, NewButton } from '../parts/list/list.tsx';
import { TwoLines, type Column, moneyColumn } from '../parts/list/table.tsx';
import { MissingBills } from '../parts/page/caveats.tsx';
import { Empty, TextLink } from '../parts/page/page.tsx';
import { counted, money, percent, plainMoney } from '../words/format.ts';
import { periods } from './period.ts';
import { BudgetsQuery, type BudgetRow } from './queries.ts';
import { BudgetStatusCell, UsedMeter } from './status.tsx';

const list = {
  csv: ['/budgets', 'budgets'],
  // Budgets that need attention first.
  sort: '-percent_used',
  filters: {
    projectedStatus: anyOf('status', 'Status', ['EXCEEDED', 'WARNING', 'AT_RISK', 'OK']),
    accountId: byAccount,
    provider: byProvider,
    service: byService,
    subAccountId: bySubAccount,
    tagKey: byTagKey,
    period: anyOf('period', 'Period', ['MONTHLY', 'QUARTERLY', 'YEARLY']),
  },
} as const;

/** Budget list, highest usage first. */
export function BudgetsPage() {
  const scopeWords = useScopeWords();
  const newButton = useMay('budgets.write') && <NewButton href="/budgets/new">New budget</NewButton>;
  const budgets = useList(list, BudgetsQuery);
  return (
    <ListPage
      views="BUDGETS"
      title="Budgets"
      lead="Monthly, quarterly and yearly budgets (UTC) and current spend."
      actions={newButton}
      list={budgets}
      columns={columnsOf(scopeWords)}
      hrefOf={({ id }) => `/budgets/${id}`}
      noun={['budget']}
      empty={
        <Empty
          icon={IconTargetArrow}
          title="No budgets yet"
          text="A budget compares spend per month, quarter or year with a limit, in total or for an account, service or tag, and alerts you before the limit is reached."
          action={newButton}
        />
      }
      note={<Muted size="xs">Spend in the current period through today, including days with incomplete bills.</Muted>}
    >
      <Excluding rows={budgets.rows} />
    </ListPage>
  );
}

/** Names the missing bills of budgets and the currencies of costs that they exclude. Sums could count costs several times: budgets
 *  overlap. */
function Excluding({ rows }: { readonly rows: readonly BudgetRow[] }) {
  const incomplete = rows.filter(({ unconverted }) => unconverted.length > 0);
  const missing = incomplete.flatMap(({ currency, unconverted }) =>
    unconverted.map((one) => `${one.currency} to ${currency}`),
  );
  return (
    <>
      <MissingBills bills={rows.flatMap(({ missingBills }) => missingBills)} />
      {incomplete.length > 0 && (
        <Alert color="yellow" icon={<IconCurrencyDollar size={18} aria-hidden />}>
          {counted(incomplete.length, 'budget')} {incomplete.length === 1 ? 'excludes' : 'exclude'} costs without an
          exchange rate: {[...new Set(missing)].sort().join(', ')}.{' '}
          <TextLink href="/settings/exchange-rates" inherit underline="always">
            Exchange rates
          </TextLink>
        </Alert>
      )}
    </>
  );
}

function columnsOf(scopeWords: (scope: Scope) => string): Column<BudgetRow>[] {
  return [
    {
      title: 'Budget',
      sortBy: 'name',
      grow: true,
      cell: (row) => <TwoLines top={row.name} below={`${periods[row.period].label} · ${scopeWords(row)}`} />,
    },
    { title: 'Used', sortBy: 'percent_used', cell: (row) => <Used row={row} /> },
    moneyColumn('Remaining', 'remaining', { sortBy: 'remaining', hideOn: 'tablet' }),
    {
      title: 'Forecast',
      sortBy: 'forecasted_spend',
      align: 'right',
      hideOn: 'phone',
      cell: (row) => <ForecastCell row={row} />,
    },
    { title: 'Status', hideOn: 'phone', cell: (row) => <BudgetStatusCell budget={row} /> },
  ];
}

function Used({ row }: { readonly row: BudgetRow }) {
  const { name, amount, currency, currentSpend, percentUsed } = row;
  return (
    <Stack gap={5} miw={{ base: 130, sm: 220 }}>
      <Group justify="space-between" gap="0 8px">
        <span>
          {currentSpend === null ? '–' : money(currentSpend, currency)}{' '}
          <Text span size="xs" c="dimmed">
            of {plainMoney(amount, currency)}
          </Text>
        </span>
        {percentUsed !== null && <span>{percent(percentUsed)}</span>}
      </Group>
      <UsedMeter budget={row} label={`Budget ${name}`} />
    </Stack>
  );
}

function ForecastCell({ row: { forecastedSpend, amount, currency } }: { readonly row: BudgetRow }) {
  if (forecastedSpend === null) return <>–</>;
  const over = forecastedSpend - amount;
  const share = percent((forecastedSpend / amount) * 100, 0);
  return (
    <TwoLines
      top={money(forecastedSpend, currency)}
      below={over > 0 ? <span style={{ color: 'var(--bad)' }}>{share}, over budget</span> : share}
    />
  );
}
