import { Text, Stack } from '@mantine/core';
import { IconCloud } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { useAct } from '../../api/use-api.ts';
import { done } from '../../parts/form/dialog.tsx';
import { Muted } from '../../parts/form/menu.tsx';
import { Card } from '../../parts/page/card.tsx';
import { Empty, Page } from '../../parts/page/page.tsx';
import { ProviderLogo } from '../../parts/page/provider.tsx';
import { providerName } from '../../../kit/text/provider-name.ts';
import { ConnectAccount, type Provider, UpdateAccount, type Account } from '../queries.ts';
import classes from '../../parts/page/card.module.css';
import { LoadSample, useSampleOffer } from '../sample/sample.tsx';
import { SourceForm } from './source-form.tsx';
import type { Filled } from './use-source-form.ts';
import {
  credentialsOf,
  settingsOf,
  textOf,
  changedSettingsOf,
  needsOtherCredentials,
  valuesOf,
  wayOf,
} from './values.ts';
import { providers } from './ways.ts';

/** Descriptions of the providers, for the choice. */
const texts: Readonly<Record<Provider, string>> = {
  AWS: 'Data Exports in S3 or Cost Explorer, with a role or an access key.',
  AZURE: 'A FOCUS export in a storage account or the Query API, with a service principal.',
  GCP: 'The billing export in BigQuery, with a service account.',
  FOCUS: 'FOCUS files from any vendor, in a folder on the server, a bucket or a Blob container, or uploaded.',
};

/** Lets the user choose a provider. */
export function ConnectPage() {
  return (
    <Page title="Connect an account" lead="Costkeep needs read-only access." crumbs={[['Accounts', '/accounts']]}>
      <ul className={`plain ${classes.choices}`}>
        {providers.map((provider) => (
          <li key={provider}>
            <Link href={`/accounts/connect/${provider.toLowerCase()}`} className={classes.choice}>
              <Stack component="span" gap={4}>
                <Text component="span" fw={620} display="flex" style={{ alignItems: 'center', gap: 8 }}>
                  <ProviderLogo slug={provider} size={20} />
                  {provider === 'FOCUS' ? 'FOCUS files' : providerName(provider)}
                </Text>
                <Text component="span" size="sm" c="dimmed">
                  {texts[provider]}
                </Text>
              </Stack>
            </Link>
          </li>
        ))}
      </ul>
      <SampleOffer />
    </Page>
  );
}

function SampleOffer() {
  if (!useSampleOffer()) return null;
  return (
    <Card title="Just looking?">
      <Stack gap="sm" align="flex-start">
        <Muted maw={620}>
          Sample data of a made-up company shows every page with three clouds and 13 months of bills. Remove it at any
          time, before or after you connect an account.
        </Muted>
        <LoadSample />
      </Stack>
    </Card>
  );
}

const crumbs = [
  ['Accounts', '/accounts'],
  ['Connect', '/accounts/connect'],
] as const;

/** Connects an account of the provider in the URL. */
export function ConnectProviderPage() {
  const { provider: slug = '' } = useParams<{ provider: string }>();
  const found = providers.find((provider) => provider === slug.toUpperCase());
  if (found) return <Connect key={found} provider={found} />;
  return (
    <Page title="Connect an account" crumbs={crumbs}>
      <Empty
        icon={IconCloud}
        title={`“${slug.slice(0, 40)}” cannot be connected`}
        text={<Link href="/accounts/connect">Choose a provider</Link>}
      />
    </Page>
  );
}

function Connect({ provider }: { readonly provider: Provider }) {
  const connect = useAct(ConnectAccount);
  const [, go] = useLocation();
  const name = provider === 'FOCUS' ? 'FOCUS files' : providerName(provider);
  const submit = async ({ way, kind, values }: Filled) => {
    const credentials = credentialsOf(kind, values);
    const settings = settingsOf(way, values);
    const named = { name: textOf(values, 'name'), provider, settings };
    const data = await connect.act({ input: credentials ? { ...named, credentials } : named });
    if (!data?.connectAccount) return false;
    done('Connected. The first sync has started.');
    go(`/accounts/${data.connectAccount.id}`);
    return true;
  };
  return (
    <Page title={`Connect ${name}`} crumbs={crumbs} reads={['way', 'with']}>
      <SourceForm
        provider={provider}
        wayNow={null}
        start={{ name: provider === 'FOCUS' ? '' : name }}
        hasName
        hasSettings
        asksCredentials={() => true}
        verb="Connect"
        back="/accounts"
        isBusy={connect.isBusy}
        refusal={connect.refusal}
        onSubmit={submit}
      />
    </Page>
  );
}

/** Part of an account's source to edit. */
type Edit = 'settings' | 'credentials' | 'reconnect';

const edits = {
  settings: { title: 'Change settings', verb: 'Save and sync', done: 'Saved. A sync has started.' },
  credentials: {
    title: 'Replace credentials',
    verb: 'Replace',
    done: 'Credentials replaced. A sync has started.',
  },
  reconnect: { title: 'Reconnect', verb: 'Reconnect', done: 'Reconnected. A sync has started.' },
} as const satisfies Record<Edit, object>;

/** Returns the requested edit from the URL, if it is possible for this account in its current state. */
export function editOf(asked: string | null, { sample, status, provider, settings }: Account): Edit | null {
  if (sample) return null;
  if (status === 'DISCONNECTED') return asked === 'reconnect' ? asked : null;
  if (asked === 'settings') return asked;
  const hasCredentials = wayOf(provider, settings).credentials.length > 0;
  return asked === 'credentials' && hasCredentials ? asked : null;
}

/** Guided form for an existing account. */
export function EditSource({ account, edit }: { readonly account: Account; readonly edit: Edit }) {
  // Keeps the first version, on which the edits are based: the account is refetched during editing.
  const [{ id, name, provider, settings, updatedAt }] = useState(account);
  const [, go] = useLocation();
  const back = `/accounts/${id}`;
  const start = valuesOf(settings);
  const change = useAct(UpdateAccount);
  const submit = async ({ way, kind, values }: Filled) => {
    const credentials = credentialsOf(kind, values);
    const input = {
      ...(credentials && { credentials }),
      ...(edit !== 'credentials' && { settings: changedSettingsOf(provider, way, values) }),
      ifUnmodifiedSince: updatedAt,
    };
    if (!(await change.act({ id, input }))) return false;
    done(edits[edit].done);
    go(back);
    return true;
  };
  return (
    <Page
      title={edits[edit].title}
      lead={name}
      reads={['edit', 'way', 'with']}
      crumbs={[
        ['Accounts', '/accounts'],
        [name, back],
      ]}
    >
      <SourceForm
        provider={provider}
        wayNow={wayOf(provider, settings)}
        start={start}
        hasName={false}
        hasSettings={edit !== 'credentials'}
        asksCredentials={(values) => edit !== 'settings' || needsOtherCredentials(start, values)}
        verb={edits[edit].verb}
        back={back}
        isBusy={change.isBusy}
        refusal={change.refusal}
        onSubmit={submit}
      />
    </Page>
  );
}
