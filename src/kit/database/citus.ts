import type pg from 'pg';
import type { Log } from '../log.ts';

/** The cost cube, and what is as long and made of it. Everything else stays on the coordinator. */
const DISTRIBUTED = [
  'cost_rollups',
  'services',
  'regions',
  'sub_accounts',
  'tag_pairs',
  'tag_keys',
  'tag_values',
  'inventory_listings',
  'inventory_resources',
  'inventory_counts',
  'tag_key_usage',
  'tag_key_costs',
  'taggable_costs',
  'tag_violations',
  'tag_violation_counts',
  'coverage_days',
  'coverage_flagged_days',
  'coverage_periods',
] as const;

/** Where the Citus extension is present, spreads the cost cube over its nodes by account, so that one account's tables lie
 *  together and a billing period is replaced on one node. Does nothing on plain PostgreSQL, or when it is done already.
 *  @returns the tables distributed now */
export async function distribute(pool: pg.Pool, log: Log): Promise<string[]> {
  const { rowCount } = await pool.query(`select 1 from pg_extension where extname = 'citus'`);
  if (!rowCount) return [];
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(`select pg_advisory_xact_lock(hashtextextended('costkeep distribute', 0))`);
    const tables = await undistributed(client);
    for (const table of tables) await client.query(`select create_distributed_table($1, 'account_id')`, [table]);
    await client.query('commit');
    if (tables.length > 0) log.info({ tables }, 'Distributed tables by account');
    return tables;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

async function undistributed(client: pg.PoolClient): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select name from unnest($1::text[]) as name
     where not exists (select 1 from pg_dist_partition where logicalrelid = name::regclass)`,
    [DISTRIBUTED],
  );
  return rows.map((row) => row.name);
}
