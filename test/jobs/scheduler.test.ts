import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { startScheduler } from '../../src/jobs/scheduler.ts';
import { freshDatabase } from '../support/database.ts';
import { aWorld } from './world.ts';

const minuteMs = 60_000;

afterEach(() => {
  vi.useRealTimers();
});

it('continues after the clock jumped forward and was corrected, and queues due jobs once', async () => {
  const deps = await aWorld(await freshDatabase());
  // Each time is just before a full minute: the schedule then checks the clock again in 100 ms.
  const start = Math.floor(Date.now() / minuteMs) * minuteMs;
  const setClock = (minutes: number) => vi.setSystemTime(start + minutes * minuteMs - 100);
  setClock(0);
  const scheduler = await startScheduler(deps);
  onTestFinished(() => scheduler.stop());
  const lastRun = async () => {
    const { rows } = await deps.pool.query<{ at: Date | null }>(
      `select last_execution as at from graphile_worker._private_known_crontabs where identifier = 'run_schedules'`,
    );
    return rows.map(({ at }) => at && (at.getTime() - start) / minuteMs);
  };
  await vi.waitFor(async () => expect(await lastRun()).toEqual([null]));

  setClock(121);
  await vi.waitFor(async () => expect(await lastRun()).toEqual([120]), { timeout: 30_000 });
  const { rows } = await deps.pool.query(
    `select count(*)::int as jobs from graphile_worker.jobs where task_identifier = any($1) group by task_identifier`,
    [['run_schedules', 'collect_facts']],
  );
  expect(rows).toEqual([{ jobs: 1 }, { jobs: 1 }]);

  setClock(2);
  await vi.waitFor(async () => expect(await lastRun()).toEqual([null]), { timeout: 30_000 });
  setClock(3);
  await vi.waitFor(async () => expect(await lastRun()).toEqual([2]), { timeout: 30_000 });
}, 60_000);
