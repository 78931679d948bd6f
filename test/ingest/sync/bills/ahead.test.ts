import { expect, it } from 'vitest';
import { ahead } from '../../../../src/ingest/sync/bills/ahead.ts';

const settle = () => new Promise((resolve) => setImmediate(resolve));

it('produces one item ahead of the consumer, and no more', async () => {
  const made: number[] = [];
  async function* step() {
    for (const item of [1, 2, 3, 4]) {
      made.push(item);
      yield item;
    }
  }
  const seen: number[][] = [];
  for await (const item of ahead(step(), () => {})) {
    await settle();
    seen.push([item, ...made]);
  }
  expect(seen).toEqual([
    [1, 1, 2],
    [2, 1, 2, 3],
    [3, 1, 2, 3, 4],
    [4, 1, 2, 3, 4],
  ]);
});

it('throws the failure of the step after the items before it, and does not abort', async () => {
  async function* step() {
    yield 1;
    throw new Error('broken');
  }
  const seen: unknown[] = [];
  const consume = async () => {
    for await (const item of ahead(step(), () => seen.push('aborted'))) {
      await settle();
      seen.push(item);
    }
  };
  await expect(consume()).rejects.toThrow('broken');
  expect(seen).toEqual([1]);
});

it('aborts the step when the consumer fails, and waits until it has ended', async () => {
  const abort = new AbortController();
  const seen: string[] = [];
  async function* step() {
    try {
      yield 1;
      await new Promise((_, reject) =>
        abort.signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true }),
      );
    } finally {
      await settle();
      seen.push('ended');
    }
  }
  const consume = async () => {
    for await (const _ of ahead(step(), () => abort.abort())) throw new Error('consumer');
  };
  await expect(consume()).rejects.toThrow('consumer');
  expect(seen).toEqual(['ended']);
});
