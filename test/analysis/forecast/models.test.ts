import { describe, expect, it } from 'vitest';
import { holtWintersAhead, minimize, thetaAhead } from '../../../src/analysis/forecast/smoothing.ts';
import { lineAhead } from '../../../src/analysis/forecast/line.ts';

const rising = (days: number) => Array.from({ length: days }, (_, at) => 2 * at);

describe('minimize', () => {
  it('finds a minimum without derivatives', () => {
    const [x, y] = minimize(([a = 0, b = 0]) => (a - 3) ** 2 + 10 * (b + 1) ** 2, [0, 0], {
      step: 1,
      evaluations: 200,
    });
    expect(x).toBeCloseTo(3, 3);
    expect(y).toBeCloseTo(-1, 3);
  });

  it('returns the best point so far when evaluations run out', () => {
    expect(minimize(([a = 0]) => (a - 5) ** 2, [0], { step: 1, evaluations: 2 })).toEqual([1]);
  });
});

describe('lineAhead', () => {
  it('continues the full trend after 121 days', () => {
    expect(lineAhead(rising(121), 3)).toEqual([242, 244, 246]);
  });

  it('continues half of the trend after 71 days', () => {
    // Slope 1. Without the trend, the last 21 days go from 120 to 140: their median is 130.
    expect(lineAhead(rising(71), 2)).toEqual([131, 132]);
  });

  it('is level after 21 days', () => {
    expect(lineAhead(rising(21), 2)).toEqual([20, 20]);
  });

  it('continues exponential growth at the recent rate', () => {
    const growing = Array.from({ length: 240 }, (_, at) => 100 * 1.005 ** at);
    const last = growing.at(-1) ?? 0;
    expect((lineAhead(growing, 31)[30] ?? 0) / last).toBeCloseTo(1 + 31 * Math.log(1.005), 2);
  });

  it('continues a decline of the last weeks from the last day on, ever slower', () => {
    const replaced = Array.from({ length: 300 }, (_, at) => (at < 260 ? 1000 : 1000 - 10 * (at - 259)) + (at % 3));
    const ahead = lineAhead(replaced, 60);
    const last = replaced.at(-1) ?? 0;
    expect(Math.abs((ahead[0] ?? 0) - last + 10)).toBeLessThan(8);
    expect((ahead[0] ?? 0) - (ahead[1] ?? 0)).toBeGreaterThan((ahead[30] ?? 0) - (ahead[31] ?? 0));
    expect(ahead.at(-1)).toBeGreaterThan(last - 300);
  });

  it('limits growth to 35% per month', () => {
    const rolledOut = Array.from({ length: 240 }, (_, at) => 100 * 1.02 ** at);
    const last = rolledOut.at(-1) ?? 0;
    expect(lineAhead(rolledOut, 2)[0]).toBeLessThan(last * 1.02);
  });

  it('starts at a new level after five days on it, up or down, but not at a spike', () => {
    const days = Array.from({ length: 200 }, (_, at) => 100 + (at % 2));
    const after = (level: number, count: number) =>
      lineAhead(
        days.map((day, at) => (at < 200 - count ? day : level)),
        60,
      );
    expect(after(20, 5)).toEqual(Array.from({ length: 60 }, () => 20));
    expect(after(150, 7).at(-1)).toBe(150);
    for (const [level, count] of [
      [20, 4],
      [300, 4],
      [120, 10],
    ] as const)
      expect(Math.abs((after(level, count)[0] ?? 0) - 100.5)).toBeLessThan(0.6);
  });
});

describe('thetaAhead', () => {
  it('continues a level', () => {
    expect(
      thetaAhead(
        Array.from({ length: 50 }, () => 7),
        3,
      ),
    ).toEqual([7, 7, 7]);
  });

  it('continues half of the trend', () => {
    const [first = 0, second = 0] = thetaAhead(rising(60), 2);
    expect(second - first).toBeCloseTo(1, 9);
    expect(first).toBeGreaterThan(110);
    expect(first).toBeLessThan(121);
  });
});

describe('holtWintersAhead', () => {
  it('repeats a week from any weekday', () => {
    const week = [5, 9, 9, 9, 9, 9, 4];
    for (const days of [42, 45]) {
      const values = holtWintersAhead(
        Array.from({ length: days }, (_, at) => week[at % 7] ?? 0),
        14,
      );
      for (const [at, value] of values.entries()) expect(value).toBeCloseTo(week[(days + at) % 7] ?? 0, 9);
    }
  });

  it('damps a trend', () => {
    const values = holtWintersAhead(rising(120), 60);
    const steps = values.slice(1).map((value, at) => value - (values[at] ?? 0));
    expect(steps[0]).toBeGreaterThan(0);
    expect(steps.at(-1)).toBeLessThan(steps[0] ?? 0);
  });
});
