import { Anchor, Radio, Stack, Text } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useState } from 'react';
import * as operations from '../../../../schema/operations.ts';
import { graphql, type RecordOf } from '../../api/graphql.ts';
import { useMe } from '../../api/me.tsx';
import { useAct } from '../../api/use-api.ts';
import { Muted } from '../../parts/form/menu.tsx';
import { ConfirmButton, FormDialog } from '../../parts/form/dialog.tsx';
import { useList } from '../../parts/list/definition.tsx';
import { ListPage, NewButton } from '../../parts/list/list.tsx';
import { type Column, actsColumn } from '../../parts/list/table.tsx';
import { Status } from '../../parts/page/card.tsx';
import { CodeBlock } from '../../parts/page/copy.tsx';
import { Empty } from '../../parts/page/page.tsx';
import { SecretDialog } from '../../parts/page/secret-dialog.tsx';
import { nameFault } from '../../sign-in/faults.ts';
import { ago, dayOf, moment } from '../../words/format.ts';
import { SettingsPage } from '../settings-page.tsx';
import { expiresAt, expiryChoices, expiryFault, type Expiry } from './expiry.ts';
import { OneField, TextField } from '../../parts/form/fields.tsx';
import { useFields } from '../../parts/form/form.tsx';

/** List of API tokens, which act on the caller's behalf. */
export function TokensPage() {
  const { organization } = useMe();
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<NewToken | null>(null);
  const show = (token: NewToken) => {
    setMaking(false);
    setMade(token);
  };
  return (
    <>
      <ListPage
        title="API tokens"
        lead={`Tokens act on your behalf in ${organization.name}, with your current role.`}
        actions={<NewButton onClick={() => setMaking(true)}>New token</NewButton>}
        Frame={SettingsPage}
        list={useList({ filters: {} }, ApiTokens)}
        label="Your API tokens"
        columns={columns}
        noun={['token']}
        empty={
          <Empty
            icon={IconKey}
            title="No API tokens"
            text="Create a token for a script, a dashboard or an AI assistant."
          />
        }
      />
      {isMaking && <CreateDialog onMade={show} onClose={() => setMaking(false)} />}
      {made && <MadeDialog token={made} onClose={() => setMade(null)} />}
    </>
  );
}

const columns: readonly Column<ApiToken>[] = [
  { title: 'Name', sortBy: 'name', grow: true, cell: ({ name }) => <strong>{name}</strong> },
  { title: 'Token', hideOn: 'phone', cell: ({ lastFour }) => <code>svc_…{lastFour}</code> },
  { title: 'Permissions', hideOn: 'phone', cell: ({ readOnly }) => (readOnly ? 'Read only' : 'Same as your role') },
  { title: 'Created', sortBy: 'created_at', hideOn: 'phone', cell: ({ createdAt }) => moment(createdAt) },
  {
    title: 'Last used',
    sortBy: 'last_used_at',
    hideOn: 'phone',
    cell: ({ lastUsedAt }) => (lastUsedAt ? ago(lastUsedAt) : 'Never'),
  },
  { title: 'Expires', sortBy: 'expires_at', cell: ends },
  actsColumn((token) => <Revoke token={token} />),
];

function Revoke({ token: { id, name, lastFour } }: { readonly token: ApiToken }) {
  return (
    <ConfirmButton
      label="Revoke"
      button={{ size: 'compact-sm', 'aria-label': `Revoke ${name}` }}
      title={`Revoke ${name}?`}
      verb="Revoke"
      text={`Requests with the token that ends in ${lastFour} are rejected from now on. This cannot be undone.`}
      mutation={RevokeApiToken}
      variables={{ id }}
      confirmation={`The token for ${name} is revoked.`}
    />
  );
}

function ends({ expiresAt: end }: ApiToken) {
  if (!end) return 'Never';
  if (Date.parse(end) < Date.now()) return <Status value="EXPIRED" tone="quiet" />;
  return <span title={moment(end)}>{dayOf(end)}</span>;
}

interface Props {
  onMade(token: NewToken): void;
  onClose(): void;
}

const initialValues = { name: '', access: 'read', expiry: '90' as Expiry, ownDay: '' };

/** Creates a token. Defaults to read-only access, which is enough for most programs. */
function CreateDialog({ onMade, onClose }: Props) {
  const { act, isBusy, refusal, clear } = useAct(CreateApiToken);
  const { form, set, field, check, rest } = useFields(
    initialValues,
    ({ name, expiry, ownDay }) => ({
      name: nameFault(name, 'a name for the token'),
      ownDay: expiryFault(expiry, ownDay),
    }),
    { of: { refusal, clear }, names: { name: ['name', 'The name'], ownDay: ['expires_at', 'The day'] } },
  );
  const submit = async () => {
    if (!check()) return;
    const { name, access, expiry, ownDay } = form;
    const until = expiresAt(expiry, ownDay);
    const data = await act({ input: { name: name.trim(), readOnly: access === 'read', expiresAt: until } });
    if (data?.createApiToken) onMade(data.createApiToken);
  };
  return (
    <FormDialog
      title="New API token"
      verb="Create token"
      of={{ isBusy, refusal: rest }}
      fields={{ form, set }}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField label="Name" placeholder="Grafana" data-autofocus maxLength={100} {...field('name')} />
      <Radio.Group label="Permissions" {...field('access')}>
        <Stack gap="xs" mt={6}>
          <Radio value="read" label="Read only" />
          <Radio value="all" label="Same as your role" />
        </Stack>
      </Radio.Group>
      <OneField label="Expires" choices={expiryChoices()} {...field('expiry')} />
      {form.expiry === 'day' && <TextField type="date" label="Last day" {...field('ownDay')} />}
    </FormDialog>
  );
}

/** Shows a new token once, with usage instructions. */
function MadeDialog({ token, onClose }: { readonly token: NewToken; onClose(): void }) {
  const usage = [
    `export COSTKEEP_TOKEN=${token.token}`,
    `curl -H "Authorization: Bearer $COSTKEEP_TOKEN" \\`,
    `  ${location.origin}/api/v1/costs/summary`,
  ].join('\n');
  return (
    <SecretDialog title={`Token for ${token.name}`} secret={token.token} label="the token" onClose={onClose}>
      <div>
        <Text size="sm" fw={550} mb={4}>
          How to use it
        </Text>
        <CodeBlock code={usage} label="the example" />
      </div>
      <Muted>
        {token.readOnly ? 'Read-only.' : 'It has the permissions of your role.'}{' '}
        {token.expiresAt ? `It expires on ${moment(token.expiresAt)}.` : 'It does not expire.'} API documentation:{' '}
        <Anchor href="/docs" target="_blank" rel="noreferrer" underline="always" inherit>
          {location.host}/docs
        </Anchor>
        .
      </Muted>
    </SecretDialog>
  );
}

/** The caller's API tokens in this organization. */
export const ApiTokens = graphql(operations.apiTokens, [graphql(operations.ApiTokenFields)]);

/** API token in the list. */
export type ApiToken = RecordOf<typeof ApiTokens>;

/** Creates a token; only this answer contains its secret. */
export const CreateApiToken = graphql(operations.createApiToken);

/** New token including its secret. */
export type NewToken = RecordOf<typeof CreateApiToken>;

export const RevokeApiToken = graphql(operations.revokeApiToken);
