import { describe, expect, it } from 'vitest';
import { breakLines, breakName, setting } from '../../../../src/actions/reports/pdf/lines.ts';

/** Each letter has width 1. */
const one = () => 1;
const lines = (text: string, width: number, most = 9) => breakLines(text, { width, most }, one);
const names = (text: string, width: number, most: number) => breakName(text, { width, most }, one);

describe('line breaking', () => {
  it('breaks between words', () => {
    expect(lines('the quick brown fox', 10)).toEqual(['the quick', 'brown fox']);
    expect(lines('the quick brown fox', 9)).toEqual(['the quick', 'brown fox']);
    expect(lines('the quick brown fox', 8)).toEqual(['the', 'quick', 'brown', 'fox']);
  });

  it('breaks long words, after a separator if the line is at least half full', () => {
    expect(lines('production/checkout', 12)).toEqual(['production/', 'checkout']);
    expect(lines('a/production-checkout', 8)).toEqual(['a/produc', 'tion-', 'checkout']);
    expect(lines('abcdefgh', 3)).toEqual(['abc', 'def', 'gh']);
    expect(lines('abc', 0.5)).toEqual(['a', 'b', 'c']);
  });

  it('ends with an ellipsis when lines are limited', () => {
    expect(lines('the quick brown fox', 9, 1)).toEqual(['the quic…']);
    expect(lines('the quick', 9, 1)).toEqual(['the quick']);
    expect(lines('', 9, 1)).toEqual(['']);
  });

  it('keeps both ends of identifiers', () => {
    expect(names('arn:aws:lambda:eu:1:function:checkout', 12, 2)).toEqual(['arn:aws…ion:', 'checkout']);
    expect(names('checkout', 12, 2)).toEqual(['checkout']);
    expect(names('the quick brown fox jumps', 9, 2)).toEqual(['the quick', 'brown fo…']);
  });
});

it('normalizes text to printable characters on one line', () => {
  expect(setting('  a\n\tb\u0000c\u202Ed\u200Be  ')).toBe('a bcde');
  expect(setting('e\u0301')).toBe('\u00e9');
  expect(setting('x'.repeat(10_000))).toHaveLength(600);
});
