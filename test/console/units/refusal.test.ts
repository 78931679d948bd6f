import { CombinedError } from '@urql/core';
import { expect, it } from 'vitest';
import { refusalOf } from '../../../src/console/api/refusal.ts';

it('names the fields of an input as forms do', () => {
  const message = 'input.tagValue requires input.tagKey; give both or neither';
  const extensions = {
    code: 'VALIDATION_ERROR',
    status: 400,
    field: 'input.tagValue',
    value: 'red',
    reason: 'requires input.tagKey',
    remedy: 'give both or neither',
  };
  const refusal = refusalOf(new CombinedError({ graphQLErrors: [{ message, extensions }] }));
  expect([refusal.field, refusal.message]).toEqual(['tagValue', 'tagValue requires tagKey; give both or neither']);
  expect(refusal.labelled('Value')).toBe('Value "red" requires tagKey; give both or neither');
});
