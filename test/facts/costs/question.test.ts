import { describe, expect, test } from 'vitest';
import type { CostRequest } from '../../../src/facts/costs/question.ts';
import { resolveQuestion } from '../../../src/facts/costs/question.ts';

const today = '2026-11-21';
const resolve = (request: Omit<CostRequest, 'view'> & { view?: CostRequest['view'] }) =>
  resolveQuestion({ view: 'by-service', ...request }, today);

describe('the range of days', () => {
  test('is the last 30 days by default', () => {
    expect(resolve({}).range).toEqual({ start: '2026-10-23', end: '2026-11-22' });
    expect(resolve({ view: 'summary', granularity: 'daily' }).range).toEqual({
      start: '2026-10-23',
      end: '2026-11-22',
    });
  });

  test('is the last six months by default, where the answer is by month', () => {
    expect(resolve({ view: 'summary' }).range).toEqual({ start: '2026-06-01', end: '2026-11-22' });
    expect(resolve({ view: 'trend' }).range).toEqual({ start: '2026-06-01', end: '2026-12-01' });
  });

  test('follows the end, when that alone is given', () => {
    expect(resolve({ endDate: '2024-03-01' }).range).toEqual({ start: '2024-02-01', end: '2024-03-02' });
    expect(resolve({ view: 'summary', endDate: '2024-03-15' }).range).toEqual({
      start: '2023-10-01',
      end: '2024-03-16',
    });
  });

  test('follows the start, when that alone is given, but not past today', () => {
    expect(resolve({ startDate: '2024-02-01' }).range).toEqual({ start: '2024-02-01', end: '2024-03-02' });
    expect(resolve({ startDate: '2026-11-10' }).range).toEqual({ start: '2026-11-10', end: '2026-11-22' });
    expect(resolve({ startDate: '2026-11-21' }).range).toEqual({ start: '2026-11-21', end: '2026-11-22' });
    expect(resolve({ view: 'summary', startDate: '2024-01-20' }).range).toEqual({
      start: '2024-01-20',
      end: '2024-07-01',
    });
  });

  test('may be one day, and may not be less', () => {
    expect(resolve({ startDate: '2024-01-02', endDate: '2024-01-02' }).range).toEqual({
      start: '2024-01-02',
      end: '2024-01-03',
    });
    expect(() => resolve({ startDate: '2024-01-02', endDate: '2024-01-01' })).toThrow(
      'end_date "2024-01-01" is before start_date 2024-01-02',
    );
  });

  test('is at most 1,100 days from first to last', () => {
    const ending = (endDate: string) => () => resolve({ startDate: '2021-01-01', endDate });
    expect(ending('2024-01-05')).not.toThrow();
    expect(ending('2024-01-06')().range.end).toBe('2024-01-07');
    expect(ending('2024-01-07')).toThrow('1101 days apart');
  });

  test('takes calendar days only', () => {
    expect(() => resolve({ startDate: '2023-02-29' })).toThrow('start_date "2023-02-29" is not a calendar day');
    expect(() => resolve({ endDate: '0000-01-01' })).toThrow('end_date "0000-01-01"');
  });

  test('stays inside the calendar when a default would leave it', () => {
    expect(() => resolve({ endDate: '1000-01-05' })).toThrow('includes 0999-12-07');
    expect(() => resolve({ startDate: '9990-12-20' })).toThrow('includes 9991-01-18');
  });

  test('may end in the future, and may not lie in it', () => {
    expect(resolve({ startDate: '2026-11-21', endDate: '2026-12-31' }).range.end).toBe('2027-01-01');
    expect(() => resolve({ startDate: '2026-11-22', endDate: '2026-12-31' })).toThrow(
      'start_date "2026-11-22" is in the future',
    );
    expect(() => resolve({ startDate: '2026-12-10' })).toThrow('start_date "2026-12-10" is in the future');
  });

  test('of a trend is whole months', () => {
    const question = resolve({ view: 'trend', startDate: '2024-01-31', endDate: '2024-02-01' });
    expect(question.range).toEqual({ start: '2024-01-01', end: '2024-03-01' });
    expect(question.runningMonth).toBe('2026-11');
  });
});

describe('tags', () => {
  test('a key alone asks for the charges that carry it; by tag, for all', () => {
    const carried = { dimension: 'tag:team', values: [], prefixes: [''] };
    const filters = (request: Parameters<typeof resolve>[0]) => {
      const { include, exclude } = resolve({ tagKey: 'team', ...request }).query;
      return { include, exclude };
    };
    expect(filters({})).toEqual({ include: [carried], exclude: [] });
    expect(filters({ view: 'by-tag' })).toEqual({ include: [], exclude: [] });
    expect(resolve({ view: 'by-tag', tagKey: 'team' }).query.dimensions).toEqual(['tag:team']);
    expect(filters({ view: 'by-tag', tagValue: ['b', 'a', 'b'] })).toEqual({
      include: [{ dimension: 'tag:team', values: ['a', 'b'], prefixes: [] }],
      exclude: [],
    });
    expect(filters({ untagged: true })).toEqual({ include: [], exclude: [carried] });
  });

  test.each([
    [{ tagValue: ['a'] }, 'tag_value "a" requires tag_key; give both or neither'],
    [{ untagged: true }, 'untagged "true" requires tag_key; give both or neither'],
    [{ tagKey: ' ' }, 'tag_key " " is blank; give the key of a tag, such as team'],
    [{ view: 'by-tag' as const }, 'tag_key is required'],
    [{ tagKey: 'team', tagValue: ['a'], untagged: true }, 'untagged and tag_value cannot be combined'],
  ])('%j is refused: %s', (request, message) => {
    expect(() => resolve(request)).toThrow(message);
  });
});

test('the same question in another order is the same question', () => {
  expect(resolve({ service: ['b', 'a', 'a'], costMetric: null })).toEqual(
    resolve({ service: ['a', 'b'], costMetric: 'effective' }),
  );
});

test('a value with NUL matches nothing, because PostgreSQL could not even be asked', () => {
  expect(resolve({ service: ['a\0'] }).query.include).toEqual([{ dimension: 'service', values: [], prefixes: [] }]);
});
