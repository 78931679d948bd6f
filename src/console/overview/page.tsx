import { Skeleton, Stack } from '@mantine/core';
import { useMe } from '../api/me.tsx';
import { useAnswer } from '../api/use-answer.ts';
import type { ResultOf } from '../api/graphql.ts';
import { AccountList, isSyncing } from '../accounts/queries.ts';
import { Page } from '../parts/page.tsx';
import { usePolling } from '../parts/polling.ts';
import { Shown } from '../parts/shown.tsx';
import { addDays, today } from '../words/days.ts';
import { Dashboard } from './dashboard.tsx';
import { FirstRun } from './first-run.tsx';
import { askedSince } from './month.ts';
import { OverviewFindings, OverviewSpend } from './queries.ts';
import { useAgainWhen } from './use-again-when.ts';

/** What one opens in the morning: what was spent, whether that is much, and what wants attention. */
export function OverviewPage() {
  const { organization } = useMe();
  const accounts = useAnswer(AccountList, { status: ['CONNECTED', 'DISCONNECTED'], sortBy: 'COMPLETE_THROUGH_ASC' });
  const to = today();
  const spend = useAnswer(OverviewSpend, { since: askedSince(to), from: addDays(to, -29), to });
  const findings = useAnswer(OverviewFindings, {});
  usePolling(accounts, (data) => rowsOf(data).some(isSyncing), 2500);
  const loaded =
    accounts.data &&
    rowsOf(accounts.data)
      .map(({ id, lastSyncedAt }) => `${id} ${lastSyncedAt ?? ''}`)
      .join();
  useAgainWhen(loaded, spend);
  // What a sync has loaded is looked through after it.
  useAgainWhen(loaded, findings, 8000);
  return (
    <Page title="Overview" lead={organization.name}>
      <Shown of={{ ...accounts, isStale: false }} skeleton={<Waiting />}>
        {(data) => {
          const rows = rowsOf(data);
          const isNew = rows.every(({ dataTo }) => dataTo === null);
          if (isNew) return <FirstRun accounts={rows} />;
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

function Waiting() {
  return (
    <Stack gap="md">
      <Skeleton height={104} radius="md" aria-label="Loading" />
      <Skeleton height={380} radius="md" />
    </Stack>
  );
}
