import { counted } from '../words/format.ts';
import { providerName } from '../words/names.ts';
import type { PolicyRow } from './queries.ts';

const shownTypes = 2;

type About = Pick<PolicyRow, 'accountId' | 'provider' | 'resourceTypes'>;

/** Which resources a policy is about, such as `Volume, Instance · AWS`. */
export function aboutWords({ accountId, provider, resourceTypes }: About, accountName: (id: string) => string): string {
  const types =
    resourceTypes.length > shownTypes ? counted(resourceTypes.length, 'resource type') : resourceTypes.join(', ');
  const parts = [types, provider && providerName(provider), accountId && accountName(accountId)].filter(Boolean);
  return parts.length === 0 ? 'All resources' : [...new Set(parts)].join(' · ');
}
