import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { promisify } from 'node:util';
import { threadId } from 'node:worker_threads';
import { afterAll, describe, expect, it } from 'vitest';
import { closeThreads, inThread } from '../../../src/kit/process/threads.ts';
import type * as work from '../threads-work.ts';

const url = new URL('../threads-work.ts', import.meta.url);
const run = inThread<typeof work>(url);

afterAll(closeThreads);

describe('inThread', () => {
  it('keeps the event loop free', async () => {
    await run('spin', 0, 'request');
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    expect(await run('spin', 400, 'request')).not.toBe(threadId);
    delay.disable();
    expect(delay.max / 1e6).toBeLessThan(300);
  });

  it('returns the result of an asynchronous function', async () => {
    expect(await run('later', 'plum', 'job')).toBe('plum');
  });

  it('fails with the error of the function, and stays usable', async () => {
    await expect(run('refuse', 'Plum', 'job')).rejects.toThrow('Plum is out of range');
    expect(await run('later', 'kite', 'job')).toBe('kite');
  });

  it('fails when its thread dies, and stays usable', async () => {
    await expect(run('die', 3, 'job')).rejects.toThrow('worker exited with code: 3');
    expect(await run('later', 'kite', 'job')).toBe('kite');
  });

  it('does not make a request wait for a job', async () => {
    const done: string[] = [];
    const job = run('spin', 600, 'job').then(() => done.push('job'));
    await run('spin', 10, 'request').then(() => done.push('request'));
    await job;
    expect(done).toEqual(['request', 'job']);
  });

  it('alternates between members, so that the work of one does not wait for all the work of another', async () => {
    const done: string[] = [];
    const by = (userId: string) =>
      run('spin', 20, 'request', { organizationId: 'plum', userId }).then(() => done.push(userId));
    await Promise.all([...Array.from({ length: 30 }, () => by('cleo')), by('dan')]);
    // At most 4 threads were busy with the first member's work.
    expect(done.indexOf('dan')).toBeLessThan(15);
  });

  it.skipIf(availableParallelism() < 2)('leaves threads to other members', async () => {
    const gate = new Int32Array(new SharedArrayBuffer(4));
    const by = (userId: string) => ({ organizationId: 'plum', userId });
    const blocked = Array.from({ length: 4 }, () => run('waitFor', gate, 'request', by('cleo')));
    expect(await run('later', 'kite', 'request', by('dan'))).toBe('kite');
    Atomics.store(gate, 0, 1);
    Atomics.notify(gate, 0);
    await Promise.all(blocked);
  });

  it('finishes running work on close, aborts waiting work, and can start again', async () => {
    const inHand = run('spin', 200, 'job');
    const waiting = run('spin', 200, 'job').catch((error: Error) => error.message);
    await closeThreads();
    expect(await inHand).not.toBe(threadId);
    expect(await waiting).toBe('The task has been aborted');
    expect(await run('later', 'orbit', 'job')).toBe('orbit');
  });

  it('keeps no process alive', async () => {
    const kit = new URL('../../../src/kit/process/threads.ts', import.meta.url);
    const code = `import { inThread } from '${kit.href}';
      console.log(await inThread(new URL('${url.href}'))('later', 'plum', 'job'));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], {
      timeout: 20_000,
    });
    expect(stdout).toBe('plum\n');
  });
});
