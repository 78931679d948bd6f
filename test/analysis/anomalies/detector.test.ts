import { describe, expect, it } from 'vitest';
import { detectAnomalies } from '../../../src/analysis/anomalies/detection/detector.ts';
import { mediumSensitivity } from '../../../src/analysis/anomalies/detection/settings.ts';
import { aSeries, start, reported, weekdayOf } from './series.ts';

const between = (at: number, first: number, last: number) => at >= first && at <= last;

describe('detection of unusual cost', () => {
  it('reports a spike on its day, with cost and expectation', () => {
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

  it('merges spike days up to two days apart, but not three', () => {
    expect(reported(aSeries(120, (at, _, usual) => (between(at, 90, 92) ? 180 : usual)))).toEqual([
      'spike 90-92 reported 90',
    ]);
    expect(reported(aSeries(120, (at, _, usual) => (at === 90 || at === 92 ? 180 : usual)))).toEqual([
      'spike 90-92 reported 90',
    ]);
    expect(reported(aSeries(120, (at, _, usual) => (at === 90 || at === 93 ? 180 : usual)))).toEqual([
      'spike 90-90 reported 90',
      'spike 93-93 reported 93',
    ]);
  });

  it('reports a step once, on its first day, and accepts the new level after a week', () => {
    const costs = aSeries(160, (at, _, usual) => (at >= 90 ? usual * 1.4 : usual));
    expect(reported(costs)).toEqual(['step 90-96 reported 90']);
    expect(detectAnomalies({ start, costs }).expected[120]).toBeCloseTo(140, -0.5);
  });

  it('reports a leak once, within two weeks', () => {
    const costs = aSeries(200, (at, _, usual) => usual * (1 + 0.8 * Math.min(1, Math.max(0, (at - 99) / 25))));
    const episodes = detectAnomalies({ start, costs }).episodes;
    expect(reported(costs)).toHaveLength(1);
    expect(episodes[0]?.kind).not.toBe('spike');
    expect(Date.parse(episodes[0]?.detectedOn ?? '')).toBeLessThanOrEqual(Date.parse('2025-04-25'));
  });

  it('extends the report of a leak with all days since, each time its excess has doubled', () => {
    const costs = aSeries(300, (at, _, usual) => usual * 1.012 ** Math.min(90, Math.max(0, at - 150)));
    expect(reported(costs)).toEqual(['leak 166-230 reported 172']);
    expect(reported(costs.slice(0, 195))).toEqual(['leak 166-172 reported 172']);
    const [early] = detectAnomalies({ start, costs: costs.slice(0, 195) }).episodes;
    const [late] = detectAnomalies({ start, costs }).episodes;
    expect(late?.days.every(({ expected }) => Math.abs(expected - 105) < 10)).toBe(true);
    expect(late?.impact).toBeGreaterThan(10 * (early?.impact ?? Infinity));
  });

  it('compares a charge on the first of the month with the one before, and does not mistake it for a new service', () => {
    const costs = aSeries(200, (_, date) => (date.endsWith('-01') ? (date === '2025-06-01' ? 400 : 100) : 0));
    const { episodes, expected } = detectAnomalies({ start, costs });
    expect(episodes).toMatchObject([{ kind: 'spike', startDate: '2025-06-01', endDate: '2025-06-01', impact: 300 }]);
    expect(expected[151]).toBe(100);
  });

  it('reports a leak that is too slow for any single day to stand out', () => {
    const costs = aSeries(200, (at, _, usual) => usual * (1 + 0.45 * Math.min(1, Math.max(0, (at - 99) / 30))));
    expect(reported(costs)).toEqual([expect.stringMatching(/^leak 1[12]\d-1[23]\d reported 1[23]\d$/)]);
  });

  it('reports a new service on its first day after a month without cost, and covers its first week', () => {
    expect(reported(aSeries(120, (at, _, usual) => (at >= 60 ? usual : 0)))).toEqual(['new_service 60-66 reported 60']);
    expect(reported(aSeries(120, (at, _, usual) => (at >= 30 ? usual : 0)))).toEqual(['new_service 30-36 reported 30']);
    expect(reported(aSeries(120, (at, _, usual) => (at >= 29 ? usual : 0)))).toEqual(['step 29-35 reported 29']);
  });

  it('reports a rise below the minimum ratio if it costs about $1,000 per day', () => {
    const step = (scale: number) => reported(aSeries(160, (at, _, usual) => usual * scale * (at >= 90 ? 1.2 : 1)));
    expect(step(1)).toEqual([]);
    expect(step(200)).toEqual(['step 90-96 reported 90']);
  });

  it('does not report an environment that is on in some weeks only, once it was on twice', () => {
    const isOn = (at: number) => [0, 1, 3, 4, 7, 8, 9, 12, 15, 16, 20, 21].includes(Math.floor(at / 7));
    expect(reported(aSeries(160, (at, _, usual) => (isOn(at) ? usual : usual / 10)))).toEqual([]);
    const higher = aSeries(160, (at, _, usual) => (isOn(at) ? usual * (at >= 140 ? 2 : 1) : usual / 10));
    expect(reported(higher)).toEqual([expect.stringContaining(' reported 140')]);
  });

  it('does not report a season that was there last year, but reports one where last year had only a spike', () => {
    const season = (first: number, last: number) =>
      aSeries(500, (at, _, usual) => (between(at, first, last) || between(at, 464, 468) ? usual * 2 : usual));
    expect(reported(season(100, 104))).toEqual(['spike 100-104 reported 100']);
    expect(reported(season(100, 100))).toEqual(['spike 100-100 reported 100', 'spike 464-468 reported 464']);
    const learnt = detectAnomalies({ start, costs: season(100, 104), learnFrom: 200 });
    expect(learnt.episodes).toEqual([]);
    expect(learnt.expected.slice(0, 200).every(Number.isNaN)).toBe(true);
  });

  it('does not report quarterly and biweekly charges from their third occurrence', () => {
    const quarterly = (date: string) => /-(?:01|04|07|10)-01$/.test(date);
    expect(reported(aSeries(300, (at, date, usual) => (at > 0 && quarterly(date) ? usual * 6 : usual)))).toHaveLength(
      2,
    );
    const fortnightly = aSeries(200, (at, _, usual) => (at % 14 === 5 ? usual * 3 : usual));
    expect(reported(fortnightly).every((text) => Number(text.split(' ').at(-1)) < 40)).toBe(true);
  });

  it('ignores deviations below the minimum impact, the minimum ratio or the usual spread', () => {
    const spike = (cost: number) => reported(aSeries(120, (at, _, usual) => (at === 90 ? cost : usual)));
    expect(spike(122)).toEqual([]);
    expect(spike(130)).toHaveLength(1);
    const cheap = aSeries(120, (at, _, usual) => (at === 90 ? 12 : usual / 25));
    expect(reported(cheap)).toEqual([]);
    const sensitive = { ...mediumSensitivity, minimumImpact: 5 };
    expect(detectAnomalies({ start, costs: cheap }, sensitive).episodes).toHaveLength(1);
    expect(reported(aSeries(120, (at, _, usual) => (at === 90 ? 150 : usual + 25 * Math.sin(at * 2.4))))).toEqual([]);
  });
});

describe('suppression of expected cost', () => {
  it('never reports a drop, nor the return from a drop of up to 40 days', () => {
    for (const days of [1, 3, 10, 20, 30, 40]) {
      const costs = aSeries(220, (at, _, usual) => (between(at, 120, 119 + days) ? usual * 0.3 : usual));
      expect(reported(costs), `${days} days`).toEqual([]);
    }
    expect(reported(aSeries(220, (at, _, usual) => (at >= 120 ? usual * 0.3 : usual)))).toEqual([]);
  });

  it('does not report the return of a service that was off for two months', () => {
    expect(reported(aSeries(220, (at, _, usual) => (between(at, 100, 160) ? 0 : usual)))).toEqual([]);
  });

  it('reports a fee on the first of the month at most twice, and never from its third occurrence', () => {
    const costs = aSeries(330, (at, date, usual) => usual + (at >= 90 && date.endsWith('-01') ? 80 : 0));
    expect(reported(costs)).toEqual(['spike 90-90 reported 90']);
  });

  it('does not report a fee on the first business day from its third occurrence', () => {
    const isFirst = (date: string, weekday: number) =>
      (weekday >= 1 && weekday <= 5 && date.endsWith('-01')) || (weekday === 1 && /-0[23]$/.test(date));
    const costs = aSeries(330, (_, date, usual) => usual + (isFirst(date, weekdayOf(date)) ? 90 : 0));
    const days = detectAnomalies({ start, costs }).episodes.map(({ startDate }) => startDate);
    expect(days.filter((day) => day > '2025-02-28')).toEqual([]);
  });

  it('reports a fee that is far higher than the previous ones', () => {
    const costs = aSeries(300, (at, date, usual) => usual + (date.endsWith('-01') ? (at === 243 ? 300 : 80) : 0));
    expect(reported(costs)).toContain('spike 243-243 reported 243');
  });

  it('learns weekdays: reports neither quiet weekends nor a Sunday job', () => {
    const isWeekend = (weekday: number) => weekday === 0 || weekday === 6;
    expect(reported(aSeries(200, (_, date, usual) => (isWeekend(weekdayOf(date)) ? usual * 0.5 : usual)))).toEqual([]);
    expect(reported(aSeries(200, (_, date, usual) => (weekdayOf(date) === 0 ? usual * 1.8 : usual)))).toEqual([]);
  });

  it('reports a spike on a quiet weekend that a weekday would hide', () => {
    const quiet = (at: number, date: `${number}-${number}-${number}`, usual: number) =>
      weekdayOf(date) % 6 === 0 ? usual * (at === 150 ? 0.9 : 0.5) : usual;
    expect(weekdayOf('2025-05-31')).toBe(6);
    expect(reported(aSeries(200, quiet))).toEqual(['spike 150-150 reported 150']);
  });

  it('reports a new weekly job once', () => {
    const costs = aSeries(260, (at, date, usual) => (at >= 100 && weekdayOf(date) === 0 ? usual * 1.8 : usual));
    expect(reported(costs)).toEqual(['spike 102-102 reported 102']);
  });

  it('does not report growth of up to 20% per month', () => {
    for (const month of [0.06, 0.1, 0.2])
      expect(reported(aSeries(300, (at, _, usual) => usual * (1 + month) ** (at / 30))), `${month}`).toEqual([]);
  });

  it('does not report the end of holidays, nor the level from before them', () => {
    const costs = aSeries(440, (_, date, usual) =>
      date.slice(5) >= '12-20' || date.slice(5) <= '01-01' ? usual * 0.6 : usual,
    );
    expect(reported(costs)).toEqual([]);
  });

  it('reports nothing in the first two weeks, and nothing for empty or zero costs', () => {
    expect(reported(aSeries(14, (at, _, usual) => (at === 12 ? 900 : usual)))).toEqual([]);
    expect(reported([])).toEqual([]);
    expect(reported(aSeries(100, () => 0))).toEqual([]);
  });

  it('treats days without a known cost as neither zero nor high', () => {
    const holes = (at: number, usual: number) => (at % 11 === 3 ? NaN : usual);
    expect(reported(aSeries(150, (at, _, usual) => holes(at, usual)))).toEqual([]);
    expect(reported(aSeries(150, (at, _, usual) => (at === 110 ? 190 : holes(at, usual))))).toEqual([
      'spike 110-110 reported 110',
    ]);
  });

  it('reports a repeated spike only when it exceeds the previous ones', () => {
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
