import { describe, expect, it } from 'vitest';
import { aSeries, reported } from './series.ts';

const between = (at: number, first: number, last: number) => at >= first && at <= last;

describe('a return from a drop', () => {
  it('is not reported when the series kept growing meanwhile, and is not mistaken for a leak later', () => {
    for (const days of [7, 14, 21, 30, 40]) {
      const costs = aSeries(260, (at, _, usual) => {
        const grown = usual * 1.25 ** (at / 30);
        return between(at, 140, 139 + days) ? grown * 0.35 : grown;
      });
      expect(reported(costs), `${days} days`).toEqual([]);
    }
  });

  it('is not reported on a weekend that was quiet before', () => {
    const weekend = (at: number) => (at + 3) % 7 >= 5;
    const costs = aSeries(240, (at, _, usual) => {
      if (between(at, 140, 165)) return usual * 0.3;
      return weekend(at) && at < 140 ? usual * 0.55 : usual;
    });
    expect(reported(costs).filter((text) => text.startsWith('spike'))).toEqual([]);
  });

  it('does not hide a spike far above the level before the drop', () => {
    const costs = aSeries(240, (at, _, usual) => {
      if (at === 160) return usual * 3;
      return between(at, 140, 175) ? usual * 0.5 : usual;
    });
    expect(reported(costs)).toEqual(['spike 160-160 reported 160']);
  });

  it('is not reported when a step preceded the drop', () => {
    const costs = aSeries(260, (at, _, usual) => {
      if (at < 100) return usual;
      return between(at, 146, 175) ? usual * 0.5 : usual * 1.8;
    });
    expect(reported(costs)).toEqual(['step 100-106 reported 100']);
  });
});

describe('the end-of-year holidays', () => {
  it('neither end a level nor begin one', () => {
    const costs = aSeries(440, (at, date, usual) => {
      const level = at >= 335 ? usual * 1.6 : usual;
      return date.slice(5) >= '12-24' || date.slice(5) === '01-01' ? level * 0.62 : level;
    });
    expect(reported(costs)).toEqual(['step 335-341 reported 335']);
  });
});

describe('a monthly fee', () => {
  it('of a fifth of a noisy level is not reported from its third occurrence', () => {
    const costs = aSeries(330, (at, date, usual) => {
      const noisy = usual * (1 + 0.06 * Math.sin(at * 2.1) * Math.cos(at * 0.7));
      return noisy + (date.endsWith('-01') && at >= 120 ? 35 : 0);
    });
    expect(reported(costs).filter((text) => !/^spike (120|151)-/.test(text))).toEqual([]);
  });

  it('does not hide a spike of another amount on the same day of the month', () => {
    const costs = aSeries(200, (at, _, usual) => (at === 120 ? 320 : at === 150 ? 170 : usual));
    expect(reported(costs)).toEqual(['spike 120-120 reported 120', 'spike 150-150 reported 150']);
  });
});
