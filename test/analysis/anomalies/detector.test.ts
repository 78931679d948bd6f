import { describe, expect, it } from 'vitest';
import { detectAnomalies } from '../../../src/analysis/anomalies/detection/detector.ts';
import { mediumSensitivity } from '../../../src/analysis/anomalies/detection/settings.ts';
import { aSeries, start, told, weekdayOf } from './series.ts';

const between = (at: number, first: number, last: number) => at >= first && at <= last;

describe('what costs more than expected', () => {
  it('tells a spike on its day, with cost and expectation', () => {
    const costs = aSeries(120, (at, _, usual) => (at === 90 ? 190 : usual));
    const { episodes, expected } = detectAnomalies({ start, costs });
    expect(episodes).toHaveLength(1);
    expect(episodes[0]).toMatchObject({
      kind: 'spike',
      startDate: '2025-04-01',
      endDate: '2025-04-01',
      severity: 'medium',
    });
    expect(episodes[0]?.days[0]?.cost).toBe(190);
    expect(episodes[0]?.days[0]?.expected).toBeCloseTo(100, -0.5);
    expect(episodes[0]?.impact).toBeCloseTo(190 - (expected[90] ?? 0), 9);
    expect(expected).toHaveLength(120);
  });

  it('merges a spike of three days, and days two apart, but not three', () => {
    expect(told(aSeries(120, (at, _, usual) => (between(at, 90, 92) ? 180 : usual)))).toEqual(['spike 90-92 told 90']);
    expect(told(aSeries(120, (at, _, usual) => (at === 90 || at === 92 ? 180 : usual)))).toEqual([
      'spike 90-92 told 90',
    ]);
    expect(told(aSeries(120, (at, _, usual) => (at === 90 || at === 93 ? 180 : usual)))).toEqual([
      'spike 90-90 told 90',
      'spike 93-93 told 93',
    ]);
  });

  it('tells a step once, on its first day, and takes it for the level after a week', () => {
    const costs = aSeries(160, (at, _, usual) => (at >= 90 ? usual * 1.4 : usual));
    expect(told(costs)).toEqual(['step 90-96 told 90']);
    expect(detectAnomalies({ start, costs }).expected[120]).toBeCloseTo(140, -0.5);
  });

  it('tells a leak within two weeks, once', () => {
    const costs = aSeries(200, (at, _, usual) => usual * (1 + 0.8 * Math.min(1, Math.max(0, (at - 99) / 25))));
    const episodes = detectAnomalies({ start, costs }).episodes;
    expect(told(costs)).toHaveLength(1);
    expect(episodes[0]?.kind).not.toBe('spike');
    expect(Date.parse(episodes[0]?.detectedOn ?? '')).toBeLessThanOrEqual(Date.parse('2025-04-25'));
  });

  it('tells a leak too slow for any single day', () => {
    const costs = aSeries(200, (at, _, usual) => usual * (1 + 0.45 * Math.min(1, Math.max(0, (at - 99) / 30))));
    expect(told(costs)).toEqual([expect.stringMatching(/^leak 1[12]\d-1[23]\d told 1[23]\d$/)]);
  });

  it('tells a new service on its first day after a month without cost, with its first week', () => {
    expect(told(aSeries(120, (at, _, usual) => (at >= 60 ? usual : 0)))).toEqual(['new_service 60-66 told 60']);
    expect(told(aSeries(120, (at, _, usual) => (at >= 30 ? usual : 0)))).toEqual(['new_service 30-36 told 30']);
    expect(told(aSeries(120, (at, _, usual) => (at >= 29 ? usual : 0)))).toEqual(['step 29-35 told 29']);
  });

  it('tells nothing below the least impact, the least ratio or the spread of ordinary days', () => {
    const spike = (cost: number) => told(aSeries(120, (at, _, usual) => (at === 90 ? cost : usual)));
    expect(spike(122)).toEqual([]);
    expect(spike(130)).toHaveLength(1);
    const cheap = aSeries(120, (at, _, usual) => (at === 90 ? 12 : usual / 25));
    expect(told(cheap)).toEqual([]);
    const sensitive = { ...mediumSensitivity, minimumImpact: 5 };
    expect(detectAnomalies({ start, costs: cheap }, sensitive).episodes).toHaveLength(1);
    expect(told(aSeries(120, (at, _, usual) => (at === 90 ? 150 : usual + 25 * Math.sin(at * 2.4))))).toEqual([]);
  });
});

describe('what stays silent', () => {
  it('never tells a drop, nor the return from one of up to 40 days', () => {
    for (const days of [1, 3, 10, 20, 30, 40]) {
      const costs = aSeries(220, (at, _, usual) => (between(at, 120, 119 + days) ? usual * 0.3 : usual));
      expect(told(costs), `${days} days`).toEqual([]);
    }
    expect(told(aSeries(220, (at, _, usual) => (at >= 120 ? usual * 0.3 : usual)))).toEqual([]);
  });

  it('tells no return of a service that was off for two months', () => {
    expect(told(aSeries(220, (at, _, usual) => (between(at, 100, 160) ? 0 : usual)))).toEqual([]);
  });

  it('tells a fee on the first of the month twice at most, and never from its third time on', () => {
    const costs = aSeries(330, (at, date, usual) => usual + (at >= 90 && date.endsWith('-01') ? 80 : 0));
    expect(told(costs)).toEqual(['spike 90-90 told 90']);
  });

  it('tells no fee on the first business day from its third time on', () => {
    const isFirst = (date: string, weekday: number) =>
      (weekday >= 1 && weekday <= 5 && date.endsWith('-01')) || (weekday === 1 && /-0[23]$/.test(date));
    const costs = aSeries(330, (_, date, usual) => usual + (isFirst(date, weekdayOf(date)) ? 90 : 0));
    const days = detectAnomalies({ start, costs }).episodes.map(({ startDate }) => startDate);
    expect(days.filter((day) => day > '2025-02-28')).toEqual([]);
  });

  it('tells a fee that is far higher than the ones before', () => {
    const costs = aSeries(300, (at, date, usual) => usual + (date.endsWith('-01') ? (at === 243 ? 300 : 80) : 0));
    expect(told(costs)).toContain('spike 243-243 told 243');
  });

  it('knows weekdays: neither quiet weekends nor a job on Sundays are told', () => {
    const isWeekend = (weekday: number) => weekday === 0 || weekday === 6;
    expect(told(aSeries(200, (_, date, usual) => (isWeekend(weekdayOf(date)) ? usual * 0.5 : usual)))).toEqual([]);
    expect(told(aSeries(200, (_, date, usual) => (weekdayOf(date) === 0 ? usual * 1.8 : usual)))).toEqual([]);
  });

  it('tells a spike on a quiet weekend that a weekday would hide', () => {
    const quiet = (at: number, date: `${number}-${number}-${number}`, usual: number) =>
      weekdayOf(date) % 6 === 0 ? usual * (at === 150 ? 0.9 : 0.5) : usual;
    expect(weekdayOf('2025-05-31')).toBe(6);
    expect(told(aSeries(200, quiet))).toEqual(['spike 150-150 told 150']);
  });

  it('tells a new weekly job once', () => {
    const costs = aSeries(260, (at, date, usual) => (at >= 100 && weekdayOf(date) === 0 ? usual * 1.8 : usual));
    expect(told(costs)).toEqual(['spike 102-102 told 102']);
  });

  it('tells no growth of up to 20 % a month', () => {
    for (const month of [0.06, 0.1, 0.2])
      expect(told(aSeries(300, (at, _, usual) => usual * (1 + month) ** (at / 30))), `${month}`).toEqual([]);
  });

  it('tells no end of holidays, nor what was usual before them', () => {
    const costs = aSeries(440, (_, date, usual) =>
      date.slice(5) >= '12-20' || date.slice(5) <= '01-01' ? usual * 0.6 : usual,
    );
    expect(told(costs)).toEqual([]);
  });

  it('tells nothing of the first two weeks, and nothing of no costs', () => {
    expect(told(aSeries(14, (at, _, usual) => (at === 12 ? 900 : usual)))).toEqual([]);
    expect(told([])).toEqual([]);
    expect(told(aSeries(100, () => 0))).toEqual([]);
  });

  it('takes days without a known cost for neither zero nor high', () => {
    const holes = (at: number, usual: number) => (at % 11 === 3 ? NaN : usual);
    expect(told(aSeries(150, (at, _, usual) => holes(at, usual)))).toEqual([]);
    expect(told(aSeries(150, (at, _, usual) => (at === 110 ? 190 : holes(at, usual))))).toEqual([
      'spike 110-110 told 110',
    ]);
  });

  it('tells a repeated kind of spike only as far as it exceeds the usual ones', () => {
    const peaks = new Map([
      [100, 200],
      [109, 200],
      [119, 200],
      [131, 195],
      [142, 320],
    ]);
    const days = detectAnomalies({ start, costs: aSeries(180, (at, _, usual) => peaks.get(at) ?? usual) }).episodes;
    expect(days.map(({ days: [day] }) => day?.cost)).toEqual([200, 200, 200, 320]);
  });
});
