import { expect, it } from 'vitest';
import { storedWord, wordFilter } from '../../src/kit/stored-word.ts';

const known = { red: 1, blue: 2 };

it('returns a known word unchanged, and any other text as unknown', () => {
  expect(['red', 'green', 'toString', ''].map((text) => storedWord(known, text))).toEqual([
    'red',
    'unknown',
    'unknown',
    'unknown',
  ]);
});

it('filters by each word once; unknown matches any word that is not known', () => {
  expect(wordFilter(known, ['red', 'red'])).toEqual({ among: ['red'], outside: null });
  expect(wordFilter(known, ['unknown', 'red'])).toEqual({ among: ['red'], outside: ['red', 'blue'] });
  expect(wordFilter(known, [])).toEqual({ among: [], outside: null });
});
