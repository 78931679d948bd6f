import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { inTurns } from '../../src/kit/in-turns.ts';

test('maps with bounded concurrency, and returns results in order', async () => {
  let running = 0;
  let most = 0;
  const results = await inTurns([5, 1, 3, 0, 2], 2, async (ms) => {
    most = Math.max(most, (running += 1));
    await sleep(ms);
    running -= 1;
    return ms * 10;
  });
  expect(results).toEqual([50, 10, 30, 0, 20]);
  expect(most).toBe(2);
  expect(await inTurns([], 2, async () => 1)).toEqual([]);
});

test('fails with the first failure, and starts no more items', async () => {
  const begun: number[] = [];
  const work = async (item: number) => {
    begun.push(item);
    if (item === 2) throw new Error('two');
    await sleep(1);
  };
  await expect(inTurns([1, 2, 3, 4, 5], 2, work)).rejects.toThrow('two');
  await sleep(20);
  expect(begun.length).toBeLessThan(5);
});
