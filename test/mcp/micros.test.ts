import { expect, it } from 'vitest';
import { cut } from '../../src/mcp/fit.ts';
import { percentOf, sumOf } from '../../src/mcp/output.ts';

it('adds money exactly to six decimals', () => {
  expect(sumOf([0.1, 0.2])).toBe(0.3);
  expect(sumOf([12_345_678.123457, -0.000001, 1e-6])).toBe(12_345_678.123457);
  expect(sumOf([])).toBe(0);
});

it('returns null for a percentage of zero', () => {
  expect(percentOf(1, 3)).toBe(33.33);
  expect(percentOf(1, 0)).toBeNull();
});

it('truncates texts without splitting a character', () => {
  expect(cut('four', 4)).toBe('four');
  expect(cut('fives', 4)).toBe('fiv…');
  expect(cut('ab😀de', 4)).toBe('ab…');
});
