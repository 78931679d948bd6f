import type pg from 'pg';
import type { Db } from '../../kit/db.ts';

/** Returns all accounts of all organizations, connected or not, for the schedule. */
export function listAllAccounts(db: Db): Promise<{ id: string; organizationId: string }[]> {
  return db.account.findMany({ select: { id: true, organizationId: true }, orderBy: { id: 'asc' } });
}

/** Vacuums and analyzes the tables that an evaluation writes, which enables index-only scans and refreshes planner
 *  statistics. Skips locked tables. */
export async function tidy(pool: pg.Pool): Promise<void> {
  for (const table of ['inventory_resources', 'tag_violations', 'recommendations'])
    await pool.query(`/* tidy */ VACUUM (ANALYZE, SKIP_LOCKED) ${table}`);
}
