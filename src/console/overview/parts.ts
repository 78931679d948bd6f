import type { ResultOf } from '../api/graphql.ts';
import { micros } from '../costs/exact.ts';
import type { DayCost, Part } from '../costs/stacks.ts';
import { providerName } from '../words/names.ts';
import type { CostsSplit } from './queries.ts';

/** What the overview's chart can be split by. */
export type TrendGroup = 'service' | 'account' | 'provider';

/** Days that are split. */
export type SplitDays = NonNullable<ResultOf<typeof CostsSplit>['costsDaily']>['days'] | readonly never[];
type SplitGroup = NonNullable<SplitDays[number]['groups']>[number];

/** The days of each group, the largest group first. */
export function topParts(days: SplitDays, group: TrendGroup): Part[] {
  const found = new Map<string, { name: string; sum: number; days: DayCost[] }>();
  for (const { date, groups } of days) {
    for (const one of groups ?? []) {
      const key = valueOf(one, group);
      const entry = found.get(key) ?? { name: nameOf(one, group), sum: 0, days: [] };
      found.set(key, entry);
      entry.sum += micros(one.cost);
      entry.days.push({ date, cost: one.cost });
    }
  }
  return [...found]
    .sort(([, one], [, other]) => other.sum - one.sum)
    .map(([key, part]) => ({ key, name: part.name, days: part.days }));
}

function valueOf({ service, accountId, provider }: SplitGroup, group: TrendGroup): string {
  return (group === 'service' ? service : group === 'account' ? accountId : provider) ?? '';
}

function nameOf({ service, accountName, provider }: SplitGroup, group: TrendGroup): string {
  return (group === 'service' ? service : group === 'account' ? accountName : providerName(provider ?? '')) ?? '';
}
