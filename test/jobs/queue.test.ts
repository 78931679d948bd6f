import { beforeAll, expect, it } from 'vitest';
import type { Deps } from '../../src/kit/deps.ts';
import { freshDatabase } from '../support/database.ts';
import { aWorld } from './world.ts';

let deps: Deps;

beforeAll(async () => {
  deps = await aWorld(await freshDatabase());
});

it.each(['at once', 'in a transaction'])(
  'queues a job while a worker starts the one with the same key: %s',
  async (how) => {
    const payload = { organizationId: '01890000-0000-7000-8000-000000000001' };
    const queue = async () => {
      if (how === 'at once') return deps.queue.add('evaluate_virtual_tags', payload);
      return deps.db.$transaction((within) => deps.queue.add('evaluate_virtual_tags', payload, { within }));
    };
    await deps.pool.query('truncate graphile_worker._private_jobs');
    await queue();
    const worker = await deps.pool.connect();
    await worker.query(`begin; update graphile_worker._private_jobs set locked_by = 'worker', locked_at = now()`);
    const queued = queue();
    await expect
      .poll(async () => {
        const { rows } = await deps.pool.query(
          `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
        );
        return rows.length;
      })
      .toBe(1);
    await worker.query('commit');
    worker.release();
    await queued;
    const { rows } = await deps.pool.query(
      'select locked_at is not null as running from graphile_worker._private_jobs order by id',
    );
    expect(rows).toEqual([{ running: true }, { running: false }]);
  },
);
