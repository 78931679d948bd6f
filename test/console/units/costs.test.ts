import { MantineProvider } from '@mantine/core';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Router } from 'wouter';
import { binsOf, moved, previousOf } from '../../../src/console/costs/period.ts';
import { changeOf } from '../../../src/console/costs/table/rows.ts';
import type { CostsAnswer } from '../../../src/console/costs/queries.ts';
import { Incomplete } from '../../../src/console/costs/incomplete.tsx';
import { ghostOf, seriesChart } from '../../../src/console/costs/stacks.ts';
import { faultsOf, modernized, questionOf, rangeOf } from '../../../src/console/costs/question.ts';
import { unknownChange } from '../../../src/console/costs/unknown-change.ts';
import { type CostsView, withoutUnknown } from '../../../src/console/costs/use-costs.ts';
import { monthToDate } from '../../../src/console/overview/headlines.tsx';
import type { Spend } from '../../../src/console/overview/queries.ts';
import { Change } from '../../../src/console/parts/page/card.tsx';
import { BadAddress, presets } from '../../../src/console/parts/list/day-range.tsx';
import type { Changes, UrlState } from '../../../src/console/parts/list/url-state.ts';
import { escaped, filterValue } from '../../../src/console/costs/dimensions.ts';

describe('a period of the cost explorer', () => {
  it.each([
    ['whole months with as many before', '2026-02-01', '2026-03-31', '2025-12-01', '2026-01-31'],
    [
      'a range that begins on the 1st with the same days of the month before',
      '2026-11-01',
      '2026-11-20',
      '2026-10-01',
      '2026-10-20',
    ],
    [
      'days that the month before does not have with its last day',
      '2026-03-01',
      '2026-03-30',
      '2026-02-01',
      '2026-02-28',
    ],
    ['other days with as many right before', '2026-10-22', '2026-11-20', '2026-09-22', '2026-10-21'],
    ['the first of a month with the day before', '2026-11-01', '2026-11-01', '2026-10-31', '2026-10-31'],
  ])('compares %s', (_, from, to, ...[earlierFrom, earlierTo]) => {
    expect(previousOf({ from, to })).toEqual({ from: earlierFrom, to: earlierTo });
  });

  it('shifts by its own length; whole months shift by months', () => {
    expect(moved({ from: '2026-01-01', to: '2026-01-31' }, 1)).toEqual({ from: '2026-02-01', to: '2026-02-28' });
    expect(moved({ from: '2026-11-14', to: '2026-11-20' }, -1)).toEqual({ from: '2026-11-07', to: '2026-11-13' });
  });

  it('clips its bars to its ends', () => {
    expect(binsOf({ from: '2026-10-30', to: '2026-11-20' }, 'monthly')).toEqual([
      { key: '2026-10', from: '2026-10-30', to: '2026-10-31' },
      { key: '2026-11', from: '2026-11-01', to: '2026-11-20' },
    ]);
  });
});

describe('the line of the comparison period', () => {
  const before = ['2023-02-27', '2023-02-28', '2023-03-01'].map((date, index) => ({ date, cost: index + 1 }));

  it('has the same days of the year before, and a gap on February 29', () => {
    const range = { from: '2024-02-27', to: '2024-03-01' };
    expect(ghostOf(before, range, { from: '2023-02-27', to: '2023-03-01' }, 'daily')).toEqual({
      values: [1, 2, null, 3],
      labels: ['Feb 27, 2023', 'Feb 28, 2023', '', 'Mar 1, 2023'],
    });
  });

  it('pairs the first months, the second months and so on', () => {
    const range = { from: '2024-02-01', to: '2024-03-31' };
    expect(ghostOf(before, range, { from: '2023-02-01', to: '2023-03-31' }, 'monthly')).toEqual({
      values: [3, 3],
      labels: ['Feb 1–28, 2023', 'Mar 1–31, 2023'],
    });
  });
});

describe('a value of a filter of the cost explorer', () => {
  it.each(['prod', 'prod*', '*', '\\*', '(none)', 'a,b'])('stays the same after escaping and parsing: %s', (value) => {
    expect(filterValue(escaped(value))?.replace(/\\\*$/, '*')).toBe(value);
  });

  it('is null for the charges without one', () => {
    expect(filterValue('(none)')).toBeNull();
  });
});

/** Returns the URL state of an address, without a browser. */
const stateOf = (query: URLSearchParams): UrlState => ({
  one: (key) => query.get(key) || null,
  all: (key) => query.getAll(key).filter((value) => value !== ''),
  keys: () => [...new Set(query.keys())],
  has: (...keys) => keys.some((key) => query.getAll(key).some((value) => value !== '')),
  set: () => {},
  with: () => '',
});

describe('the shown days of the cost explorer', () => {
  beforeAll(() => void vi.useFakeTimers({ now: new Date('2026-11-22T12:00:00Z'), toFake: ['Date'] }));
  afterAll(() => void vi.useRealTimers());

  const shown = (query: string, lastDay = '2026-11-20') => {
    const { range } = questionOf(stateOf(new URLSearchParams(query)), lastDay);
    return [range.from, range.to];
  };

  it.each([
    ['end with the last complete one of a month', 'from=2026-11-01&to=2026-11-30', '2026-11-01', '2026-11-20'],
    ['end with the last complete one, not today', 'from=2026-11-01&to=2026-11-22', '2026-11-01', '2026-11-20'],
    ['end today with incomplete days', 'from=2026-11-01&to=2026-11-30&incomplete=true', '2026-11-01', '2026-11-22'],
    ['are incomplete if no others are requested', 'from=2026-11-21&to=2026-11-30', '2026-11-21', '2026-11-22'],
    ['are all of a past range', 'from=2026-10-01&to=2026-10-31', '2026-10-01', '2026-10-31'],
    ['are all of a future range', 'from=2026-12-01&to=2026-12-31', '2026-12-01', '2026-12-31'],
    ['are the last complete ones by default', '', '2026-10-22', '2026-11-20'],
  ])('%s', (_title, query, from, to) => {
    expect(shown(query)).toEqual([from, to]);
  });

  it('are the same in every preset that ends now', () => {
    const ends = presets({ now: '2026-11-22', lastDay: '2026-11-20' }).map(([label, { from, to }]) => [
      label,
      from,
      to,
    ]);
    expect(ends).toContainEqual(['This month', '2026-11-01', '2026-11-20']);
    expect(ends).toContainEqual(['Year to date', '2026-01-01', '2026-11-20']);
    expect(ends.filter(([, , to]) => to === '2026-11-22')).toEqual([]);
  });
});

describe('a comparison', () => {
  it('has no percentage after zero or a credit', () => {
    expect([changeOf(15, 10), changeOf(-15, 10)]).toEqual([50, -250]);
    expect([changeOf(5, 0), changeOf(49, -100), changeOf(-200, -100)]).toEqual([null, null, null]);
  });

  it.each([
    [0, 'new'],
    [-100, '–'],
  ])('with a period of %i is shown as %s', (before, shown) => {
    const amount = { value: 49 - before, before, currency: 'USD' };
    const change = createElement(Change, { percent: changeOf(49, before), amount });
    expect(renderToStaticMarkup(createElement(MantineProvider, null, change))).toContain(`>${shown}<`);
  });

  const row = { before: 5, change: 5, changePercent: 100 };
  const fresh = { before: 0, change: 5, changePercent: null };
  const unknown = { before: null, change: null, changePercent: null };
  const view = (total: number, reason: string | null) => {
    const before = { range: { from: '2026-10-01', to: '2026-10-31' }, total, bars: { values: [], labels: [] } };
    return { before, rows: [row, fresh], unknownChange: reason } as unknown as CostsView;
  };

  it('is left out, with the reason, where nothing is known of its days', () => {
    const none = withoutUnknown(view(0, 'no costs'));
    expect(none).toMatchObject({ before: null, unknownChange: 'no costs', rows: [unknown, unknown] });
  });

  it('has no changes where costs of a part of its days are known, and rows without such costs are not new', () => {
    const some = view(5, 'no costs');
    const rows = [{ ...row, change: null, changePercent: null }, unknown];
    expect(withoutUnknown(some)).toMatchObject({ before: some.before, unknownChange: 'no costs', rows });
    const whole = view(5, null);
    expect(withoutUnknown(whole)).toEqual(whole);
  });

  it('is unknown if the bills begin later, a bill is missing, or costs have no exchange rate', () => {
    const costs = [{ currency: 'USD', cost: 25_341.68 }];
    const reason = (dataFrom: string, now: typeof costs, then: typeof costs, missing: string[] = []) =>
      unknownChange({
        currency: 'EUR',
        dataFrom,
        missingBills: missing.map((month) => ({ month, accountId: 'a', accountName: 'Production' })),
        unconverted: now,
        previous: { startDate: '2026-05-01', endDate: '2026-05-31', unconverted: then },
      });
    expect(reason('2026-05-02', [], costs)).toBe('no costs before May 2, 2026');
    expect(reason('2026-05-01', [], costs)).toBe(
      '$25,341.68 of May 1–31, 2026 is not included: no exchange rate to EUR',
    );
    expect(reason('2026-05-01', costs, [])).toBe('$25,341.68 is not included: no exchange rate to EUR');
    expect(reason('2026-05-01', [], [])).toBeNull();
    expect(reason('2026-05-01', costs, costs, ['2026-05'])).toBe('no bill for Production (May 2026)');
    const many = ['2026-02', '2026-03', '2026-04', '2026-05', '2026-05'];
    expect(reason('2026-01-01', [], [], many)).toBe(
      'no bill for Production (Feb 2026), Production (Mar 2026), Production (Apr 2026) and 1 more',
    );
  });

  it('is left out of the overview, too', () => {
    const dayOf = (date: string, unconverted: object[] = []) => ({ date, cost: 2, unconverted });
    const reason = (dataFrom: string, days: object[]) => {
      const costsDaily = { lastCompleteDay: '2026-11-20', currency: 'EUR', dataFrom, days, missingBills: [] };
      return monthToDate({ costsDaily, forecast: null } as unknown as Spend)?.unknownChange;
    };
    expect(reason('2026-10-02', [dayOf('2026-11-19')])).toBe('no costs before Oct 2, 2026');
    expect(reason('2026-10-01', [dayOf('2026-11-19')])).toBeNull();
    const costs = [{ currency: 'USD', cost: 10.5 }];
    expect(reason('2026-10-01', [dayOf('2026-10-30', costs), dayOf('2026-10-31', costs)])).toBe(
      '$21.00 of Oct 1–31, 2026 is not included: no exchange rate to EUR',
    );
    expect(reason('2026-10-01', [dayOf('2026-11-19', costs)])).toBe('$10.50 is not included: no exchange rate to EUR');
  });
});

describe('bars', () => {
  const question = {
    range: { from: '2026-11-17', to: '2026-11-20' },
    granularity: 'daily',
    groups: ['service'],
  } as const;
  const partial = (lastCompleteDay: string | null) => {
    const answer = { rows: [], other: { count: 0, points: [] }, lastCompleteDay };
    const { stacks } = seriesChart(question, answer as unknown as CostsAnswer);
    return stacks.filter(({ isPartial }) => isPartial).map(({ key }) => key);
  };

  it('are partial after the last complete day', () => {
    expect(partial('2026-11-19')).toEqual(['2026-11-20']);
    expect(partial('2026-10-31')).toHaveLength(4);
    expect(partial(null)).toHaveLength(4);
  });
});

describe('a note on incomplete days', () => {
  const noteOf = (from: string, to: string, complete: Pick<CostsView, 'completeThrough' | 'lastCompleteDay'>) => {
    const view = { question: { asked: { from, to }, range: { from, to } }, ...complete } as unknown as CostsView;
    const note = createElement(Incomplete, { state: stateOf(new URLSearchParams()), view });
    const page = createElement(Router, { ssrPath: '/costs', children: note });
    return renderToStaticMarkup(createElement(MantineProvider, null, page)).replaceAll(
      /<style.*?<\/style>|<[^>]+>/gs,
      '',
    );
  };

  it.each([
    ['is empty for complete days', '2026-11-19', '2026-11-19', ''],
    [
      'names the days whose costs will still grow',
      '2026-11-18',
      '2026-11-18',
      'complete through Nov 18, 2026. Costs for Nov 19, 2026 will',
    ],
    [
      'mentions stopped accounts',
      '2026-11-01',
      '2026-11-19',
      'At least one account has complete bills only through Nov 1, 2026',
    ],
    [
      'names the last complete day if all accounts have stopped',
      '2026-11-01',
      '2026-11-01',
      'Bills are complete through Nov 1, 2026. Costs for Nov 2–19',
    ],
    ['says that no day has complete bills', null, null, 'No day has complete bills yet'],
  ])('%s', (_, completeThrough, lastCompleteDay, text) => {
    const note = noteOf('2026-11-01', '2026-11-19', { completeThrough, lastCompleteDay });
    expect(text === '' ? [note] : note).toContain(text);
  });
});

describe('an address of the cost explorer', () => {
  /** The query after changes. */
  const changed = (query: URLSearchParams, changes: Changes) => {
    const next = new URLSearchParams(query);
    for (const [key, value] of Object.entries(changes)) {
      next.delete(key);
      for (const one of [value ?? []].flat()) next.append(key, one);
    }
    return next;
  };

  const faults = (query: URLSearchParams) => faultsOf(stateOf(query), rangeOf(stateOf(query), '2026-11-20'));

  it.each([
    ['from=2026-02-30&to=2026-03-05', 'enter dates as YYYY-MM-DD'],
    ['from=2026-05-02&to=2026-05-01', 'the end date is before the start date'],
    ['from=0001-01-01&to=0001-01-31', 'only the years 2000 to 2099 are supported'],
    ['from=9999-12-01&to=9999-12-31', 'only the years 2000 to 2099 are supported'],
    ['days=last_monday', 'days=last_monday is not one of last_7_days'],
    ['group=color', 'group=color is not a dimension'],
    ['group=service&group=region&group=sku', 'two dimensions at most'],
    ['compare=never', 'compare=never is not one of'],
    ['group=REGION', 'group=REGION is not a dimension'],
    ['metric=free', 'metric=free is not one of'],
    ['category=gift', 'charge_category=gift is not one of'],
    ['tagValue=prod', 'need a tag key'],
  ])('names what is wrong with %s, and is valid without it', (text, said) => {
    const given = new URLSearchParams(text);
    const query = changed(given, modernized(stateOf(given)) ?? {});
    const found = faults(query);
    const page = createElement(BadAddress, { state: stateOf(query), faults: found, what: 'costs' });
    const markup = renderToStaticMarkup(createElement(MantineProvider, null, page));
    expect(markup).toContain(said);
    expect(markup).toContain('Show costs without it');
    const rest = changed(query, Object.fromEntries(found.flatMap(({ keys }) => keys).map((key) => [key, null])));
    expect(faults(rest)).toEqual([]);
  });
});
