import * as operations from '../../../../schema/operations.ts';
import { useEffect } from 'react';
import { graphql, type RecordOf } from '../../api/graphql.ts';
import { useAnswer } from '../../api/use-api.ts';
import { Pager } from '../../parts/list/list.tsx';
import { type Column, DataTable } from '../../parts/list/table.tsx';
import { pageOf, type UrlState, useUrlState } from '../../parts/list/url-state.ts';
import { Card, StatusOf } from '../../parts/page/card.tsx';
import { Shown } from '../../parts/page/page.tsx';
import { count, counted, moment } from '../../words/format.ts';
import { type Account, syncSign } from '../queries.ts';

const AccountSyncs = graphql(operations.accountSyncs, [graphql(operations.SyncRunFields)]);

type Run = RecordOf<typeof AccountSyncs>;

/** Ended syncs of an account, newest first; none before the first one. */
export function HistoryCard({ account }: { readonly account: Account }) {
  const url = useUrlState();
  // The page may also have the list of uploaded files, which has its own page number.
  const state: UrlState = { ...url, set: ({ page = null }) => url.set({ syncs: page, page: url.all('page') }) };
  const answer = useAnswer(AccountSyncs, {
    id: account.id,
    page: pageOf({ ...url, one: () => url.one('syncs') }),
    perPage: 10,
  });
  const { again } = answer;
  const sign = syncSign(account);
  useEffect(again, [sign, again]);
  const found = answer.data?.accountSyncs;
  if (found?.pagination.total === 0) return null;
  return (
    <Card title="History" note="Syncs in the last 90 days" flush>
      <Shown of={answer} height={200}>
        {({ accountSyncs }) =>
          accountSyncs && (
            <>
              <DataTable label="History" rows={accountSyncs.data} columns={columns} />
              <Pager of={accountSyncs.pagination} state={state} noun={['sync', 'syncs']} />
            </>
          )
        }
      </Shown>
    </Card>
  );
}

const columns: readonly Column<Run>[] = [
  { title: 'Started', cell: ({ startedAt }) => moment(startedAt) },
  { title: 'Status', cell: ({ status }) => <StatusOf value={status} /> },
  { title: 'Duration', align: 'right', cell: (run) => durationOf(run) },
  { title: 'Line items', align: 'right', hideOn: 'half', cell: ({ rows }) => count(rows) },
  {
    title: 'Error',
    grow: true,
    hideOn: 'phone',
    cell: ({ error }) => <span style={{ overflowWrap: 'anywhere' }}>{error ?? ''}</span>,
  },
];

/** Duration of a sync, such as `3 min 20 s`. */
function durationOf({ startedAt, finishedAt }: Run): string {
  const seconds = Math.round((Date.parse(finishedAt) - Date.parse(startedAt)) / 1000);
  if (seconds < 60) return `${seconds} s`;
  return seconds < 3600
    ? `${Math.floor(seconds / 60)} min ${seconds % 60} s`
    : `${counted(Math.floor(seconds / 3600), 'hour')} ${Math.floor((seconds % 3600) / 60)} min`;
}
