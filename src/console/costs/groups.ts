import type { ResultOf } from '../api/graphql.ts';
import type { Changes } from '../parts/url-state.ts';
import { providerName, regionName } from '../words/names.ts';
import type { Grouping } from './address.ts';
import { fromMicros, micros, shareOf } from './exact.ts';
import type { Costs } from './queries.ts';
import type { Filters } from './question.ts';

/** The answer about a range. */
export type CostsAnswer = ResultOf<typeof Costs>;

/** A part of an account. */
export interface SubGroup {
  readonly id: string;
  readonly name: string;
  readonly cost: number;
}

/** What the costs of a range are split into, in one shape for every dimension. */
export interface Group {
  readonly key: string;
  /** The value as the API filters by it; null for charges without the tag. */
  readonly value: string | null;
  readonly name: string;
  readonly cost: number;
  /** In percent of all. */
  readonly share: number | null;
  readonly provider: string | null;
  /** FOCUS ServiceCategory. */
  readonly category?: string | undefined;
  readonly subGroups?: readonly SubGroup[] | undefined;
}

/** The groups of an answer, the largest cost first, as the API orders them. */
export function groupsOf(answer: CostsAnswer, group: Grouping): Group[] {
  switch (group) {
    case 'service':
      return (answer.services?.groups ?? []).map(
        ({ service, serviceCategory: category, percentage: share, ...rest }) => ({
          key: keyOf(service, rest.provider),
          value: service,
          name: service,
          share,
          category,
          ...rest,
        }),
      );
    case 'account':
      return (answer.accounts?.groups ?? []).map(
        ({ accountId, accountName, subAccounts, percentage: share, ...rest }) => ({
          key: keyOf(accountId, rest.provider),
          value: accountId,
          name: accountName,
          share,
          subGroups: subAccounts.map((one) => ({ id: one.subAccountId, name: one.subAccountName, cost: one.cost })),
          ...rest,
        }),
      );
    case 'region':
      return (answer.regions?.groups ?? []).map(({ region, percentage: share, ...rest }) => ({
        key: keyOf(region, rest.provider),
        value: region,
        name: regionName(region),
        share,
        ...rest,
      }));
    case 'provider':
      return providersOf(answer);
    case 'tag':
      return (answer.tags?.groups ?? []).map(({ tagValue, percentage: share, cost }) => ({
        key: tagValue === null ? 'untagged' : `=${tagValue}`,
        value: tagValue,
        name: tagName(tagValue),
        cost,
        share,
        provider: null,
      }));
  }
}

/** A tag's value as it is shown; null is no tag. */
export function tagName(value: string | null): string {
  return value === null ? 'Untagged' : value === '' ? '(empty)' : value;
}

/** The same name at two providers is two groups. */
export function keyOf(value: string | null, provider: string | null): string {
  return `${provider ?? ''}/${value ?? ''}`;
}

function providersOf(answer: CostsAnswer): Group[] {
  const sums = new Map<string, number>();
  for (const { groups } of answer.daily?.days ?? []) {
    for (const { provider, cost } of groups ?? []) {
      sums.set(provider ?? '', (sums.get(provider ?? '') ?? 0) + micros(cost));
    }
  }
  const total = answer.daily?.totalCost ?? 0;
  return [...sums]
    .sort(([, one], [, other]) => other - one)
    .map(([provider, sum]) => ({
      key: keyOf(provider, provider),
      value: provider,
      name: providerName(provider),
      cost: fromMicros(sum),
      share: shareOf(fromMicros(sum), total),
      provider,
    }));
}

/** What a click on a group splits it by: the first that it is not narrowed to already; null where there is nothing left. */
export function nextOf(group: Grouping, filters: Filters): Grouping | null {
  const order = { service: ['account', 'region'], account: ['service', 'region'] } as const;
  const candidates =
    group === 'service' || group === 'account' ? order[group] : (['service', 'account', 'region'] as const);
  return candidates.find((one) => one !== group && filters[one].length !== 1) ?? null;
}

/** Changes to the address that narrow it to a group.
 *  @param isShared the value is that of another provider's group too, so that the provider has to be named */
export function narrowingTo({ value, provider }: Group, group: Grouping, isShared: boolean): Changes {
  if (group === 'tag')
    return value === null ? { untagged: 'true', tagValue: null } : { tagValue: value, untagged: null };
  return { [group]: value, ...(isShared && provider !== null && { provider }) };
}
