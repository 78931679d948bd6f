import { Button, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useMe } from '../api/me.tsx';
import { sortValue } from '../api/sort.ts';
import { useAct } from '../api/use-act.ts';
import { useAnswer } from '../api/use-answer.ts';
import { done, failed } from '../parts/done.ts';
import { Empty } from '../parts/empty.tsx';
import { ListCard } from '../parts/list.tsx';
import { Status } from '../parts/status.tsx';
import { TwoLines, type Column } from '../parts/table.tsx';
import { pageOf, useUrlState } from '../parts/url-state.ts';
import { agentName } from '../words/agents.ts';
import { ago, moment } from '../words/format.ts';
import { EndOthersDialog } from './sessions/end-others-dialog.tsx';
import { RevokeSession, Sessions, type Session } from './sessions/queries.ts';
import { SettingsPage } from './settings-page.tsx';

/** Where the caller is logged in. */
export function SessionsPage() {
  const { organizations } = useMe();
  const state = useUrlState();
  const sort = state.one('sort');
  const answer = useAnswer(Sessions, { page: pageOf(state), perPage: 25, sortBy: sortValue(sort) });
  const [isEnding, setEnding] = useState(false);
  const others = (answer.data?.sessions?.pagination.total ?? 1) - 1;
  return (
    <SettingsPage
      title="Sessions"
      lead="Where you are logged in. A session ends 7 days after its login, or when you end it."
      actions={
        others > 0 && (
          <Button variant="default" onClick={() => setEnding(true)}>
            End all others
          </Button>
        )
      }
    >
      <ListCard
        label="Your sessions"
        of={answer}
        page={({ sessions }) => sessions}
        columns={columnsFor(organizations.length > 1)}
        keyOf={({ id }) => id}
        state={state}
        sort={sort}
        noun={['session']}
        empty={<Empty title="No sessions" />}
      />
      {isEnding && <EndOthersDialog others={others} onClose={() => setEnding(false)} />}
    </SettingsPage>
  );
}

/** @param showOrganization there are several */
function columnsFor(showOrganization: boolean): readonly Column<Session>[] {
  return [
    { key: 'agent', title: 'Browser', grow: true, cell: agent },
    ...(showOrganization
      ? [
          {
            key: 'organization',
            title: 'Organization',
            hideOn: 'tablet',
            cell: ({ organizationName }: Session) => organizationName,
          } as const,
        ]
      : []),
    { key: 'method', title: 'Logged in by', hideOn: 'tablet', cell: ({ method }) => methods[method] },
    {
      key: 'created',
      title: 'Logged in',
      sortBy: 'created_at',
      hideOn: 'phone',
      cell: ({ createdAt }) => moment(createdAt),
    },
    {
      key: 'used',
      title: 'Last active',
      sortBy: 'last_used_at',
      hideOn: 'phone',
      cell: ({ lastUsedAt }) => ago(lastUsedAt),
    },
    { key: 'ends', title: 'Ends', sortBy: 'expires_at', hideOn: 'phone', cell: ({ expiresAt }) => ago(expiresAt) },
    { key: 'acts', title: '', align: 'right', cell: (session) => <End session={session} /> },
  ];
}

function agent({ userAgent, ipAddress, lastUsedAt }: Session) {
  const below = (
    <>
      {ipAddress}
      <Text span inherit hiddenFrom="sm">
        {' '}
        · {ago(lastUsedAt)}
      </Text>
    </>
  );
  return <TwoLines top={<strong title={userAgent}>{agentName(userAgent)}</strong>} below={below} />;
}

/** How they proved who they are, by the API's words. */
const methods: Readonly<Record<Session['method'], string>> = {
  PASSWORD: 'Password',
  PASSWORD_TOTP: 'Password and code',
  PASSWORD_RECOVERY_CODE: 'Password and recovery code',
  PASSWORD_PASSKEY: 'Password and passkey',
  PASSKEY: 'Passkey',
};

function End({ session: { id, current, userAgent } }: { readonly session: Session }) {
  const { act, isBusy, refusal } = useAct(RevokeSession);
  useEffect(() => {
    if (refusal) failed(refusal.message);
  }, [refusal]);
  if (current) return <Status value="THIS_SESSION" tone="good" />;
  const end = async () => {
    const data = await act({ id });
    if (data) done('The session has ended.');
  };
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={isBusy}
      aria-label={`End the session of ${agentName(userAgent)}`}
      onClick={() => void end()}
    >
      End
    </Button>
  );
}
