import { describe, expect, it } from 'vitest';
import type { CostRequest } from '../../../src/facts/costs/question.ts';
import { resolveQuestion } from '../../../src/facts/costs/question.ts';

const today = '2026-11-21';
const resolve = (request: Omit<CostRequest, 'view'> & { view?: CostRequest['view'] }) =>
  resolveQuestion({ view: 'by-service', ...request }, today);

describe('date range', () => {
  it('defaults to the last 30 days', () => {
    expect(resolve({}).range).toEqual({ start: '2026-10-23', end: '2026-11-22' });
    expect(resolve({ view: 'summary', granularity: 'daily' }).range).toEqual({
      start: '2026-10-23',
      end: '2026-11-22',
    });
  });

  it('defaults to the last six months for a monthly result', () => {
    expect(resolve({ view: 'summary' }).range).toEqual({ start: '2026-06-01', end: '2026-11-22' });
    expect(resolve({ view: 'trend' }).range).toEqual({ start: '2026-06-01', end: '2026-12-01' });
  });

  it('is derived from the end date if only that is given', () => {
    expect(resolve({ endDate: '2024-03-01' }).range).toEqual({ start: '2024-02-01', end: '2024-03-02' });
    expect(resolve({ view: 'summary', endDate: '2024-03-15' }).range).toEqual({
      start: '2023-10-01',
      end: '2024-03-16',
    });
  });

  it('is derived from the start date if only that is given, but ends today at the latest', () => {
    expect(resolve({ startDate: '2024-02-01' }).range).toEqual({ start: '2024-02-01', end: '2024-03-02' });
    expect(resolve({ startDate: '2026-11-10' }).range).toEqual({ start: '2026-11-10', end: '2026-11-22' });
    expect(resolve({ startDate: '2026-11-21' }).range).toEqual({ start: '2026-11-21', end: '2026-11-22' });
    expect(resolve({ view: 'summary', startDate: '2024-01-20' }).range).toEqual({
      start: '2024-01-20',
      end: '2024-07-01',
    });
  });

  it('has at least one day', () => {
    expect(resolve({ startDate: '2024-01-02', endDate: '2024-01-02' }).range).toEqual({
      start: '2024-01-02',
      end: '2024-01-03',
    });
    expect(() => resolve({ startDate: '2024-01-02', endDate: '2024-01-01' })).toThrow(
      'end_date "2024-01-01" is before start_date 2024-01-02',
    );
  });

  it('has at most 1,100 days between first and last', () => {
    const ending = (endDate: string) => () => resolve({ startDate: '2021-01-01', endDate });
    expect(ending('2024-01-05')).not.toThrow();
    expect(ending('2024-01-06')().range.end).toBe('2024-01-07');
    expect(ending('2024-01-07')).toThrow('1101 days apart');
  });

  it('accepts only calendar days', () => {
    expect(() => resolve({ startDate: '2023-02-29' })).toThrow('start_date "2023-02-29" is not a calendar day');
    expect(() => resolve({ endDate: '0000-01-01' })).toThrow('end_date "0000-01-01"');
  });

  it('rejects a default outside of the calendar', () => {
    expect(() => resolve({ endDate: '1000-01-05' })).toThrow('includes 0999-12-07');
    expect(() => resolve({ startDate: '9990-12-20' })).toThrow('includes 9991-01-18');
  });

  it('may end but not start in the future', () => {
    expect(resolve({ startDate: '2026-11-21', endDate: '2026-12-31' }).range.end).toBe('2027-01-01');
    expect(() => resolve({ startDate: '2026-11-22', endDate: '2026-12-31' })).toThrow(
      'start_date "2026-11-22" is in the future',
    );
    expect(() => resolve({ startDate: '2026-12-10' })).toThrow('start_date "2026-12-10" is in the future');
  });

  it('of a trend consists of whole months', () => {
    const question = resolve({ view: 'trend', startDate: '2024-01-31', endDate: '2024-02-01' });
    expect(question.range).toEqual({ start: '2024-01-01', end: '2024-03-01' });
    expect(question.runningMonth).toBe('2026-11');
  });
});

describe('tags', () => {
  it('include charges with the key, or all charges if grouped by tag', () => {
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

  it.each([
    [{ tagValue: ['a'] }, 'tag_value "a" requires tag_key; give both or neither'],
    [{ untagged: true }, 'untagged "true" requires tag_key; give both or neither'],
    [{ tagKey: ' ' }, 'tag_key " " is blank; give the key of a tag, such as team'],
    [{ view: 'by-tag' as const }, 'tag_key is required'],
    [{ tagKey: 'team', tagValue: ['a'], untagged: true }, 'untagged and tag_value cannot be combined'],
  ])('reject %j: %s', (request, message) => {
    expect(() => resolve(request)).toThrow(message);
  });
});

it('resolves the same query in another order to the same question', () => {
  expect(resolve({ service: ['b', 'a', 'a'], costMetric: null })).toEqual(
    resolve({ service: ['a', 'b'], costMetric: 'effective' }),
  );
});

it('matches nothing for a value with NUL, which PostgreSQL cannot accept', () => {
  expect(resolve({ service: ['a\0'] }).query.include).toEqual([{ dimension: 'service', values: [], prefixes: [] }]);
});
