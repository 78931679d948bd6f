import net from 'node:net';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isDatabaseAway } from '../../../src/kit/database/away.ts';
import { closeSilent } from '../../../src/kit/database/silence.ts';
import { openLog } from '../../../src/kit/log.ts';
import { freshDatabase } from '../../support/database.ts';

/** A TCP proxy whose open connections can fall silent: they stay open, but no longer pass data. */
async function aProxy(target: pg.ClientConfig) {
  const state = { isReachable: true, pairs: new Set<net.Socket>() };
  const server = net.createServer((socket) => {
    const upstream = net.connect(
      target.host?.startsWith('/')
        ? { path: `${target.host}/.s.PGSQL.${target.port}` }
        : { host: target.host ?? '127.0.0.1', port: Number(target.port) },
    );
    for (const one of [socket, upstream]) one.on('error', () => {});
    const ends = [socket, upstream];
    if (!state.isReachable) return void ends.forEach((one) => one.pause());
    state.pairs.add(socket).add(upstream);
    socket.pipe(upstream).pipe(socket);
    ends.forEach((one) => one.on('close', () => ends.forEach((end) => end.destroy())));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    state.pairs.forEach((socket) => socket.destroy());
  });
  const silence = () => state.pairs.forEach((socket) => socket.unpipe().pause());
  const { port } = server.address() as net.AddressInfo;
  return { silence, leave: () => void (state.isReachable = false), connection: { ...target, host: '127.0.0.1', port } };
}

async function aPool() {
  const { connection: target } = await freshDatabase();
  const proxy = await aProxy(target);
  const pool = new pg.Pool({ ...proxy.connection, max: 2 });
  pool.on('error', () => {});
  const sessions = new Set<pg.PoolClient>();
  pool.on('connect', (client) => {
    sessions.add(client);
    client.on('error', () => {});
  });
  pool.on('remove', (client) => void sessions.delete(client));
  const times = { tick: 50, idle: 300, check: 1_000, unreachable: 500 };
  const watched = { sessions, connection: proxy.connection, isPooled: false, log: openLog('silent') };
  onTestFinished(closeSilent(watched, times));
  onTestFinished(() => pool.end());
  return { pool, proxy };
}

const failure = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: object) => error,
  );

describe('a database connection that falls silent', () => {
  it('is closed although it stays open, so that its query fails and the next ones use new connections', async () => {
    const { pool, proxy } = await aPool();
    await Promise.all([pool.query('SELECT pg_sleep(0.1)'), pool.query('SELECT pg_sleep(0.1)')]);
    proxy.silence();
    const errors = await Promise.all([1, 2].map(() => failure(pool.query('SELECT 1'))));
    expect(errors.map((error) => error !== null && isDatabaseAway(error))).toEqual([true, true]);
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  it('is closed if the database cannot be reached at all', async () => {
    const { pool, proxy } = await aPool();
    await pool.query('SELECT 1');
    proxy.silence();
    proxy.leave();
    const error = await failure(pool.query('SELECT 1'));
    expect(error !== null && isDatabaseAway(error)).toBe(true);
  });

  it('is not assumed while the database works on a query', async () => {
    const { pool } = await aPool();
    const { rows } = await pool.query('SELECT 1 AS one FROM pg_sleep(2)');
    expect(rows).toEqual([{ one: 1 }]);
  });
});
