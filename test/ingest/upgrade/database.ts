import { readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { inject, onTestFinished } from 'vitest';
import { migrate } from '../../../src/kit/database/migrate.ts';
import { openLog } from '../../../src/kit/log.ts';
import { shareCodeCache } from '../../support/code-cache.ts';
import { administer, connectionTo, queryOn, urlOf } from '../../support/database.ts';

const migrations = path.resolve(import.meta.dirname, '../../../prisma/migrations');
/** The last migration of the version that wrote `previous.sql.gz`. */
const lastOfPrevious = '20261122091124';

/** A database of the previous version, and a data folder. */
export interface PreviousDatabase {
  /** In the form that the server reads. */
  readonly env: { readonly DATABASE_URL: string; readonly DATA_DIR: string };
  readonly dataDir: string;
  query<Row extends object>(sql: string): Promise<Row[]>;
}

let made = 0;
/** Name of the database that the others are copies of: migrating and filling one takes ten times as long as copying it.
 *  It is dropped with the databases of the run. */
let template: Promise<string> | undefined;

/** Creates a copy of the database of `previous.sql.gz` (see `previous.ts`). It is dropped after the test. */
export async function aPreviousDatabase(): Promise<PreviousDatabase> {
  template ??= createTemplate(`${inject('postgres').template}_upgrade_${process.pid}`);
  const original = await template;
  made += 1;
  const name = `${original}_${made}`;
  const dataDir = await mkdtemp(path.join(tmpdir(), 'costkeep-upgrade-'));
  shareCodeCache(dataDir);
  await administer(`create database ${name} template ${original} strategy file_copy`);
  onTestFinished(async () => {
    await administer(`drop database ${name} with (force)`);
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  });
  const query = <Row extends object>(sql: string) => queryOn<Row>(name, sql);
  return { env: { DATABASE_URL: urlOf(name), DATA_DIR: dataDir }, dataDir, query };
}

async function createTemplate(name: string): Promise<string> {
  await administer(`create database ${name}`);
  const folder = await mkdtemp(path.join(tmpdir(), 'costkeep-migrations-'));
  await migrate(connectionTo(name), await migrationsOfPrevious(folder), openLog('silent'));
  for (const statement of fixture().split(/(?<=\$rows\$\);\n)/)) await queryOn(name, statement);
  return name;
}

/** The SQL of the fixture, one INSERT per table. */
function fixture(): string {
  return gunzipSync(readFileSync(path.join(import.meta.dirname, 'previous.sql.gz'))).toString();
}

async function migrationsOfPrevious(dataDir: string): Promise<string> {
  const folder = path.join(dataDir, 'migrations');
  await mkdir(folder);
  const names = await readdir(migrations);
  for (const name of names.filter((entry) => entry.slice(0, lastOfPrevious.length) <= lastOfPrevious))
    await cp(path.join(migrations, name), path.join(folder, name), { recursive: true });
  return folder;
}
