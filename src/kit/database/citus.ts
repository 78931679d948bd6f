import type pg from 'pg';
import type { Log } from '../log.ts';
import { cubeTables } from './account-rows.ts';
import { inTransaction } from './transaction.ts';

// `accounts` and `billing_periods` stay local tables of the coordinator. Measured on three nodes: a write to a reference table took
// 2.4 times as long, because all nodes commit it together, and a list over a distributed table 3 times. Both are small, and Citus
// sends the few rows that a query joins to the shards.

/** If the Citus extension is present, distributes the cost cube over its nodes by account, so that an account's
 *  tables are colocated and a billing period is replaced on one node. Does nothing on plain PostgreSQL or if already
 *  distributed.
 *  @returns the newly distributed tables */
export async function distribute(pool: pg.Pool, log: Log): Promise<string[]> {
  const { rowCount } = await pool.query(`select 1 from pg_extension where extname = 'citus'`);
  if (!rowCount) return [];
  const tables = await inTransaction(pool, async (client) => {
    await client.query(`select pg_advisory_xact_lock(hashtextextended('costkeep distribute', 0))`);
    const missing = await undistributed(client);
    for (const table of missing) await client.query(`select create_distributed_table($1, 'account_id')`, [table]);
    return missing;
  });
  if (tables.length > 0) log.info({ tables }, 'Distributed tables by account');
  return tables;
}

async function undistributed(client: pg.PoolClient): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select name from unnest($1::text[]) as name
     where not exists (select 1 from pg_dist_partition where logicalrelid = name::regclass)`,
    [cubeTables],
  );
  return rows.map((row) => row.name);
}
