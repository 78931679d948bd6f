import { describe, expect, it } from 'vitest';
import { fit, trimRow } from '../../src/mcp/fit.ts';

const rows = (count: number, text: string) =>
  Array.from({ length: count }, (_, at) => ({ id: `019a8c2e-0000-7000-8000-${String(at).padStart(12, '0')}`, text }));

const fitted = (all: ReturnType<typeof rows>) => fit((limits) => ({ data: all.map((row) => trimRow(row, limits)) }));

describe('an answer', () => {
  it('that fits stays whole, and says nothing of it', () => {
    const all = rows(20, 'x'.repeat(2100));
    expect(fitted(all)).toEqual({ data: all });
  });

  it('that does not is cut no more than it must be, and says so', () => {
    const answer = fitted(rows(30, 'x'.repeat(3000)));
    expect(answer.truncated).toBe(true);
    expect(new Set(answer.data.map(({ text }) => text))).toEqual(new Set([`${'x'.repeat(499)}…`]));
  });

  it('keeps its ids whole, however much is cut', () => {
    const all = rows(50, '"\u0001'.repeat(50_000));
    const { data } = fitted(all);
    expect(data.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
    expect(JSON.stringify(data).length).toBeLessThan(50_000);
  });
});

describe('what has no bound of its own', () => {
  const limits = { text: 10, entries: 2 };

  it('is cut with what is left out counted', () => {
    const evidence = { list: [1, 2, 3, 4], 'a key that is long': 'a text that is long', third: 3 };
    expect(trimRow({ evidence }, limits)).toEqual({
      evidence: { list: [1, 2, '… 2 more'], 'a key tha…': 'a text th…', '…': '1 more' },
    });
  });

  it('ends at some depth', () => {
    expect(trimRow({ a: { b: { c: { d: { e: {} } } } } }, limits)).toEqual({ a: { b: { c: { d: { e: '…' } } } } });
  });

  it('is never cut within a character', () => {
    expect(trimRow({ text: `12345678${'🦊'.repeat(5)}` }, limits)).toEqual({ text: '12345678…' });
  });

  it('stays as it is where nothing is: null, numbers, and lists that have a bound', () => {
    const row = { none: null, count: 0, list: ['a text that is long'] };
    expect(trimRow(row, limits)).toEqual(row);
  });
});
