import { once } from 'node:events';
import net from 'node:net';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { PrismaClient } from '../../../prisma/generated/client/client.ts';
import { isDatabaseAway } from '../../../src/kit/database/away.ts';
import { freshDatabase } from '../../support/database.ts';

it('treats a transaction that timed out on a busy database as retryable', async () => {
  const { prisma } = await freshDatabase();
  const slow = prisma.$transaction(
    async (db) => {
      await db.$queryRaw`SELECT 1 FROM pg_sleep(0.2)`;
      await db.$queryRaw`SELECT 1`;
    },
    { timeout: 50 },
  );
  const error: unknown = await slow.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Error);
  expect(isDatabaseAway(error as Error)).toBe(true);
});

it('treats a read-only database as unavailable: after a failover, connections may still lead to the old server', async () => {
  const { pool, prisma } = await freshDatabase();
  const refused: unknown[] = await Promise.all([
    pool.query('begin read only; delete from users').catch((thrown: unknown) => thrown),
    prisma
      .$transaction([prisma.$executeRaw`set transaction read only`, prisma.user.deleteMany()])
      .catch((thrown: unknown) => thrown),
  ]);
  expect(refused.map((error) => error instanceof Error && isDatabaseAway(error))).toEqual([true, true]);
});

it('treats a lost connection as retryable, noticed by the client or the server', () => {
  const lost = [
    Object.assign(new Error('server closed the connection'), { code: '08006' }),
    new Error('Client has encountered a connection error and is not queryable'),
    // PgBouncer, without a connection to PostgreSQL
    Object.assign(new Error('query_wait_timeout'), { code: '08P01' }),
  ];
  expect(lost.map(isDatabaseAway)).toEqual([true, true, true]);
});

/** Connection configuration of a server that accepts connections, but never responds. */
async function aSilentServer(): Promise<pg.ClientConfig> {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => void sockets.add(socket.on('error', () => {})));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.close();
    sockets.forEach((socket) => socket.destroy());
  });
  const { port } = server.address() as net.AddressInfo;
  return { host: '127.0.0.1', port, user: 'plum', password: 'plum', database: 'plum' };
}

class HastyClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(typeof config === 'object' ? { ...config, connectionTimeoutMillis: 100 } : config);
  }
}

it('treats a connection that is not established in time as unavailable, however it is opened', async () => {
  const silent = await aSilentServer();
  const pool = new pg.Pool({ ...silent, Client: HastyClient });
  const limited = new pg.Pool({ ...silent, connectionTimeoutMillis: 100, max: 1 });
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
  onTestFinished(() => prisma.$disconnect());
  const late = await Promise.all(
    [
      new HastyClient(silent).connect(),
      pool.query('SELECT 1'),
      prisma.user.findFirst(),
      prisma.$queryRaw`SELECT 1`,
      prisma.$transaction(async (db) => db.user.findFirst()),
      limited.query('SELECT 1'),
      limited.query('SELECT 1'),
    ].map((work) => Promise.resolve(work as Promise<unknown>).catch((thrown: unknown) => thrown)),
  );
  const others = late.filter((error) => !(error instanceof Error && isDatabaseAway(error)));
  expect(others).toEqual([]);
});

it('treats a host that does not respond as unavailable, but not a mail server', () => {
  const from = (message: string, more: object) => Object.assign(new Error(message), more);
  const errors = [
    from('read ETIMEDOUT', { code: 'ETIMEDOUT', syscall: 'read' }),
    from('connect EHOSTUNREACH 10.0.0.1:5432', { code: 'EHOSTUNREACH', syscall: 'connect' }),
    from('Connection timeout', { code: 'ETIMEDOUT', command: 'CONN' }),
  ];
  expect(errors.map(isDatabaseAway)).toEqual([true, true, false]);
});
