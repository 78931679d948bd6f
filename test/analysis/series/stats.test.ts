import { describe, expect, it } from 'vitest';
import {
  mean,
  median,
  quantile,
  robustSigma,
  rollingMedian,
  theilSenSlope,
} from '../../../src/analysis/series/stats.ts';

describe('statistics of a series', () => {
  it('take the middle value as median, or the mean of the middle two', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(median([5, 5, 1, 5])).toBe(5);
    expect(median([7])).toBe(7);
    expect(median([])).toBeNaN();
  });

  it('exclude unknown days', () => {
    expect(median([NaN, 3, NaN, 1])).toBe(2);
    expect(mean([NaN, 3, 1])).toBe(2);
    expect(quantile([NaN, 3, 1], 0.5)).toBe(2);
  });

  it('agree with sorting', () => {
    for (let size = 1; size <= 60; size++) {
      const values = Array.from({ length: size }, (_, index) => (index * 7919) % 31);
      const sorted = values.toSorted((a, b) => a - b);
      const half = size >> 1;
      const expected = size % 2 === 1 ? sorted[half] : ((sorted[half - 1] ?? 0) + (sorted[half] ?? 0)) / 2;
      expect(median(values)).toBe(expected);
    }
  });

  it('interpolate quantiles', () => {
    expect(quantile([10, 20, 30, 40, 50], 0.8)).toBe(42);
    expect(quantile([10, 20, 30, 40, 50], 1)).toBe(50);
    expect(quantile([10], 0.95)).toBe(10);
    expect(quantile([], 0.95)).toBeNaN();
  });

  it('measure spread robustly against outliers', () => {
    // Median 3; the distances are 2, 1, 0, 1, 997: their median is 1.
    expect(robustSigma([1, 2, 3, 4, 1000])).toBe(1.4826);
  });

  it('find a slope despite outliers and gaps', () => {
    const values = Array.from({ length: 30 }, (_, index) => 5 + 2 * index);
    values[3] = 900;
    values[20] = -50;
    values[11] = NaN;
    expect(theilSenSlope(values)).toBe(2);
    // Of 28 pairs 12 are level; the flattest pairs across the jump are 90 in 7 days, then twice 90 in 6.
    expect(theilSenSlope([0, 0, 0, 0, 90, 90, 90, 90])).toBe(15);
    expect(theilSenSlope([0, 0, 0, 0, 90, 90, 90, 90], 2)).toBe(0);
    expect(theilSenSlope([4])).toBe(0);
    expect(theilSenSlope([])).toBe(0);
  });

  it('take the rolling median, of fewer days at the ends', () => {
    expect(rollingMedian([1, 9, 2, 8, 3], 1)).toEqual([5, 2, 8, 3, 5.5]);
  });
});
