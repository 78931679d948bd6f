import pg from 'pg';
import { inject } from 'vitest';
import { connect, inSession } from '../../src/kit/database/open.ts';
import type { Database } from '../../src/kit/database/open.ts';
import { openLog } from '../../src/kit/log.ts';
import { queryNode } from './citus.ts';
import { contentOf, emptyDatabase, type Content } from './empty-database.ts';

/** A database of a test, with its initial state. */
interface Lent {
  readonly name: string;
  readonly pristine: Content;
}

const lent = new Map<Lent, Database>();
/** Databases of finished tests, with their leftover data. */
const idle: Lent[] = [];
let made = 0;

/** A new migrated database on the PostgreSQL of the test run. `stop` returns it for reuse, and so does the end of the
 *  file. Emptying a used database takes a tenth of the time of creating one. */
export async function freshDatabase(): Promise<Database> {
  const { database, owner } = (await reused()) ?? (await create());
  lent.set(owner, database);
  const stop = async () => {
    if (!lent.delete(owner)) return;
    await database.stop();
    idle.push(owner);
  };
  return { ...database, stop };
}

async function create(): Promise<{ database: Database; owner: Lent }> {
  const { template } = inject('postgres');
  made += 1;
  const name = `${template}_${process.pid}_${made}`;
  await administer(`create database ${name} template ${template} strategy file_copy`);
  const database = await connect(connectionTo(name), openLog('silent'));
  return { database, owner: { name, pristine: await contentOf(database.pool) } };
}

async function reused(): Promise<{ database: Database; owner: Lent } | null> {
  for (let owner = idle.pop(); owner; owner = idle.pop()) {
    const database = await connect(connectionTo(owner.name), openLog('silent'));
    if (await emptyDatabase(database.pool, owner.pristine)) return { database, owner };
    await database.stop();
    await administer(`drop database if exists ${owner.name} with (force)`);
  }
  return null;
}

/** Connection options for one database on the PostgreSQL of the test run. */
export function connectionTo(name: string): pg.ClientConfig {
  return inSession({ ...inject('postgres').connection, database: name });
}

/** Runs one statement as the administrator of the test run, outside the databases under test, on every node. */
export async function administer(sql: string): Promise<void> {
  await Promise.all(inject('postgres').nodes.map((node) => queryNode(node, sql)));
}

/** `DATABASE_URL` of one database on the PostgreSQL of the test run. */
export function urlOf(name: string): string {
  const { host, port, user, password } = connectionTo(name);
  const url = new URL(`postgresql://localhost:${port}/${name}`);
  url.username = encodeURIComponent(String(user));
  if (typeof password === 'string') url.password = encodeURIComponent(password);
  url.searchParams.set('host', String(host));
  return url.href;
}

/** Runs one statement in one database on the PostgreSQL of the test run. */
export async function queryOn<Row extends object>(name: string, sql: string): Promise<Row[]> {
  const client = new pg.Client(connectionTo(name));
  client.on('error', () => {}); // a test may terminate it
  await client.connect();
  const { rows } = await client.query<Row>(sql).finally(() => client.end());
  return rows;
}

/** Returns the databases of a test file; `each-file.ts` calls it after each file. */
export async function returnDatabases(): Promise<void> {
  await Promise.all(
    [...lent].map(async ([owner, database]) => {
      lent.delete(owner);
      await database.stop();
      idle.push(owner);
    }),
  );
}
