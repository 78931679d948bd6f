import { z } from 'zod';

const money = z.number();

/** Of `/tags`. */
export const tagKeyShape = z.object({
  key: z.string(),
  value_count: z.int(),
  resource_count: z.int(),
  cost_last_30_days: money,
  currency: z.string(),
  coverage_percent: z.number().nullable(),
});

export const tagProblems = ['missing', 'value_not_allowed', 'pattern_mismatch', 'wrong_case'] as const;

const violation = {
  policy_name: z.string(),
  key: z.string(),
  problem: z.enum(tagProblems),
  value: z.string().nullable(),
  cost_last_30_days: money,
  currency: z.string(),
};

/** Of `/tags/violations`. */
export const violationShape = z.object({
  ...violation,
  resource: z.object({
    id: z.string(),
    name: z.string(),
    native_id: z.string(),
    resource_type: z.string(),
    account_id: z.string(),
  }),
});

/** The same as it is answered. */
export const violationOutput = z.object({
  ...violation,
  problem: z.string(),
  resource_id: z.string(),
  resource_name: z.string(),
  native_id: z.string(),
  resource_type: z.string(),
  account_id: z.string(),
});

const policy = {
  id: z.string(),
  name: z.string(),
  enabled: z.boolean(),
  violation_count: z.int(),
  evaluating: z.boolean(),
  provider: z.string().nullable(),
  account_id: z.string().nullable(),
  resource_types: z.array(z.string()),
};

/** What a policy expects of one tag. */
export const ruleShape = z.object({
  key: z.string(),
  required: z.boolean(),
  allowed_values: z.array(z.string()),
  pattern: z.string().nullable(),
  case_sensitive: z.boolean(),
});

/** Of `/tag-policies`. */
export const policyShape = z.object({ ...policy, rules: z.array(ruleShape) });

/** The same as it is answered: its rules in words. */
export const policyOutput = z.object({ ...policy, rules: z.array(z.string()) });
