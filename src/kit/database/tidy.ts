import type pg from 'pg';

/** Minimum share of changed rows for a table to be vacuumed. */
const notableShare = 0.1;
const fewestRows = 500;

/** Frees the space of replaced rows for new ones, and refreshes planner statistics: a job that changes a table does not wait for
 *  autovacuum, which comes a minute later, and only after a fifth of the table has changed. Skips locked tables. */
export async function vacuum(pool: pg.Pool, tables: readonly string[]): Promise<void> {
  for (const table of tables) await pool.query(`/* tidy */ VACUUM (ANALYZE, SKIP_LOCKED) ${table}`);
}

/** Vacuums those of the tables of which a tenth or more has changed. */
export async function vacuumChanged(pool: pg.Pool, tables: readonly string[]): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    `/* tidy */ SELECT s.relname AS name FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid
     WHERE s.relid = ANY($1::text[]::regclass[])
       AND greatest(s.n_dead_tup, s.n_mod_since_analyze) >= greatest(c.reltuples, ${fewestRows}) * ${notableShare}`,
    [tables],
  );
  const changed = new Set(rows.map(({ name }) => name));
  await vacuum(
    pool,
    tables.filter((table) => changed.has(table)),
  );
}
