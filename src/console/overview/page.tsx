import { SimpleGrid, Skeleton, Stack } from '@mantine/core';
import { useMemo } from 'react';
import { Redirect } from 'wouter';
import { LoadingNote } from '../accounts/loading-note.tsx';
import { SampleNote } from '../accounts/sample/sample.tsx';
import { AccountList, isSyncing, syncSign, type AccountRow } from '../accounts/queries.ts';
import type { ResultOf } from '../api/graphql.ts';
import { useMe } from '../api/me.tsx';
import { useAgainWhen, useAnswer, type Answer } from '../api/use-api.ts';
import { lastDayOf } from '../costs/last-day.ts';
import { LastCompleteDay } from '../costs/queries.ts';
import { Caveats } from '../parts/page/caveats.tsx';
import { MailNote } from '../parts/page/mail-note.tsx';
import { Page, Shown, usePolling } from '../parts/page/page.tsx';
import { useUrlState } from '../parts/list/url-state.ts';
import { firstDashboard, overview } from '../dashboards/rights.ts';
import { DashboardSwitcher } from '../dashboards/switcher.tsx';
import { addDays, today } from '../words/days.ts';
import { AnomaliesCard, BudgetsCard, FreshnessCard, SavingsCard } from './cards.tsx';
import { Checklist, FirstSteps, useTasks } from './get-started.tsx';
import { askedSince, Headlines, monthToDate, type MonthToDate } from './headlines.tsx';
import { OverviewSpend, useFindings, type Findings, type Spend } from './queries.ts';
import { UnitCostsCard } from './unit-costs-card.tsx';
import { TopAccounts, TopServices, TrendCard } from './spend-cards.tsx';

/** Overview page: spend, its trend and what needs attention; or the dashboard that the member opens first. */
export function OverviewPage() {
  const first = firstDashboard(useMe());
  const isAsked = useUrlState().has('dashboard');
  return first !== overview && !isAsked ? <Redirect to={`/dashboards/${first}`} replace /> : <Overview />;
}

function Overview() {
  const { organization } = useMe();
  const accounts = useAnswer(AccountList, {
    status: ['CONNECTED', 'DISCONNECTED'],
    sortBy: 'COMPLETE_THROUGH_ASC',
    perPage: 25,
  });
  const known = useAnswer(LastCompleteDay, {}, { isLasting: true });
  const lastDay = lastDayOf(known.data);
  const spend = useAnswer(
    OverviewSpend,
    { since: askedSince(lastDay), from: addDays(lastDay, -29), to: today() },
    { pause: known.data === null, isLasting: true },
  );
  usePolling(accounts, (data) => rowsOf(data).some(isSyncing), 2500);
  const loaded =
    accounts.data &&
    rowsOf(accounts.data)
      .map((account) => `${account.id} ${syncSign(account)}`)
      .join();
  useAgainWhen(loaded, known);
  useAgainWhen(loaded, spend);
  const findings = useFindings(loaded);
  return (
    <Page
      title="Overview"
      lead={organization.name}
      actions={<DashboardSwitcher current={null} />}
      reads={['dashboard', 'by']}
    >
      <MailNote />
      <SampleNote />
      <Shown of={{ ...accounts, isStale: false }} skeleton={<Waiting />}>
        {(data) => {
          const rows = rowsOf(data);
          const isNew = rows.every(({ dataTo }) => dataTo === null);
          if (isNew) return <FirstSteps accounts={rows} />;
          const total = data.accounts?.pagination.total ?? rows.length;
          return <Dashboard {...{ accounts: rows, total, spend, findings, loaded }} />;
        }}
      </Shown>
    </Page>
  );
}

function rowsOf({ accounts }: ResultOf<typeof AccountList>) {
  return accounts?.data ?? [];
}

interface Props {
  /** Connected and disconnected accounts, oldest bills first. */
  readonly accounts: readonly AccountRow[];
  /** Total number of accounts. */
  readonly total: number;
  readonly spend: Answer<Spend>;
  readonly findings: Findings;
  /** Changes when a sync starts or ends. */
  readonly loaded: string | null;
}

/** Overview of an organization with costs: spend first, then its breakdown and what needs attention. */
function Dashboard({ accounts, total, spend, findings, loaded }: Props) {
  const { hasBudgets } = useTasks();
  const month = useMemo(() => spend.data && monthToDate(spend.data), [spend.data]);
  const costs = spend.data?.costsDaily;
  const isPartial = costs ? costs.unconverted.length + costs.missingBills.length > 0 : false;
  return (
    <Stack gap="md">
      <LoadingNote />
      <Checklist />
      <Shown of={spend} skeleton={<Waiting />}>
        {(data) => <SpendPart spend={data} month={month} findings={findings} loaded={loaded} />}
      </Shown>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <Stack gap="md">
          {month && <TopServices month={month} loaded={loaded} />}
          <Shown of={findings} height={240}>
            {({ anomalies }) => <AnomaliesCard anomalies={anomalies} />}
          </Shown>
          <FreshnessCard accounts={accounts} total={total} />
        </Stack>
        <Stack gap="md">
          {month && <TopAccounts month={month} loaded={loaded} />}
          <Shown of={findings} height={240}>
            {({ budgetsAtRisk }) => (
              <BudgetsCard atRisk={budgetsAtRisk} hasBudgets={hasBudgets} isPartial={isPartial} />
            )}
          </Shown>
          <Shown of={findings} height={240}>
            {({ recommendationsSummary }) => <SavingsCard summary={recommendationsSummary} />}
          </Shown>
          {month && <UnitCostsCard lastDay={month.days.to} loaded={loaded} />}
        </Stack>
      </SimpleGrid>
    </Stack>
  );
}

interface SpendProps {
  readonly spend: Spend;
  readonly month: MonthToDate | null;
  readonly findings: Findings;
  readonly loaded: string | null;
}

function SpendPart({ spend, month, findings, loaded }: SpendProps) {
  const { costsDaily, forecast } = spend;
  if (!costsDaily) return null;
  const { currency } = costsDaily;
  return (
    <Stack gap="md">
      <Headlines month={month} currency={currency} findings={findings} isRough={forecast?.lowHistory ?? false} />
      <Caveats of={costsDaily} />
      <TrendCard spend={spend} loaded={loaded} />
    </Stack>
  );
}

function Waiting() {
  return (
    <Stack gap="md">
      <Skeleton height={104} radius="md" aria-label="Loading" />
      <Skeleton height={340} radius="md" />
    </Stack>
  );
}
