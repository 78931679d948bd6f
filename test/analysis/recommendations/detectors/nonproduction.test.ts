import { describe, expect, it } from 'vitest';
import { runsAllWeek, nonProductionTag } from '../../../../src/analysis/recommendations/detectors/nonproduction.ts';
import { aUsage, window, aSubject } from '../subject.ts';

const runs = (usage: Parameters<typeof aUsage>[0], over = window as Parameters<typeof runsAllWeek>[1]) =>
  runsAllWeek(aUsage({ quantity: '720', weekendQuantity: '192', ...usage }), over);

describe('runsAllWeek', () => {
  it('is true for usage that is as high on weekends as on other days', () => {
    expect(runs({})).toBe(true);
    // 8 of the 30 days are on weekends: 95% of their share of 720 hours is 182.4.
    expect(runs({ weekendQuantity: '182.4' })).toBe(true);
    expect(runs({ weekendQuantity: '182.3' })).toBe(false);
  });

  it('requires usage on every day of at least two weeks', () => {
    expect(runs({ days: 29 })).toBe(false);
    expect(runs({ days: 14, weekendQuantity: '206' }, { start: '2026-11-05', end: '2026-11-19', days: 14 })).toBe(true);
    expect(runs({ days: 13, weekendQuantity: '222' }, { start: '2026-11-06', end: '2026-11-19', days: 13 })).toBe(
      false,
    );
  });

  it('is false without usage', () => {
    expect(runs({ quantity: '0', weekendQuantity: '0' })).toBe(false);
  });
});

describe('nonProductionTag', () => {
  it.each(['dev', 'Staging', 'QA-2', 'non-prod', 'NonProduction', 'non_production', 'Pre-Production', 'preprod'])(
    'recognizes %s',
    (value) => {
      expect(nonProductionTag(aSubject({ tags: { Env: value } }))).toBe(value);
    },
  );

  it.each(['prod', 'production', 'prod-test', 'devops', 'testament', ''])('does not recognize %j', (value) => {
    expect(nonProductionTag(aSubject({ tags: { environment: value } }))).toBeNull();
  });
});
