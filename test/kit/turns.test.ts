import { expect, it } from 'vitest';
import { nextTurn } from '../../src/kit/turns.ts';

/** Blocks the event loop for a number of milliseconds. */
function workFor(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

it('shares a turn of the event loop between concurrent tasks', async () => {
  let turn = 0;
  let isOver = false;
  const count = () => {
    turn += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const stepsIn = new Map<number, number>();
  const work = async () => {
    for (let step = 0; step < 4; step += 1) {
      await nextTurn();
      workFor(8);
      stepsIn.set(turn, (stepsIn.get(turn) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: 10 }, work));
  isOver = true;
  // Each task alone would take 24 ms before it yields: 30 steps in the first turn.
  expect(Math.max(...stepsIn.values())).toBeLessThan(15);
  expect(stepsIn.size).toBeGreaterThanOrEqual(4);
});
