import { SimpleGrid } from '@mantine/core';
import { Card } from '../parts/card.tsx';
import { Facts } from '../parts/facts.tsx';
import { usePeople } from '../parts/people.ts';
import { useAccountNames } from '../parts/scope.tsx';
import { moment } from '../words/format.ts';
import { providerName } from '../words/names.ts';
import type { PolicyRow } from './queries.ts';
import { ruleWords } from './rule-words.ts';

/** A policy for those who may not change it. */
export function PolicyView({ policy }: { readonly policy: PolicyRow }) {
  const accountName = useAccountNames();
  const personName = usePeople();
  const { provider, accountId, resourceTypes, enabled, rules, createdAt, createdById } = policy;
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
      <Card title="What it expects">
        <Facts facts={rules.map((rule) => [rule.key, ruleWords(rule)])} />
      </Card>
      <Card title="What it is about">
        <Facts
          facts={[
            ['Account', accountId ? accountName(accountId) : 'Every account'],
            ['Provider', provider ? providerName(provider) : 'Every provider'],
            ['Resource types', resourceTypes.length > 0 ? resourceTypes.join(', ') : 'Every type'],
            ['State', enabled ? 'Enabled' : 'Disabled'],
            ['Made', moment(createdAt)],
            ['Made by', personName(createdById)],
          ]}
        />
      </Card>
    </SimpleGrid>
  );
}
