import { RE2JS } from 're2js';
import { z } from 'zod';
import type { TagPolicy as PolicyRow } from '../../../../prisma/generated/client/client.ts';
import { arg, fix, invalid, mention } from '../../../kit/errors/errors.ts';
import { tagKeyName } from '../../../kit/tag-key.ts';
import { unprintable, visibleLineRule } from '../../../tenancy/login/input.ts';

const ruleSchema = z.object({
  /** Matches tags in any case. */
  key: z.string(),
  /** Whether a resource without the tag violates the rule. */
  required: z.boolean(),
  /** Empty: any value. */
  allowedValues: z.array(z.string()).readonly(),
  /** RE2 syntax, matched against the whole value. Null if any value is allowed. */
  pattern: z.string().nullable(),
  /** Whether the case of key and value must match the rule. */
  caseSensitive: z.boolean(),
});

/** A policy's requirement for one tag. */
export type TagRule = Readonly<z.output<typeof ruleSchema>>;

/** An organization's requirements for the tags of some of its resources. */
export type TagPolicy = Omit<PolicyRow, 'rules'> & { readonly rules: readonly TagRule[] };

/** Kind of a violation; `wrong_case`: correct except for upper and lower case. */
export type TagProblem = 'missing' | 'value_not_allowed' | 'pattern_mismatch' | 'wrong_case';

/** Parses the rules of a stored policy.
 *  @throws {ZodError} if they are invalid: only validated rules are stored */
export function parseRules(stored: unknown): TagRule[] {
  return z.array(ruleSchema).parse(stored);
}

/** Matches whole values, exactly or ignoring case. */
interface Pattern {
  /** Maximum steps per character of a value: repetitions count with their maximum number. */
  readonly steps: number;
  matches(value: string): boolean;
  matchesIgnoringCase(value: string): boolean;
}

/** Compiles a user-defined pattern. RE2 runs in time linear in the value and in `steps`; it rejects features that need more:
 *  backreferences and lookaround. Syntax: https://github.com/google/re2/wiki/Syntax
 *  @throws {Error} describing what is wrong with the pattern */
export function compilePattern(text: string): Pattern {
  const exact = RE2JS.compile(text);
  const folded = RE2JS.compile(text, RE2JS.CASE_INSENSITIVE);
  return {
    steps: Math.max(exact.programSize(), folded.programSize()),
    matches: (value) => exact.matches(value),
    matchesIgnoringCase: (value) => folded.matches(value),
  };
}

/** Request input of a rule. By default, the tag is required, and case is ignored. */
export type RuleInput = Pick<TagRule, 'key'> & {
  readonly [Field in Exclude<keyof TagRule, 'key'>]?: TagRule[Field] | null;
};

/** Limits of policies: enough for any organization, and few enough to evaluate all after each sync. */
export const policyLimits = {
  policies: 200,
  rules: 20,
  allowedValues: 200,
  resourceTypes: 200,
  keyCharacters: 256,
  valueCharacters: 512,
  patternCharacters: 512,
  // At worst 25 ms for a value of 256 characters.
  patternSteps: 1_000,
  wordCharacters: 200,
} as const;

const wordRule = { ...visibleLineRule, minLength: 1 } as const;

/** Bounds of the parts of a policy. */
export const rulesRule = { minItems: 1, maxItems: policyLimits.rules } as const;
export const ruleKeyRule = { ...wordRule, maxLength: policyLimits.keyCharacters } as const;
export const allowedValuesRule = {
  maxItems: policyLimits.allowedValues,
  items: { maxLength: policyLimits.valueCharacters },
} as const;
export const patternRule = { format: 'regex', minLength: 1, maxLength: policyLimits.patternCharacters } as const;
export const resourceTypesRule = {
  maxItems: policyLimits.resourceTypes,
  items: { ...wordRule, maxLength: policyLimits.wordCharacters },
} as const;

/** Parses the rules of a policy.
 *  @throws {AppError} VALIDATION_ERROR naming the rule and the field */
export function parsePolicyRules(rules: readonly RuleInput[]): TagRule[] {
  if (rules.length === 0) throw invalid`${arg('rules')} must contain at least one rule`;
  if (rules.length > policyLimits.rules)
    throw invalid`${arg('rules')} takes at most ${policyLimits.rules} rules, not ${rules.length}${fix}put the rest in another policy`;
  const seen = new Set<string>();
  return rules.map((input, index) => {
    const rule = parseRule(input, `rules[${index}]`);
    const folded = rule.key.toLowerCase();
    if (seen.has(folded))
      throw invalid`${arg(`rules[${index}].key`, rule.key)} already has a rule: keys are compared ignoring case`;
    seen.add(folded);
    return rule;
  });
}

function parseRule(input: RuleInput, at: string): TagRule {
  const rule = {
    key: tagKeyName(parseText(input.key, `${at}.key`, policyLimits.keyCharacters)),
    required: input.required ?? true,
    allowedValues: parseValues(input.allowedValues ?? [], `${at}.allowed_values`),
    pattern: parsePattern(input.pattern ?? null, `${at}.pattern`),
    caseSensitive: input.caseSensitive ?? false,
  };
  if (rule.key === '') throw invalid`${arg(`${at}.key`, input.key)} must have text after the prefix`;
  if (!rule.required && rule.allowedValues.length === 0 && rule.pattern === null && !rule.caseSensitive)
    throw invalid`${arg(at)} has no condition${fix}set required, ${mention('allowed_values')}, pattern or ${mention('case_sensitive')}`;
  return rule;
}

function parseValues(values: readonly string[], at: string): string[] {
  if (values.length > policyLimits.allowedValues)
    throw invalid`${arg(at)} takes at most ${policyLimits.allowedValues} values, not ${values.length}${fix}use a pattern`;
  values.forEach((value, index) => {
    const length = [...value].length;
    if (length > policyLimits.valueCharacters)
      throw invalid`${arg(`${at}[${index}]`)} has ${length} characters; at most ${policyLimits.valueCharacters} are allowed`;
  });
  return [...new Set(values)];
}

function parsePattern(pattern: string | null, at: string): string | null {
  if (pattern === null) return null;
  const length = [...pattern].length;
  if (length === 0 || length > policyLimits.patternCharacters)
    throw invalid`${arg(at)} must have 1 to ${policyLimits.patternCharacters} characters, not ${length}`;
  const steps = stepsOf(pattern, at);
  if (steps > policyLimits.patternSteps)
    throw invalid`${arg(at, pattern)} needs ${steps} steps per character; at most ${policyLimits.patternSteps} are allowed${fix}use fewer repetitions`;
  return pattern;
}

function stepsOf(pattern: string, at: string): number {
  try {
    return compilePattern(pattern).steps;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw invalid`${arg(at, pattern)} is not a valid RE2 pattern: ${reason}`;
  }
}

/** Parses the resource types of a policy; an empty list means every type.
 *  @throws {AppError} VALIDATION_ERROR naming the entry */
export function parseResourceTypes(types: readonly string[]): string[] {
  if (types.length > policyLimits.resourceTypes)
    throw invalid`${arg('resource_types')} takes at most ${policyLimits.resourceTypes} types, not ${types.length}`;
  const parsed = types.map((type, index) => parseText(type, `resource_types[${index}]`, policyLimits.wordCharacters));
  return [...new Map(parsed.map((type) => [type.toLowerCase(), type])).values()];
}

function parseText(text: string, at: string, characters: number): string {
  const length = [...text].length;
  if (length === 0 || length > characters)
    throw invalid`${arg(at)} must have 1 to ${characters} characters, not ${length}`;
  if (text.trim() === '') throw invalid`${arg(at, text)} is blank${fix}give a name as used by the provider`;
  if (unprintable.test(text)) throw invalid`${arg(at)} must not contain control characters`;
  return text;
}
