// Vitest's global set-up: one PostgreSQL for the whole run, with a migrated template that each test file's database is
// copied from. TEST_DATABASE_URL names a server to use instead; its user must be allowed to create databases. And a folder
// for compiled code.
import fs from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbedded } from '../../src/kit/database/embedded/start.ts';
import { migrate } from '../../src/kit/database/migrate.ts';
import { connect, inSession } from '../../src/kit/database/open.ts';
import { openLog } from '../../src/kit/log.ts';
import { openQueue } from '../../src/jobs/queue.ts';
import { openScratch } from './scratch.ts';

/** How test files reach it. */
interface TestPostgres {
  readonly connection: { host: string; port: number; user: string; password?: string };
  /** A database that stays, to create and drop others from. */
  readonly maintenance: string;
  readonly template: string;
}

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: TestPostgres;
    /** Folder of the code that tested processes have compiled. */
    codeCache: string;
  }
}

const log = openLog('error');

/** Starts or finds the server, makes the template, and takes both away after the run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const scratch = openScratch();
  const usualTemporary = process.env['TMPDIR'];
  process.env['TMPDIR'] = scratch.folder;
  const url = process.env['TEST_DATABASE_URL'];
  const server = url ? serverOf(url) : await throwAway(scratch.folder);
  const template = `costkeep_test_${process.pid}`;
  await administer(server, `create database ${template}`);
  await prepare(inSession({ ...server.connection, database: template }));
  project.provide('postgres', { connection: server.connection, maintenance: server.maintenance, template });
  const codeCache = path.join(scratch.folder, 'code');
  fs.mkdirSync(codeCache);
  project.provide('codeCache', codeCache);
  return async () => {
    // A server that we started goes with all of its databases.
    if (url) await dropAll(server, template);
    await server.stop();
    if (usualTemporary === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = usualTemporary;
    scratch.remove();
  };
}

type Server = Omit<TestPostgres, 'template'> & { stop(): Promise<void> };

function serverOf(text: string): Server {
  const url = new URL(text);
  const connection = {
    host: url.searchParams.get('host') ?? url.hostname,
    port: Number(url.port || 5432),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
  };
  return { connection, maintenance: url.pathname.slice(1) || 'postgres', stop: async () => {} };
}

/** Nothing of it survives the run, so it need not wait for the disk. */
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '300',
  max_wal_size: '256MB',
  shared_buffers: '128MB',
};

async function throwAway(folder: string): Promise<Server> {
  const embedded = await startEmbedded({ dataDir: path.join(folder, 'data'), log, settings });
  const { database: maintenance, ...connection } = embedded.connection;
  const stop = async () => {
    await embedded.leave();
    fs.rmSync(embedded.home, { recursive: true, force: true }); // may lie elsewhere
  };
  return { connection, maintenance, stop };
}

/** The schema of ours and the queue's. */
async function prepare(connection: pg.ClientConfig): Promise<void> {
  await migrate(connection, path.resolve(import.meta.dirname, '../../prisma/migrations'), log);
  const database = await connect(connection, log);
  const queue = await openQueue(database.pool, log);
  await queue.release();
  await database.stop();
}

/** Drops the template and what was copied from it: tests give databases back to be used again. */
async function dropAll(server: Server, template: string): Promise<void> {
  const like = `${template.replaceAll('_', String.raw`\_`)}%`;
  const rows = await administer<{ name: string }>(
    server,
    `select quote_ident(datname) as name from pg_database where datname like '${like}'`,
  );
  for (const { name } of rows) await administer(server, `drop database if exists ${name} with (force)`);
}

async function administer<Row extends pg.QueryResultRow>(server: Server, sql: string): Promise<Row[]> {
  const client = new pg.Client({ ...server.connection, database: server.maintenance });
  await client.connect();
  return (await client.query<Row>(sql).finally(() => client.end())).rows;
}
