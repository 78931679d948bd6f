import { describe, expect, it } from 'vitest';
import { Refusal } from '../../../src/console/api/refusal.ts';
import { valueLabel } from '../../../src/console/costs/dimensions.ts';
import type { CostsAnswer } from '../../../src/console/costs/queries.ts';
import { faultOfRefusal } from '../../../src/console/costs/refused.ts';
import { groupRows } from '../../../src/console/costs/table/rows.ts';
import { signedPercent } from '../../../src/console/words/format.ts';
import type { Plot } from '../../../src/console/charts/frame.tsx';
import {
  costMetricOf,
  literals,
  originOf,
  prefilledHref,
  scopeOfView,
} from '../../../src/console/costs/from-view/prefill.ts';
import { reportOfView } from '../../../src/console/costs/from-view/report.ts';
import { questionOf } from '../../../src/console/costs/question.ts';
import { areaPaths } from '../../../src/console/charts/stack-shapes.tsx';
import { changed, placeFor, settled, type Place } from '../../../src/console/dashboards/layout.ts';
import { fixedState, isSameQuery, paramsOf, type ViewQuery } from '../../../src/console/parts/views/address.ts';

const questionFor = (query: ViewQuery) => questionOf(fixedState(query), '2026-11-20');

const place = (id: string, x: number, y: number, w = 6): Place => ({ id, x, y, w, h: 4 });
const at = (widgets: readonly Place[]) => widgets.map(({ id, x, y, w, h }) => [id, x, y, w, h].join(' '));

describe('the layout of a dashboard', () => {
  it('moves widgets up as far as they can, and keeps their order in the list', () => {
    expect(at(settled([place('a', 0, 9), place('b', 6, 3)]))).toEqual(['a 0 0 6 4', 'b 6 0 6 4']);
  });

  it('removes overlaps', () => {
    expect(at(settled([place('a', 0, 0), place('b', 3, 1)]))).toEqual(['a 0 0 6 4', 'b 3 4 6 4']);
  });

  it('makes room for a widget that is moved onto another', () => {
    const before = [place('a', 0, 0), place('b', 6, 0)];
    expect(at(changed(before, 'a', { x: 6 }))).toEqual(['a 6 0 6 4', 'b 6 4 6 4']);
    expect(at(changed([place('a', 0, 0), place('b', 0, 4)], 'b', { y: -4 }))).toEqual(['a 0 4 6 4', 'b 0 0 6 4']);
  });

  it('stays within 12 columns and 1 to 20 rows', () => {
    expect(at(changed([place('a', 6, 0)], 'a', { x: 3 }))).toEqual(['a 6 0 6 4']);
    expect(at(changed([place('a', 6, 0)], 'a', { w: 9, h: 99 }))).toEqual(['a 6 0 6 20']);
    expect(at(changed([place('a', 0, 0)], 'a', { x: -1, w: -9, h: -9, y: -3 }))).toEqual(['a 0 0 1 1']);
  });

  it('finds a place for a new widget beside the others, else below', () => {
    expect(placeFor([place('a', 0, 0)], { w: 6, h: 4 })).toEqual({ x: 6, y: 0 });
    expect(placeFor([place('a', 0, 0, 8)], { w: 6, h: 4 })).toEqual({ x: 0, y: 4 });
  });
});

describe('the query of a view', () => {
  it('is the same in any order of its parameters', () => {
    expect(isSameQuery({ a: '1', b: ['2', '3'] }, { b: ['2', '3'], a: '1' })).toBe(true);
    expect(isSameQuery({ b: ['2', '3'] }, { b: ['3', '2'] })).toBe(false);
  });
});

describe('the days of a view', () => {
  const rangeOn = (lastDay: string, query: ViewQuery, fiscalStart = 1) =>
    Object.values(questionOf(fixedState(query), lastDay, fiscalStart).range).join(' ');

  it('advance with the bills if they are a preset', () => {
    const query = { days: 'last_month' };
    expect(rangeOn('2026-11-20', query)).toBe('2026-10-01 2026-10-31');
    expect(rangeOn('2026-12-03', query)).toBe('2026-11-01 2026-11-30');
    expect(rangeOn('2026-11-20', { days: 'last_7_days' })).toBe('2026-11-14 2026-11-20');
    expect(rangeOn('2026-11-20', { days: 'fiscal_year_to_date' }, 4)).toBe('2026-04-01 2026-11-20');
    expect(rangeOn('2026-11-20', { days: 'fiscal_year_to_date' }, 1)).toBe('2026-01-01 2026-11-20');
  });

  it('stay as they are if the view has a first or last day', () => {
    const query = { days: 'last_month', from: '2026-03-01', to: '2026-03-31' };
    expect(rangeOn('2026-12-03', query)).toBe('2026-03-01 2026-03-31');
  });
});

describe('an error of the API about a part of a view', () => {
  const faultOf = (query: ViewQuery, part: { field: string; value: string; operation?: string }) => {
    const error = new Refusal('VALIDATION_ERROR', 'not valid', { status: 400, reason: 'is not valid', ...part });
    return faultOfRefusal(error, fixedState(query), questionFor(query));
  };
  const gone = { value: 'virtual:gone', operation: 'virtualTags' };

  it('names the missing record, and the parameters to remove', () => {
    const text = 'The virtual tag “gone” does not exist or is disabled.';
    expect(faultOf({ group: 'virtual:gone' }, { field: 'groupBy', ...gone })).toEqual({ text, keys: ['group'] });
    const query = { 'virtual:gone': 'web', service: 'Amazon S3' };
    expect(faultOf(query, { field: 'filters', ...gone, value: 'gone' })).toEqual({ text, keys: ['virtual:gone'] });
  });

  it('names days and comparisons in words of the console', () => {
    const future = faultOf({ from: '2027-01-01' }, { field: 'startDate', value: '2027-01-01' });
    expect(future).toEqual({ text: 'The first day "2027-01-01" is not valid.', keys: ['from'] });
    const overlap = faultOf({ compare: 'previous_year' }, { field: 'compare', value: 'PREVIOUS_YEAR' });
    expect(overlap?.text).not.toContain('PREVIOUS');
    expect(overlap?.keys).toEqual(['compare']);
  });

  it('stays an error if it concerns nothing in the address', () => {
    expect(faultOf({}, { field: 'limit', value: '0' })).toBeNull();
  });
});

describe('rows of the cost table', () => {
  const answerOf = (cost: number, previousCost: number) =>
    ({
      totalCost: 10_000,
      previous: null,
      unconverted: [],
      rows: [{ cost, previousCost, percentage: 0, changePercent: -20.05, change: 0, keyList: [] }],
    }) as unknown as CostsAnswer;

  it('have the percentages that their totals show, rounded once', () => {
    const [row] = groupRows(answerOf(4561.21, 5705.06), [], new Map());
    expect(signedPercent(row?.changePercent ?? 0)).toBe('-20.0%');
    expect(row?.share).toBeCloseTo(45.6121);
  });
});

describe('the name of a commitment', () => {
  it('is the end of its ID', () => {
    expect(valueLabel('commitment', 'arn:aws:rds:eu-west-1:408112233445:ri:orders-2026')).toBe('orders-2026');
    expect(valueLabel('commitment', 'projects/analytics/subscriptions/flex-2026')).toBe('flex-2026');
    expect(valueLabel('commitment', null)).toBe('No commitment');
  });
});

describe('areas of a chart', () => {
  const plot = { x: (index: number) => index, y: (value: number) => value } as unknown as Plot;
  const stack = (...parts: number[]) => ({ key: '', label: '', title: '', parts });

  it('are on both sides of the axis if a series changes sign', () => {
    const [first, second] = areaPaths(plot, [stack(4, 1), stack(4, -2), stack(4, 1)], 2);
    expect(first).toBe('M0.0 4.0L1.0 4.0L2.0 4.0L2.0 0.0L1.0 0.0L0.0 0.0Z');
    const above = 'M0.0 5.0L1.0 4.0L2.0 5.0L2.0 4.0L1.0 4.0L0.0 4.0Z';
    const below = 'M0.0 0.0L1.0 -2.0L2.0 0.0L2.0 0.0L1.0 0.0L0.0 0.0Z';
    expect(second).toBe(above + below);
  });
});

describe('a form opened from a cost view', () => {
  const query = {
    account: 'id-1',
    provider: 'aws',
    service: ['Amazon EC2', 'Amazon S3'],
    exclude_region: 'eu-west-1',
    'virtual:team': 'web',
    metric: 'billed',
  };

  it('gets the filters that a budget or rule can have, and names the others', () => {
    const view = questionFor(query);
    expect(scopeOfView(view)).toEqual({
      values: {
        accountId: 'id-1',
        provider: 'aws',
        service: null,
        subAccountId: null,
        tagKey: 'virtual:team',
        tagValue: 'web',
      },
      left: ['service', 'excluded region'],
    });
    expect(costMetricOf(view)).toBe('BILLED');
  });

  it('gets the subject and the filters that a report can have', () => {
    expect(reportOfView(questionFor({ ...query, group: 'tag:env', 'tag:env': ['prod', 'dev'] }))).toEqual({
      values: {
        type: 'COST_BY_TAG',
        filters: {
          accountId: ['id-1'],
          provider: ['aws'],
          service: ['Amazon EC2', 'Amazon S3'],
          tagKey: 'env',
          tagValue: ['prod', 'dev'],
          costMetric: 'BILLED',
        },
      },
      left: ['excluded region', 'team'],
    });
    expect(reportOfView(questionFor({})).values.type).toBe('COST_BY_SERVICE');
    expect(reportOfView(questionFor({ group: 'day' })).values).toEqual({
      type: 'COST_SUMMARY',
      filters: { granularity: 'DAILY' },
    });
  });

  it('reads the view from its address', () => {
    const href = prefilledHref('/budgets/new', paramsOf(query));
    const state = fixedState(Object.fromEntries(new URLSearchParams(href.split('?')[1])));
    expect(originOf(state)?.filters).toEqual(questionFor(query).filters);
    expect(originOf(fixedState({}))).toBeNull();
  });

  it('reads the view of an address without parameters', () => {
    const href = prefilledHref('/reports/schedules', paramsOf({}));
    const state = fixedState(Object.fromEntries(new URLSearchParams(href.split('?')[1])));
    expect(originOf(state)?.groups).toEqual(['service']);
  });

  it('splits shared costs in a showback, and names them where they cannot be split', () => {
    const shared = { group: 'virtual:team', shared: 'true' };
    const showback = { values: { type: 'SHOWBACK', filters: { tagKey: 'virtual:team' } }, left: [] };
    expect(reportOfView(questionFor(shared))).toEqual(showback);
    expect(reportOfView(questionFor({ ...shared, group: ['service', 'virtual:team'] }))).toEqual(showback);
    expect(reportOfView(questionFor({ ...shared, group: 'service' })).values.type).toBe('COST_BY_SERVICE');
    expect(scopeOfView(questionFor(shared)).left).toEqual(['shared costs']);
  });

  it('does not support prefixes or charges without a value', () => {
    const filter = { dimension: 'service', isExcluded: false } as const;
    expect(literals({ ...filter, values: ['Amazon*'] })).toBeNull();
    expect(literals({ ...filter, values: ['(none)'] })).toBeNull();
    expect(literals({ ...filter, values: ['a\\*'] })).toEqual(['a*']);
  });
});
