import type pg from 'pg';
import type { Db } from '../../kit/db.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';

/** Whether the organization has the account, connected or not. */
export async function isAccountThere(db: Db, scope: OrgScope, accountId: string): Promise<boolean> {
  const { organizationId } = scope;
  return (await db.account.count({ where: { id: accountId, organizationId } })) > 0;
}

/** Every account of every organization, connected or not, for the schedule. */
export function listAllAccounts(db: Db): Promise<{ id: string; organizationId: string }[]> {
  return db.account.findMany({ select: { id: true, organizationId: true }, orderBy: { id: 'asc' } });
}

/** Waits for whoever evaluates the account, and keeps others from it until the transaction ends. Nobody else waits.
 *  @param client a connection with an open transaction */
export async function lockEvaluation(client: pg.ClientBase, accountId: string): Promise<void> {
  const key = `evaluate:${accountId}`;
  await client.query('/* lockEvaluation */ SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [key]);
}

/** Marks what an evaluation has written as visible to all, so that lists are read from indexes alone, and tells the planner
 *  about it. What somebody else is at already is left to them. */
export async function tidy(pool: pg.Pool): Promise<void> {
  for (const table of ['inventory_resources', 'tag_violations', 'recommendations'])
    await pool.query(`/* tidy */ VACUUM (ANALYZE, SKIP_LOCKED) ${table}`);
}
