import pg from 'pg';
import { listApplied, type Migration } from '../../../kit/database/migrate.ts';
import { conflict, fix, invalid } from '../../../kit/errors/errors.ts';
import type { Header } from '../archive/format.ts';
import { objectsOf } from '../own-objects.ts';

/** Contents of a database before a restore. */
export interface Contents {
  readonly organizations: readonly string[];
  readonly users: number;
  readonly accounts: number;
  /** Keys of its fact files. */
  readonly files: readonly string[];
}

const nothing: Contents = { organizations: [], users: 0, accounts: 0, files: [] };

/** The migrations of a backup, in order.
 *  @throws {AppError} VALIDATION_ERROR if this version does not know one: the backup is newer */
export function migrationsOf(header: Header, known: readonly Migration[]): Migration[] {
  const byName = new Map(known.map((migration) => [migration.name, migration]));
  return header.migrations.map(({ name, checksum }) => {
    const migration = byName.get(name);
    if (migration?.checksum === checksum) return migration;
    throw invalid`The backup was made by Costkeep ${header.costkeep}, whose migration ${name} this version does not have${fix}restore it with that version or a newer one`;
  });
}

/** Reads what a restore would replace, within its transaction.
 *  @throws {AppError} CONFLICT if a server runs on the database, a newer version has migrated it, or another program uses it */
export async function inspect(client: pg.ClientBase, known: readonly Migration[]): Promise<Contents> {
  const applied = await listApplied(client);
  if (applied === null) {
    const { tables } = await ourObjects(client, known);
    if (tables.length === 0) return nothing;
    throw conflict`The database has tables of another program, such as "${tables[0] ?? ''}"${fix}create a separate database for Costkeep`;
  }
  const names = new Set(known.map(({ name }) => name));
  const foreign = applied.find(({ name }) => !names.has(name));
  if (foreign)
    throw conflict`A newer version of Costkeep has migrated the database (${foreign.name})${fix}restore with that version`;
  await refuseRunning(client);
  return readContents(client);
}

/** Checks that no server or worker runs on the database: each holds a lock for as long as it lives (`jobs/takeover.ts`). Call it in
 *  a transaction.
 *  @throws {AppError} CONFLICT if one does */
export async function refuseRunning(client: pg.ClientBase): Promise<void> {
  if (!(await exists(client, 'worker_processes'))) return;
  const { rows } = await client.query<{ free: boolean }>(
    `/* refuseRunning */ SELECT pg_try_advisory_xact_lock(key) AS free
     FROM (SELECT DISTINCT lock_key AS key FROM worker_processes) AS keys`,
  );
  if (rows.some(({ free }) => !free))
    throw conflict`A server or worker is running on this database${fix}stop all of them, then run the command again`;
}

async function readContents(client: pg.ClientBase): Promise<Contents> {
  const list = async (table: string, sql: string) =>
    (await exists(client, table)) ? (await client.query<{ value: string }>(sql)).rows.map(({ value }) => value) : [];
  const [users = '0'] = await list('users', 'SELECT count(*)::text AS value FROM users');
  const [accounts = '0'] = await list('accounts', 'SELECT count(*)::text AS value FROM accounts');
  const ofMonths = `SELECT file->>'key' AS value FROM billing_periods, jsonb_array_elements(facts) AS file`;
  return {
    organizations: await list('organizations', 'SELECT name AS value FROM organizations ORDER BY created_at, id'),
    users: Number(users),
    accounts: Number(accounts),
    files: [
      ...(await list('retired_fact_files', ofMonths)),
      ...(await list('uploaded_files', 'SELECT storage_key AS value FROM uploaded_files')),
      ...(await list('retired_fact_files', 'SELECT key AS value FROM retired_fact_files')),
    ],
  };
}

async function exists(client: pg.ClientBase, table: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>('SELECT to_regclass($1) IS NOT NULL AS found', [table]);
  return rows[0]?.found ?? false;
}

interface Objects {
  readonly tables: readonly string[];
  readonly types: readonly string[];
  readonly functions: readonly string[];
}

/** The objects in the schema that migrations create: others are kept. */
async function ourObjects(client: pg.ClientBase, migrations: readonly Migration[]): Promise<Objects> {
  const created = objectsOf(migrations);
  const names = async (ours: ReadonlySet<string>, sql: string) =>
    (await client.query<{ name: string }>(sql)).rows.map(({ name }) => name).filter((name) => ours.has(name));
  const schema = 'current_schema()::regnamespace';
  return {
    tables: await names(
      created.tables,
      `SELECT relname AS name FROM pg_class WHERE relnamespace = ${schema} AND relkind IN ('r', 'p')`,
    ),
    types: await names(
      created.types,
      `SELECT typname AS name FROM pg_type WHERE typnamespace = ${schema} AND typtype = 'e'`,
    ),
    functions: await names(created.functions, `SELECT proname AS name FROM pg_proc WHERE pronamespace = ${schema}`),
  };
}

/** Drops the tables, types and functions of the applied migrations, within the caller's transaction. */
export async function dropAll(client: pg.ClientBase, known: readonly Migration[]): Promise<void> {
  const applied = new Set((await listApplied(client))?.map(({ name }) => name));
  const migrations = known.filter(({ name }) => applied.has(name));
  const { tables, types, functions } = await ourObjects(client, migrations);
  const quoted = (names: readonly string[]) => names.map(pg.escapeIdentifier).join(', ');
  if (tables.length > 0) await client.query(`DROP TABLE ${quoted(tables)}`);
  if (functions.length > 0) await client.query(`DROP FUNCTION ${quoted(functions)}`);
  if (types.length > 0) await client.query(`DROP TYPE ${quoted(types)}`);
}

/** Removes the foreign keys of our tables, so that they can be filled in any order.
 *  @returns a function that adds and checks them again */
export async function withoutForeignKeys(
  client: pg.ClientBase,
  migrations: readonly Migration[],
): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ at: string; name: string; definition: string }>(
    `/* withoutForeignKeys */ SELECT conrelid::regclass::text AS at, quote_ident(conname) AS name,
       pg_get_constraintdef(pg_constraint.oid) AS definition
     FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
     WHERE contype = 'f' AND connamespace = current_schema()::regnamespace AND relname = ANY($1) ORDER BY 1, 2`,
    [[...objectsOf(migrations).tables]],
  );
  for (const { at, name } of rows) await client.query(`ALTER TABLE ${at} DROP CONSTRAINT ${name}`);
  return async () => {
    for (const { at, name, definition } of rows)
      await client.query(`ALTER TABLE ${at} ADD CONSTRAINT ${name} ${definition}`);
  };
}
