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

it('treats a lost connection as retryable, noticed by the client or the server', () => {
  const lost = [
    Object.assign(new Error('server closed the connection'), { code: '08006' }),
    new Error('Client has encountered a connection error and is not queryable'),
  ];
  expect(lost.map(isDatabaseAway)).toEqual([true, true]);
});
