import { expect, it, onTestFinished, vi } from 'vitest';
import { startWorker } from '../../src/jobs/worker.ts';
import { freshDatabase } from '../support/database.ts';
import { aTask, aWorld } from './world.ts';

it('leaves the last slot for syncs to an organization without one', async () => {
  const deps = await aWorld(await freshDatabase());
  const config = { ...deps.config, workerConcurrency: 1 };
  const add = (flag: string) =>
    deps.pool.query(`select graphile_worker.add_job('act', $1, flags := array[$2])`, [{ name: flag }, flag]);
  const running: { name: string; end(): void }[] = [];
  const end = (name: string) =>
    running
      .splice(
        running.findIndex((one) => one.name === name),
        1,
      )[0]
      ?.end();
  const names = () => running.map(({ name }) => name).toSorted();
  const task = aTask((name) => new Promise<void>((done) => running.push({ name, end: done })), 'sync');
  for (let job = 0; job < 8; job += 1) await add('a');
  await add('b');
  const worker = await startWorker({ ...deps, config }, [task]);
  onTestFinished(() => worker.stop());
  onTestFinished(() => running.forEach((one) => one.end()));
  const patience = { timeout: 30_000 };
  await vi.waitFor(() => expect(names()).toEqual(['a', 'a', 'a', 'a', 'b']), patience);
  end('b');
  end('a');
  await vi.waitFor(() => expect(names()).toEqual(['a', 'a', 'a', 'a']), patience);
  await add('c');
  await vi.waitFor(() => expect(names()).toEqual(['a', 'a', 'a', 'a', 'c']), patience);
});
