import { once } from 'node:events';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { connect, openDatabase, serverConnection } from '../../../src/kit/database/open.ts';
import { isDatabaseAway } from '../../../src/kit/database/away.ts';
import { inTransaction } from '../../../src/kit/database/transaction.ts';
import { openLog } from '../../../src/kit/log.ts';
import { freshDatabase } from '../../support/database.ts';

describe('openDatabase', () => {
  it('reports why the server of DATABASE_URL cannot be reached, without its password', async () => {
    const config = {
      databaseUrl: 'postgres://me:hunter2@127.0.0.1:1/costkeep',
      databaseDirectUrl: null,
      dataDir: '/nowhere',
    };
    await expect(openDatabase(config, openLog('silent'))).rejects.toThrow(
      'Cannot connect to the database: connect ECONNREFUSED 127.0.0.1:1',
    );
  });
});

describe('serverConnection', () => {
  it('adds UTC to the options of the address and keeps them', () => {
    const { connectionString, options } = serverConnection(
      'postgres://me@db/costkeep?options=-c%20work_mem%3D8MB&sslmode=require',
    );
    expect(connectionString).toBe('postgres://me@db/costkeep?sslmode=require');
    expect(options).toBe('-c work_mem=8MB -c timezone=UTC -c jit=off');
  });
});

describe('connection', () => {
  it('reads a date as text and a timestamp in UTC', async () => {
    const { pool } = await freshDatabase();
    const { rows } = await pool.query(
      `select date '2026-03-29' as day, timestamptz '2026-03-29T00:30Z'::text as instant`,
    );
    expect(rows).toEqual([{ day: '2026-03-29', instant: '2026-03-29 00:30:00+00' }]);
  });

  it('does not compile queries', async () => {
    const { pool } = await freshDatabase();
    expect((await pool.query('show jit')).rows).toEqual([{ jit: 'off' }]);
  });

  it('ends a transaction that is idle for 30 seconds, as when its process is frozen, unless it is a long one', async () => {
    const { pool } = await freshDatabase();
    const show = 'show idle_in_transaction_session_timeout';
    const limitOf = (rows: Record<string, string>[]) => rows[0]?.['idle_in_transaction_session_timeout'];
    expect(limitOf((await pool.query(show)).rows)).toBe('30s');
    expect(await inTransaction(pool, async (client) => limitOf((await client.query(show)).rows))).toBe('0');
    const client = await pool.connect();
    const ended = once(client, 'error');
    await client.query('begin; set local idle_in_transaction_session_timeout = 1');
    const [error] = await ended;
    client.release(true);
    expect(isDatabaseAway(error)).toBe(true);
  });

  it('cancels statements that still run when it is closed', async () => {
    const { connection } = await freshDatabase();
    const { pool, prisma, stop } = await connect(connection, openLog('silent'));
    const statements = [pool.query('select pg_sleep(600)'), prisma.$queryRaw`select 1 from pg_sleep(600)`];
    const ended = Promise.allSettled(statements);
    await expect.poll(() => pool.totalCount - pool.idleCount).toBe(2);
    await stop();
    for (const { status } of await ended) expect(status).toBe('rejected');
  });

  it('does not end the process when it is terminated, idle or in use', async () => {
    const { pool, prisma } = await freshDatabase();
    const client = await pool.connect();
    onTestFinished(() => client.release(true));
    await pool.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
    );
    await expect(client.query('select 1')).rejects.toBeInstanceOf(Error);
    const answers = async () => expect(await prisma.$queryRaw`select 1 as one`).toEqual([{ one: 1 }]);
    await vi.waitFor(answers, { timeout: 30_000 });
  });
});
