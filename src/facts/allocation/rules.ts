import { z } from 'zod';
import { arg, argItem, choice, fix, invalid, mention } from '../../kit/errors/errors.ts';
import { lineRule, unprintable, visibleLineRule } from '../../tenancy/login/input.ts';
import { dimensionNames, parseDimension, type Dimension } from '../costs/dimensions.ts';
import { spelled } from '../costs/breakdown/question.ts';

/** Operators of conditions. `not_in` also matches charges without a value. */
const operators = ['in', 'not_in', 'starts_with', 'contains', 'exists', 'missing'] as const;

/** Transforms of a dimension's value. */
const transforms = ['none', 'lower', 'strip_prefix'] as const;

const conditionSchema = z.object({
  /** A named dimension, or `tag:KEY`. */
  dimension: z.string().transform((text) => text as Dimension),
  operator: z.enum(operators),
  /** Empty for `exists` and `missing`. */
  values: z.array(z.string()).readonly(),
});

const derivedSchema = z.object({
  dimension: z.string().transform((text) => text as Dimension),
  transform: z.enum(transforms),
  /** For `strip_prefix`; null otherwise. */
  prefix: z.string().nullable(),
});

const ruleSchema = z.object({
  /** The value of matching charges; null if it comes from `valueFrom`. */
  value: z.string().nullable(),
  /** Charges without a value there do not match. */
  valueFrom: derivedSchema.nullable(),
  /** All must match. */
  conditions: z.array(conditionSchema).readonly(),
});

/** A condition of a rule on one dimension of a charge. */
export type Condition = Readonly<z.output<typeof conditionSchema>>;
/** A value that comes from a dimension of the charge. */
export type DerivedValue = Readonly<z.output<typeof derivedSchema>>;
/** A rule of a virtual tag. */
export type AllocationRule = Readonly<z.output<typeof ruleSchema>>;

/** Parses the rules of a stored virtual tag.
 *  @throws {ZodError} if they are invalid: only validated rules are stored */
export function storedRules(stored: unknown): AllocationRule[] {
  return z.array(ruleSchema).parse(stored);
}

/** Input of a condition. */
export interface ConditionInput {
  readonly dimension: string;
  readonly operator: Condition['operator'];
  readonly values?: readonly string[] | null;
}

/** Input of a rule. */
export interface AllocationRuleInput {
  readonly value?: string | null;
  readonly valueFrom?: {
    readonly dimension: string;
    readonly transform?: DerivedValue['transform'] | null;
    readonly prefix?: string | null;
  } | null;
  readonly conditions?: readonly ConditionInput[] | null;
}

/** Limits of virtual tags: a CASE of so many rules is evaluated in seconds for millions of charges. `allValues` is the number of
 *  values in all conditions: 10,000 take up to 24 seconds, and 50,000 more memory than the engine has. */
export const allocationLimits = {
  tags: 50,
  rules: 500,
  conditions: 10,
  values: 500,
  allValues: 5000,
  characters: 200,
} as const;

/** Bounds of the parts of a rule, for the API documents. */
export const allocationRulesRule = { minItems: 1, maxItems: allocationLimits.rules } as const;
export const conditionsRule = { maxItems: allocationLimits.conditions } as const;
export const conditionValuesRule = {
  maxItems: allocationLimits.values,
  items: { ...lineRule, minLength: 1, maxLength: allocationLimits.characters },
} as const;
export const valueRule = { ...visibleLineRule, minLength: 1, maxLength: allocationLimits.characters } as const;
export const ruleDimensionRule = {
  pattern: `^(${dimensionNames.join('|')}|tag:.*[^\\s:])$`,
  maxLength: allocationLimits.characters,
} as const;

/** Parses the rules of a virtual tag.
 *  @throws {AppError} VALIDATION_ERROR naming the rule and the field */
export function parseRules(rules: readonly AllocationRuleInput[]): AllocationRule[] {
  if (rules.length === 0) throw invalid`${arg('rules')} must contain at least one rule`;
  if (rules.length > allocationLimits.rules)
    throw invalid`${arg('rules')} takes at most ${allocationLimits.rules} rules, not ${rules.length}${fix}list several values in one condition, or take values from a tag with ${mention('value_from')}`;
  const conditions = rules.flatMap((rule) => rule.conditions ?? []);
  const count = conditions.reduce((sum, { values }) => sum + (values?.length ?? 0), 0);
  if (count > allocationLimits.allValues)
    throw invalid`${arg('rules')} can have at most ${allocationLimits.allValues} values in all conditions, not ${count}${fix}use ${choice('operator', 'starts_with')}, or take values from a tag with ${mention('value_from')}`;
  const spellings = new Map<string, string>();
  return rules.map((input, index) => {
    const rule = parseRule(input, `rules[${index}]`);
    if (rule.value === null) return rule;
    const folded = rule.value.toLowerCase();
    const known = spellings.get(folded) ?? rule.value;
    if (known !== rule.value)
      throw invalid`${arg(`rules[${index}].value`, rule.value)} differs from "${known}" of an earlier rule in case only${fix}use one spelling`;
    spellings.set(folded, known);
    return rule;
  });
}

function parseRule(input: AllocationRuleInput, at: string): AllocationRule {
  const { value = null, valueFrom = null } = input;
  if ((value === null) === (valueFrom === null))
    throw invalid`${arg(at)} must have either value or ${mention('value_from')}`;
  const conditions = input.conditions ?? [];
  if (conditions.length === 0 && valueFrom === null)
    throw invalid`${arg(`${at}.conditions`)} must contain at least one condition${fix}to give all other charges a value, set ${mention('default_value')}`;
  if (conditions.length > allocationLimits.conditions)
    throw invalid`${arg(`${at}.conditions`)} takes at most ${allocationLimits.conditions} conditions, not ${conditions.length}`;
  return {
    value: value === null ? null : parseValue(value, `${at}.value`),
    valueFrom: valueFrom && parseDerived(valueFrom, `${at}.value_from`),
    conditions: conditions.map((condition, index) => parseCondition(condition, `${at}.conditions[${index}]`)),
  };
}

function parseDerived(input: NonNullable<AllocationRuleInput['valueFrom']>, at: string): DerivedValue {
  const dimension = parseChargeDimension(input.dimension, `${at}.dimension`);
  const transform = input.transform ?? 'none';
  const prefix = input.prefix ?? null;
  if ((transform === 'strip_prefix') !== (prefix !== null && prefix !== ''))
    throw invalid`${arg(`${at}.prefix`)} is required with ${mention(`${at}.transform`)} strip_prefix, and not allowed otherwise`;
  return { dimension, transform, prefix: prefix === null ? null : parseText(prefix, `${at}.prefix`) };
}

function parseCondition({ dimension: named, operator, values }: ConditionInput, at: string): Condition {
  const dimension = parseChargeDimension(named, `${at}.dimension`);
  const listed = values ?? [];
  const takesValues = operator !== 'exists' && operator !== 'missing';
  if (takesValues && listed.length === 0)
    throw invalid`${arg(`${at}.values`)} must contain at least one value for the operator ${operator}`;
  if (!takesValues && listed.length > 0)
    throw invalid`${arg(`${at}.values`)} must be empty for the operator ${operator}`;
  if (listed.length > allocationLimits.values)
    throw invalid`${arg(`${at}.values`)} takes at most ${allocationLimits.values} values, not ${listed.length}`;
  const isExact = operator === 'in' || operator === 'not_in';
  const parsed = listed.map((value, index) => {
    const item = (text: string) => argItem(`${at}.values`, { index, count: 2, value: text });
    const text = parseText(value, `${at}.values[${index}]`);
    return isExact ? spelled(dimension, text, item) : text;
  });
  return { dimension, operator, values: [...new Set(parsed)] };
}

/** Parses a dimension that charges have by themselves, which virtual tags are not: rules cannot form a cycle. */
function parseChargeDimension(text: string, at: string): Dimension {
  if (text.startsWith('virtual:'))
    throw invalid`${arg(at, text)} is a virtual tag, which rules cannot use${fix}use the dimensions of that tag’s rules`;
  return parseDimension(parseText(text, at), at);
}

/** Parses a value that a charge can get.
 *  @throws {AppError} VALIDATION_ERROR */
export function parseValue(value: string, at: string): string {
  const text = parseText(value, at).trim();
  if (text === '') throw invalid`${arg(at, value)} is blank${fix}give a name, such as a team’s`;
  return text;
}

function parseText(text: string, at: string): string {
  const { length } = [...text];
  if (length === 0 || length > allocationLimits.characters)
    throw invalid`${arg(at)} must have 1 to ${allocationLimits.characters} characters, not ${length}`;
  if (unprintable.test(text)) throw invalid`${arg(at)} must not contain control characters`;
  return text;
}
