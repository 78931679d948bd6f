import type { ReactNode } from 'react';
import { useAccountChoices, useCostChoices } from '../parts/choices.ts';
import { ChoiceFilter, FilterBar } from '../parts/filters.tsx';
import { PageTabs } from '../parts/tabs.tsx';
import { someOf, type UrlState } from '../parts/url-state.ts';

/** Keys of the address that both pages filter by. */
export const scopeKeys = ['account', 'provider', 'service', 'region'];

/** The filters of the address, as the API takes them. */
export function scopeOf(state: UrlState) {
  return {
    accountId: someOf(state, 'account'),
    provider: someOf(state, 'provider'),
    service: someOf(state, 'service'),
    region: someOf(state, 'region'),
  };
}

interface Props {
  readonly state: UrlState;
  /** Keys beside those that "Clear" takes away. */
  readonly keys?: readonly string[];
  readonly children?: ReactNode;
}

/** Filters that both pages have. */
export function CoverageFilters({ state, keys = [], children }: Props) {
  const accounts = useAccountChoices();
  const { providers, services, regions } = useCostChoices();
  return (
    <FilterBar state={state} keys={[...scopeKeys, ...keys]}>
      {children}
      <ChoiceFilter state={state} name="account" label="Account" choices={accounts} />
      <ChoiceFilter state={state} name="provider" label="Provider" choices={providers} />
      <ChoiceFilter state={state} name="service" label="Service" choices={services} />
      <ChoiceFilter state={state} name="region" label="Region" choices={regions} />
    </FilterBar>
  );
}

/** The two pages. Filters go along from one to the other. */
export function CoverageTabs({ state }: { readonly state: UrlState }) {
  const query = new URLSearchParams(scopeKeys.flatMap((key) => state.all(key).map((value) => [key, value]))).toString();
  const tail = query === '' ? '' : `?${query}`;
  return (
    <PageTabs
      label="Coverage"
      tabs={[
        ['Coverage', `/coverage${tail}`],
        ['Planner', `/coverage/planner${tail}`],
      ]}
    />
  );
}
