import { describe, expect, it } from 'vitest';
import { detectAnomalies } from '../../../src/analysis/anomalies/detection/detector.ts';
import { limitsAround, unknownLimits } from '../../../src/analysis/anomalies/detection/baseline.ts';
import { daysBetween } from '../../../src/kit/time/period.ts';
import { aSeries, start, reported } from './series.ts';

const flat = Array.from({ length: 120 }, () => 100);
/** Days that oscillate by a fraction of the level. */
const unsteady = (part: number) => flat.map((cost, at) => cost * (1 + part * Math.sin(at * 2.4)));

describe('the expected range of a day', () => {
  it.each([
    { of: 'a steady series, 25% above', costs: flat, high: 125, low: 86.5 },
    { of: 'a cheap series, $10 above', costs: flat.map(() => 12), high: 22, low: 10.38 },
    { of: 'a varying series, its spread above', costs: unsteady(0.25) },
    { of: 'a growing series', costs: unsteady(0.05).map((cost, at) => cost * (1 + at / 400)) },
  ])('marks the boundary between normal and anomalous for $of', ({ costs, high, low }) => {
    const last = costs.length - 1;
    const { limits, expected } = detectAnomalies({ start, costs });
    const own = limits[last] ?? unknownLimits;
    if (high !== undefined) expect(own.high).toBeCloseTo(high, 9);
    if (low !== undefined) expect(own.low).toBeCloseTo(low, 9);
    expect(own.low).toBeGreaterThanOrEqual(0);
    expect(own.low).toBeLessThan(expected[last] ?? NaN);
    expect(limits).toHaveLength(costs.length);
    expect(reported(costs.with(last, own.high - 0.01))).toEqual([]);
    expect(reported(costs.with(last, own.high + 0.01))).toEqual([`spike ${last}-${last} reported ${last}`]);
    expect(detectAnomalies({ start, costs: costs.with(last, 9999) }).limits[last]).toEqual(own);
  });

  it('widens with the variance of the days', () => {
    const width = (costs: number[]) => {
      const { limits, expected } = detectAnomalies({ start, costs });
      return ((expected.at(-1) ?? NaN) - (limits.at(-1)?.low ?? NaN)) / (expected.at(-1) ?? NaN);
    };
    expect(width(flat)).toBeCloseTo(4.5 * 0.03, 9);
    expect(width(unsteady(0.08))).toBeGreaterThan(width(flat));
    expect(width(unsteady(0.16))).toBeGreaterThan(width(unsteady(0.08)));
  });

  it('is unknown while there is too little history', () => {
    const { limits, expected } = detectAnomalies({ start, costs: flat });
    for (const [at, { low, high }] of limits.entries())
      expect([Number.isNaN(low), Number.isNaN(high)]).toEqual([Number.isNaN(expected[at]), Number.isNaN(expected[at])]);
    expect(limits[0]).toEqual(unknownLimits);
  });

  it('spans zero to the minimum impact for a new service, and is unknown for its first week', () => {
    const { limits } = detectAnomalies({ start, costs: aSeries(120, (at, _, usual) => (at >= 60 ? usual : 0)) });
    expect(limits[60]).toEqual({ low: 0, high: 10 });
    expect(limits.slice(61, 67)).toEqual(Array.from({ length: 6 }, () => unknownLimits));
  });

  it('surrounds the previous level during a leak, and most leak days exceed it', () => {
    const costs = aSeries(200, (at, _, usual) => usual * (1 + 0.45 * Math.min(1, Math.max(0, (at - 99) / 30))));
    const { episodes, limits } = detectAnomalies({ start, costs });
    const days = episodes[0]?.days ?? [];
    expect([episodes[0]?.kind, days.length > 3]).toEqual(['leak', true]);
    const own = days.map(({ date, cost, expected }) => ({ cost, expected, ...limits[daysBetween(start, date)] }));
    for (const { expected, low = NaN, high = NaN } of own) {
      expect(low).toBeLessThan(expected);
      expect(high).toBeGreaterThanOrEqual(expected * 1.25 - 1e-9);
    }
    expect(own.filter(({ cost, high = NaN }) => cost >= high).length).toBeGreaterThan(own.length / 2);
  });

  it('has a lower limit below 0 only if the expectation is negative', () => {
    expect(limitsAround(10, { spread: 12, excess: 10 })).toEqual({ low: 0, high: 20 });
    expect(limitsAround(-5, { spread: 1, excess: 10 })).toEqual({ low: -5, high: 5 });
    expect(limitsAround(100, { spread: 20, excess: 25 })).toEqual({ low: 80, high: 125 });
  });
});
