import type { Deps } from '../../kit/deps.ts';
import { amountToNumber, percentages, roundAmount, sumAmounts } from '../../kit/money.ts';
import { dayOf } from '../../kit/time/period.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { z } from 'zod';
import { amountsBy, convertedOf } from '../costs/cells.ts';
import { readLedger } from '../costs/ledger.ts';
import { readCells } from '../costs/reading/read.ts';
import { countEvaluated } from './evaluation-store.ts';
import { lastDays } from './preview.ts';
import type { VirtualTag } from './store.ts';

/** What the coverage and the progress of a virtual tag depend on. */
export type CoveredTag = Pick<VirtualTag, 'id' | 'key' | 'slot' | 'revision' | 'liveRevision' | 'enabled'> & {
  readonly live: unknown;
};

/** How much of the cost of the last 30 complete days a virtual tag allocates. */
export interface TagCoverage {
  readonly coveragePercent: number | null;
  readonly unallocatedCost: number;
}

const liveSchema = z.object({ defaultValue: z.string() });

/** Reads the coverage of virtual tags in the caller's scope; null for a disabled one. */
export async function readCoverage(
  deps: Pick<Deps, 'pool' | 'engine' | 'clock'>,
  scope: OrgScope,
  tags: readonly CoveredTag[],
): Promise<(TagCoverage | null)[]> {
  const ledger = await readLedger(deps.pool, scope);
  const books = { ...ledger, accountIds: ledger.accounts.map(({ id }) => id) };
  const days = lastDays(ledger, dayOf(deps.clock.now()));
  return Promise.all(
    tags.map(async ({ key, enabled, live }) => {
      if (!enabled) return null;
      const dimensions = [`virtual:${key}`] as const;
      const query = { ...days, bucket: 'none', dimensions, include: [], exclude: [] } as const;
      const costs = amountsBy(convertedOf(await readCells(deps, books, query)), ({ keys }) => keys[0] ?? null);
      const unallocated = costs.get(liveSchema.parse(live).defaultValue) ?? 0n;
      const [total, rest] = [roundAmount(sumAmounts(costs.values())), roundAmount(unallocated)];
      return {
        coveragePercent: percentages([total - rest, rest], total)[0] ?? null,
        unallocatedCost: amountToNumber(unallocated),
      };
    }),
  );
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
