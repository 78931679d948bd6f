import { Act } from '../../parts/form/menu.tsx';
import * as operations from '../../../../schema/operations.ts';
import { Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useClient } from 'urql';
import { graphql, type RecordOf } from '../../api/graphql.ts';
import { useMe } from '../../api/me.tsx';
import { refusalOf, type Refusal } from '../../api/refusal.ts';
import { useAct } from '../../api/use-api.ts';
import { done, failed, FormDialog } from '../../parts/form/dialog.tsx';
import { foundIn, useList } from '../../parts/list/definition.tsx';
import { ListPage } from '../../parts/list/list.tsx';
import { TwoLines, type Column, actsColumn } from '../../parts/list/table.tsx';
import { Empty } from '../../parts/page/page.tsx';
import { Status } from '../../parts/page/card.tsx';
import { agentName, ago, counted, moment } from '../../words/format.ts';
import { SettingsPage } from '../settings-page.tsx';

/** Active sessions of the caller. */
const Sessions = graphql(operations.sessions, [graphql(operations.SessionFields)]);

type Session = RecordOf<typeof Sessions>;

const RevokeSession = graphql(operations.revokeSession);

/** Session list of the caller. */
export function SessionsPage() {
  const { organizations } = useMe();
  const sessions = useList({ filters: {} }, Sessions);
  const [isEnding, setEnding] = useState(false);
  const others = (foundIn(sessions.answer.data)?.pagination.total ?? 1) - 1;
  return (
    <>
      <ListPage
        title="Sessions"
        lead="Your active sessions. A session ends after at most 7 days, or when you end it."
        actions={others > 0 && <Act label="End all others" onClick={() => setEnding(true)} />}
        Frame={SettingsPage}
        list={sessions}
        label="Your sessions"
        columns={columnsFor(organizations.length > 1)}
        noun={['session']}
        empty={<Empty title="No sessions" />}
      />
      {isEnding && <EndOthersDialog others={others} onClose={() => setEnding(false)} />}
    </>
  );
}

/** @param showOrganization whether the user has several organizations */
function columnsFor(showOrganization: boolean): readonly Column<Session>[] {
  return [
    { title: 'Browser', grow: true, cell: agent },
    ...(showOrganization
      ? [
          {
            title: 'Organization',
            hideOn: 'tablet',
            cell: ({ organizationName }: Session) => organizationName,
          } as const,
        ]
      : []),
    { title: 'Signed in with', hideOn: 'tablet', cell: ({ method }) => methods[method] },
    { title: 'Signed in', sortBy: 'created_at', hideOn: 'phone', cell: ({ createdAt }) => moment(createdAt) },
    { title: 'Last active', sortBy: 'last_used_at', hideOn: 'phone', cell: ({ lastUsedAt }) => ago(lastUsedAt) },
    { title: 'Expires', sortBy: 'expires_at', hideOn: 'phone', cell: ({ expiresAt }) => ago(expiresAt) },
    actsColumn((session) => <End session={session} />),
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

/** Labels of the authentication methods. */
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
    if (data) done('Session ended.');
  };
  return (
    <Act
      label="End"
      size="compact-sm"
      loading={isBusy}
      aria-label={`End the session in ${agentName(userAgent)}`}
      onClick={() => void end()}
    />
  );
}

/** Maximum sessions per request. */
const most = 100;

/** Ends all sessions except the current one.
 *  @param props `others`: number of other sessions */
function EndOthersDialog({ others, onClose }: { readonly others: number; onClose(): void }) {
  const client = useClient();
  const { act, refusal, clear } = useAct(RevokeSession);
  const [listing, setListing] = useState<Refusal | null>(null);
  const [isBusy, setBusy] = useState(false);
  /** @returns whether all of them have ended */
  const endAll = async () => {
    const variables = { page: 1, perPage: most, sortBy: null };
    const { data, error } = await client.query(Sessions, variables, { requestPolicy: 'network-only' }).toPromise();
    setListing(error ? refusalOf(error) : null);
    if (!data?.sessions) return false;
    for (const { id, current } of data.sessions.data) {
      // The API ends sessions one at a time, so its rate limit may stop the loop.
      if (!current && !(await act({ id }))) return false;
    }
    return true;
  };
  const submit = async () => {
    setBusy(true);
    const isDone = await endAll();
    setBusy(false);
    if (!isDone) return;
    onClose();
    done('Other sessions ended.');
  };
  return (
    <FormDialog
      title="End all other sessions?"
      verb="End sessions"
      danger
      of={{ isBusy, refusal: listing ?? refusal, clear }}
      onSubmit={submit}
      onClose={onClose}
    >
      <Text size="sm">
        {counted(others, 'other session')} {others === 1 ? 'ends' : 'end'} immediately. API tokens remain valid.
      </Text>
    </FormDialog>
  );
}
