import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Loading } from '../../../src/ingest/sync/loading.ts';
import { Limiter } from '../../../src/kit/limiter.ts';

// Real loading processes, with nothing to load.

let base = '';
beforeAll(() => {
  base = mkdtempSync(path.join(tmpdir(), 'costkeep-loading-'));
});
afterAll(() => rmSync(base, { recursive: true }));

function loadingIn(slots: Limiter): Loading {
  const { signal } = new AbortController();
  return new Loading({ folder: base, inPlace: [], dataDir: base, memoryMiB: 128, slots, signal, onProgress: () => {} });
}

it('starts ahead of the first question where a slot is free, and gives it back', async () => {
  const slots = new Limiter({ limit: 1 });
  const loading = loadingIn(slots);
  loading.warm();
  expect(slots.running).toBe(1);
  await loading.rest();
  expect(slots.running).toBe(0);
});

it('waits for nobody ahead of its time', async () => {
  const slots = new Limiter({ limit: 1 });
  const leave = await slots.acquire();
  const loading = loadingIn(slots);
  loading.warm();
  await loading.rest();
  leave();
  expect(slots.running).toBe(0);
});

it('keeps what was compiled for the next process', async () => {
  const loading = loadingIn(new Limiter({ limit: 1 }));
  loading.warm();
  await loading.rest();
  const folder = path.join(base, 'cache', 'code');
  expect(existsSync(folder) && readdirSync(folder, { recursive: true }).length).toBeGreaterThan(5);
});
