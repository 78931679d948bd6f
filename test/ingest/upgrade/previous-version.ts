import { readFileSync } from 'node:fs';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { migrate } from '../../../src/kit/database/migrate.ts';
import { openLog } from '../../../src/kit/log.ts';

const migrations = path.resolve(import.meta.dirname, '../../../prisma/migrations');
/** The last migration of the version that wrote `previous.sql.gz`. */
const lastOfPrevious = '20261122091124';

/** Fills an empty database like the previous version left it; see `previous.ts`. */
export async function fillPreviousVersion(connection: pg.ClientConfig): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'costkeep-migrations-'));
  await copyMigrations(folder);
  await migrate(connection, folder, openLog('silent'));
  await rm(folder, { recursive: true });
  const client = new pg.Client(connection);
  await client.connect();
  try {
    for (const statement of fixture().split(/(?<=\$rows\$\);\n)/)) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** The SQL of the fixture, one INSERT per table. */
function fixture(): string {
  return gunzipSync(readFileSync(path.join(import.meta.dirname, 'previous.sql.gz'))).toString();
}

async function copyMigrations(folder: string): Promise<void> {
  const names = await readdir(migrations);
  for (const name of names.filter((entry) => entry.slice(0, lastOfPrevious.length) <= lastOfPrevious))
    await cp(path.join(migrations, name), path.join(folder, name), { recursive: true });
}
