import { expect, it } from 'vitest';
import { partsOf } from '../../../src/facts/costs/history/history-parts.ts';
import type { Day } from '../../../src/kit/time/period.ts';

const day: Day = '2026-05-03';
const cell = (service: string, cost: bigint) => ({ period: day, keys: [service], unconverted: null, cost });
const late = (cost: bigint) => [{ dataFrom: day, costs: new Map([[day, cost]]) }];

it('divides the costs of a day into services and all others, which can be a credit', () => {
  const whole = { costs: new Map([[day, 90n]]), late: late(40n) };
  const parts = partsOf(whole, ['Compute'], { services: [cell('Compute', 100n)], late: () => late(50n) });
  expect(parts).toEqual([
    { service: 'Compute', costs: new Map([[day, 100n]]), late: late(50n) },
    { service: null, costs: new Map([[day, -10n]]), late: late(-10n) },
  ]);
});

it('has no part for other services if the given ones make up the whole cost', () => {
  const whole = { costs: new Map([[day, 7n]]), late: [] };
  const parts = partsOf(whole, ['Compute'], { services: [cell('Compute', 7n)], late: () => [] });
  expect(parts.map(({ service }) => service)).toEqual(['Compute']);
});
