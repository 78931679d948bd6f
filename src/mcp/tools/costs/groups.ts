import { z } from 'zod';
import * as shapes from '../../../../schema/rest.ts';
import type { Micros } from '../../../kit/money.ts';
import type { Api, Query } from '../../api/client.ts';
import { cut, longestName } from '../../fit.ts';
import { microsOf } from '../../output.ts';
import type { CostBasis } from './question.ts';

/** Field names that the API uses for groups. */
type ApiName =
  | 'service'
  | 'service_category'
  | 'account_id'
  | 'account_name'
  | 'sub_account_id'
  | 'sub_account_name'
  | 'region'
  | 'provider'
  | 'tag_value';

/** Fields that identify a group of any dimension. */
export const groupNames = {
  name: z.string().nullable().describe('null for untagged'),
  id: z.string().optional().describe('Provider of an account'),
  category: z.string().optional(),
  provider: z.string().optional(),
};

export type GroupNames = z.output<z.ZodObject<typeof groupNames>>;

/** How costs are grouped and how groups are named. */
export interface GroupedBy {
  /** API groups that match in these fields are merged. */
  readonly by: readonly ApiName[];
  /** Maps our names to the API's; merged groups take the names of the largest. */
  readonly names: { readonly [Name in keyof GroupNames]?: ApiName };
}

interface Cut extends GroupedBy {
  /** Path under `/costs`. */
  readonly path: keyof typeof answers;
}

/** The split for each dimension. */
export const cuts = {
  service: {
    path: 'by-service',
    by: ['service', 'provider'],
    names: { name: 'service', category: 'service_category', provider: 'provider' },
  },
  service_category: { path: 'by-service', by: ['service_category'], names: { name: 'service_category' } },
  provider: { path: 'by-service', by: ['provider'], names: { name: 'provider' } },
  account: {
    path: 'by-account',
    by: ['account_id', 'provider'],
    names: { name: 'account_name', id: 'account_id', provider: 'provider' },
  },
  sub_account: {
    path: 'by-account',
    by: ['account_id', 'sub_account_id', 'provider'],
    names: { name: 'sub_account_name', id: 'sub_account_id', provider: 'provider' },
  },
  region: { path: 'by-region', by: ['region', 'provider'], names: { name: 'region', provider: 'provider' } },
  tag: { path: 'by-tag', by: ['tag_value'], names: { name: 'tag_value' } },
} as const satisfies Readonly<Record<string, Cut>>;

/** Dimensions that costs can be split by. */
export type Dimension = keyof typeof cuts;
export const dimensions = Object.keys(cuts) as [Dimension, ...Dimension[]];

const answers = {
  'by-service': shapes.CostsByService,
  'by-account': shapes.CostsByAccount,
  'by-region': shapes.CostsByRegion,
  'by-tag': shapes.CostsByTag,
};

/** A group of costs. */
export interface Group {
  /** Identifies the same group across periods. */
  readonly key: string;
  readonly names: GroupNames;
  readonly cost: Micros;
}

/** Costs with their groups, which add up to the total. */
export interface Split {
  readonly basis: CostBasis;
  /** They add up to the total. */
  readonly groups: readonly Group[];
}

/** Reads costs split by a dimension.
 *  @throws {ApiFailure} */
export async function readSplit(api: Api, dimension: Dimension, query: Query): Promise<Split> {
  const split = cuts[dimension];
  const { groups, ...basis } = await api.get(`/costs/${split.path}`, query, answers[split.path]);
  const parts: readonly Part[] = groups;
  return { basis, groups: joined(dimension === 'sub_account' ? parts.flatMap(subAccountsOf) : parts, split) };
}

function subAccountsOf(account: Part): readonly Part[] {
  return (account.sub_accounts ?? []).map((part) => ({ ...account, ...part }));
}

/** A group as the API returns it. */
export type Part = { readonly [Name in ApiName]?: string | null | undefined } & {
  readonly cost: number;
  readonly sub_accounts?: readonly Part[];
};

/** Merges API groups that belong together. */
export function joined(parts: readonly Part[], split: GroupedBy): Group[] {
  const groups = new Map<string, Group>();
  for (const part of parts) {
    const key = JSON.stringify(split.by.map((name) => part[name]));
    const known = groups.get(key);
    const names = known?.names ?? namesOf(part, split);
    groups.set(key, { key, names, cost: (known?.cost ?? 0n) + microsOf(part.cost) });
  }
  return [...groups.values()];
}

function namesOf(part: Part, { names }: GroupedBy): GroupNames {
  const pairs = Object.entries(names).map(([ours, theirs]) => [ours, part[theirs]] as const);
  const known = pairs.flatMap(([ours, name]) => (name ? [[ours, cut(name, longestName)]] : []));
  return { name: null, ...Object.fromEntries(known) };
}
