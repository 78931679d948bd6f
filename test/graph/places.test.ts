import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { aWorld } from '../support/world.ts';

it('leaves connections to other users while many changes of one user wait for a lock', async () => {
  const world = await aWorld();
  const [ana, ben] = [await world.register(), await world.register({ organization_name: 'Pear' })];
  const { organizationId } = await world.deps.db.membership.findFirstOrThrow({ where: { user: { email: ana.email } } });
  const [frozen, observer] = [new pg.Client(world.deps.connection), new pg.Client(world.deps.connection)];
  for (const client of [frozen, observer]) {
    await client.connect();
    onTestFinished(() => client.end());
  }
  await frozen.query('BEGIN');
  await frozen.query('SELECT 1 FROM organizations WHERE id = $1 FOR NO KEY UPDATE', [organizationId]);
  const invite = (name: string) =>
    world.rest('POST', '/org/invite', { token: ana.token, body: { emails: [`${name}@example.com`], role: 'viewer' } });
  const invitations = Promise.all(Array.from({ length: 40 }, (_, index) => invite(`person-${index}`)));
  const waiting = async () => {
    const { rows } = await observer.query(
      `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows[0].n;
  };
  await expect.poll(waiting, { timeout: 30_000 }).toBeGreaterThan(3);
  const others = Array.from({ length: 5 }, () => world.rest('GET', '/org', { token: ben.token }));
  expect((await Promise.all(others)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  await frozen.query('ROLLBACK');
  for (const { status } of await invitations) expect(status).toBe(201);
});
