import { expect, it } from 'vitest';
import { factsOf } from '../../../src/console/settings/audit/words.ts';

const accountName = (id: string) => ({ a1: 'Azure', a2: 'AWS production' })[id] ?? id;

function texts(details: Readonly<Record<string, unknown>>): string[] {
  return factsOf(details, accountName).map(({ name, text }) => `${name}: ${text}`);
}

it('names accounts, and omits what has no value', () => {
  expect(texts({ name: 'Prod', account_id: 'a1', tag_key: null, emails: [] })).toEqual([
    'Name: Prod',
    'Account: Azure',
    'Emails: none',
  ]);
  expect(texts({ account_id: null })).toEqual([]);
  expect(texts({ account_ids: ['a1', 'gone'] })).toEqual(['Accounts: Azure, gone']);
});

it('says which accounts a member can access: all, some or none', () => {
  expect(texts({ account_access: null })).toEqual(['Account access: all accounts']);
  expect(texts({ account_access: ['a1', 'a2'] })).toEqual(['Account access: Azure, AWS production']);
  expect(texts({ account_access: [] })).toEqual(['Account access: none']);
  expect(texts({ account_access: { from: null, to: ['a2'] } })).toEqual([
    'Account access: all accounts → AWS production',
  ]);
});

it('writes comparisons of alert rules in words, and other short words as they are', () => {
  expect(texts({ operator: 'gte', threshold: 5 })).toEqual(['Operator: at or above', 'Threshold: 5']);
  expect(texts({ operator: { from: 'gt', to: 'lt' } })).toEqual(['Operator: above → below']);
  expect(texts({ changes: { operator: { before: 'lte', after: 'gt' } } })).toEqual([
    'Changes: operator at or below → above',
  ]);
  expect(texts({ conditions: [{ operator: 'not_in', values: ['gt'] }] })).toEqual([
    'Conditions: operator not in, values gt',
  ]);
});

it('shows changes, words and nested values', () => {
  expect(texts({ role: { from: 'viewer', to: 'super_admin' }, enabled: false })).toEqual([
    'Role: viewer → super admin',
    'Enabled: no',
  ]);
  expect(texts({ changes: { amount: { before: 1, after: null } } })).toEqual(['Changes: amount 1 → none']);
});
