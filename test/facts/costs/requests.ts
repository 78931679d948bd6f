import fc from 'fast-check';
import type { CostArgs } from '../../../src/facts/costs/question.ts';
import { addDays, daysBetween } from '../../../src/kit/time/period.ts';
import { accountIds, values, worldRange } from './world.ts';

const day = fc
  .integer({ min: 0, max: daysBetween(worldRange.start, worldRange.end) - 1 })
  .map((n) => addDays(worldRange.start, n));
const some = <Value>(of: readonly Value[]) =>
  fc.option(fc.uniqueArray(fc.constantFrom(...of), { minLength: 1, maxLength: 2 }));

/** Any query without tags within the days of the world, or slightly beyond. */
export const plainArgs = fc
  .record({
    days: fc.tuple(day, day).map((pair) => pair.sort()),
    // The last day may be in the future.
    daysMore: fc.constantFrom(0, 0, 0, 1),
    accountId: fc.option(fc.uniqueArray(fc.constantFrom(...accountIds, 'no-such-account'), { minLength: 1 })),
    provider: some(values.provider),
    service: some(values.service),
    region: some(values.region),
    subAccountId: some(values.subAccount),
    chargeCategory: some(['usage', 'purchase', 'tax', 'credit', 'adjustment'] as const),
    costMetric: fc.constantFrom('effective' as const, 'billed' as const, 'list' as const, 'contracted' as const),
  })
  .map(({ days: [first, last], daysMore, ...args }): CostArgs => {
    return { ...args, startDate: first ?? null, endDate: last ? addDays(last, daysMore) : null };
  });

/** Any tag arguments. */
export const tagArgs = fc.constantFrom('team', 'TEAM', 'stage', 'request', 'nokey').chain((tagKey) =>
  fc.oneof(
    fc.constant({ tagKey }),
    fc.constant({ tagKey, untagged: true }),
    fc
      .uniqueArray(fc.constantFrom(...values.tagValue, 'prod'), { minLength: 1 })
      .map((tagValue) => ({ tagKey, tagValue })),
  ),
);

/** Any query. */
export const anyArgs = fc.oneof(
  plainArgs,
  fc.tuple(plainArgs, tagArgs).map(([plain, tag]): CostArgs => ({ ...plain, ...tag })),
);
