import type pg from 'pg';
import type { Deps } from '../../../kit/deps.ts';
import type { Day } from '../../../kit/period.ts';
import type { OrgScope } from '../../../tenancy/auth/scope.ts';
import { readThenWrite } from '../../consistent.ts';
import { removeStaged } from '../../staged.ts';
import { readChargedTags, readUntaggable } from './charged.ts';
import { checkerOf, judgeAll } from './check.ts';
import { replaceUsage } from './usage-store.ts';
import {
  countViolations,
  deleteViolations,
  insertViolations,
  readPoliciesOf,
  readResources,
  refreshStatistics,
} from './violation-store.ts';

/** Of an account without bills, which has no facts on any day. */
const anyDay: Day = '1970-01-01';

/** Evaluates how an account's tags are used, and which policies its resources break. Readers see the previous result until all of
 *  it is written. Does nothing when the account is gone.
 *  @param withUsage false: policies alone, after one has changed */
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
      // Of an account that came after the last ANALYZE the planner expects one row, for which it would join row by row.
      await client.query(
        `SET LOCAL enable_nestloop = off; SET LOCAL enable_mergejoin = off; SET LOCAL work_mem = '64MB'`,
      );
      if (charged !== null) await replaceUsage(client, scope, accountId, charged);
      return replaceViolations(client, scope, accountId, untaggable);
    },
    done: async ({ charged }) => removeStaged(charged?.values ?? []),
  });
  await refreshStatistics(deps.pool, violations ?? 0);
}

/** @param untaggable as `readResources` takes them; null: there was no policy. One that was made since queues an evaluation of
 *    its own.
 *  @returns how many violations there are */
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
    await insertViolations(client, scope, accountId, await judgeAll(check, resources));
  return countViolations(client, scope, accountId);
}
