import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Loader } from '../../../../src/ingest/sync/bills/loader.ts';
import { Limiter } from '../../../../src/kit/process/limiter.ts';

// Real loader processes, with nothing to load.

let base = '';
beforeAll(() => {
  base = mkdtempSync(path.join(tmpdir(), 'costkeep-loader-'));
});
afterAll(() => rmSync(base, { recursive: true }));

function loaderIn(slots: Limiter): Loader {
  const { signal } = new AbortController();
  return new Loader({ folder: base, inPlace: [], dataDir: base, memoryMiB: 128, slots, signal, onProgress: () => {} });
}

it('starts ahead of the first question if a slot is free, and gives it back', async () => {
  const slots = new Limiter({ limit: 1 });
  const loader = loaderIn(slots);
  loader.warm();
  expect(slots.running).toBe(1);
  await loader.rest();
  expect(slots.running).toBe(0);
});

it('does not wait for a slot ahead of the first question', async () => {
  const slots = new Limiter({ limit: 1 });
  const leave = await slots.acquire();
  const loader = loaderIn(slots);
  loader.warm();
  await loader.rest();
  leave();
  expect(slots.running).toBe(0);
});

it('keeps compiled code for the next process', async () => {
  const loader = loaderIn(new Limiter({ limit: 1 }));
  loader.warm();
  await loader.rest();
  const folder = path.join(base, 'cache', 'code');
  expect(existsSync(folder) && readdirSync(folder, { recursive: true }).length).toBeGreaterThan(5);
});
