import { Card } from '../../parts/card.tsx';
import { Copy } from '../../parts/copy.tsx';
import { Facts, type Fact } from '../../parts/facts.tsx';
import { moment } from '../../words/format.ts';
import { providerName } from '../../words/names.ts';
import type { Account } from '../queries.ts';
import { itemsOf, valuesOf, wayOf } from '../source/values.ts';

/** How the account is connected: the provider, where the bills lie, when its credentials were last set. */
export function ConnectionCard({ account }: { readonly account: Account }) {
  const { provider, externalId, settings, createdAt, currency } = account;
  const way = wayOf(provider, settings);
  return (
    <Card title="Connection">
      <Facts
        facts={[
          ['Provider', providerName(provider)],
          ['Read from', way.label],
          [
            'Id at the provider',
            <span key="id">
              {externalId} <Copy value={externalId} label="Copy the id" />
            </span>,
          ],
          ...settingFacts(account),
          ['Currency', currency],
          ['Credentials', credentialsText(account)],
          ['Connected', moment(createdAt)],
        ]}
      />
    </Card>
  );
}

function settingFacts({ provider, settings }: Account): Fact[] {
  const values = valuesOf(settings);
  return wayOf(provider, settings)
    .fields.filter(({ part, name }) => part === 'settings' && values[name])
    .map(({ name, label, kind }) => [label, kind === 'list' ? itemsOf(values, name).join(', ') : values[name]]);
}

function credentialsText({ provider, settings, status, credentialsUpdatedAt: at }: Account): string {
  if (wayOf(provider, settings).credentials.length === 0) return 'None needed';
  if (status === 'DISCONNECTED') return 'Destroyed';
  return at ? `Stored encrypted, last set ${moment(at)}` : 'None stored';
}
