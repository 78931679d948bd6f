import type pg from 'pg';
import type { Db } from '../../kit/db.ts';

/** Every account of every organization, connected or not, for the schedule. */
export function listAllAccounts(db: Db): Promise<{ id: string; organizationId: string }[]> {
  return db.account.findMany({ select: { id: true, organizationId: true }, orderBy: { id: 'asc' } });
}

/** Marks what an evaluation has written as visible to all, so that lists are read from indexes alone, and tells the planner
 *  about it. What somebody else is at already is left to them. */
export async function tidy(pool: pg.Pool): Promise<void> {
  for (const table of ['inventory_resources', 'tag_violations', 'recommendations'])
    await pool.query(`/* tidy */ VACUUM (ANALYZE, SKIP_LOCKED) ${table}`);
}
