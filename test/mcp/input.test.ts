import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { costFilters, daysOf, several } from '../../src/mcp/input.ts';

const now = new Date('2026-11-21T23:59:59.999Z');
const daysAt = (instant: string, period: string) => Object.values(daysOf({ period }, new Date(instant)));

describe('the date range of a question', () => {
  it.each([
    ['last_7_days', '2026-11-15', '2026-11-21'],
    ['last_30_days', '2026-10-23', '2026-11-21'],
    ['last_90_days', '2026-08-24', '2026-11-21'],
    ['this_month', '2026-11-01', '2026-11-21'],
    ['last_month', '2026-10-01', '2026-10-31'],
    ['this_quarter', '2026-10-01', '2026-11-21'],
    ['last_quarter', '2026-07-01', '2026-09-30'],
    ['year_to_date', '2026-01-01', '2026-11-21'],
    ['last_12_months', '2025-12-01', '2026-11-21'],
  ])('for %s is %s to %s', (period, start_date, end_date) => {
    expect(daysOf({ period }, now)).toEqual({ start_date, end_date });
  });

  it('is correct at the turn of years and months', () => {
    expect(daysAt('2027-01-01T00:00:00Z', 'last_month')).toEqual(['2026-12-01', '2026-12-31']);
    expect(daysAt('2027-01-01T00:00:00Z', 'last_quarter')).toEqual(['2026-10-01', '2026-12-31']);
    expect(daysAt('2027-01-01T00:00:00Z', 'year_to_date')).toEqual(['2027-01-01', '2027-01-01']);
    expect(daysAt('2028-03-31T12:00:00Z', 'last_month')).toEqual(['2028-02-01', '2028-02-29']);
    expect(daysAt('2026-12-31T12:00:00Z', 'this_quarter')).toEqual(['2026-10-01', '2026-12-31']);
    expect(daysAt('2026-01-31T12:00:00Z', 'last_12_months')).toEqual(['2025-02-01', '2026-01-31']);
  });

  it('is derived from one date, or is the last 30 days', () => {
    expect(daysOf({}, now)).toEqual({ start_date: '2026-10-23', end_date: '2026-11-21' });
    expect(daysOf({}, now, 'last_month')).toEqual({ start_date: '2026-10-01', end_date: '2026-10-31' });
    expect(daysOf({ start_date: '2026-11-05' }, now)).toEqual({ start_date: '2026-11-05', end_date: '2026-11-21' });
    expect(daysOf({ end_date: '2026-03-01' }, now)).toEqual({ start_date: '2026-01-31', end_date: '2026-03-01' });
    expect(daysOf({ start_date: '2026-11-21', end_date: '2026-11-21' }, now)).toEqual({
      start_date: '2026-11-21',
      end_date: '2026-11-21',
    });
  });

  it.each([
    [{ period: 'last_month', start_date: '2026-11-01' }, 'use either one'],
    [{ start_date: '2026-11-02', end_date: '2026-11-01' }, 'end_date 2026-11-01 is before start_date 2026-11-02'],
    [{ start_date: '2026-11-22' }, 'is before'],
    [{ start_date: '2026-02-29' }, 'start_date "2026-02-29" is not a valid date'],
    [{ end_date: '0001-01-01' }, 'end_date "0001-01-01" is not a valid date'],
  ])('is rejected for %j', (args, remedy) => {
    expect(() => daysOf(args, now)).toThrow(remedy);
  });
});

describe('filters', () => {
  it('accept 1 to 50 non-empty values', () => {
    const names = (count: number) => Array.from({ length: count }, (_, at) => `s${at}`);
    expect(several.safeParse(undefined).success).toBe(true);
    expect(several.safeParse(names(1)).success).toBe(true);
    expect(several.safeParse(names(50)).success).toBe(true);
    expect(several.safeParse(names(51)).success).toBe(false);
    expect(several.safeParse([]).success).toBe(false);
    expect(several.safeParse(['']).success).toBe(false);
    expect(several.safeParse('ec2').success).toBe(false);
  });

  it('describe where their values come from', () => {
    const { properties } = z.toJSONSchema(z.strictObject(costFilters), { io: 'input' });
    const shown = Object.values(properties ?? {}).map((schema) => typeof schema === 'object' && schema.description);
    expect(shown.every((text) => typeof text === 'string' && text !== '')).toBe(true);
  });
});
