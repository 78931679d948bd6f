import { Autocomplete, SimpleGrid } from '@mantine/core';
import { useCallback, useMemo } from 'react';
import { useAnswer } from '../../api/use-api.ts';
import { CostsByAccount, CostsByTag } from '../../costs/totals.ts';
import { addMonths, monthStart, today } from '../../words/days.ts';
import { providerName } from '../../../kit/text/provider-name.ts';
import { AnyField } from '../form/fields.tsx';
import type { Choice } from '../list/filters.tsx';
import {
  PlaceFields,
  useAccountNames,
  useCostChoices,
  useTagKeyChoices,
  useVirtualTagChoices,
  type ChoiceOptions,
  type PlaceProps,
} from './choices.tsx';

/** Scope of spend, as in budgets and alert rules; null means all. */
export interface Scope {
  readonly accountId: string | null;
  readonly provider: string | null;
  readonly service: string | null;
  readonly subAccountId: string | null;
  /** A tag key, or `virtual:KEY` for a virtual tag. */
  readonly tagKey: string | null;
  /** Null with a key: any value. */
  readonly tagValue: string | null;
}

/** All costs. */
export const wholeScope: Scope = {
  accountId: null,
  provider: null,
  service: null,
  subAccountId: null,
  tagKey: null,
  tagValue: null,
};

/** Returns only the scope of a record. */
export function scopeOf({ accountId, provider, service, subAccountId, tagKey, tagValue }: Scope): Scope {
  return { accountId, provider, service, subAccountId, tagKey, tagValue };
}

/** Converts form state to the API's input: a tag value requires a key. */
export function scopeValues(scope: Scope): Scope {
  const own = scopeOf(scope);
  return own.tagKey === null ? { ...own, tagValue: null } : own;
}

/** One year ago: values without costs since then are not offered. */
function aYearAgo(): string {
  return addMonths(monthStart(today()), -12);
}

/** Sub-accounts in the bills, by name. */
export function useSubAccountChoices(options: ChoiceOptions = {}): Choice[] {
  const { data } = useAnswer(CostsByAccount, { startDate: aYearAgo() }, { ...options, isLasting: true });
  return useMemo(() => {
    const all = (data?.costsByAccount?.groups ?? []).flatMap(({ subAccounts }) => subAccounts);
    const names = new Map(all.map(({ subAccountId, subAccountName }) => [subAccountId, subAccountName]));
    return [...names].map(([value, name]) => ({ value, label: name === value ? value : `${name} (${value})` }));
  }, [data]);
}

/** Values of a tag key or virtual tag, highest cost first. */
export function useTagValues(tagKey: string | null): string[] {
  const asked = { startDate: aYearAgo(), tagKey: tagKey ?? '' };
  const { data } = useAnswer(CostsByTag, asked, { pause: tagKey === null });
  return useMemo(() => {
    const groups = tagKey === null ? [] : (data?.costsByTag?.groups ?? []);
    return [...new Set(groups.flatMap(({ tagValue }) => tagValue || []))];
  }, [data, tagKey]);
}

/** Virtual tags by name, then the tag keys, highest cost first. */
export function useAnyTagChoices(options: ChoiceOptions = {}): Choice[] {
  const virtual = useVirtualTagChoices(options);
  const keys = useTagKeyChoices(options);
  return useMemo(
    () => [
      ...virtual.map(({ value, label }) => ({ value: `virtual:${value}`, label: `${label} (virtual tag)` })),
      ...keys,
    ],
    [virtual, keys],
  );
}

/** A scope in words. */
interface ScopeWords {
  /** Such as `BigQuery · Google Cloud`; empty for all. */
  readonly places: string;
  /** Such as `env = staging`; empty without a tag. */
  readonly tag: string;
}

/** Returns a formatter for the parts of scopes. */
export function useScopeParts(): (scope: Scope) => ScopeWords {
  const accountName = useAccountNames();
  const virtual = useVirtualTagChoices();
  return useCallback(
    ({ accountId, provider, service, subAccountId, tagKey, tagValue }) => {
      const places = [service, provider && providerName(provider), accountId && accountName(accountId), subAccountId];
      const name = virtual.find(({ value }) => `virtual:${value}` === tagKey)?.label ?? tagKey;
      const tag = tagKey === null ? '' : tagValue === null ? `${name}` : `${name} = ${tagValue || '(empty)'}`;
      return { places: [...new Set(places.filter(Boolean))].join(' · '), tag };
    },
    [accountName, virtual],
  );
}

/** Returns a formatter for scopes, such as `BigQuery · Google Cloud · env = staging`. */
export function useScopeWords(): (scope: Scope) => string {
  const partsOf = useScopeParts();
  return useCallback(
    (scope) => {
      const { places, tag } = partsOf(scope);
      return [places, tag].filter(Boolean).join(' · ') || 'All costs';
    },
    [partsOf],
  );
}

interface Props extends Pick<PlaceProps, 'accountError'> {
  readonly value: Scope;
  onChange(changed: Partial<Scope>): void;
}

/** Form fields for a scope of spend. */
export function ScopeFields({ value, onChange, accountError }: Props) {
  const { services } = useCostChoices();
  const subAccounts = useSubAccountChoices();
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
      <PlaceFields value={value} accountError={accountError} onChange={onChange} />
      <AnyField
        label="Service"
        placeholder="All services"
        choices={services}
        value={value.service}
        onChange={(service) => onChange({ service })}
      />
      <AnyField
        label="Sub-account"
        placeholder="All sub-accounts"
        choices={subAccounts}
        value={value.subAccountId}
        onChange={(subAccountId) => onChange({ subAccountId })}
      />
      <TagFields value={value} onChange={onChange} />
    </SimpleGrid>
  );
}

function TagFields({ value: { tagKey, tagValue }, onChange }: Pick<Props, 'value' | 'onChange'>) {
  const keys = useAnyTagChoices();
  const values = useTagValues(tagKey);
  return (
    <>
      <AnyField
        label="Tag key"
        placeholder="Tagged or not"
        choices={keys}
        value={tagKey}
        onChange={(next) => onChange({ tagKey: next, tagValue: null })}
        clearButtonProps={{ 'aria-label': 'Clear tag key' }}
      />
      {tagKey !== null && (
        <Autocomplete
          label="Tag value"
          placeholder="Any value"
          maxLength={512}
          data={values}
          limit={200}
          value={tagValue ?? ''}
          onChange={(next) => onChange({ tagValue: next || null })}
        />
      )}
    </>
  );
}

/** Converts a scope to arguments of the cost API. */
export function scopeArguments({ accountId, provider, service, subAccountId, tagKey, tagValue }: Scope) {
  const only = (value: string | null) => (value === null ? undefined : [value]);
  return {
    accountId: only(accountId),
    provider: only(provider),
    service: only(service),
    subAccountId: only(subAccountId),
    tagKey: tagKey ?? undefined,
    tagValue: tagKey === null ? undefined : only(tagValue),
  };
}
