import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';

/** Shows whether a database is in its initial state. */
export interface Content {
  /** Changes with tables, columns, constraints, functions, triggers and settings. */
  readonly shape: string;
  /** Tables with rows in a new database, from the migrations. */
  readonly filled: readonly string[];
  /** Their number of rows. */
  readonly rows: number;
}

const ours = `('public'::regnamespace, to_regnamespace('graphile_worker'))`;
const countAndVersion = `concat(count(*), ' ', sum(xmin::text::bigint))`;

const shapeSql = `SELECT concat_ws(' ',
  (SELECT concat(count(*), ' ', max(oid::bigint), ' ', sum(hashtext(concat(relname, relacl, reloptions))))
   FROM pg_class WHERE relnamespace IN ${ours}),
  (SELECT ${countAndVersion} FROM pg_attribute WHERE attrelid > 16384),
  (SELECT ${countAndVersion} FROM pg_constraint WHERE oid > 16384),
  (SELECT ${countAndVersion} FROM pg_trigger),
  (SELECT ${countAndVersion} FROM pg_proc WHERE oid > 16384),
  (SELECT count(*) FROM pg_db_role_setting JOIN pg_database d ON d.oid = setdatabase
   WHERE datname = current_database())) AS shape`;
// A table that never had a row has no pages.
const filledSql = `SELECT oid::regclass::text AS name FROM pg_class
  WHERE relkind = 'r' AND relnamespace IN ${ours} AND pg_relation_size(oid) > 0 ORDER BY 1`;
// A distributed table has its pages on other nodes.
const distributedSql = `SELECT DISTINCT unnest(result::text[]) AS name FROM run_command_on_workers($$
  SELECT coalesce(array_agg(logicalrelid::text), '{}') FROM pg_dist_shard
  WHERE pg_relation_size(to_regclass(concat(logicalrelid, '_', shardid))) > 0 $$)`;
const sequencesSql = `SELECT format('%I.%I', schemaname, sequencename) AS name FROM pg_sequences
  WHERE last_value IS NOT NULL AND to_regnamespace(schemaname) IN ${ours}`;

const othersSql = `FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
  AND application_name NOT LIKE 'citus_internal%'`;

/** Captures the state of a new database. */
export async function contentOf(db: Pool | PoolClient): Promise<Content> {
  const shape = await db.query<{ shape: string }>(shapeSql);
  const filled = await namesOf(db, filledSql);
  return { shape: shape.rows[0]?.shape ?? '', filled, rows: await countRows(db, filled) };
}

/** Deletes all rows of a used database, and resets the physical row order: a new table returns rows in insertion order.
 *  Returns false if the test changed more than rows, or still locks some. */
export async function emptyDatabase(pool: Pool, pristine: Content): Promise<boolean> {
  const client = await pool.connect();
  try {
    // Connections that are still closing end by themselves; terminating one is an error in the process that closes it.
    for (let tries = 0; tries < 40 && (await countOthers(client)) > 0; tries += 1) await sleep(25);
    await client.query(`SELECT pg_terminate_backend(pid, 1000) ${othersSql}`);
    const filled = await namesOf(client, filledSql);
    const own = filled.filter((name) => !pristine.filled.includes(name));
    const tables = [...own, ...(await distributedTables(client))];
    const sequences = await namesOf(client, sequencesSql);
    await client.query(
      [
        `BEGIN`,
        `SET LOCAL lock_timeout = '2s'`,
        `SET LOCAL session_replication_role = replica`,
        ...tables.map((name) => `DELETE FROM ${name}`),
        ...sequences.map((name) => `SELECT setval('${name}', 1, false)`),
        `COMMIT`,
      ].join(';\n'),
    );
    if (tables.length > 0) await client.query(`VACUUM ${tables.join(', ')}`);
    const now = await contentOf(client);
    return JSON.stringify(now) === JSON.stringify(pristine);
  } catch {
    return false; // not the owner of the database, or a lock
  } finally {
    client.release();
  }
}

async function distributedTables(db: PoolClient): Promise<string[]> {
  const { rowCount } = await db.query(`SELECT 1 FROM pg_extension WHERE extname = 'citus'`);
  return rowCount ? namesOf(db, distributedSql) : [];
}

async function countOthers(db: PoolClient): Promise<number> {
  return Number((await db.query<{ others: string }>(`SELECT count(*) AS others ${othersSql}`)).rows[0]?.others);
}

async function namesOf(db: Pool | PoolClient, sql: string): Promise<string[]> {
  return (await db.query<{ name: string }>(sql)).rows.map(({ name }) => name);
}

async function countRows(db: Pool | PoolClient, tables: readonly string[]): Promise<number> {
  if (tables.length === 0) return 0;
  const counts = tables.map((name) => `(SELECT count(*) FROM ${name})`).join(' + ');
  return Number((await db.query<{ rows: string }>(`SELECT ${counts} AS rows`)).rows[0]?.rows);
}
