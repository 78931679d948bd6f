import { SimpleGrid } from '@mantine/core';
import { useCallback } from 'react';
import { useMe } from '../../api/me.tsx';
import { providerName } from '../../words/names.ts';
import { AnyField } from '../form/fields.tsx';
import { useAccountChoices, useCostChoices } from './choices.ts';

/** Which spend something is about; null: all of it. */
export interface Scope {
  readonly accountId: string | null;
  readonly provider: string | null;
  readonly service: string | null;
}

/** Names of accounts by their id. */
export function useAccountNames(): (id: string) => string {
  const accounts = useAccountChoices();
  return useCallback(
    (id) => (accounts.length === 0 ? '…' : (accounts.find(({ value }) => value === id)?.label ?? id)),
    [accounts],
  );
}

/** A scope in words, such as `BigQuery · Google Cloud`. */
export function useScopeWords(): (scope: Scope) => string {
  const accountName = useAccountNames();
  return useCallback(
    ({ accountId, provider, service }) => {
      const parts = [service, provider && providerName(provider), accountId && accountName(accountId)].filter(Boolean);
      return parts.length === 0 ? 'All costs' : [...new Set(parts)].join(' · ');
    },
    [accountName],
  );
}

interface Props {
  readonly value: Scope;
  onChange(scope: Scope): void;
  /** What is wrong with the account. */
  readonly accountError?: string | null;
}

/** Chooses which spend something is about. Who sees some accounts only names one of them, as the API asks. */
export function ScopeFields({ value, onChange, accountError }: Props) {
  const accounts = useAccountChoices();
  const { services, providers } = useCostChoices();
  const mustName = useMe().accountAccess !== null;
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
      <AnyField
        label="Account"
        placeholder={mustName ? 'Choose an account' : 'All accounts'}
        choices={accounts}
        value={value.accountId}
        required={mustName}
        error={accountError ?? null}
        onChange={(accountId) => onChange({ ...value, accountId })}
      />
      <AnyField
        label="Provider"
        placeholder="All providers"
        choices={providers}
        value={value.provider}
        onChange={(provider) => onChange({ ...value, provider })}
      />
      <AnyField
        label="Service"
        placeholder="All services"
        choices={services}
        value={value.service}
        onChange={(service) => onChange({ ...value, service })}
      />
    </SimpleGrid>
  );
}
