import { describe, expect, it } from 'vitest';
import { aSeries, reported } from './series.ts';

const between = (at: number, first: number, last: number) => at >= first && at <= last;
/** Ends on 19 February 2026, so that the series includes the end of a year. */
const days = 415;

describe('a long drop', () => {
  it('is followed by an unreported return of any length and depth, and by no leak in the weeks after', () => {
    for (const length of [45, 57, 75, 100, 140, 180])
      for (const depth of [0.1, 0.4, 0.7, 0.8]) {
        const costs = aSeries(days, (at, _, usual) => (between(at, 100, 99 + length) ? usual * depth : usual));
        expect(reported(costs), `${length} days at ${depth}`).toEqual([]);
      }
  });

  it('is followed by an unreported return to the trend from before the drop', () => {
    for (const month of [1.03, 1.06, 1.2])
      for (const length of [45, 60, 80]) {
        const costs = aSeries(320, (at, _, usual) => {
          const grown = usual * month ** (at / 30);
          return between(at, 140, 139 + length) ? grown * 0.4 : grown;
        });
        expect(reported(costs), `${length} days, ${month} per month`).toEqual([]);
      }
  });

  it('may begin, end or span the end-of-year holidays', () => {
    for (const [first, last] of [
      [352, 389],
      [330, 355],
      [300, 357],
      [290, 361],
      [270, 368],
      [356, 380],
    ] as const) {
      const costs = aSeries(days, (at, date, usual) => {
        const open = date.slice(5) >= '12-24' || date.slice(5) === '01-01' ? usual * 0.65 : usual;
        return between(at, first, last) ? open * 0.55 : open;
      });
      expect(reported(costs), `${first} to ${last}`).toEqual([]);
    }
  });

  it('may be nested in another drop, with neither return reported', () => {
    const costs = aSeries(days, (at, _, usual) => {
      if (between(at, 170, 240)) return usual * 0.25;
      return between(at, 100, 275) ? usual * 0.6 : usual;
    });
    expect(reported(costs)).toEqual([]);
  });

  it('does not hide spikes: above the old level they are reported at once, others after they end', () => {
    const spiked = (cost: number, from: number, to: number) =>
      reported(aSeries(300, (at, _, usual) => (between(at, from, to) ? cost : at >= 100 ? usual * 0.5 : usual)));
    expect(spiked(150, 200, 200)).toEqual(['spike 200-200 reported 200']);
    expect(spiked(100, 200, 200)).toEqual(['spike 200-200 reported 202']);
    expect(spiked(100, 200, 202)).toEqual(['spike 200-202 reported 204']);
    expect(spiked(100, 140, 141)).toEqual(['spike 140-141 reported 143']);
  });

  it('does not hide a step that stays far below the old level: it is reported on its second day', () => {
    const costs = aSeries(300, (at, _, usual) => (at < 100 ? usual : at < 200 ? usual * 0.3 : usual * 0.5));
    expect(reported(costs)).toEqual(['step 200-206 reported 201']);
  });

  it('is forgotten after half a year', () => {
    const costs = aSeries(days, (at, _, usual) => (between(at, 100, 320) ? usual * 0.5 : usual));
    expect(reported(costs)).toEqual(['step 321-327 reported 321']);
  });
});

describe('a monthly charge', () => {
  it('is not inferred from drops that begin after the last day of a month', () => {
    const ends = (date: string) => /-(30|31)$/.test(date);
    const costs = aSeries(330, (at, _, usual) =>
      between(at, 181, 195) || between(at, 243, 258) ? usual * 0.3 : usual,
    );
    expect(reported(costs)).toEqual([]);
    const spiked = aSeries(330, (at, date, usual) => {
      if (between(at, 181, 195) || between(at, 243, 258)) return usual * 0.3;
      return at > 300 && ends(date) && at < 304 ? usual * 1.7 : usual;
    });
    expect(reported(spiked)).toHaveLength(1);
  });

  it('is not reported during a drop from its third occurrence', () => {
    const costs = aSeries(360, (at, date, usual) => {
      const fee = date.endsWith('-01') ? 45 : 0;
      return (between(at, 151, 181) || between(at, 213, 300) ? usual * 0.4 : usual) + fee;
    });
    expect(reported(costs)).toEqual([]);
  });
});
