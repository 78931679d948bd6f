import { describe, expect, it } from 'vitest';
import { fit, trimRow } from '../../src/mcp/fit.ts';

const rows = (count: number, text: string) =>
  Array.from({ length: count }, (_, at) => ({ id: `019a8c2e-0000-7000-8000-${String(at).padStart(12, '0')}`, text }));

const fitted = (all: ReturnType<typeof rows>) => fit((limits) => ({ data: all.map((row) => trimRow(row, limits)) }));

describe('an answer', () => {
  it('stays unchanged if it fits', () => {
    const all = rows(20, 'x'.repeat(2100));
    expect(fitted(all)).toEqual({ data: all });
  });

  it('is truncated as little as necessary, and marked', () => {
    const answer = fitted(rows(30, 'x'.repeat(3000)));
    expect(answer.truncated).toBe(true);
    expect(new Set(answer.data.map(({ text }) => text))).toEqual(new Set([`${'x'.repeat(499)}…`]));
  });

  it('keeps its ids in full', () => {
    const all = rows(50, '"\u0001'.repeat(50_000));
    const { data } = fitted(all);
    expect(data.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
    expect(JSON.stringify(data).length).toBeLessThan(50_000);
  });
});

describe('fields of unlimited size', () => {
  const limits = { text: 10, entries: 2 };

  it('are truncated with a count of what is omitted', () => {
    const evidence = { list: [1, 2, 3, 4], 'a key that is long': 'a text that is long', third: 3 };
    expect(trimRow({ evidence }, limits)).toEqual({
      evidence: { list: [1, 2, '… 2 more'], 'a key tha…': 'a text th…', '…': '1 more' },
    });
  });

  it('are limited in depth', () => {
    expect(trimRow({ a: { b: { c: { d: { e: {} } } } } }, limits)).toEqual({ a: { b: { c: { d: { e: '…' } } } } });
  });

  it('are not truncated within a character', () => {
    expect(trimRow({ text: `12345678${'🦊'.repeat(5)}` }, limits)).toEqual({ text: '12345678…' });
  });

  it('stay unchanged if null, numeric, or limited lists', () => {
    const row = { none: null, count: 0, list: ['a text that is long'] };
    expect(trimRow(row, limits)).toEqual(row);
  });
});
