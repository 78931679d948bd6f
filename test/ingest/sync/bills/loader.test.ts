import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { Loader, startLoader } from '../../../../src/ingest/sync/bills/loader.ts';
import { loaderTurn } from '../../../../src/ingest/sync/bills/slots.ts';
import { aLine, writeFocus } from '../../../support/focus.ts';
import { Limiter } from '../../../../src/kit/process/limiter.ts';

// Real loader processes, with nothing to load.

let base = '';
beforeAll(() => {
  base = mkdtempSync(path.join(tmpdir(), 'costkeep-loader-'));
});
afterAll(() => rmSync(base, { recursive: true }));

function optionsIn(folder: string) {
  const { signal } = new AbortController();
  return { folder, inPlace: [], dataDir: base, memoryMiB: 128, signal, onProgress: () => {} };
}

function loaderIn(slots: Limiter, steps = new AbortController().signal): Loader {
  return new Loader({ ...optionsIn(base), slots, turn: loaderTurn('a', false), steps });
}

it('starts before the first command if a slot is free, and releases the slot', async () => {
  const slots = new Limiter({ limit: 1 });
  const loader = loaderIn(slots);
  loader.warm();
  expect(slots.running).toBe(1);
  await loader.rest();
  expect(slots.running).toBe(0);
});

it('does not wait for a slot before the first command', async () => {
  const slots = new Limiter({ limit: 1 });
  const leave = await slots.acquire();
  const loader = loaderIn(slots);
  loader.warm();
  await loader.rest();
  leave();
  expect(slots.running).toBe(0);
});

it('keeps its process for the next job, without data of the previous one', async () => {
  const first = await startLoader(optionsIn(base));
  const { pid } = first;
  await writeFocus(path.join(base, 'bill.csv'), [aLine({ day: '2026-05-03', cost: '5' })]);
  await first.rest();
  const other = path.join(base, 'other');
  mkdirSync(other);
  const second = await startLoader(optionsIn(other));
  expect(second.pid).toBe(pid);
  const file = { key: 'bill.csv', name: 'bill.csv', path: path.join(base, 'bill.csv'), format: 'csv' as const };
  const read = second.ask('inspect', { file: { ...file, expectedRows: null, speaksFor: 'all' } });
  await expect(read).rejects.toThrow('bill.csv: is not valid CSV');
  await second.stop();
});

it('keeps its process after a sync that ended its steps, and takes no further command', async () => {
  const { pid, rest } = await startLoader(optionsIn(base));
  await rest();
  const steps = new AbortController();
  const loader = loaderIn(new Limiter({ limit: 1 }), steps.signal);
  await loader.ask('close', null);
  const ended = new Error('no more files');
  steps.abort(ended);
  await expect(loader.ask('close', null)).rejects.toBe(ended);
  await loader.rest();
  const next = await startLoader(optionsIn(base));
  expect(next.pid).toBe(pid);
  await next.stop();
});

it('reuses a process any number of times without leaking listeners', async () => {
  const warnings: Error[] = [];
  const warned = (warning: Error) => void warnings.push(warning);
  process.on('warning', warned);
  onTestFinished(() => void process.off('warning', warned));
  for (let job = 0; job < 12; job++) {
    const loader = await startLoader(optionsIn(base));
    await loader.rest();
  }
  await setImmediate();
  expect(warnings).toEqual([]);
});

it('ends a process that is busy, or whose job was aborted', async () => {
  const busy = await startLoader(optionsIn(base));
  const pending = busy.ask('close', null).catch((error: Error) => error.message);
  await busy.rest();
  expect(await pending).toMatch(/ended unexpectedly/);
  const aborted = new AbortController();
  const job = await startLoader({ ...optionsIn(base), signal: aborted.signal });
  expect(job.pid).not.toBe(busy.pid);
  const reason = new Error('enough');
  aborted.abort(reason);
  await expect(job.ask('close', null)).rejects.toBe(reason);
  await job.rest();
  const next = await startLoader(optionsIn(base));
  expect(next.pid).not.toBe(job.pid);
  await next.stop();
});

it('keeps compiled code for the next process', async () => {
  const dataDir = mkdtempSync(path.join(base, 'data-'));
  const cache = path.join(dataDir, 'cache', 'code');
  // An idle process was started for another folder.
  const opened = [];
  while (!existsSync(cache)) opened.push(await startLoader({ ...optionsIn(base), dataDir }));
  expect(readdirSync(cache, { recursive: true }).length).toBeGreaterThan(5);
  for (const loader of opened) await loader.stop();
});

it('ends a process whose command takes more than four hours', async () => {
  const { pid = NaN, rest } = await startLoader(optionsIn(base));
  await rest();
  const slots = new Limiter({ limit: 1 });
  const loader = loaderIn(slots);
  await loader.ask('close', null);
  process.kill(pid, 'SIGSTOP');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const file = { key: 'a.csv', name: 'a.csv', path: path.join(base, 'a.csv'), format: 'csv' as const };
  const asked = loader.ask('inspect', { file: { ...file, expectedRows: null, speaksFor: 'all' } });
  const ended = asked.catch((error: Error) => error.message);
  const message = 'The loader was ended after 4 hours with a.csv; deliver files with fewer rows';
  while (vi.getTimerCount() === 0) await setImmediate();
  await vi.advanceTimersByTimeAsync(4 * 3_600_000);
  expect(await ended).toBe(message);
  await loader.rest();
  expect(slots.running).toBe(0);
  await expect(loader.ask('close', null)).rejects.toThrow(message);
});
