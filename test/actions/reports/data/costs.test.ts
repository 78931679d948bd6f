import { describe, expect, it } from 'vitest';
import { largestOf } from '../../../../src/actions/reports/data/costs.ts';

describe('the largest group of a cost report', () => {
  it.each([
    ['costs', [300, 200, -250], 300],
    ['credits, whose largest is the lowest amount', [-350, -900, -1200], -1200],
    ['nothing', [], undefined],
  ])('has the largest amount of %s', (_, costs, largest) => {
    expect(largestOf(costs.map((cost) => ({ cost })))?.cost).toBe(largest);
  });
});
