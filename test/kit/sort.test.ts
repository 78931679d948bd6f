import { expect, it } from 'vitest';
import { parseSort } from '../../src/kit/sort.ts';

const fields = ['name', 'created_at'] as const;

it.each([
  [null, null],
  [undefined, null],
  ['name', { field: 'name', direction: 'asc' }],
  ['-created_at', { field: 'created_at', direction: 'desc' }],
] as const)('parses the sort order %s', (sortBy, expected) => {
  expect(parseSort(sortBy, fields)).toEqual(expected);
});
