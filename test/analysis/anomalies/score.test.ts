import { describe, expect, it } from 'vitest';
import type { LabelledEvent } from '../../bench/series/events.ts';
import { generateSeries, type CostSeries } from '../../bench/series/generator.ts';
import { ratesOf, scoreSeries, sumOf, type Alert, type Elsewhere } from '../../bench/series/score.ts';

const nowhere: Elsewhere = { withoutDrops: [], withoutFees: [] };
const spike: LabelledEvent = { kind: 'spike', start: 100, end: 101, factor: 2 };

function aSeries(events: readonly LabelledEvent[], change: Partial<CostSeries> = {}): CostSeries {
  const costs = Array.from({ length: 160 }, () => 100);
  const same = { costs, meant: costs, withoutDrops: costs, withoutFees: costs };
  return { key: 'test', firstDay: '2025-01-01', events, fees: [], ...same, ...change };
}

function alertOn(from: number, to = from, reported = from): Alert {
  return { from, to, reported };
}

function scored(series: CostSeries, alerts: readonly Alert[], elsewhere = nowhere) {
  const { outcomes, ...score } = scoreSeries(series, alerts, 60, elsewhere);
  return { ...score, delays: outcomes.map(({ delay }) => delay) };
}

describe('scoring of alerts', () => {
  it('counts an alert on an event as right, with its delay, and a missing alert as missed', () => {
    expect(scored(aSeries([spike]), [alertOn(101)])).toMatchObject({ right: 1, wrong: 0, delays: [1] });
    expect(scored(aSeries([spike]), [])).toMatchObject({ right: 0, wrong: 0, delays: [null] });
  });

  it('counts an alert without an event as wrong, but not before the scored days', () => {
    expect(scored(aSeries([spike]), [alertOn(104), alertOn(40)])).toMatchObject({ right: 0, wrong: 1, delays: [null] });
  });

  it('counts a second alert as repeated during the event, and as wrong afterwards', () => {
    const step: LabelledEvent = { kind: 'step', start: 100, end: 100, factor: 2 };
    expect(scored(aSeries([step]), [alertOn(100), alertOn(106), alertOn(112)])).toMatchObject({
      right: 1,
      repeated: 1,
      wrong: 1,
    });
  });

  it('excludes events below $10 per day, by usage without fees', () => {
    const withoutFees = Array.from({ length: 160 }, () => 18);
    expect(scored(aSeries([spike], { withoutFees }), [alertOn(100)])).toMatchObject({ right: 0, wrong: 0, delays: [] });
  });

  it('attributes a false alert to a drop only if it is absent without the drop and is not noise', () => {
    const events: LabelledEvent[] = [
      { kind: 'drop', start: 80, end: 99, factor: 0.3 },
      { kind: 'return', start: 100, end: 100, factor: 1 },
    ];
    const onReturn = [alertOn(100, 104)];
    expect(scored(aSeries(events), onReturn)).toMatchObject({ wrong: 1, ofDrops: 1 });
    const alsoTold = { ...nowhere, withoutDrops: [alertOn(102)] };
    expect(scored(aSeries(events), onReturn, alsoTold)).toMatchObject({ wrong: 1, ofDrops: 0 });
    const costs = Array.from({ length: 160 }, (_, at) => (at === 104 ? 126 : 100));
    expect(scored(aSeries(events, { costs }), [alertOn(104)])).toMatchObject({ wrong: 1, ofDrops: 0 });
    expect(scored(aSeries(events), [alertOn(70)])).toMatchObject({ wrong: 1, ofDrops: 0 });
  });

  it('attributes a false alert to a fee from its third occurrence, and ignores the first two', () => {
    const fees = { fees: [70, 100, 130] };
    expect(scored(aSeries([], fees), [alertOn(70), alertOn(100)])).toMatchObject({ wrong: 0, ofFees: 0 });
    expect(scored(aSeries([], fees), [alertOn(129, 131)])).toMatchObject({ wrong: 1, ofFees: 1 });
    const alsoTold = { ...nowhere, withoutFees: [alertOn(130)] };
    expect(scored(aSeries([], fees), [alertOn(130)], alsoTold)).toMatchObject({ wrong: 1, ofFees: 0 });
  });

  it('sums scores and computes rates from the sum', () => {
    const one = scoreSeries(aSeries([spike]), [alertOn(100), alertOn(140)], 60, nowhere);
    const other = scoreSeries(aSeries([spike]), [], 60, nowhere);
    expect(ratesOf(sumOf([one, other]))).toEqual({
      precision: 0.5,
      recall: 0.5,
      falseAlerts: 100 / (200 / 30),
    });
  });
});

describe('generated series', () => {
  it('equal their drop-free version until the first drop, and their fee-free one except on fee days', () => {
    const all = generateSeries({ mix: 'hard', seed: 1, count: 20 });
    expect(all.some(({ events }) => events.some(({ kind }) => kind === 'drop'))).toBe(true);
    for (const { costs, withoutDrops, withoutFees, events, fees } of all) {
      const first = events.find(({ kind }) => kind === 'drop')?.start ?? costs.length;
      expect(withoutDrops.slice(0, first)).toEqual(costs.slice(0, first));
      const charged = costs.flatMap((cost, at) => (cost === withoutFees[at] ? [] : [at]));
      expect(charged).toEqual(fees);
    }
  });

  it('equal their drop-free version after a return', () => {
    for (const { costs, withoutDrops, events } of generateSeries({ mix: 'standard', seed: 1, count: 20 })) {
      const returns = events.filter(({ kind }) => kind === 'return');
      const drops = events.filter(({ kind }) => kind === 'drop');
      if (returns.length !== drops.length) continue;
      for (const { start } of returns) expect(withoutDrops[start]).toBeCloseTo(costs[start] ?? NaN, 1);
    }
  });
});
