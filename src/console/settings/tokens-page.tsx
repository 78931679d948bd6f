import { Button } from '@mantine/core';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useMe } from '../api/me.tsx';
import { sortValue } from '../api/sort.ts';
import { useAct } from '../api/use-act.ts';
import { useAnswer } from '../api/use-answer.ts';
import { ConfirmDialog } from '../parts/dialog.tsx';
import { done } from '../parts/done.ts';
import { Empty } from '../parts/empty.tsx';
import { ListCard } from '../parts/list.tsx';
import { Status } from '../parts/status.tsx';
import type { Column } from '../parts/table.tsx';
import { pageOf, useUrlState } from '../parts/url-state.ts';
import { ago, dayOf, moment } from '../words/format.ts';
import { SettingsPage } from './settings-page.tsx';
import { CreateDialog } from './tokens/create-dialog.tsx';
import { MadeDialog } from './tokens/made-dialog.tsx';
import { ApiTokens, RevokeApiToken, type ApiToken, type NewToken } from './tokens/queries.ts';

/** Tokens for programs, which act as the caller. */
export function TokensPage() {
  const { organization } = useMe();
  const state = useUrlState();
  const sort = state.one('sort');
  const answer = useAnswer(ApiTokens, { page: pageOf(state), sortBy: sortValue(sort) });
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<NewToken | null>(null);
  const [revoking, setRevoking] = useState<ApiToken | null>(null);
  const make = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setMaking(true)}>
      New token
    </Button>
  );
  const show = (token: NewToken) => {
    setMaking(false);
    setMade(token);
  };
  return (
    <SettingsPage
      title="API tokens"
      lead={`Programs that hold one act as you in ${organization.name}, with your role of that moment.`}
      actions={make}
    >
      <ListCard
        label="Your API tokens"
        of={answer}
        page={({ apiTokens }) => apiTokens}
        columns={columnsWith(setRevoking)}
        keyOf={({ id }) => id}
        state={state}
        sort={sort}
        noun={['token']}
        empty={
          <Empty
            icon={IconKey}
            title="No API tokens"
            text="Make one for a script, a dashboard or an assistant that reads your costs."
          />
        }
      />
      {isMaking && <CreateDialog onMade={show} onClose={() => setMaking(false)} />}
      {made && <MadeDialog token={made} onClose={() => setMade(null)} />}
      {revoking && <RevokeDialog token={revoking} onClose={() => setRevoking(null)} />}
    </SettingsPage>
  );
}

function columnsWith(revoke: (token: ApiToken) => void): readonly Column<ApiToken>[] {
  return [
    { key: 'name', title: 'Name', sortBy: 'name', grow: true, cell: ({ name }) => <strong>{name}</strong> },
    { key: 'token', title: 'Token', hideOn: 'phone', cell: ({ lastFour }) => <code>svc_…{lastFour}</code> },
    {
      key: 'access',
      title: 'May',
      hideOn: 'phone',
      cell: ({ readOnly }) => (readOnly ? 'Read' : 'Read and write'),
    },
    {
      key: 'created',
      title: 'Created',
      sortBy: 'created_at',
      hideOn: 'phone',
      cell: ({ createdAt }) => moment(createdAt),
    },
    {
      key: 'used',
      title: 'Last used',
      sortBy: 'last_used_at',
      hideOn: 'phone',
      cell: ({ lastUsedAt }) => (lastUsedAt ? ago(lastUsedAt) : 'Never'),
    },
    { key: 'expires', title: 'Ends', sortBy: 'expires_at', cell: ends },
    {
      key: 'acts',
      title: '',
      align: 'right',
      cell: (token) => (
        <Button size="compact-sm" variant="default" aria-label={`Revoke ${token.name}`} onClick={() => revoke(token)}>
          Revoke
        </Button>
      ),
    },
  ];
}

function ends({ expiresAt }: ApiToken) {
  if (!expiresAt) return 'Never';
  if (Date.parse(expiresAt) < Date.now()) return <Status value="EXPIRED" tone="quiet" />;
  return <span title={moment(expiresAt)}>{dayOf(expiresAt)}</span>;
}

function RevokeDialog({ token, onClose }: { readonly token: ApiToken; onClose(): void }) {
  const { act, isBusy, refusal } = useAct(RevokeApiToken);
  const submit = async () => {
    if (!(await act({ id: token.id }))) return;
    onClose();
    done(`The token for ${token.name} is revoked.`);
  };
  return (
    <ConfirmDialog
      title={`Revoke ${token.name}?`}
      verb="Revoke"
      isOpen
      isBusy={isBusy}
      refusal={refusal}
      text={`Whatever uses the token that ends in ${token.lastFour} is refused from its next request on. This cannot be undone.`}
      onSubmit={() => void submit()}
      onClose={onClose}
    />
  );
}
