import { describe, expect, it } from 'vitest';
import { checkerOf, type TaggedResource } from '../../../src/facts/tags/evaluation/check.ts';
import type { TagPolicy, TagRule } from '../../../src/facts/tags/policies/rule.ts';

function aRule(rule: Partial<TagRule>): TagRule {
  return { key: 'env', required: true, allowedValues: [], pattern: null, caseSensitive: false, ...rule };
}

function aPolicy(policy: Partial<TagPolicy>): TagPolicy {
  const whole = { provider: null, accountId: null, resourceTypes: [], enabled: true, createdById: null };
  const at = new Date(0);
  return {
    id: 'p',
    organizationId: 'o',
    name: 'P',
    rules: [aRule({})],
    createdAt: at,
    updatedAt: at,
    ...whole,
    ...policy,
  };
}

function aResource(resource: Partial<TaggedResource>): TaggedResource {
  return { provider: 'aws', resourceType: 'Instance', tags: {}, ...resource };
}

/** The result of one rule for one resource's tags. */
function resultOf(rule: Partial<TagRule>, tags: Record<string, string>) {
  const [found, ...others] = checkerOf([aPolicy({ rules: [aRule(rule)] })])(aResource({ tags }));
  expect(others).toEqual([]);
  return found ? `${found.problem} ${found.value}` : 'kept';
}

describe('required tag', () => {
  it('is missing if the resource lacks the key', () => {
    expect(resultOf({}, { team: 'red' })).toBe('missing null');
    expect(resultOf({ required: false, allowedValues: ['prod'] }, { team: 'red' })).toBe('kept');
  });

  it('matches in any case, with or without the prefix of AWS, even with an empty value', () => {
    expect(resultOf({}, { Env: 'prod' })).toBe('kept');
    expect(resultOf({}, { 'user:ENV': 'prod' })).toBe('kept');
    expect(resultOf({}, { env: '' })).toBe('kept');
    expect(resultOf({}, { 'env ': 'prod' })).toBe('missing null');
  });

  it('may have a key that is a property of JavaScript objects', () => {
    expect(resultOf({ key: 'constructor' }, {})).toBe('missing null');
    expect(resultOf({ key: '__proto__' }, JSON.parse('{"__proto__": "x"}'))).toBe('kept');
  });
});

describe('allowed values', () => {
  const rule = { allowedValues: ['prod', 'dev'] };

  it('match in any case by default', () => {
    expect(resultOf(rule, { env: 'prod' })).toBe('kept');
    expect(resultOf(rule, { env: 'PROD' })).toBe('kept');
    expect(resultOf(rule, { env: 'production' })).toBe('value_not_allowed production');
    expect(resultOf(rule, { env: '' })).toBe('value_not_allowed ');
  });

  it('must match in case if the rule is case-sensitive', () => {
    const strict = { ...rule, caseSensitive: true };
    expect(resultOf(strict, { env: 'dev' })).toBe('kept');
    expect(resultOf(strict, { env: 'Dev' })).toBe('wrong_case Dev');
    expect(resultOf(strict, { Env: 'dev' })).toBe('wrong_case dev');
    expect(resultOf(strict, { Env: 'test' })).toBe('value_not_allowed test');
  });
});

describe('pattern', () => {
  it('must match the whole value', () => {
    const rule = { pattern: 'cc-\\d{4}' };
    expect(resultOf(rule, { env: 'cc-1234' })).toBe('kept');
    expect(resultOf(rule, { env: 'CC-1234' })).toBe('kept');
    expect(resultOf(rule, { env: 'cc-12345' })).toBe('pattern_mismatch cc-12345');
    expect(resultOf(rule, { env: 'x cc-1234' })).toBe('pattern_mismatch x cc-1234');
    expect(resultOf(rule, { env: 'cc-1234\n' })).toBe('pattern_mismatch cc-1234\n');
  });

  it('with alternatives also matches the longer one', () => {
    expect(resultOf({ pattern: 'a|ab' }, { env: 'ab' })).toBe('kept');
  });

  it('distinguishes wrong case from a mismatch', () => {
    const rule = { pattern: '[a-z]+', caseSensitive: true };
    expect(resultOf(rule, { env: 'abc' })).toBe('kept');
    expect(resultOf(rule, { env: 'Abc' })).toBe('wrong_case Abc');
    expect(resultOf(rule, { env: 'a1' })).toBe('pattern_mismatch a1');
  });

  it('is checked in addition to allowed values, whose problem takes precedence', () => {
    const rule = { allowedValues: ['a1', 'ab'], pattern: '[a-z]+' };
    expect(resultOf(rule, { env: 'ab' })).toBe('kept');
    expect(resultOf(rule, { env: 'a1' })).toBe('pattern_mismatch a1');
    expect(resultOf(rule, { env: '1' })).toBe('value_not_allowed 1');
  });

  it('cannot cause slow backtracking', () => {
    const startedAt = performance.now();
    expect(resultOf({ pattern: '(x+x+)+y' }, { env: 'x'.repeat(5_000) })).toMatch(/^pattern_mismatch/);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });
});

describe('keys that differ only in case', () => {
  it('are resolved to the first in code point order, as on bills', () => {
    expect(resultOf({ allowedValues: ['a'] }, { app: 'b', App: 'a', key: 'x', env: 'a' })).toBe('kept');
    expect(resultOf({ key: 'app', allowedValues: ['a'] }, { app: 'b', App: 'a' })).toBe('kept');
    expect(resultOf({ key: 'app', allowedValues: ['b'] }, { app: 'b', App: 'a' })).toBe('value_not_allowed a');
  });
});

describe('policy', () => {
  const problems = (policy: Partial<TagPolicy>, resource: Partial<TaggedResource>) =>
    checkerOf([aPolicy(policy)])(aResource(resource)).length;

  it('applies to resources of its provider', () => {
    expect(problems({ provider: 'aws' }, {})).toBe(1);
    expect(problems({ provider: 'azure' }, {})).toBe(0);
  });

  it('applies to its resource types in any case', () => {
    expect(problems({ resourceTypes: ['microsoft.compute/disks'] }, { resourceType: 'Microsoft.Compute/disks' })).toBe(
      1,
    );
    expect(problems({ resourceTypes: ['Bucket', 'Volume'] }, {})).toBe(0);
    expect(problems({ resourceTypes: [] }, { resourceType: '' })).toBe(1);
  });

  it('reports each violated rule, in addition to those of other policies', () => {
    const rules = [aRule({}), aRule({ key: 'team' }), aRule({ key: 'owner' })];
    const check = checkerOf([aPolicy({ id: 'a', rules }), aPolicy({ id: 'b' })]);
    expect(check(aResource({ tags: { team: 'red' } })).map(({ policyId, key }) => `${policyId} ${key}`)).toEqual([
      'a env',
      'a owner',
      'b env',
    ]);
  });
});
