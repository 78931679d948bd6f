import { AnswerCache } from '../../kit/answer-cache.ts';
import {
  prepareHistory,
  replaceFlagged,
  readCoverageFacts,
  type CoverageArgs,
  type CoverageDeps,
  type PreparedCoverage,
} from '../../facts/coverage/run.ts';
import type { Deps } from '../../kit/deps.ts';
import type { PageRequest } from '../../kit/page.ts';
import { addDays, dayOf } from '../../kit/time/period.ts';
import { parseSort, type SortBy } from '../../kit/sort.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { composeGaps, gapSortFields } from './gaps.ts';
import type { CoverageGap, CoveragePlanner } from './graphql-types.ts';
import { composePlanner, expiringWithinDays, plannerDays } from './planner.ts';

const gapLists = new AnswerCache<readonly CoverageGap[]>();

/** Returns a page of services and regions with usage that commitments could cover, largest saving first by default. */
export async function pageGaps(
  deps: CoverageDeps,
  prepared: PreparedCoverage,
  { sortBy, skip, take }: PageRequest & { sortBy: SortBy<typeof gapSortFields> | null | undefined },
): Promise<{ rows: readonly CoverageGap[]; total: number }> {
  const sort = parseSort(sortBy, gapSortFields);
  const gaps = await gapLists.get(deps.pool, `${prepared.key}-${sort?.field}-${sort?.direction}`, async () =>
    composeGaps(await readCoverageFacts(deps, prepared, { grouping: 'gaps' }), sort),
  );
  return { rows: gaps.slice(skip, skip + take), total: gaps.length };
}

/** Returns commitments that would save money in addition to existing ones.
 *  @throws {AppError} VALIDATION_ERROR for invalid parameters */
export async function readPlanner(deps: CoverageDeps, scope: OrgScope, args: CoverageArgs): Promise<CoveragePlanner> {
  const prepared = await prepareHistory(deps, scope, args, plannerDays);
  const reading = { grouping: 'planner', expiringBy: addDays(dayOf(deps.clock.now()), expiringWithinDays) } as const;
  const facts = await readCoverageFacts(deps, prepared, reading);
  const flagged = await readCoverageFacts(deps, prepared, { ...reading, isFlagged: true });
  return composePlanner(facts, flagged.cells);
}

/** Excludes the usage of resources that recommendations would end from commitment plans.
 *  @param resourceIds ids (`idOf`), as decimal texts; previously marked resources that are not listed are unmarked */
export function excludeUsage(
  deps: Pick<Deps, 'pool' | 'engine'>,
  scope: OrgScope,
  accountId: string,
  resourceIds: readonly string[],
): Promise<void> {
  return replaceFlagged(deps, scope, accountId, { days: plannerDays, resourceIds });
}
