import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { shareCodeCache } from '../../support/code-cache.ts';
import { administer, connectionTo, queryOn, urlOf } from '../../support/database.ts';
import { fillPreviousVersion } from './previous-version.ts';

/** A database of the previous version, and a data folder. */
export interface PreviousDatabase {
  /** In the form that the server reads. */
  readonly env: { readonly DATABASE_URL: string; readonly DATA_DIR: string };
  readonly dataDir: string;
  query<Row extends object>(sql: string): Promise<Row[]>;
}

let made = 0;
/** Name of the template database: migrating and filling a database takes ten times as long as copying the template. It is
 *  dropped with the databases of the run. */
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
  await fillPreviousVersion(connectionTo(name));
  return name;
}
