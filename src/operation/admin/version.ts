import { version } from '../../kit/package.ts';
import { listApplied } from '../../kit/database/migrate.ts';
import type { AdminDeps } from './deps.ts';

/** Versions of a server and its database. */
export interface Versions {
  readonly costkeep: string;
  readonly node: string;
  readonly postgres: string;
  readonly database: string;
  readonly migrations: { readonly applied: number; readonly known: number; readonly newest: string };
}

/** Reads the versions. */
export async function readVersions({ deps: { pool }, home, migrations }: AdminDeps): Promise<Versions> {
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
