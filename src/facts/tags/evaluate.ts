import type pg from 'pg';
import { lockAccount } from '../../kit/database/account-lock.ts';
import { inTransaction } from '../../kit/database/transaction.ts';
import type { Deps } from '../../kit/deps.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { checkerOf } from './check.ts';
import { judgeAll } from './judge.ts';
import { findEvaluated, replaceUsage } from './usage-store.ts';
import {
  deleteViolations,
  insertCounts,
  insertViolations,
  readPoliciesOf,
  readResources,
  readUntaggable,
  refreshStatistics,
  type FoundViolation,
  type ViolationCount,
} from './violation-store.ts';

/** Works out anew how an account's tags are used, and which policies its resources break. Readers see what was found before
 *  until all of it is written. Does nothing when the account is gone. */
export async function evaluateTags(deps: Pick<Deps, 'pool'>, scope: OrgScope, accountId: string): Promise<void> {
  await evaluate(deps, scope, accountId, true);
}

/** Works out anew which policies an account's resources break, after a policy has changed. */
export async function evaluatePolicies(deps: Pick<Deps, 'pool'>, scope: OrgScope, accountId: string): Promise<void> {
  await evaluate(deps, scope, accountId, false);
}

async function evaluate(
  { pool }: Pick<Deps, 'pool'>,
  scope: OrgScope,
  accountId: string,
  withUsage: boolean,
): Promise<void> {
  const violations = await inTransaction(pool, async (client) => {
    await lockAccount(client, accountId);
    // Of an account that came after the last ANALYZE the planner expects one row, for which it would join row by row.
    await client.query(
      `SET LOCAL enable_nestloop = off; SET LOCAL enable_mergejoin = off; SET LOCAL work_mem = '64MB'`,
    );
    const account = await findEvaluated(client, scope, accountId);
    if (account === null) return 0;
    if (withUsage) await replaceUsage(client, scope, account);
    return replaceViolations(client, scope, accountId);
  });
  await refreshStatistics(pool, violations);
}

/** @returns how many there are */
async function replaceViolations(client: pg.PoolClient, scope: OrgScope, accountId: string): Promise<number> {
  await deleteViolations(client, scope, accountId);
  const policies = await readPoliciesOf(client, scope, accountId);
  if (policies.length === 0) return 0;
  const check = checkerOf(policies);
  const untaggable = await readUntaggable(client, scope, accountId);
  const counts = new Map<string, ViolationCount>();
  for await (const resources of readResources(client, scope, accountId)) {
    const found = await judgeAll(
      check,
      resources.filter(({ resourceId }) => !untaggable.has(resourceId)),
    );
    await insertViolations(client, scope, accountId, found);
    for (const violation of found) count(counts, violation);
  }
  await insertCounts(client, scope, accountId, [...counts.values()]);
  return counts.values().reduce((sum, { violations }) => sum + violations, 0);
}

function count(counts: Map<string, ViolationCount>, { policyId, key, problem, resource }: FoundViolation): void {
  const { provider, resourceType, currency } = resource;
  const kind = JSON.stringify([policyId, key, problem, provider, resourceType, currency]);
  const violations = (counts.get(kind)?.violations ?? 0) + 1;
  counts.set(kind, { policyId, key, problem, resource: { provider, resourceType, currency }, violations });
}
