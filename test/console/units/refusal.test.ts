import { CombinedError } from '@urql/core';
import { expect, it } from 'vitest';
import { refusalOf } from '../../../src/console/api/refusal.ts';

it('names the fields of an input as forms do', () => {
  const message = 'input.tagValue requires input.tagKey';
  const extensions = { code: 'VALIDATION_ERROR', status: 400, field: 'input.tagValue' };
  const refusal = refusalOf(new CombinedError({ graphQLErrors: [{ message, extensions }] }));
  expect([refusal.field, refusal.message]).toEqual(['tagValue', 'tagValue requires tagKey']);
  expect(refusal.labelled('Value')).toBe('Value requires tagKey');
});
