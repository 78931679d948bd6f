import { expect, it } from 'vitest';
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
