import { expect, it } from 'vitest';
import { mapConcurrently } from '../../src/kit/process/limiter.ts';
import { parts, runPart, type Part } from './run.ts';

/** Number of concurrent parts: most of their time is waiting. */
const atOnce = 3;

// The short form of `npm run torture`: each part once, for seconds.
it('loses and leaks nothing, and never hangs, when the built server is attacked', async () => {
  const names = Object.keys(parts) as Part[];
  const found = await mapConcurrently(names, atOnce, async (part) => {
    const { faults } = await runPart(part, { minutes: 0, seed: 20_261_128, isShort: true });
    return [part, faults] as const;
  });
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(names.map((part) => [part, []])));
}, 600_000);
