import { expect, it } from 'vitest';
import { isSharedServer } from '../../../../src/ingest/sync/store.ts';
import { loaderSlots, loaderTurn } from '../../../../src/ingest/sync/bills/slots.ts';
import { billsOfFile } from '../../world.ts';

const [a, b, c] = ['a', 'b', 'c'].map((name) => loaderTurn(name, true));

const connect = billsOfFile();

// Semaphores are shared by the process: each test has its own number of slots.

it('leaves the last free slot to an organization without one', async () => {
  const slots = loaderSlots(3);
  const releases = [slots.tryAcquire(a), slots.tryAcquire(a)];
  expect(slots.tryAcquire(a)).toBeNull();
  const waiting = slots.acquire(a);
  const other = await slots.acquire(b);
  expect([slots.running, slots.waiting.length]).toEqual([3, 1]);
  other();
  expect([slots.running, slots.waiting.length]).toEqual([2, 1]);
  for (const release of releases) release?.();
  (await waiting)();
  expect(slots.running).toBe(0);
});

it('is round-robin between organizations', async () => {
  const slots = loaderSlots(1);
  const order: string[] = [];
  const first = await slots.acquire(a);
  const loads = [a, a, b, c].map((turn) => slots.run(async () => void order.push(turn?.group ?? ''), turn));
  first();
  await Promise.all(loads);
  expect(order).toEqual(['b', 'c', 'a', 'a']);
});

it('gives all slots to the only organization', async () => {
  const slots = loaderSlots(2);
  const only = loaderTurn('a', false);
  const releases = [await slots.acquire(only), await slots.acquire(only)];
  expect(slots.running).toBe(2);
  for (const release of releases) release();
});

it('knows whether other organizations have accounts', async () => {
  const first = await connect();
  expect(await isSharedServer(first.deps.db, first.scope)).toBe(false);
  const second = await connect();
  expect(await isSharedServer(first.deps.db, first.scope)).toBe(true);
  expect(await isSharedServer(first.deps.db, second.scope)).toBe(true);
});
