// Vitest's global setup: one PostgreSQL for the run, with a migrated template that test databases are copied from, and a
// folder for compiled code. TEST_DATABASE_URL selects an existing server instead, TEST_CITUS_URL the coordinator of a Citus
// cluster; their user must be allowed to create databases.
import fs from 'node:fs';
import path from 'node:path';
import type pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbedded } from '../../src/kit/database/embedded/start.ts';
import { migrate } from '../../src/kit/database/migrate.ts';
import { connect, inSession } from '../../src/kit/database/open.ts';
import { openLog } from '../../src/kit/log.ts';
import { distribute } from '../../src/kit/database/citus.ts';
import { openQueue } from '../../src/jobs/queue.ts';
import { closeDatabase, joinNodes, nodesOf, queryNode, type Node } from './citus.ts';
import { openScratch } from './scratch.ts';

/** Connection details for test files. */
interface TestPostgres {
  readonly connection: { host: string; port: number; user: string; password?: string };
  /** A permanent database, to create and drop others from. */
  readonly maintenance: string;
  /** Databases are created and dropped on each of them: the server itself, then the workers of a Citus cluster. */
  readonly nodes: readonly Node[];
  readonly template: string;
}

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: TestPostgres;
    /** Folder of the compile cache of tested processes. */
    codeCache: string;
  }
}

const log = openLog('error');

/** Starts or finds the server, creates the template, and removes both after the run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const scratch = openScratch();
  const usualTemporary = process.env['TMPDIR'];
  process.env['TMPDIR'] = scratch.folder;
  const citus = process.env['TEST_CITUS_URL'];
  const url = citus ?? process.env['TEST_DATABASE_URL'];
  const server = url ? serverOf(url) : await throwAway(scratch.folder);
  const template = `costkeep_test_${process.pid}`;
  const nodes = citus ? await nodesOf(citus) : [{ ...server.connection, database: server.maintenance }];
  for (const node of nodes) await queryNode(node, `create database ${template}`);
  if (citus) await joinNodes(nodes, template);
  await prepare(inSession({ ...server.connection, database: template }));
  if (citus) for (const node of nodes) await closeDatabase(node, template);
  project.provide('postgres', { connection: server.connection, maintenance: server.maintenance, nodes, template });
  const codeCache = path.join(scratch.folder, 'code');
  fs.mkdirSync(codeCache);
  project.provide('codeCache', codeCache);
  return async () => {
    // A server that we started is removed with all its databases.
    if (url) await dropAll(nodes, template);
    await server.stop();
    if (usualTemporary === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = usualTemporary;
    scratch.remove();
  };
}

type Server = Pick<TestPostgres, 'connection' | 'maintenance'> & { stop(): Promise<void> };

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

/** Its data does not outlive the run, so it does not wait for the disk. */
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
    fs.rmSync(embedded.home, { recursive: true, force: true }); // may be in another place
  };
  return { connection, maintenance, stop };
}

/** Creates our schema and that of the queue. */
async function prepare(connection: pg.ClientConfig): Promise<void> {
  await migrate(connection, path.resolve(import.meta.dirname, '../../prisma/migrations'), log);
  const database = await connect(connection, log);
  await distribute(database.pool, log);
  const queue = await openQueue(database.pool, log);
  await queue.release();
  await database.stop();
}

/** Drops the template and its copies, which tests return for reuse. */
async function dropAll(nodes: readonly Node[], template: string): Promise<void> {
  const like = `${template.replaceAll('_', String.raw`\_`)}%`;
  const sql = `select datname as name from pg_database where datname like '${like}'`;
  for (const node of nodes)
    for (const { name } of await queryNode<{ name: string }>(node, sql)) {
      await closeDatabase(node, name);
      await queryNode(node, `drop database ${name} with (force)`);
    }
}
