import type { Deps } from '../../kit/deps.ts';
import { AppError } from '../../kit/errors/errors.ts';
import { microsToNumber, percentages, roundAmount, sumAmounts, type Amount } from '../../kit/money.ts';
import { mapConcurrently } from '../../kit/process/limiter.ts';
import { lastCompleteDay } from '../../kit/time/compared-days.ts';
import { addDays, dayOf, type Day } from '../../kit/time/period.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { amountsBy, convertedOf } from '../costs/cells.ts';
import { completeThroughs } from '../costs/compose.ts';
import { readLedger, type Ledger } from '../costs/ledger.ts';
import type { CostQuery } from '../costs/query.ts';
import { readCells } from '../costs/reading/read.ts';
import { countEvaluated } from './evaluation-store.ts';
import { parseLive, type VirtualTag } from './store.ts';

/** A virtual tag with the columns that its coverage and progress depend on. */
export type CoveredTag = Pick<VirtualTag, 'id' | 'key' | 'slot' | 'revision' | 'liveRevision' | 'enabled'> & {
  readonly live: unknown;
};

/** Part of the cost of the last 30 complete days that a virtual tag allocates. */
export interface TagCoverage {
  readonly coveragePercent: number | null;
  readonly unallocatedCost: number;
}

const coveredDays = 30;

/** Returns the days of previews and coverage: the last 30 complete ones. */
export function lastDays(ledger: Ledger, today: Day): Pick<CostQuery, 'range' | 'costMetric'> {
  const end = addDays(today, 1);
  const range = { start: addDays(end, -coveredDays), end };
  const last = lastCompleteDay(completeThroughs(ledger.accounts, range), today) ?? today;
  return { range: { start: addDays(last, 1 - coveredDays), end: addDays(last, 1) }, costMetric: 'effective' };
}

/** Returns the rounded total of costs by value, the part with the default value, and the share of the rest in percent. */
export function coverageOf(costs: ReadonlyMap<string, Amount>, defaultValue: string) {
  const total = roundAmount(sumAmounts(costs.values()));
  const unallocated = roundAmount(costs.get(defaultValue) ?? 0n);
  return { total, unallocated, coveragePercent: percentages([total - unallocated, unallocated], total)[0] ?? null };
}

/** Time for the coverage of all virtual tags of a response, in milliseconds. */
const coverageLimitMs = 10_000;

/** Number of virtual tags whose coverage is read at once. */
const atOnce = 4;

/** Reads the coverage of virtual tags in the caller's scope; null for a disabled one, and for one whose costs cannot be read in
 *  time: no response about virtual tags depends on an expensive one.
 *  @param signal aborted when the client disconnects */
export async function readCoverage(
  deps: Pick<Deps, 'pool' | 'engine' | 'clock'>,
  scope: OrgScope,
  tags: readonly CoveredTag[],
  signal?: AbortSignal,
): Promise<(TagCoverage | null)[]> {
  const ledger = await readLedger(deps.pool, scope);
  const slice = { ...ledger, accountIds: ledger.accounts.map(({ id }) => id) };
  const days = lastDays(ledger, dayOf(deps.clock.now()));
  const late = AbortSignal.timeout(coverageLimitMs);
  const isOver = AbortSignal.any(signal ? [late, signal] : [late]);
  return mapConcurrently(tags, atOnce, async ({ key, enabled, live }) => {
    if (!enabled) return null;
    const dimensions = [`virtual:${key}`] as const;
    const query = { ...days, bucket: 'none', dimensions, include: [], exclude: [] } as const;
    const cells = await readCells(deps, slice, query, isOver).catch((error: unknown) => {
      if (error instanceof AppError || late.aborted) return null;
      throw error;
    });
    if (cells === null) return null;
    const costs = amountsBy(convertedOf(cells), ({ keys }) => keys[0] ?? null);
    const { unallocated, coveragePercent } = coverageOf(costs, parseLive(live).defaultValue);
    return { coveragePercent, unallocatedCost: microsToNumber(unallocated) };
  });
}

/** Reads the share of the billing months in scope that are evaluated, in percent with 2 decimals; null for a disabled
 *  virtual tag. */
export async function readProgress(
  { pool }: Pick<Deps, 'pool'>,
  scope: OrgScope,
  tags: readonly CoveredTag[],
): Promise<(number | null)[]> {
  return Promise.all(
    tags.map(async (tag) => {
      if (!tag.enabled) return null;
      const { done, total } = await countEvaluated(pool, scope, tag);
      return total === 0 ? 100 : Math.floor((done / total) * 10_000) / 100;
    }),
  );
}
