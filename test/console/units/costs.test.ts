import { MantineProvider } from '@mantine/core';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { escaped, filterValue } from '../../../src/console/costs/address.ts';
import { binsOf, moved, previousOf } from '../../../src/console/costs/period.ts';
import { ghostOf } from '../../../src/console/costs/stacks.ts';
import { faultsOf, modernized, rangeOf } from '../../../src/console/costs/question.ts';
import { BadAddress } from '../../../src/console/parts/list/day-range.tsx';
import type { Changes, UrlState } from '../../../src/console/parts/list/url-state.ts';

describe('a period of the cost explorer', () => {
  it.each([
    ['whole months with as many before', '2026-02-01', '2026-03-31', '2025-12-01', '2026-01-31'],
    [
      'what begins with a month with the same days of the month before',
      '2026-11-01',
      '2026-11-20',
      '2026-10-01',
      '2026-10-20',
    ],
    [
      'days that the month before does not have with its last one',
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

  it('has months first to first', () => {
    const range = { from: '2024-02-01', to: '2024-03-31' };
    expect(ghostOf(before, range, { from: '2023-02-01', to: '2023-03-31' }, 'monthly')).toEqual({
      values: [3, 3],
      labels: ['Feb 1 – 28, 2023', 'Mar 1 – 31, 2023'],
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

describe('an address of the cost explorer', () => {
  /** Returns the URL state of an address, without a browser. */
  const stateOf = (query: URLSearchParams): UrlState => ({
    one: (key) => query.get(key) || null,
    all: (key) => query.getAll(key).filter((value) => value !== ''),
    keys: () => [...new Set(query.keys())],
    has: (...keys) => keys.some((key) => query.getAll(key).some((value) => value !== '')),
    set: () => {},
    with: () => '',
  });

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
