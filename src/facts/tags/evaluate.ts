import type pg from 'pg';
import { lockAccount } from '../../kit/database/account-lock.ts';
import { inTransaction } from '../../kit/database/transaction.ts';
import type { Deps } from '../../kit/deps.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { checkerOf } from './check.ts';
import { findEvaluated, replaceUsage } from './usage-store.ts';
import {
  countViolations,
  deleteViolations,
  insertViolations,
  readPoliciesOf,
  readResources,
  readUntaggable,
} from './violation-store.ts';

/** Works out anew how an account's tags are used, and which policies its resources break. Readers see what was found before
 *  until all of it is written. Does nothing when the account is gone. */
export async function evaluateTags(deps: Pick<Deps, 'pool'>, scope: OrgScope, accountId: string): Promise<void> {
  await evaluate(deps, scope, accountId, async (client) => {
    const account = await findEvaluated(client, scope, accountId);
    if (account === null) return;
    await replaceUsage(client, scope, account);
    await replaceViolations(client, scope, accountId);
  });
}

/** Works out anew which policies an account's resources break, after a policy has changed. */
export async function evaluatePolicies(deps: Pick<Deps, 'pool'>, scope: OrgScope, accountId: string): Promise<void> {
  await evaluate(deps, scope, accountId, async (client) => {
    if (await findEvaluated(client, scope, accountId)) await replaceViolations(client, scope, accountId);
  });
}

async function evaluate(
  { pool }: Pick<Deps, 'pool'>,
  scope: OrgScope,
  accountId: string,
  work: (client: pg.PoolClient) => Promise<void>,
): Promise<void> {
  await inTransaction(pool, async (client) => {
    await lockAccount(client, accountId);
    // Of an account that came after the last ANALYZE the planner expects one row, for which it would join row by row.
    await client.query('SET LOCAL enable_nestloop = off; SET LOCAL enable_mergejoin = off');
    await work(client);
  });
}

async function replaceViolations(client: pg.PoolClient, scope: OrgScope, accountId: string): Promise<void> {
  await deleteViolations(client, scope, accountId);
  const policies = await readPoliciesOf(client, scope, accountId);
  if (policies.length === 0) return;
  const check = checkerOf(policies);
  const untaggable = await readUntaggable(client, scope, accountId);
  for await (const resources of readResources(client, scope, accountId)) {
    const found = resources
      .filter(({ resourceId }) => !untaggable.has(resourceId))
      .flatMap((resource) => check(resource).map((violation) => ({ ...violation, resource })));
    await insertViolations(client, scope, accountId, found);
  }
  await countViolations(client, scope, accountId);
}
