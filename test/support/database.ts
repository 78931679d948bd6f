import pg from 'pg';
import { inject } from 'vitest';
import { connect, inSession } from '../../src/kit/database/open.ts';
import type { Database } from '../../src/kit/database/open.ts';
import { openLog } from '../../src/kit/log.ts';

const opened: { database: Database; name: string }[] = [];
let made = 0;

/** A database of its own, migrated and empty, on the PostgreSQL that the test run started. It is dropped after the file. */
export async function freshDatabase(): Promise<Database> {
  const { template } = inject('postgres');
  made += 1;
  const name = `${template}_${process.pid}_${made}`;
  await administer(`create database ${name} template ${template} strategy file_copy`);
  const database = await connect(connectionTo(name), openLog('silent'));
  opened.push({ database, name });
  return database;
}

/** How to connect to one database of the test run's PostgreSQL. */
export function connectionTo(name: string): pg.ClientConfig {
  return inSession({ ...inject('postgres').connection, database: name });
}

/** Runs one statement as the test run's administrator, outside every database under test. */
export async function administer(sql: string): Promise<void> {
  const client = new pg.Client(connectionTo(inject('postgres').maintenance));
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

/** Dropped so many at a time: each waits for a checkpoint of the server, which they then share. */
const droppers = 6;

/** Ends the databases of a test file; `each-file.ts` calls it after each. */
export async function dropDatabases(): Promise<void> {
  const left = opened.splice(0);
  const drop = async () => {
    for (let next = left.pop(); next; next = left.pop()) {
      await next.database.stop();
      await administer(`drop database if exists ${next.name} with (force)`);
    }
  };
  await Promise.all(Array.from({ length: droppers }, drop));
}
