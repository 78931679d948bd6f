import { expect, test } from 'vitest';
import { isDatabaseAway } from '../../../src/kit/database/away.ts';
import { freshDatabase } from '../../support/database.ts';

test('a transaction that a busy database does not end in its time may be tried again', async () => {
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
