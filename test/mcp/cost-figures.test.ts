import { describe, expect, it } from 'vitest';
import { comparableDays, previousDays, unknownChange } from '../../src/mcp/tools/costs/comparison.ts';
import { averageOf, highestOf, seriesOf } from '../../src/mcp/tools/costs/get-daily-costs.ts';
import { cuts, joined } from '../../src/mcp/tools/costs/groups.ts';
import { rank } from '../../src/mcp/tools/costs/ranking.ts';
import { sumOf } from '../../src/mcp/output.ts';
import type { Day } from '../../src/kit/time/period.ts';

const days = (start: string, end: string) => ({ start_date: start as Day, end_date: end as Day });
const now = new Date('2026-11-21T10:00:00Z');

describe('comparable days', () => {
  it.each([
    ['complete', days('2026-10-01', '2026-10-31'), '2026-11-19', '2026-10-31'],
    ['some days late', days('2026-11-01', '2026-11-21'), '2026-11-19', '2026-11-19'],
    ['a week late', days('2026-11-01', '2026-11-21'), '2026-11-14', '2026-11-14'],
    ['of unknown completeness, or of stopped accounts only', days('2026-11-01', '2026-11-21'), null, '2026-11-21'],
    ['still to come', days('2026-11-01', '2026-11-30'), '2026-11-30', '2026-11-21'],
  ])('end correctly for figures that are %s', (_, asked, last, end) => {
    expect(comparableDays(asked, last, now)).toEqual({ ...asked, end_date: end });
  });

  it.each([
    ['entirely incomplete', days('2026-11-20', '2026-11-21'), '2026-11-19'],
    ['of tomorrow', days('2026-11-22', '2026-11-22'), '2026-11-19'],
    ['of next month, in advance', days('2026-12-01', '2026-12-31'), null],
  ])('are null for figures that are %s', (_, asked, last) => {
    expect(comparableDays(asked, last, now)).toBeNull();
  });

  it.each([
    ['a month', days('2026-10-01', '2026-10-31'), days('2026-09-01', '2026-09-30')],
    ['February', days('2026-02-01', '2026-02-28'), days('2026-01-01', '2026-01-31')],
    ['a quarter', days('2026-07-01', '2026-09-30'), days('2026-04-01', '2026-06-30')],
    ['a partial month', days('2026-11-01', '2026-11-19'), days('2026-10-01', '2026-10-19')],
    ['the 30th of March, after a shorter month', days('2026-03-01', '2026-03-30'), days('2026-02-01', '2026-02-28')],
    ['a week', days('2026-11-13', '2026-11-19'), days('2026-11-06', '2026-11-12')],
    ['a day', days('2026-11-19', '2026-11-19'), days('2026-11-18', '2026-11-18')],
    ['the first of January', days('2026-01-01', '2026-01-01'), days('2025-12-31', '2025-12-31')],
    ['12 months', days('2025-12-01', '2026-11-21'), days('2024-12-01', '2025-11-21')],
  ])('are compared with the previous period for %s', (_, asked, before) => {
    expect(previousDays(asked, asked)).toEqual(before);
  });

  it('use the previous quarter and year for a partial quarter and year', () => {
    const quarter = days('2026-10-01', '2026-11-19');
    expect(previousDays(quarter, quarter, { period: 'this_quarter' })).toEqual(days('2026-07-01', '2026-08-19'));
    const year = days('2026-01-01', '2026-11-19');
    expect(previousDays(year, year, { period: 'year_to_date' })).toEqual(days('2025-01-01', '2025-11-19'));
  });

  it('stay within their month when the last days are excluded', () => {
    const [asked, kept] = [days('2026-10-01', '2026-10-31'), days('2026-10-01', '2026-10-29')];
    expect(previousDays(kept, asked)).toEqual(days('2026-09-01', '2026-09-29'));
  });
});

describe('a change has no percentage', () => {
  const costs = [{ currency: 'USD', cost: 25_341.68 }];
  const period = (start_date: string, unconverted: typeof costs = []) => ({
    start_date,
    end_date: start_date,
    unconverted,
    currency: 'EUR',
  });
  const current = { ...period('2025-03-01'), data_from: '2025-02-01' };

  it('if the previous period begins before the bills', () => {
    expect(unknownChange(current, period('2025-01-31'))).toContain('Bills begin on 2025-02-01');
    expect(unknownChange(current, period('2025-02-01'))).toBeNull();
    expect(unknownChange({ ...current, data_from: null }, period('2025-01-31'))).toBeNull();
  });

  it('if costs of one of the periods have no exchange rate', () => {
    expect(unknownChange(current, period('2025-02-01', costs))).toBe(
      '25341.68 USD of 2025-02-01 to 2025-02-01 not included: no exchange rate to EUR, so change_percent is null.',
    );
    expect(unknownChange({ ...current, unconverted: costs }, period('2025-02-01'))).toContain(
      'without an exchange rate are not included',
    );
  });
});

describe('cost groups', () => {
  const groupsOf = (costs: Record<string, number>) =>
    joined(
      Object.entries(costs).map(([region, cost]) => ({ region, provider: 'aws', cost })),
      cuts.region,
    );

  it('add up exactly with the rest, for any number and sign', () => {
    const costs = Array.from({ length: 500 }, (_, at) => (at % 7 === 0 ? -1 : 1) * (at * 0.100001 + 0.000001));
    const groups = groupsOf(Object.fromEntries(costs.map((cost, at) => [`r${at}`, cost])));
    const answer = rank(groups, null, { order: 'cost', limit: 20 });
    expect(answer.groups).toHaveLength(20);
    expect(answer.other?.count).toBe(480);
    expect(sumOf([...answer.groups.map(({ cost }) => cost), answer.other?.cost ?? 0])).toBe(sumOf(costs));
    const shares = answer.groups.map(({ percentage }) => percentage ?? 0);
    expect(sumOf([...shares, answer.other?.percentage ?? 0])).toBe(100);
  });

  it('include new and ended values', () => {
    const [current, previous] = [groupsOf({ new: 5, same: 3, less: 1 }), groupsOf({ same: 3, less: 2, gone: 4 })];
    const answer = rank(current, previous, { order: 'movement', limit: 3 });
    expect(answer.groups).toMatchObject([
      { name: 'new', cost: 5, previous_cost: 0, change: 5, change_percent: null },
      { name: 'gone', cost: 0, previous_cost: 4, change: -4, change_percent: -100 },
      { name: 'less', change: -1, change_percent: -50 },
    ]);
    expect(answer.other).toEqual({
      count: 1,
      cost: 3,
      percentage: 33.33,
      previous_cost: 3,
      change: 0,
      change_percent: 0,
    });
    expect(rank(current, previous, { order: 'decrease', limit: 1 }).groups[0]?.name).toBe('gone');
    expect(rank(current, previous, { order: 'increase', limit: 1 }).groups[0]?.name).toBe('new');
  });

  it('have no percentage of a zero total', () => {
    const answer = rank(groupsOf({ usage: 7, credit: -7 }), null, { order: 'cost', limit: 1 });
    expect(answer).toMatchObject({ groups: [{ percentage: null }], other: { cost: -7, percentage: null } });
  });

  it('are fewer when their names are long, and still add up', () => {
    const costs = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`${'"'.repeat(5000)}${at}`, 1]));
    const answer = rank(groupsOf(costs), null, { order: 'cost', limit: 100 });
    expect(JSON.stringify(answer).length).toBeLessThan(50_000);
    expect(answer.groups.length + (answer.other?.cost ?? 0)).toBe(100);
  });
});

describe('daily costs', () => {
  const day = (date: string, costs: Record<string, number>) => ({
    date,
    cost: sumOf(Object.values(costs)),
    groups: Object.entries(costs).map(([provider, cost]) => ({ provider, cost })),
  });

  it('are split by the largest groups of all days, with 0 where a group has no cost', () => {
    const series = seriesOf([day('1', { aws: 5, oracle: 1 }), day('2', { azure: 0.1, gcp: 0.2 })], cuts.provider, 2);
    expect(series.groups).toEqual([
      { name: 'aws', provider: undefined, cost: 5 },
      { name: 'oracle', provider: undefined, cost: 1 },
    ]);
    expect(series.days).toEqual([
      { date: '1', cost: 6, group_costs: [5, 1], other_cost: 0 },
      { date: '2', cost: 0.3, group_costs: [0, 0], other_cost: 0.3 },
    ]);
  });

  it('have an average over complete days, rounded to 6 decimals', () => {
    const some = [day('2026-11-18', { aws: 1 }), day('2026-11-19', { aws: 1 }), day('2026-11-20', { aws: 0 })];
    expect(averageOf(some, null)).toBe(0.666667);
    expect(averageOf(some, '2026-11-19')).toBe(1);
    expect(averageOf([day('1', { aws: -1 }), day('2', { aws: -1 }), day('3', {})], null)).toBe(-0.666667);
    expect(averageOf(some, '2026-11-17')).toBeNull();
    expect(highestOf([])).toBeNull();
    expect(highestOf(some)).toEqual({ date: '2026-11-18', cost: 1 });
  });
});
