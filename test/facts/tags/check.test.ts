import { describe, expect, test } from 'vitest';
import { checkerOf, type TaggedResource } from '../../../src/facts/tags/evaluation/check.ts';
import type { TagPolicy, TagRule } from '../../../src/facts/tags/policies/rule.ts';

function aRule(rule: Partial<TagRule>): TagRule {
  return { key: 'env', required: true, allowedValues: [], pattern: null, caseSensitive: false, ...rule };
}

function aPolicy(policy: Partial<TagPolicy>): TagPolicy {
  const whole = { provider: null, accountId: null, resourceTypes: [], enabled: true, createdById: null };
  return { id: 'p', name: 'P', rules: [aRule({})], createdAt: new Date(0), ...whole, ...policy };
}

function aResource(resource: Partial<TaggedResource>): TaggedResource {
  return { provider: 'aws', resourceType: 'Instance', tags: {}, ...resource };
}

/** What one rule says of one resource's tags. */
function judged(rule: Partial<TagRule>, tags: Record<string, string>) {
  const [found, ...others] = checkerOf([aPolicy({ rules: [aRule(rule)] })])(aResource({ tags }));
  expect(others).toEqual([]);
  return found ? `${found.problem} ${found.value}` : 'kept';
}

describe('a required tag', () => {
  test('is missing where the resource lacks the key', () => {
    expect(judged({}, { team: 'red' })).toBe('missing null');
    expect(judged({ required: false, allowedValues: ['prod'] }, { team: 'red' })).toBe('kept');
  });

  test('is there whatever the case of its key, with or without the prefix of AWS, and when its value is empty', () => {
    expect(judged({}, { Env: 'prod' })).toBe('kept');
    expect(judged({}, { 'user:ENV': 'prod' })).toBe('kept');
    expect(judged({}, { env: '' })).toBe('kept');
    expect(judged({}, { 'env ': 'prod' })).toBe('missing null');
  });

  test('may have a key that JavaScript knows from objects', () => {
    expect(judged({ key: 'constructor' }, {})).toBe('missing null');
    expect(judged({ key: '__proto__' }, JSON.parse('{"__proto__": "x"}'))).toBe('kept');
  });
});

describe('allowed values', () => {
  const rule = { allowedValues: ['prod', 'dev'] };

  test('are taken in any case unless the rule says otherwise', () => {
    expect(judged(rule, { env: 'prod' })).toBe('kept');
    expect(judged(rule, { env: 'PROD' })).toBe('kept');
    expect(judged(rule, { env: 'production' })).toBe('value_not_allowed production');
    expect(judged(rule, { env: '' })).toBe('value_not_allowed ');
  });

  test('that differ in case only are of the wrong case where it matters', () => {
    const strict = { ...rule, caseSensitive: true };
    expect(judged(strict, { env: 'dev' })).toBe('kept');
    expect(judged(strict, { env: 'Dev' })).toBe('wrong_case Dev');
    expect(judged(strict, { Env: 'dev' })).toBe('wrong_case dev');
    expect(judged(strict, { Env: 'test' })).toBe('value_not_allowed test');
  });
});

describe('a pattern', () => {
  test('holds for the whole value', () => {
    const rule = { pattern: 'cc-\\d{4}' };
    expect(judged(rule, { env: 'cc-1234' })).toBe('kept');
    expect(judged(rule, { env: 'CC-1234' })).toBe('kept');
    expect(judged(rule, { env: 'cc-12345' })).toBe('pattern_mismatch cc-12345');
    expect(judged(rule, { env: 'x cc-1234' })).toBe('pattern_mismatch x cc-1234');
    expect(judged(rule, { env: 'cc-1234\n' })).toBe('pattern_mismatch cc-1234\n');
  });

  test('with alternatives holds for the longer of them too', () => {
    expect(judged({ pattern: 'a|ab' }, { env: 'ab' })).toBe('kept');
  });

  test('tells a wrong case from a wrong value', () => {
    const rule = { pattern: '[a-z]+', caseSensitive: true };
    expect(judged(rule, { env: 'abc' })).toBe('kept');
    expect(judged(rule, { env: 'Abc' })).toBe('wrong_case Abc');
    expect(judged(rule, { env: 'a1' })).toBe('pattern_mismatch a1');
  });

  test('holds beside allowed values, whose problem comes first', () => {
    const rule = { allowedValues: ['a1', 'ab'], pattern: '[a-z]+' };
    expect(judged(rule, { env: 'ab' })).toBe('kept');
    expect(judged(rule, { env: 'a1' })).toBe('pattern_mismatch a1');
    expect(judged(rule, { env: '1' })).toBe('value_not_allowed 1');
  });

  test('that is built to be slow is answered at once', () => {
    const startedAt = performance.now();
    expect(judged({ pattern: '(x+x+)+y' }, { env: 'x'.repeat(5_000) })).toMatch(/^pattern_mismatch/);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });
});

describe('of two keys that differ in case only', () => {
  test('the first in code point order counts, as on bills', () => {
    expect(judged({ allowedValues: ['a'] }, { app: 'b', App: 'a', key: 'x', env: 'a' })).toBe('kept');
    expect(judged({ key: 'app', allowedValues: ['a'] }, { app: 'b', App: 'a' })).toBe('kept');
    expect(judged({ key: 'app', allowedValues: ['b'] }, { app: 'b', App: 'a' })).toBe('value_not_allowed a');
  });
});

describe('a policy', () => {
  const problems = (policy: Partial<TagPolicy>, resource: Partial<TaggedResource>) =>
    checkerOf([aPolicy(policy)])(aResource(resource)).length;

  test('is about the resources of its provider', () => {
    expect(problems({ provider: 'aws' }, {})).toBe(1);
    expect(problems({ provider: 'azure' }, {})).toBe(0);
  });

  test('is about its resource types, whatever their case', () => {
    expect(problems({ resourceTypes: ['microsoft.compute/disks'] }, { resourceType: 'Microsoft.Compute/disks' })).toBe(
      1,
    );
    expect(problems({ resourceTypes: ['Bucket', 'Volume'] }, {})).toBe(0);
    expect(problems({ resourceTypes: [] }, { resourceType: '' })).toBe(1);
  });

  test('names each of its rules that is broken, beside those of other policies', () => {
    const rules = [aRule({}), aRule({ key: 'team' }), aRule({ key: 'owner' })];
    const check = checkerOf([aPolicy({ id: 'a', rules }), aPolicy({ id: 'b' })]);
    expect(check(aResource({ tags: { team: 'red' } })).map(({ policyId, key }) => `${policyId} ${key}`)).toEqual([
      'a env',
      'a owner',
      'b env',
    ]);
  });
});
