import { microsToNumber, roundAmount, roundParts, round6 } from '../../kit/money.ts';
import type { Sort } from '../../kit/sort.ts';
import type { CoverageGap } from './graphql-types.ts';
import {
  effectiveOf,
  equivalentOf,
  isCovered,
  open,
  shareOf,
  type CoverageCell,
  type CoverageFacts,
} from '../../facts/coverage/compose.ts';
import { hoursPerMonth, planOf, pricedOffers } from './plan.ts';
import { nextTurn } from '../../kit/turns.ts';
import { numberOf, poolsOf, type Pool } from './pools.ts';
import { compare } from '../../kit/sort.ts';

/** Sort fields of gaps, in REST spelling. */
export const gapSortFields = [
  'estimated_monthly_savings',
  'on_demand_cost',
  'covered_cost',
  'coverage_percent',
  'service',
  'region',
  'provider',
] as const;
export type GapSortField = (typeof gapSortFields)[number];

/** Composes `/coverage/gaps`: all services and regions with usage that a commitment covers or could cover. Their on-demand
 *  costs add up to that part of `/coverage`'s split, their covered costs to its covered cost.
 *  @param sort null: largest saving first */
export async function composeGaps(facts: CoverageFacts, sort: Sort<GapSortField> | null): Promise<CoverageGap[]> {
  const { cells, head } = open(facts);
  const groups = [
    ...Map.groupBy(cells, ({ provider, service, region }) => JSON.stringify([provider, service, region])).values(),
  ];
  const onDemand = (group: readonly CoverageCell[]) => effectiveOf(group.filter((cell) => !isCovered(cell)));
  const covered = (group: readonly CoverageCell[]) => equivalentOf(group.filter(isCovered));
  const onDemandCosts = roundParts(groups.map(onDemand), roundAmount(onDemand(cells)));
  const coveredCosts = roundParts(groups.map(covered), roundAmount(covered(cells)));
  const gaps: CoverageGap[] = [];
  for (const [index, group] of groups.entries()) {
    await nextTurn();
    gaps.push({
      provider: group[0]?.provider ?? '',
      service: group[0]?.service ?? '',
      region: group[0]?.region ?? '',
      currency: head.currency,
      onDemandCost: microsToNumber(onDemandCosts[index] ?? 0n),
      coveredCost: microsToNumber(coveredCosts[index] ?? 0n),
      coveragePercent: shareOf(covered(group), covered(group) + onDemand(group)),
      estimatedMonthlySavings: round6(savingsOf(poolsOf(group, facts.accounts, facts.range), cells)),
    });
  }
  return sorted(gaps, sort);
}

/** Returns the savings of the one-year commitment with the lowest upfront payment: the value of a first step. */
function savingsOf(pools: Iterable<Pool>, cells: readonly CoverageCell[]): number {
  let sum = 0;
  for (const pool of pools) {
    const [offer] = pricedOffers(pool.program, coveredAnywhere(pool, cells));
    const plan = offer ? planOf(pool.days, offer) : null;
    sum += plan ? plan.savings * hoursPerMonth : 0;
  }
  return sum;
}

/** Returns the program's covered usage in the account, in all regions: the discount is derived from all of it. */
function coveredAnywhere({ account, program }: Pool, cells: readonly CoverageCell[]) {
  const kind = program.kind === 'reserved' ? 3 : 4;
  const same = cells.filter(
    (cell) => cell.accountId === account.id && cell.program === program.id && cell.pricingKind === kind,
  );
  return { effective: numberOf(effectiveOf(same)), equivalent: numberOf(equivalentOf(same)) };
}

const fieldsOf = {
  estimated_monthly_savings: 'estimatedMonthlySavings',
  on_demand_cost: 'onDemandCost',
  covered_cost: 'coveredCost',
  coverage_percent: 'coveragePercent',
  service: 'service',
  region: 'region',
  provider: 'provider',
} as const satisfies Record<GapSortField, keyof CoverageGap>;

function sorted(gaps: readonly CoverageGap[], sort: Sort<GapSortField> | null): CoverageGap[] {
  const { field, direction } = sort ?? { field: 'estimated_monthly_savings', direction: 'desc' };
  const sign = direction === 'asc' ? 1 : -1;
  // A coverage of null (nothing is eligible) sorts before 0%.
  const value = (gap: CoverageGap) => {
    const own = gap[fieldsOf[field]] ?? -1;
    return typeof own === 'string' ? own.toLowerCase() : own;
  };
  // Without savings, such as in a short range, usage to cover comes before what is covered.
  const byOnDemand = (a: CoverageGap, b: CoverageGap) => compare(b.onDemandCost, a.onDemandCost);
  const name = (gap: CoverageGap) => JSON.stringify([gap.provider, gap.service, gap.region]);
  return gaps.toSorted((a, b) => sign * compare(value(a), value(b)) || byOnDemand(a, b) || compare(name(a), name(b)));
}
