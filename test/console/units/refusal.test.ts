import { CombinedError } from '@urql/core';
import { expect, it } from 'vitest';
import { refusalOf, refusalOfChange } from '../../../src/console/api/refusal.ts';

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

it.each(['ifTypedAmount', 'rates[0].ifRate'])(
  'recognizes a conflict with the value that a form has read, %s',
  (field) => {
    const extensions = { code: 'CONFLICT', status: 409, field };
    const message = `${field} is not the current value`;
    expect(refusalOf(new CombinedError({ graphQLErrors: [{ message, extensions }] })).isStale).toBe(true);
  },
);

it('says in words that a record is gone, without its id', () => {
  const message = 'Budget "01a2b3c4-0000-7000-8000-000000000000" not found';
  const extensions = { code: 'BUDGET_NOT_FOUND', status: 404 };
  const refusal = refusalOf(new CombinedError({ graphQLErrors: [{ message, extensions }] }));
  expect(refusal.message).toBe('This was deleted, or you do not have access to it.');
});

it('says that a change without an answer may have been saved', () => {
  const lost = new CombinedError({ networkError: new TypeError('Failed to fetch') });
  expect(refusalOfChange(lost).message).toBe(
    `${refusalOf(lost).message} It may have saved the change: look before you try again.`,
  );
});
