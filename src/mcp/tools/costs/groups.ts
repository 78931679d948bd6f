import { z } from 'zod';
import type { Micros } from '../../../kit/money.ts';
import type { Api, Query } from '../../api/api.ts';
import { cut } from '../../cut.ts';
import { microsOf } from '../../micros.ts';
import { costBasis, type CostBasis } from './answer.ts';

const text = z.string().optional();

/** What names a group: what it was grouped by, in the words of the filters, and what people call it. */
export const groupNames = {
  service: text,
  service_category: text,
  account_id: text,
  account_name: text,
  sub_account_id: text,
  sub_account_name: text,
  region: text,
  provider: text,
  tag_value: z.string().nullable().optional().describe('null: untagged'),
};

export type GroupNames = z.output<z.ZodObject<typeof groupNames>>;
type Name = keyof GroupNames;

/** What makes a group of costs. */
export interface GroupedBy {
  /** Two groups of the API that are equal in these are one. */
  readonly by: readonly Name[];
  /** Told of the largest of them. */
  readonly also?: readonly Name[];
}

interface Cut extends GroupedBy {
  /** Under `/costs`. */
  readonly path: string;
}

/** Of each dimension. */
export const cuts = {
  service: { path: 'by-service', by: ['service', 'provider'], also: ['service_category'] },
  service_category: { path: 'by-service', by: ['service_category'] },
  provider: { path: 'by-service', by: ['provider'] },
  account: { path: 'by-account', by: ['account_id', 'provider'], also: ['account_name'] },
  sub_account: {
    path: 'by-account',
    by: ['account_id', 'sub_account_id', 'provider'],
    also: ['account_name', 'sub_account_name'],
  },
  region: { path: 'by-region', by: ['region', 'provider'] },
  tag: { path: 'by-tag', by: ['tag_value'] },
} as const satisfies Readonly<Record<string, Cut>>;

/** What costs can be split by. */
export type Dimension = keyof typeof cuts;
export const dimensions = Object.keys(cuts) as [Dimension, ...Dimension[]];

const subAccount = z.object({ sub_account_id: z.string(), sub_account_name: z.string(), cost: z.number() });
const group = z.object({ ...groupNames, cost: z.number(), sub_accounts: z.array(subAccount).optional() });
const grouped = z.object({ ...costBasis, groups: z.array(group) });

/** A part of a cost. */
export interface Group {
  /** Equal for the same group in two periods. */
  readonly key: string;
  readonly names: GroupNames;
  readonly cost: Micros;
}

/** Costs and what they consist of. */
export interface Split {
  readonly basis: CostBasis;
  /** They add up to the total. */
  readonly groups: readonly Group[];
}

/** Costs split by a dimension.
 *  @throws {ApiFailure} */
export async function readSplit(api: Api, dimension: Dimension, query: Query): Promise<Split> {
  const split = cuts[dimension];
  const { groups, ...basis } = await api.get(`/costs/${split.path}`, query, grouped);
  const parts = dimension === 'sub_account' ? groups.flatMap(withinAccount) : groups;
  return { basis, groups: joined(parts, split) };
}

function withinAccount({ sub_accounts, ...account }: z.output<typeof group>) {
  return (sub_accounts ?? []).map((part) => ({ ...account, ...part }));
}

/** A line of the API's: a name that is none of its group's is left out, or null. */
export type Part = { readonly [One in Name]?: string | null | undefined } & { readonly cost: number };

/** Adds up the parts that have the same names. */
export function joined(parts: readonly Part[], { by, also = [] }: GroupedBy): Group[] {
  const groups = new Map<string, Group>();
  for (const part of parts) {
    const key = JSON.stringify(by.map((name) => part[name]));
    const known = groups.get(key);
    const names = known?.names ?? namesOf(part, [...by, ...also]);
    groups.set(key, { key, names, cost: (known?.cost ?? 0n) + microsOf(part.cost) });
  }
  return [...groups.values()];
}

/** Longer ones are none of a cloud; the answer has an end whatever a bill says. */
const longestName = 300;

function namesOf(part: Part, wanted: readonly Name[]): GroupNames {
  const named = wanted.map((name) => {
    const value = part[name];
    return [name, typeof value === 'string' ? cut(value, longestName) : value];
  });
  return Object.fromEntries(named);
}
