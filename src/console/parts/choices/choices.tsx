import { useCallback, useMemo } from 'react';
import { useAllPages } from '../../api/all-pages.ts';
import { graphql } from '../../api/graphql.ts';
import { useMe } from '../../api/me.tsx';
import { useAnswer } from '../../api/use-api.ts';
import { InvoicesQuery } from '../../invoices/queries.ts';
import { MemberList } from '../../settings/members/queries.ts';
import { TagKeysQuery } from '../../tags/queries.ts';
import { addMonths, monthStart, today } from '../../words/days.ts';
import { providerName } from '../../../kit/text/provider-name.ts';
import { regionName } from '../../words/format.ts';
import { AnyField } from '../form/fields.tsx';
import type { Choice } from '../list/filters.tsx';

/** Names of the accounts that the caller can see. */
export const AccountChoices = graphql(`
  query AccountChoices($page: Int, $perPage: Int) {
    accounts(page: $page, perPage: $perPage, sortBy: NAME_ASC, status: [CONNECTED, DISCONNECTED]) {
      data {
        id
        name
        provider
        status
      }
      pagination {
        totalPages
      }
    }
  }
`);

const CostChoices = graphql(`
  query CostChoices($startDate: Date!, $endDate: Date!) {
    services: costsByService(startDate: $startDate, endDate: $endDate) {
      groups {
        service
        provider
      }
    }
    regions: costsByRegion(startDate: $startDate, endDate: $endDate) {
      groups {
        region
        provider
      }
    }
  }
`);

const VirtualTagChoices = graphql(`
  query VirtualTagChoices($page: Int, $perPage: Int) {
    virtualTags(enabled: true, page: $page, perPage: $perPage, sortBy: NAME_ASC) {
      data {
        id
        key
        name
        splits {
          name
        }
      }
      pagination {
        totalPages
      }
    }
  }
`);

/** Options of a hook that loads choices. */
export interface ChoiceOptions {
  /** Suspends the query, for example until a filter is used: most visitors of a page do not filter. */
  readonly pause?: boolean;
}

/** Connected and formerly connected accounts that the caller can see. */
export function useAccountChoices(options: ChoiceOptions = {}): Choice[] {
  const { rows } = useAllPages(AccountChoices, {}, { ...options, isLasting: true });
  return useMemo(() => (rows ?? []).map(({ id, name }) => ({ value: id, label: name })), [rows]);
}

/** Issuers of the hundred newest invoices. */
export function useIssuerChoices(options: ChoiceOptions = {}): Choice[] {
  const { data } = useAnswer(InvoicesQuery, { perPage: 100 }, options);
  return useMemo(() => {
    const issuers = new Set((data?.invoices?.data ?? []).flatMap(({ issuer }) => issuer ?? []));
    return [...issuers].toSorted().map((value) => ({ value, label: value }));
  }, [data]);
}

/** Services, regions and providers in bills of the last 13 months, highest cost first. */
export function useCostChoices(
  options: ChoiceOptions = {},
): Readonly<Record<'services' | 'regions' | 'providers', Choice[]> & { isLoading: boolean }> {
  const year = { startDate: addMonths(monthStart(today()), -12), endDate: today() };
  const { data, isLoading } = useAnswer(CostChoices, year, { ...options, isLasting: true });
  return useMemo(() => {
    const services = data?.services?.groups ?? [];
    const regions = data?.regions?.groups ?? [];
    return {
      services: choicesOf(services.map(({ service }) => service)),
      regions: choicesOf(
        regions.map(({ region }) => region),
        regionName,
      ),
      providers: choicesOf(
        services.map(({ provider }) => provider),
        providerName,
      ),
      isLoading,
    };
  }, [data, isLoading]);
}

/** Tag keys, highest cost first. */
export function useTagKeyChoices(options: ChoiceOptions = {}): Choice[] {
  const { rows } = useAllPages(TagKeysQuery, { sortBy: 'COST_LAST_30_DAYS_DESC' }, { ...options, isLasting: true });
  return useMemo(() => choicesOf((rows ?? []).map(({ key }) => key)), [rows]);
}

/** The enabled virtual tags by key. */
export function useVirtualTagChoices(options: ChoiceOptions = {}): Choice[] {
  const { rows } = useAllPages(VirtualTagChoices, {}, { ...options, isLasting: true });
  return useMemo(() => (rows ?? []).map(({ key, name }) => ({ value: key, label: name })), [rows]);
}

/** Names of the splits of a virtual tag; none for members who do not see them. */
export function useVirtualTagSplits(key: string): string[] {
  const { rows } = useAllPages(VirtualTagChoices, {}, { isLasting: true });
  const tag = rows?.find((one) => one.key === key);
  return (tag?.splits ?? []).map(({ name }) => name);
}

function choicesOf(values: readonly string[], labelOf: (value: string) => string = (value) => value): Choice[] {
  return [...new Set(values)].filter((value) => value !== '').map((value) => ({ value, label: labelOf(value) }));
}

/** Returns a lookup of user names by ID: `You` for the caller; null for a former member and until names are loaded.
 *  @param userIds whose names are shown, if known: if it has only the caller, no names are loaded */
export function usePeople(userIds?: readonly (string | null)[]): (userId: string | null) => string | null {
  const { user } = useMe();
  const pause = userIds !== undefined && userIds.every((id) => id === null || id === user.id);
  const { rows } = useAllPages(MemberList, { sortBy: 'NAME_ASC' }, { pause, isLasting: true });
  return useCallback(
    (userId) => {
      if (userId === user.id) return 'You';
      return rows?.find((member) => member.user.id === userId)?.user.name ?? null;
    },
    [rows, user.id],
  );
}

/** Members with access to all of the accounts, by user ID, the caller first. */
export function useAssigneeChoices(accountIds: readonly string[] = [], options: ChoiceOptions = {}): Choice[] {
  const { rows } = useAllPages(MemberList, { sortBy: 'NAME_ASC' }, { ...options, isLasting: true });
  const { user } = useMe();
  const members = (rows ?? []).filter(
    ({ accountAccess }) => accountAccess === null || accountIds.every((id) => accountAccess.includes(id)),
  );
  const choices = members.map((member) => ({ value: member.user.id, label: member.user.name }));
  return [
    ...choices.filter(({ value }) => value === user.id).map(({ value, label }) => ({ value, label: `${label} (you)` })),
    ...choices.filter(({ value }) => value !== user.id),
  ];
}

/** Name within a sentence: `by you`, `by Kim Lee`, `by a former member`. */
export function byPerson(name: string | null): string {
  if (name === null) return 'by a former member';
  return name === 'You' ? 'by you' : `by ${name}`;
}

/** Returns a lookup of account names by ID. Accounts that are deleted and those that the caller has no access to look the same. */
export function useAccountNames(options: ChoiceOptions = {}): (id: string) => string {
  const { rows, isWhole } = useAllPages(AccountChoices, {}, { ...options, isLasting: true });
  return useCallback(
    (id) => rows?.find((one) => one.id === id)?.name ?? (isWhole ? `Unknown account (${id.slice(0, 8)})` : '…'),
    [rows, isWhole],
  );
}

interface Place {
  readonly accountId: string | null;
  readonly provider: string | null;
}

export interface PlaceProps {
  readonly value: Place;
  onChange(changed: Partial<Place>): void;
  /** Validation error of the account field. */
  readonly accountError?: string | null | undefined;
}

/** Form fields for account and provider. Callers with access to only some accounts must choose one, as the API requires. */
export function PlaceFields({ value: { accountId, provider }, onChange, accountError = null }: PlaceProps) {
  const accounts = useAccountChoices();
  const { providers } = useCostChoices();
  const mustName = useMe().accountAccess !== null;
  return (
    <>
      <AnyField
        label="Account"
        placeholder={mustName ? 'Choose an account' : 'All accounts'}
        choices={accounts}
        value={accountId}
        required={mustName}
        error={accountError}
        onChange={(next) => onChange({ accountId: next })}
      />
      <AnyField
        label="Provider"
        placeholder="All providers"
        choices={providers}
        value={provider}
        onChange={(next) => onChange({ provider: next })}
      />
    </>
  );
}
