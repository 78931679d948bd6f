import type { ReactNode } from 'react';
import { Card } from '../../parts/card.tsx';
import { Copy } from '../../parts/copy.tsx';
import { moment } from '../../words/format.ts';
import { providerName } from '../../words/names.ts';
import type { Account } from '../queries.ts';
import { valuesOf, wayOf } from '../source/values.ts';
import classes from './detail.module.css';

/** How the account is connected: the provider, where the bills lie, when its credentials were last set. */
export function ConnectionCard({ account }: { readonly account: Account }) {
  const { provider, externalId, settings, credentialsUpdatedAt, createdAt, status } = account;
  const way = wayOf(provider, settings);
  const values = valuesOf(settings);
  const shown = way.fields.filter(({ part, name }) => part === 'settings' && values[name]);
  const isLocal = way.credentials.length === 0;
  return (
    <Card title="Connection">
      <dl className={classes.list}>
        <Fact name="Provider">{providerName(provider)}</Fact>
        <Fact name="Read from">{way.label}</Fact>
        <Fact name="Id at the provider">
          {externalId} <Copy value={externalId} label="Copy the id" />
        </Fact>
        {shown.map(({ name, label }) => (
          <Fact key={name} name={label}>
            {values[name]}
          </Fact>
        ))}
        <Fact name="Currency">{account.currency ?? '–'}</Fact>
        <Fact name="Credentials">{credentialsText({ isLocal, at: credentialsUpdatedAt, status })}</Fact>
        <Fact name="Connected">{moment(createdAt)}</Fact>
      </dl>
    </Card>
  );
}

function credentialsText({ isLocal, at, status }: { isLocal: boolean; at: string | null; status: string }): string {
  if (status === 'DISCONNECTED') return 'Destroyed';
  if (isLocal) return 'None needed';
  return at ? `Stored encrypted, last set ${moment(at)}` : 'None stored';
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
