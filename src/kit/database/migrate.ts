import { createHash, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import type { Log } from '../log.ts';
import { version } from '../package.ts';
import { splitStatements } from './statements.ts';

/** The lock that Prisma's own `migrate deploy` takes, so that only one migration runs at a time. */
const PRISMA_LOCK = 72_707_369;

/** SQLSTATE of a lock that was not acquired in time. */
const LOCK_NOT_AVAILABLE = '55P03';

/** Prisma's migrations table, identical to Prisma's own, so that its CLI stays usable. */
const CREATE_TABLE = `create table if not exists _prisma_migrations (
  id varchar(36) primary key not null,
  checksum varchar(64) not null,
  finished_at timestamptz,
  migration_name varchar(255) not null,
  logs text,
  rolled_back_at timestamptz,
  started_at timestamptz not null default now(),
  applied_steps_count integer not null default 0
)`;

/** Precedes the version in the column `logs`, where Prisma's CLI only writes failures. */
const APPLIED_BY = 'applied by Costkeep ';

/** How long to wait for the lock before reporting it. */
const WAIT_REPORT_MS = 2_000;

/** Hooks around migrations. They run on the connection that holds or waits for the lock, outside transactions. */
export interface MigrationHooks {
  /** Runs before a pending migration, keyed by its name. If it fails, the migration stays pending. */
  readonly before?: Readonly<Record<string, (client: pg.Client) => Promise<void>>>;
  /** Called every 2 seconds while another process migrates. */
  readonly whileWaiting?: (client: pg.Client) => Promise<void>;
}

/** A migration of this version. */
export interface Migration {
  readonly name: string;
  readonly checksum: string;
  readonly statements: readonly string[];
}

/** Applies the pending migrations in `folder`. Each migration is one transaction, and each of its statements one
 *  query (multi-statement queries fail on Citus), so a failed migration leaves no changes, and migrations must not
 *  contain statements that cannot run in a transaction, such as CREATE INDEX CONCURRENTLY.
 *  Safe to run on several servers at once: one migrates, the others wait and find it done.
 *  @returns the names of the migrations applied now
 *  @throws {Error} if one fails, was edited after it was applied, or is unknown here (the database is newer than the
 *  server) */
export async function migrate(
  connection: pg.ClientConfig,
  folder: string,
  log: Log,
  hooks: MigrationHooks = {},
): Promise<string[]> {
  return withMigrationLock(connection, { log, ...hooks }, async (client) => {
    await client.query(CREATE_TABLE);
    const pending = await findPending(client, readMigrations(folder));
    for (const migration of pending) {
      await hooks.before?.[migration.name]?.(client);
      await apply(client, migration, log);
    }
    return pending.map((migration) => migration.name);
  });
}

/** Runs work while no server can migrate, and so none can start on this database. */
export async function withMigrationLock<Result>(
  connection: pg.ClientConfig,
  { log, ...hooks }: Pick<MigrationHooks, 'whileWaiting'> & { readonly log: Log },
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(connection);
  client.on('error', (err) => log.warn({ err }, 'The database connection was lost during a migration'));
  await client.connect();
  try {
    await takeLock(client, hooks);
    return await work(client);
  } finally {
    await client.end(); // also releases the lock
  }
}

/** Applies migrations to a database without tables, within the caller's transaction. */
export async function applyWithin(client: pg.ClientBase, migrations: readonly Migration[]): Promise<void> {
  await client.query(CREATE_TABLE);
  for (const migration of migrations) await run(client, migration);
}

/** The names and checksums of the migrations of a database, in the order of their names; null if it never had any. */
export async function listApplied(client: Pick<pg.ClientBase, 'query'>): Promise<MigrationId[] | null> {
  const { rows: found } = await client.query<{ exists: boolean }>(
    `select to_regclass('_prisma_migrations') is not null as exists`,
  );
  if (!found[0]?.exists) return null;
  const { rows } = await client.query<MigrationId>(
    `/* listApplied */ select migration_name as name, checksum from _prisma_migrations
     where rolled_back_at is null and finished_at is not null order by migration_name`,
  );
  return rows;
}

/** Identifies a migration and its content. */
export type MigrationId = Pick<Migration, 'name' | 'checksum'>;

async function takeLock(client: pg.Client, { whileWaiting }: MigrationHooks): Promise<void> {
  await client.query(`set lock_timeout = ${WAIT_REPORT_MS}`);
  for (;;) {
    try {
      await client.query('select pg_advisory_lock($1)', [PRISMA_LOCK]);
      break;
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || error.code !== LOCK_NOT_AVAILABLE) throw error;
      await whileWaiting?.(client);
    }
  }
  await client.query('reset lock_timeout');
}

/** Reads the migrations of this version, in the order in which they are applied. */
export function readMigrations(folder: string): Migration[] {
  const entries = fs.readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const names = entries.map((entry) => entry.name).toSorted();
  return names.map((name) => {
    const sql = fs.readFileSync(path.join(folder, name, 'migration.sql'), 'utf8');
    return { name, checksum: createHash('sha256').update(sql).digest('hex'), statements: splitStatements(sql) };
  });
}

interface Applied {
  migration_name: string;
  /** Version that applied it, as `APPLIED_BY` writes it; null if that was Prisma or an older version. */
  logs: string | null;
  checksum: string;
  finished_at: Date | null;
}

async function findPending(client: pg.Client, migrations: readonly Migration[]): Promise<Migration[]> {
  const sql = 'select migration_name, logs, checksum, finished_at from _prisma_migrations where rolled_back_at is null';
  const { rows } = await client.query<Applied>(sql);
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const row of rows) refuseMismatch(row, known.get(row.migration_name));
  const done = new Set(rows.map((row) => row.migration_name));
  return migrations.filter((migration) => !done.has(migration.name));
}

function refuseMismatch(row: Applied, migration: Migration | undefined): void {
  const name = `Migration ${row.migration_name}`;
  if (!row.finished_at)
    throw new Error(`${name} was interrupted in another tool: repair it and set its rolled_back_at`);
  if (!migration) throw new Error(newerDatabase(row));
  if (migration.checksum !== row.checksum)
    throw new Error(`${name} was edited after it was applied: restore it, and add a new one`);
}

function newerDatabase({ migration_name: name, logs }: Applied): string {
  const newer = logs?.startsWith(APPLIED_BY) ? logs.slice(APPLIED_BY.length) : null;
  const [by, start] =
    newer === null ? ['', 'the newer version that applied it'] : [` by version ${newer}`, `version ${newer} or newer`];
  return `The database is newer than this version (${version}): migration ${name} was applied${by}; start ${start}, or restore a backup of this version`;
}

async function apply(client: pg.Client, migration: Migration, log: Log): Promise<void> {
  const { name } = migration;
  await client.query('begin');
  try {
    await run(client, migration);
    await client.query('commit');
  } catch (cause) {
    await client.query('rollback').catch(() => {}); // a broken connection has already rolled back
    throw new Error(`Migration ${name} failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
  log.info({ migration: name }, 'Applied a migration');
}

async function run(client: pg.ClientBase, { name, checksum, statements }: Migration): Promise<void> {
  for (const statement of statements) await client.query(statement);
  const sql = `insert into _prisma_migrations (id, checksum, migration_name, logs, finished_at, applied_steps_count)
    values ($1, $2, $3, $4, clock_timestamp(), 1)`;
  await client.query(sql, [randomUUID(), checksum, name, APPLIED_BY + version]);
}
