import type { CostExplorerClient, Group } from '@aws-sdk/client-cost-explorer';
import type { Month } from '../../../kit/time/period.ts';
import { askCosts } from './ask.ts';
import { daysOf } from './months.ts';
import { amountOf, type EffectiveMetric, isZero, metrics } from './rows.ts';

/** Kinds of charges in a month. */
export interface MonthOverview {
  readonly recordTypes: readonly string[];
  readonly effectiveBy: EffectiveMetric;
}

/** Returns the kinds of charges in each month, with one query for all months, so that each month is queried only for what it
 *  has, and months before the account's first are skipped.
 *  @returns by month; months without charges are missing */
export async function overviewOf(
  client: CostExplorerClient,
  months: { readonly first: Month; readonly last: Month },
  now: Date,
  signal: AbortSignal,
): Promise<Map<string, MonthOverview>> {
  const question = {
    TimePeriod: daysOf(months.first, months.last, now),
    Granularity: 'MONTHLY' as const,
    Metrics: [...metrics],
    GroupBy: [{ Type: 'DIMENSION' as const, Key: 'RECORD_TYPE' }],
  };
  const found = new Map<string, Seen>();
  for await (const { results } of askCosts(client, question, signal)) {
    for (const { TimePeriod, Groups = [] } of results) {
      const month = TimePeriod?.Start?.slice(0, 7) ?? '';
      const seen = found.get(month) ?? { types: new Set<string>(), hasNet: false };
      for (const group of Groups) look(group, seen);
      if (seen.types.size > 0) found.set(month, seen);
    }
  }
  return new Map(
    [...found].map(([month, { types, hasNet }]) => [
      month,
      { recordTypes: [...types].sort(), effectiveBy: hasNet ? 'NetAmortizedCost' : 'AmortizedCost' },
    ]),
  );
}

interface Seen {
  readonly types: Set<string>;
  hasNet: boolean;
}

function look(group: Group, seen: Seen): void {
  const amounts = metrics.map((metric) => amountOf(group, metric));
  if (amounts.every((each) => each === null || isZero(each.amount))) return;
  seen.types.add(group.Keys?.[0] ?? '');
  seen.hasNet ||= !isZero(amountOf(group, 'NetAmortizedCost')?.amount ?? '0');
}
