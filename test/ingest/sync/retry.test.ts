import { expect, it } from 'vitest';
import { describeRetry, jitterOf, mostRetries, waitBeforeRetry } from '../../../src/ingest/sync/retry.ts';
import { newId } from '../../../src/kit/ids.ts';
import { TryLater } from '../../../src/providers/faults.ts';

const minute = 60_000;

it('doubles the wait with jitter of up to half, and gives up after eight retries', () => {
  const fault = new TryLater('busy');
  const longest = Array.from({ length: mostRetries }, (_, retries) => waitBeforeRetry(retries, fault, 1));
  expect(longest.map((ms) => (ms ?? 0) / minute)).toEqual([1, 2, 4, 8, 16, 32, 64, 128]);
  expect(waitBeforeRetry(3, fault, 0)).toBe(4 * minute);
  expect(waitBeforeRetry(mostRetries, fault)).toBeNull();
});

it('waits as long as the provider requests, up to six hours', () => {
  const asking = (retryAfterMs: number) => waitBeforeRetry(0, new TryLater('busy', { retryAfterMs }), 1);
  expect(asking(10 * minute)).toBe(10 * minute);
  expect(asking(1000)).toBe(minute);
  expect(asking(90 * 60 * minute)).toBe(360 * minute);
});

it('describes the error and the time of the retry', () => {
  const retry = { at: new Date('2026-08-10T12:03:00Z'), count: 2 };
  expect(describeRetry(new TryLater('S3 limits the request rate (503)'), retry)).toBe(
    'S3 limits the request rate (503). The sync will be retried at 2026-08-10T12:03Z (retry 2 of 8)',
  );
});

it('spreads accounts over ten minutes, each with a constant offset', () => {
  const ids = Array.from({ length: 500 }, () => newId(new Date()));
  const waits = ids.map(jitterOf);
  expect(ids.map(jitterOf)).toEqual(waits);
  expect(Math.max(...waits)).toBeLessThan(10 * minute);
  const thirds = [0, 1, 2].map((third) => waits.filter((ms) => Math.floor(ms / (200 * 1000)) === third).length);
  for (const count of thirds) expect(count).toBeGreaterThan(100);
});
