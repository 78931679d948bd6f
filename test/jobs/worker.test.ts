import { setTimeout as sleep } from 'node:timers/promises';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { Pool } from 'pg';
import { beforeAll, beforeEach, describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { correctSchedule } from '../../src/jobs/schedule.ts';
import { announce, assignmentOf, takeOver } from '../../src/jobs/takeover.ts';
import { startWorker } from '../../src/jobs/worker.ts';
import { defineTask, type Task } from '../../src/jobs/task.ts';
import { invalid } from '../../src/kit/errors/errors.ts';
import type { Deps } from '../../src/kit/deps.ts';
import { freshDatabase } from '../support/database.ts';
import { aTask, aWorld, untilAborted } from './world.ts';

let deps: Deps;

beforeAll(async () => {
  deps = await aWorld(await freshDatabase());
});

beforeEach(async () => {
  await deps.pool.query('truncate graphile_worker._private_jobs, worker_processes');
});

/** Starts a worker in this process; stops it after the test. */
async function aWorker(task: Task, world = deps) {
  const worker = await startWorker(world, [task]);
  worker.done.catch(() => {});
  let stopping: Promise<void> | null = null;
  const stop = () => (stopping ??= worker.stop());
  onTestFinished(stop);
  return stop;
}

/** Queues a job of the test-only kind. */
const add = (name: string, maxAttempts = 25) =>
  deps.pool.query(`select graphile_worker.add_job('act', $1, max_attempts := $2)`, [{ name }, maxAttempts]);

/** Reads the queued jobs, without those that the schedule of a worker added meanwhile. */
async function jobs() {
  const { rows } = await deps.pool.query(
    `select attempts::int, max_attempts::int as max, last_error as error, locked_by is not null as locked,
       run_at > now() + interval '20 seconds' as later from graphile_worker._private_jobs
     where not payload::jsonb ? '_cron'`,
  );
  return rows;
}

/** Starts a worker in another process and kills it once it has begun the job. */
async function killAWorker(): Promise<void> {
  const { rows } = await deps.pool.query('select current_database() as database');
  const connection = JSON.stringify({ ...inject('postgres').connection, database: rows[0].database });
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'hanging-worker.ts'), connection], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'exit');
}

describe('a job that was assigned over a connection that broke before the worker learned of it', () => {
  it('is released with its queue, unless it was started', async () => {
    const presence = await announce(deps);
    onTestFinished(() => presence.leave());
    await presence.register('worker');
    for (const name of ['lost', 'started'])
      await deps.pool.query(`select graphile_worker.add_job('act', $1, queue_name := $2)`, [{ name }, name]);
    const assigned = `set locked_by = $1, locked_at = now() - interval '1 minute'`;
    await deps.pool.query(`update graphile_worker._private_jobs ${assigned}, attempts = 1`, ['worker']);
    await deps.pool.query(`update graphile_worker._private_job_queues ${assigned}`, ['worker']);
    const { rows } = await deps.pool.query<{ id: string }>(
      `select id::text from graphile_worker._private_jobs where payload->>'name' = 'started'`,
    );
    const running = rows.map(({ id }) => assignmentOf({ id, attempts: 1 }));
    const started = new Set([...running, 'ended 1']);
    const locked = async () => (await jobs()).filter((job) => job.locked).length;
    await presence.releaseLost(started);
    expect(await locked()).toBe(2);
    expect([...started]).toEqual(running);
    await presence.releaseLost(started);
    await presence.releaseLost(started);
    expect(await locked()).toBe(1);
    const queues = await deps.pool.query<{ name: string; attempts: number }>(
      `select queue_name as name, attempts::int from graphile_worker._private_job_queues q
       join graphile_worker._private_jobs on job_queue_id = q.id where q.locked_by is null`,
    );
    expect(queues.rows).toEqual([{ name: 'lost', attempts: 0 }]);
  });
});

describe('startWorker', () => {
  it('runs a job once, with its payload', async () => {
    const act = vi.fn<(name: string) => void>();
    await aWorker(aTask(act));
    await add('a');
    await vi.waitFor(async () => expect(await jobs()).toEqual([]), { timeout: 30_000 });
    expect(act.mock.calls.map(([name]) => name)).toEqual(['a']);
  });

  it('waits for an unreachable database before it records how a job ended', async () => {
    // Each query uses a new connection, so that the database becomes unreachable at once.
    const pool = new Pool({ ...deps.connection, maxUses: 1 });
    onTestFinished(() => pool.end());
    const { host } = pool.options;
    await aWorker(
      aTask((name) => {
        pool.options.host = '/nowhere';
        setTimeout(() => (pool.options.host = host), 700);
        if (name === 'failing') throw new Error('Connection terminated unexpectedly');
      }),
      { ...deps, pool },
    );
    await add('done');
    await vi.waitFor(async () => expect(await jobs()).toEqual([]), { timeout: 30_000 });
    await add('failing', 3);
    const expected = { attempts: 1, error: 'Connection terminated unexpectedly', locked: false };
    await vi.waitFor(async () => expect(await jobs()).toMatchObject([expected]), { timeout: 30_000 });
  });

  it('retries a job within ten seconds after an outage, however long it was', async () => {
    const full = Object.assign(new Error('could not extend file'), { code: '53100' });
    await aWorker(aTask(() => Promise.reject(full)));
    // One transaction, so that the worker sees the job with its attempts.
    await deps.pool.query(`begin;
      select graphile_worker.add_job('act', '{"name": "a"}');
      update graphile_worker._private_jobs set attempts = 9;
      commit`);
    await vi.waitFor(async () => expect(await jobs()).toMatchObject([{ error: full.message, locked: false }]), {
      timeout: 30_000,
    });
    const { rows } = await deps.pool.query(
      `select attempts::int, extract(epoch from run_at - now())::float as wait from graphile_worker._private_jobs
       where not payload::jsonb ? '_cron'`,
    );
    expect(rows[0].attempts).toBe(2);
    expect(rows[0].wait).toBeLessThan(10);
  });

  it.each([
    // The row grows by the error, so the disk may be full for it although it accepted the write before.
    ['a full disk has space again', '53100'],
    ['a read-only database can be written to again', '25006'],
  ])('records the outcome of a job once %s', async (_end, code) => {
    await deps.pool.query(`
      create table disk (is_full boolean);
      insert into disk values (true);
      create function refuse() returns trigger language plpgsql as $$ begin
        if (select is_full from disk) then raise 'could not write' using errcode = '${code}'; end if;
        return coalesce(new, old);
      end $$;
      create trigger refuse_failure before update on graphile_worker._private_jobs
        for each row when (old.locked_by is not null and new.locked_by is null) execute function refuse();
      create trigger refuse_success before delete on graphile_worker._private_jobs for each row execute function refuse()`);
    onTestFinished(async () => {
      await deps.pool.query('drop function refuse cascade; drop table disk');
    });
    const ended = vi.fn<(name: string) => void>();
    await aWorker(
      aTask((name) => {
        ended(name);
        if (name === 'failing') throw new Error('Plum');
      }),
    );
    await add('done');
    await add('failing', 3);
    await vi.waitFor(() => expect(ended).toHaveBeenCalledTimes(2), { timeout: 30_000 });
    expect((await jobs()).map(({ locked }) => locked)).toEqual([true, true]);
    await deps.pool.query('update disk set is_full = false');
    await vi.waitFor(async () => expect(await jobs()).toMatchObject([{ error: 'Plum', locked: false }]), {
      timeout: 30_000,
    });
  });

  it('keeps a failed job for another attempt and logs the failure once', async () => {
    const warn = vi.fn<() => void>();
    const log = Object.assign(deps.log.child({}), { child: () => ({ ...deps.log, warn }) });
    await aWorker(
      aTask(() => Promise.reject(invalid`no such file`)),
      { ...deps, log },
    );
    await add('a', 3);
    await vi.waitFor(
      async () => expect(await jobs()).toMatchObject([{ attempts: 1, error: 'no such file', locked: false }]),
      {
        timeout: 30_000,
      },
    );
    expect(warn.mock.calls).toEqual([
      [{ attempt: 1, maxAttempts: 3, code: 'VALIDATION_ERROR' }, 'Job failed: no such file'],
    ]);
  });

  it('rejects a payload that does not fit the task', async () => {
    const act = vi.fn<() => Promise<void>>();
    await aWorker(defineTask('check_budgets', act));
    await deps.pool.query(`select graphile_worker.add_job('check_budgets', '{"organizationId": 1}')`);
    await vi.waitFor(async () => expect(await jobs()).toMatchObject([{ attempts: 1, locked: false }]), {
      timeout: 30_000,
    });
    expect(act).not.toHaveBeenCalled();
  });

  it('returns a running job to the queue on stop, without counting the attempt', async () => {
    const began = Promise.withResolvers<void>();
    const stop = await aWorker(
      aTask((name, job) => {
        began.resolve();
        return untilAborted(name, job);
      }),
    );
    await add('a', 1);
    await began.promise;
    await stop();
    expect(await jobs()).toEqual([{ attempts: 0, max: 1, error: null, locked: false, later: false }]);
    expect((await deps.pool.query('select 1 from worker_processes')).rowCount).toBe(0);
  });

  it('returns a job that ignores the stop signal, and does not record its end', async () => {
    const pool = new Pool(deps.connection);
    const [began, released, ended] = [0, 1, 2].map(() => Promise.withResolvers<void>());
    const stop = await aWorker(
      aTask(async () => {
        began?.resolve();
        await released?.promise;
        ended?.resolve();
      }),
      { ...deps, pool },
    );
    await add('a', 1);
    await began?.promise;
    await stop();
    await pool.end();
    released?.resolve();
    await ended?.promise;
    // Leaves time for a query on the closed pool, which Vitest would report as an unhandled rejection.
    await sleep(300);
    expect(await jobs()).toEqual([{ attempts: 0, max: 1, error: null, locked: false, later: false }]);
  }, 20_000);
});

describe('JobQueue', () => {
  const job = { organizationId: 'o', accountId: 'a' };

  it('replaces a waiting job with the same key, and removes it', async () => {
    const runAt = new Date(Date.now() + 3_600_000);
    await deps.queue.add('evaluate', job, { runAt });
    await deps.queue.add('evaluate', job, { runAt });
    expect(await jobs()).toHaveLength(1);
    await deps.queue.remove('evaluate', job);
    expect(await jobs()).toEqual([]);
  });

  it('rejects a payload that does not fit the kind of job', async () => {
    const wrong = { organizationId: 'o', anomalyId: 1 };
    await expect(deps.queue.add('tell_anomaly', wrong as never)).rejects.toThrow('anomalyId');
    expect(await jobs()).toEqual([]);
  });

  it('lists a job as pending while it waits or runs, but not after its last attempt failed', async () => {
    const pending = () => deps.queue.pending('evaluate', [job, { ...job, accountId: 'b' }]);
    const [began, released] = [0, 1].map(() => Promise.withResolvers<void>());
    expect(await pending()).toEqual([]);
    await deps.queue.add('evaluate', job);
    await deps.pool.query('update graphile_worker._private_jobs set max_attempts = 1');
    expect(await pending()).toEqual([job]);
    await aWorker(
      defineTask('evaluate', async () => {
        began?.resolve();
        await released?.promise;
        throw invalid`no such file`;
      }),
    );
    await began?.promise;
    expect(await pending()).toEqual([job]);
    released?.resolve();
    await vi.waitFor(async () => expect(await jobs()).toMatchObject([{ error: 'no such file', locked: false }]));
    expect(await pending()).toEqual([]);
  });
});

describe('takeOver', () => {
  it('releases the job of a killed process so that it runs again at once', async () => {
    await add('a');
    await killAWorker();
    expect(await jobs()).toMatchObject([{ attempts: 1, locked: true }]);
    const act = vi.fn<(name: string) => void>();
    await aWorker(aTask(act));
    await vi.waitFor(() => expect(act).toHaveBeenCalledOnce(), { timeout: 30_000 });
  });

  it('gives a job whose last attempt was killed one more attempt, after a delay', async () => {
    await add('a', 1);
    await killAWorker();
    // The server notices the closed connection a moment later.
    await vi.waitFor(async () => expect(await takeOver(deps)).toHaveLength(1), { timeout: 30_000 });
    expect(await jobs()).toEqual([{ attempts: 0, max: 1, error: null, locked: false, later: true }]);
  });

  it('keeps the locks of living processes', async () => {
    const began = Promise.withResolvers<void>();
    await aWorker(
      aTask((name, job) => {
        began.resolve();
        return untilAborted(name, job);
      }),
    );
    await add('a');
    await began.promise;
    expect(await takeOver(deps)).toEqual([]);
    expect(await jobs()).toMatchObject([{ locked: true }]);
  });
});

describe('a clock that was ahead for a while', () => {
  it('delays neither later recurring jobs nor those that it queued', async () => {
    const ahead = `now() + interval '31 days'`;
    await deps.pool.query(`insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
      values ('backup', now(), ${ahead}), ('collect_facts', now(), now())
      on conflict (identifier) do update set last_execution = excluded.last_execution`);
    const queue = `select graphile_worker.add_job('act', $1, run_at := ${ahead})`;
    await deps.pool.query(queue, [{ name: 'recurring', _cron: { ts: '2026-12-31T00:00:00Z' } }]);
    await deps.pool.query(queue, [{ name: 'planned' }]);
    expect(await correctSchedule(deps)).toEqual(['backup']);
    expect(await correctSchedule(deps)).toEqual([]);
    const { rows } = await deps.pool.query(
      `select payload->>'name' as name, run_at <= now() as due from graphile_worker._private_jobs order by 1`,
    );
    expect(rows).toEqual([
      { name: 'planned', due: false },
      { name: 'recurring', due: true },
    ]);
  });
});
