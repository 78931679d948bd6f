import type { z } from 'zod';
import { cut } from '../../cut.ts';
import type { Limits } from '../../fit.ts';
import type { policyOutput, policyShape, ruleShape, tagKeyShape, violationOutput, violationShape } from './shapes.ts';

// Tags and names come from clouds, where they may be long; the lists of a policy are as long as its author made them.

type TagKey = z.output<typeof tagKeyShape>;
type Rule = z.output<typeof ruleShape>;

/** A tag key within limits. */
export function shownKey(key: TagKey, { text }: Limits): TagKey {
  return { ...key, key: cut(key.key, text) };
}

/** A violation within limits. */
export function shownViolation(
  { resource, ...violation }: z.output<typeof violationShape>,
  { text }: Limits,
): z.input<typeof violationOutput> {
  const { policy_name: policy, key, value } = violation;
  return {
    ...violation,
    policy_name: cut(policy, text),
    key: cut(key, text),
    value: value === null ? null : cut(value, text),
    resource_id: resource.id,
    resource_name: cut(resource.name, text),
    native_id: cut(resource.native_id, text),
    resource_type: cut(resource.resource_type, text),
    account_id: resource.account_id,
  };
}

/** A policy within limits, its rules in words. */
export function shownPolicy(policy: z.output<typeof policyShape>, limits: Limits): z.input<typeof policyOutput> {
  return {
    ...policy,
    name: cut(policy.name, limits.text),
    provider: policy.provider === null ? null : cut(policy.provider, limits.text),
    resource_types: listed(policy.resource_types, limits),
    rules: listed(policy.rules.map(ruleText), { ...limits, text: limits.text * 2 }),
  };
}

/** A rule in words, such as `env: required; one of "prod", "test"; in this case`. */
export function ruleText({ key, required, allowed_values: values, pattern, case_sensitive: isExact }: Rule): string {
  return [
    `${key}: ${required ? 'required' : 'optional'}`,
    ...(values.length > 0 ? [`one of ${values.map((value) => JSON.stringify(value)).join(', ')}`] : []),
    ...(pattern === null ? [] : [`matches ${pattern}`]),
    ...(isExact ? ['spelled in this case'] : []),
  ].join('; ');
}

function listed(texts: readonly string[], { text, entries }: Limits): string[] {
  const left = texts.length - entries;
  return [...texts.slice(0, entries).map((each) => cut(each, text)), ...(left > 0 ? [`… ${left} more`] : [])];
}
