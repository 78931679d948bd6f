import type pg from 'pg';
import type { Deps } from '../../../kit/deps.ts';
import type { Day } from '../../../kit/time/period.ts';
import type { OrgScope } from '../../../tenancy/auth/scope.ts';
import { readThenWrite } from '../../consistent.ts';
import { removeStaged } from '../../staged.ts';
import { readChargedTags, readUntaggable } from './charged.ts';
import { checkerOf, checkAll } from './check.ts';
import { replaceUsage } from './usage-store.ts';
import {
  countViolations,
  deleteViolations,
  insertViolations,
  readPoliciesOf,
  readResources,
  refreshStatistics,
} from './violation-store.ts';

/** Stands for the last complete day of an account without bills, which has no facts on any day. */
const anyDay: Day = '1970-01-01';

/** Evaluates an account's tag usage and policy violations. Readers see the previous result until the new one is complete.
 *  Does nothing if the account is gone.
 *  @param withUsage false: only policies, after one has changed */
export async function evaluateTags(
  deps: Pick<Deps, 'pool' | 'engine'>,
  scope: OrgScope,
  accountId: string,
  withUsage = true,
): Promise<void> {
  const violations = await readThenWrite(deps, scope, accountId, {
    async read({ completeThrough }) {
      const last = completeThrough ?? anyDay;
      const { length: policies } = await readPoliciesOf(deps.pool, scope, accountId);
      const untaggable = policies > 0 ? await readUntaggable(deps, scope, accountId, last) : null;
      return { untaggable, charged: withUsage ? await readChargedTags(deps, scope, accountId, last) : null };
    },
    async write(client, { untaggable, charged }) {
      // For an account added after the last ANALYZE, the planner expects one row and would choose nested loops.
      await client.query(
        `SET LOCAL enable_nestloop = off; SET LOCAL enable_mergejoin = off; SET LOCAL work_mem = '64MB'; SET LOCAL jit = off`,
      );
      if (charged !== null) await replaceUsage(client, scope, accountId, charged);
      return replaceViolations(client, scope, accountId, untaggable);
    },
    done: async ({ charged }) => removeStaged(charged?.values ?? []),
  });
  await refreshStatistics(deps.pool, violations ?? 0);
}

/** Replaces an account's violations.
 *  @param untaggable as for `readResources`; null: there were no policies. A policy created since then queues its own
 *    evaluation.
 *  @returns the number of violations */
async function replaceViolations(
  client: pg.PoolClient,
  scope: OrgScope,
  accountId: string,
  untaggable: readonly string[] | null,
): Promise<number> {
  await deleteViolations(client, scope, accountId);
  if (untaggable === null) return 0;
  const check = checkerOf(await readPoliciesOf(client, scope, accountId));
  for await (const resources of readResources(client, scope, accountId, untaggable))
    await insertViolations(client, scope, accountId, await checkAll(check, resources));
  return countViolations(client, scope, accountId);
}
