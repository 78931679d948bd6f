import { expect, it, vi } from 'vitest';
import { Prisma } from '../../../prisma/generated/client/client.ts';
import { aTeam, invalid } from '../team.ts';

/** Each kind of record: its path, its table, a new one, and how many a Member can have. */
const kinds = [
  ['/annotations', 'annotations', { text: 'Migration', start_date: '2026-11-01' }, 2500],
  ['/budgets', 'budgets', { amount: 100 }, 125],
  ['/dashboards', 'dashboards', {}, 125],
  ['/views', 'saved_views', { page: 'costs' }, 500],
] as const;

it.each(kinds)('does not exceed the limit of %s with concurrent requests', async (path, table, body, limit) => {
  const team = await aTeam();
  const add = (name: string) =>
    team.rest('cleo', 'POST', path, { ...body, ...(table === 'annotations' ? {} : { name }) });
  const first = await add('First');
  expect(first.status).toBe(201);
  const into = Prisma.raw(table);
  await team.db.$executeRaw`
    INSERT INTO ${into} SELECT (jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid(), 'name', 'Copy ' || n))).*
    FROM ${into} r, generate_series(1, ${limit - 2}) n WHERE r.id = ${first.body.id}::uuid`;
  const requests = await team.db.$transaction(
    async (db) => {
      // Counts are possible, insertions are not.
      await db.$executeRaw`LOCK TABLE ${into} IN SHARE MODE`;
      const sent = [add('Second'), add('Third')];
      await vi.waitFor(async () => {
        const waiting = await db.$queryRaw<unknown[]>`
          SELECT 1 FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
        expect(waiting).toHaveLength(2);
      }, 30_000);
      return { sent };
    },
    { timeout: 60_000 },
  );
  const answers = (await Promise.all(requests.sent)).toSorted((a, b) => a.status - b.status);
  expect(answers[0]?.status).toBe(201);
  expect(answers[1]).toEqual(invalid(`^A member who is not an Admin can have at most ${limit} of the `));
});
