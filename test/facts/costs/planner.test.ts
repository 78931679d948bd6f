import { describe, expect, it } from 'vitest';
import type { CostRequest } from '../../../src/facts/costs/question.ts';
import { planReading, smallestRollup } from '../../../src/facts/costs/reading/planner.ts';
import { resolveQuestion } from '../../../src/facts/costs/question.ts';

const days = { startDate: '2024-01-01', endDate: '2024-02-29' };
const virtualTags = new Map([['team', { id: 'id', revision: 1, rollup: 101, splits: '' }]]);
const queryOf = (request: Partial<CostRequest>) =>
  resolveQuestion({ view: 'summary', ...days, ...request }, '2026-11-21').query;
const plan = (request: Partial<CostRequest>) => {
  const query = queryOf(request);
  return planReading(query, smallestRollup(query, virtualTags));
};

describe('smallest rollup for group and filters', () => {
  it.each<[Partial<CostRequest>, number]>([
    [{}, 1],
    [{ provider: ['aws'], chargeCategory: ['tax'], accountId: ['a'] }, 1],
    [{ view: 'by-service' }, 2],
    [{ view: 'by-service', service: ['S3'] }, 2],
    [{ view: 'daily', groupBy: 'service' }, 2],
    [{ view: 'daily', groupBy: 'provider' }, 1],
    [{ view: 'daily', groupBy: 'account' }, 1],
    [{ view: 'by-account' }, 3],
    [{ subAccountId: ['1'] }, 3],
    [{ view: 'by-region' }, 4],
    [{ region: ['global'], view: 'by-service' }, 5],
    [{ view: 'by-account', service: ['S3'] }, 6],
    [{ view: 'by-tag', tagKey: 'team' }, 7],
    [{ tagKey: 'team' }, 7],
    [{ view: 'by-tag', tagKey: 'team', region: ['global'] }, 8],
    [{ view: 'by-service', tagKey: 'team' }, 8],
    [{ view: 'by-tag', tagKey: 'virtual:team' }, 101],
    [{ tagKey: 'virtual:team', tagValue: ['web'], provider: ['aws'] }, 101],
  ])('for %j is rollup %i', (request, rollup) => {
    expect(plan(request)).toMatchObject([{ from: 'rollups', rollup }]);
  });

  it('does not exist for a tag by sub-account, for a virtual tag by service, or for one that is gone', () => {
    const byAccount = { view: 'by-account', tagKey: 'team' } as const;
    expect(plan(byAccount)).toEqual([{ from: 'facts', start: '2024-01-01', end: '2024-03-01' }]);
    expect(smallestRollup(queryOf(byAccount), virtualTags)).toBe(null);
    for (const request of [{ view: 'by-service', tagKey: 'virtual:team' } as const, { tagKey: 'virtual:none' }])
      expect(plan(request)).toMatchObject([{ from: 'facts' }]);
  });
});

describe('grain', () => {
  it('is the month for whole months and the day for the ends', () => {
    expect(plan({ startDate: '2023-12-31', endDate: '2024-03-01' })).toEqual([
      { from: 'rollups', rollup: 1, grain: 2, start: '2024-01-01', end: '2024-03-01' },
      { from: 'rollups', rollup: 1, grain: 1, start: '2023-12-31', end: '2024-01-01' },
      { from: 'rollups', rollup: 1, grain: 1, start: '2024-03-01', end: '2024-03-02' },
    ]);
  });

  it('is the month, with facts for the ends, for combined dimensions', () => {
    const end = '2024-03-01';
    expect(plan({ view: 'by-account', service: ['S3'], startDate: '2024-01-31', endDate: '2024-02-29' })).toEqual([
      { from: 'rollups', rollup: 6, grain: 2, start: '2024-02-01', end },
      { from: 'facts', start: '2024-01-31', end: '2024-02-01' },
    ]);
    expect(plan({ view: 'daily', groupBy: 'service', tagKey: 'team' })).toEqual([
      { from: 'facts', start: '2024-01-01', end },
    ]);
  });

  it('is the day for a daily result', () => {
    const spans = [{ from: 'rollups', rollup: 1, grain: 1, start: '2024-01-01', end: '2024-03-01' }];
    expect(plan({ view: 'daily' })).toEqual(spans);
    expect(plan({ granularity: 'daily' })).toEqual(spans);
  });

  it('is the month for a trend, which also reads the previous month', () => {
    expect(plan({ view: 'trend', startDate: '2024-01-15' })).toEqual([
      { from: 'rollups', rollup: 1, grain: 2, start: '2023-12-01', end: '2024-03-01' },
    ]);
  });
});
