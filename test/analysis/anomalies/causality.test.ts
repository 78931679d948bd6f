import { describe, expect, it } from 'vitest';
import { detectAnomalies } from '../../../src/analysis/anomalies/detection/detector.ts';
import { severityOf } from '../../../src/analysis/anomalies/detection/episodes.ts';
import { generateSeries } from '../../bench/series/generator.ts';
import { knownOn } from '../../bench/series/late.ts';
import { aSeries, start, reported } from './series.ts';

describe('anomaly detection over time', () => {
  it('is causal: later data never changes earlier results', () => {
    for (const series of generateSeries({ mix: 'hard', seed: 1, count: 6, days: 260 })) {
      const whole = detectAnomalies({ start: series.firstDay, costs: series.costs });
      for (const known of [60, 133, 188, 230]) {
        const part = detectAnomalies({ start: series.firstDay, costs: series.costs.slice(0, known) });
        expect(part.expected).toEqual(whole.expected.slice(0, known));
        const daysTold = (all: typeof whole) => all.episodes.map(({ detectedOn }) => detectedOn);
        expect(daysTold(part)).toEqual(daysTold(whole).slice(0, part.episodes.length));
        for (const [index, episode] of part.episodes.slice(0, -1).entries())
          expect(whole.episodes[index]).toEqual(episode);
      }
    }
  });

  it('is deterministic for the same input', () => {
    const [series] = generateSeries({ mix: 'standard', seed: 1, count: 1 });
    const again = generateSeries({ mix: 'standard', seed: 1, count: 1 })[0];
    expect(again).toEqual(series);
    const once = detectAnomalies({ start, costs: series?.costs ?? [] });
    expect(detectAnomalies({ start, costs: series?.costs ?? [] })).toEqual(once);
  });

  it('finds the spike of an incomplete day once the day is complete, and never reports the partial day', () => {
    const final = aSeries(120, (at, _, usual) => (at === 119 ? 170 : usual));
    expect(reported(final.with(119, 170 * 0.6))).toEqual([]);
    expect(reported(final)).toEqual(['spike 119-119 reported 119']);
    expect(reported([...final, 100 * 0.4])).toEqual(['spike 119-119 reported 119']);
  });

  it('drops an anomaly that a restatement removes', () => {
    const costs = aSeries(120, (at, _, usual) => (at === 110 ? 170 : usual));
    expect(reported(costs)).toHaveLength(1);
    expect(reported(costs.with(110, 101))).toEqual([]);
  });

  it('simulates late billing data by truncating the most recent days', () => {
    const [series] = generateSeries({ mix: 'standard', seed: 1, count: 1 });
    if (series === undefined) throw new Error('no series');
    const known = knownOn(series, 200);
    expect(known).toHaveLength(201);
    expect(known.slice(0, 198)).toEqual(series.costs.slice(0, 198));
    expect((known[200] ?? 0) / (series.costs[200] ?? 1)).toBeLessThanOrEqual(0.971);
  });
});

describe('severityOf', () => {
  it('rises with absolute impact and with impact relative to the expectation', () => {
    expect(severityOf(99, 300, 10)).toBe('low');
    expect(severityOf(100, 300, 10)).toBe('medium');
    expect(severityOf(99, 198, 10)).toBe('medium');
    expect(severityOf(1000, 2000, 10)).toBe('high');
    expect(severityOf(10_000, 30_000, 10)).toBe('high');
    expect(severityOf(10_000, 20_000, 10)).toBe('critical');
    expect(severityOf(1000, 500, 10)).toBe('critical');
    expect(severityOf(50, 0, 10)).toBe('medium');
  });
});
