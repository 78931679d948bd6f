import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bestLevel, costOf, hoursOf } from '../../../src/analysis/commitments/quantile.ts';

const sumOf = (hours: readonly number[]) => hours.reduce((so, hour) => so + hour, 0);
const ascending = (hours: readonly number[]) => hours.toSorted((a, b) => a - b);

/** Histories of several shapes: level, daily swings, growth, bursts, days off, noise. */
const histories = fc
  .record({
    hours: fc.integer({ min: 1, max: 24 * 30 }),
    base: fc.double({ min: 0, max: 1000, noNaN: true }),
    swing: fc.double({ min: 0, max: 2, noNaN: true }),
    growth: fc.double({ min: -1, max: 3, noNaN: true }),
    idle: fc.double({ min: 0, max: 0.9, noNaN: true }),
    noise: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 24, maxLength: 24 }),
  })
  .map(({ hours, base, swing, growth, idle, noise }) =>
    Array.from({ length: hours }, (_, hour) => {
      const random = noise[(hour * 7) % 24] ?? 0;
      const shape = 1 + swing * Math.sin((2 * Math.PI * hour) / 24) + (growth * hour) / hours + random;
      return random < idle ? 0 : Math.max(0, base * shape);
    }),
  );

describe('the best level', () => {
  it('costs at most 0.1% more than the best of all levels, over 200 random histories', () => {
    const discounts = fc.double({ min: 0, max: 0.9, noNaN: true });
    fc.assert(
      fc.property(histories, discounts, (history, discount) => {
        const best = costOf(history, bestLevel(ascending(history), discount), discount);
        const peak = Math.max(...history);
        const levels = [...history, ...Array.from({ length: 501 }, (_, step) => (peak * step) / 500)];
        const brute = Math.min(...levels.map((level) => costOf(history, level, discount)));
        expect(best).toBeLessThanOrEqual(brute * 1.001 + 1e-9);
      }),
      { numRuns: 200 },
    );
  });

  it('is equally good for days with hourly data', () => {
    const day = fc.array(
      fc.record({ price: fc.double({ min: 0.01, max: 9, noNaN: true }), hours: fc.nat(2 ** 24 - 1) }),
    );
    const discounts = fc.double({ min: 0, max: 0.9, noNaN: true });
    fc.assert(
      fc.property(fc.array(day, { minLength: 1, maxLength: 20 }), discounts, (days, discount) => {
        const history = days.map((machines) =>
          Array.from({ length: 24 }, (_, hour) =>
            machines.reduce((sum, { price, hours }) => sum + ((hours >> hour) & 1) * price, 0),
          ),
        );
        const hours = hoursOf(history.map((hourly) => ({ cost: sumOf(hourly), steady: 0, hourly })));
        const actual = history.flat();
        const found = costOf(actual, bestLevel(hours, discount), discount);
        const brute = Math.min(...[0, ...actual].map((level) => costOf(actual, level, discount)));
        expect(found).toBeLessThanOrEqual(brute * 1.001 + 1e-9);
      }),
      { numRuns: 200 },
    );
  });

  it('is the demand quantile at the discount', () => {
    const hundred = Array.from({ length: 100 }, (_, hour) => hour + 1);
    expect(bestLevel(hundred, 0.28)).toBe(28);
    expect(bestLevel(hundred, 0.281)).toBe(29);
  });

  it('is the lowest of several equally good levels', () => {
    // At 30% off it is idle in 3 of 10 hours and saves in 7; all levels between 3 and 4 cost the same.
    const ten = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
    expect(costOf(ten, 3, 0.3)).toBeCloseTo(costOf(ten, 4, 0.3), 9);
    expect(bestLevel(ten, 0.3)).toBe(3);
    expect(bestLevel(ten, 1 - 0.7)).toBe(3);
  });

  it('is zero without a discount, without demand, and with too little demand', () => {
    expect(bestLevel([5, 5], 0)).toBe(0);
    expect(bestLevel([], 0.5)).toBe(0);
    expect(bestLevel([0, 0, 0, 10], 0.5)).toBe(0);
  });
});

describe('the estimated hours of days', () => {
  it('are equal when all usage ran all day', () => {
    const hours = hoursOf([{ cost: 48, steady: 48 }]);
    expect(hours).toHaveLength(24);
    expect(new Set(hours)).toEqual(new Set([2]));
  });

  it('vary by half when no usage ran all day, and add up to the day', () => {
    const hours = hoursOf([{ cost: 24, steady: 0 }]);
    expect(hours.reduce((sum, hour) => sum + hour, 0)).toBeCloseTo(24, 9);
    // The first and last hours of the cosine, half an hour from its ends: 1 ± 0.5 × cos 7.5°.
    expect(hours[0]).toBeCloseTo(1 - 0.5 * 0.991445, 5);
    expect(hours.at(-1)).toBeCloseTo(1 + 0.5 * 0.991445, 5);
  });

  it('are never negative on a day of corrections', () => {
    expect(new Set(hoursOf([{ cost: -3, steady: 1 }]))).toEqual(new Set([0]));
    const hourly = Array.from({ length: 24 }, (_, hour) => (hour === 3 ? -5 : 0));
    expect(new Set(hoursOf([{ cost: -5, steady: 0, hourly }]))).toEqual(new Set([0]));
  });

  it('use hourly data where the bill has it, and add daily lines to it', () => {
    const hourly = Array.from({ length: 24 }, (_, hour) => (hour < 4 ? 3 : 0));
    const hours = hoursOf([{ cost: 12, steady: 0, hourly }]);
    expect(hours).toEqual([...Array.from({ length: 20 }, () => 0), 3, 3, 3, 3]);
    expect(hoursOf([{ cost: 60, steady: 48, hourly }])).toEqual([...Array.from({ length: 20 }, () => 2), 5, 5, 5, 5]);
    // Another $24 without hourly data vary around 1, high in the hours in which the others are high.
    const both = hoursOf([{ cost: 36, steady: 0, hourly }]);
    expect(both[0]).toBeCloseTo(1 - 0.5 * 0.991445, 5);
    expect(both.at(-1)).toBeCloseTo(4 + 0.5 * 0.991445, 5);
    expect(both.reduce((sum, hour) => sum + hour, 0)).toBeCloseTo(36, 9);
  });

  it('vary within the hours in which uneven usage ran', () => {
    const hourly = Array.from({ length: 24 }, (_, hour) => (hour < 4 ? 3 : 0));
    const hours = hoursOf([{ cost: 12, steady: 0, hourly, uneven: 12 }]);
    expect(hours.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 0));
    expect(hours.at(-4)).toBeLessThan(hours.at(-1) ?? 0);
    expect(hours.reduce((sum, hour) => sum + hour, 0)).toBeCloseTo(12, 9);
    const half = hoursOf([{ cost: 24, steady: 0, hourly: Array.from({ length: 24 }, () => 1), uneven: 12 }]);
    expect(half[0]).toBeCloseTo(1 - 0.25 * 0.991445, 5);
  });

  it('lose their lowest part to commitments, not a share of each hour', () => {
    // $48 of which nothing ran all day vary between 1 and 3 per hour; up to 2 per hour is covered.
    const usage = hoursOf([{ cost: 48, steady: 0 }]);
    const covered = usage.reduce((sum, hour) => sum + Math.min(2, hour), 0);
    const hours = hoursOf([{ cost: 48 - covered, steady: 0, coveredUnsteady: covered }]);
    expect(hours.reduce((sum, hour) => sum + hour, 0)).toBeCloseTo(48 - covered, 9);
    expect(hours.map((hour) => Math.round(hour * 1e9))).toEqual(
      usage.map((hour) => Math.round(Math.max(0, hour - 2) * 1e9)),
    );
    // Half of the hours are zero now: a commitment pays off only for discounts above one half.
    expect(bestLevel(hours, 0.49)).toBe(0);
    expect(bestLevel(hours, 0.6)).toBeGreaterThan(0);
  });

  it('keep all-day on-demand usage, however much other usage is covered', () => {
    const hours = hoursOf([{ cost: 24, steady: 24, coveredUnsteady: 240 }]);
    expect(hours.map((hour) => Math.round(hour * 1e9))).toEqual(Array.from({ length: 24 }, () => 1e9));
    expect(hoursOf([{ cost: 0, steady: 0, coveredUnsteady: 24 }]).every((hour) => hour < 1e-9)).toBe(true);
  });
});
