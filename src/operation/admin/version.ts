import { version } from '../../kit/package.ts';
import { listApplied, type Migration } from '../../kit/database/migrate.ts';
import type { Database } from '../../kit/database/open.ts';
import { conflict, fix } from '../../kit/errors/errors.ts';

/** Versions of a server and its database. */
export interface Versions {
  readonly costkeep: string;
  readonly node: string;
  readonly postgres: string;
  readonly database: string;
  readonly migrations: { readonly applied: number; readonly known: number; readonly newest: string };
}

/** Reads the versions. */
export async function readVersions(
  { pool, home }: Pick<Database, 'pool' | 'home'>,
  migrations: readonly Migration[],
): Promise<Versions> {
  const { rows } = await pool.query<{ version: string }>(`SELECT current_setting('server_version') AS version`);
  const applied = (await listApplied(pool)) ?? [];
  return {
    costkeep: version,
    node: process.version,
    postgres: rows[0]?.version ?? '',
    database: home === null ? 'DATABASE_URL' : home,
    migrations: { applied: applied.length, known: migrations.length, newest: applied.at(-1)?.name ?? 'none' },
  };
}

/** Checks that the database has all migrations: only a start of the server applies them.
 *  @throws {AppError} CONFLICT */
export async function refusePending(pool: Database['pool'], migrations: readonly Migration[]): Promise<void> {
  const applied = new Set((await listApplied(pool))?.map(({ name }) => name));
  const pending = migrations.filter(({ name }) => !applied.has(name)).length;
  if (pending === 0) return;
  throw conflict`The database lacks ${pending} of ${migrations.length} migrations of Costkeep ${version}${fix}start the server of this version first, or run this command with the version of the running server`;
}
