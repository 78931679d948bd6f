import type { AlertMetric, AlertOperator } from '../../../prisma/generated/client/enums.ts';
import { parseEmails, parseLine, parseService, parseWord } from '../../analysis/budgets/target.ts';
import { parseProviderOrNull } from '../../facts/provider.ts';
import { arg, invalid } from '../../kit/errors/errors.ts';
import { keyMissing, notNull, unchanged } from '../../kit/errors/refusals.ts';
import { parseAmount, parseDecimal, type Amount } from '../../kit/money.ts';
import { tagKeyName } from '../../kit/tag-key.ts';
import { lineRule, parseName, visibleLineRule } from '../../tenancy/login/input.ts';
import type { RuleValues } from './rule.ts';

/** Request input of a rule. */
export interface RuleInput {
  readonly name: string;
  readonly metric: AlertMetric;
  readonly operator: AlertOperator;
  readonly threshold: number;
  readonly accountId?: string | null;
  readonly provider?: string | null;
  readonly service?: string | null;
  readonly tagKey?: string | null;
  readonly tagValue?: string | null;
  readonly emails?: readonly string[] | null;
  readonly slack?: boolean | null;
  readonly enabled?: boolean | null;
}

/** Changes to a rule: absent fields stay unchanged, null clears optional ones. */
export type RuleChange = { readonly id: string } & {
  readonly [Field in keyof RuleInput]?: RuleInput[Field] | null;
};

/** Limits per organization: all rules are evaluated after each evaluation of an account. */
export const ruleLimits = { rules: 200 } as const;

const thresholdBelow = 1e15;
/** Bounds of a rule's threshold. */
export const thresholdRule = { minimum: 1 - thresholdBelow, maximum: thresholdBelow - 1 } as const;
/** Bounds of a rule's tag. */
export const tagKeyRule = { ...visibleLineRule, minLength: 1, maxLength: 256 } as const;
export const tagValueRule = { ...lineRule, minLength: 0, maxLength: 512 } as const;

/** Parses the input of a rule.
 *  @throws {AppError} VALIDATION_ERROR naming the field */
export function parseRule(input: RuleInput): RuleValues {
  const values = {
    name: parseName(input.name, 'name'),
    metric: input.metric,
    operator: input.operator,
    threshold: parseThreshold(input.threshold),
    accountId: input.accountId ?? null,
    provider: parseProviderOrNull(input.provider ?? null),
    service: parseService(input.service ?? null),
    tagKey: parseTagKey(input.tagKey ?? null),
    tagValue: parseTagValue(input.tagValue ?? null),
    emails: parseEmails(input.emails ?? []),
    slack: input.slack ?? false,
    enabled: input.enabled ?? true,
  };
  checkTag(values);
  return values;
}

const mandatory = ['name', 'metric', 'operator', 'threshold', 'slack', 'enabled'] as const;
const clearable = ['account_id', 'provider', 'service', 'tag_key', 'tag_value', 'emails'] as const;

/** Parses changes to a rule. Its tag is validated later, when key and value are both known: `checkTag`.
 *  @throws {AppError} VALIDATION_ERROR naming the field, or when nothing is given */
export function parseRuleChange(change: Omit<RuleChange, 'id'>): Partial<RuleValues> {
  for (const field of mandatory) if (change[field] === null) throw notNull(field);
  const { name, metric, operator, threshold, slack, enabled } = change;
  const { accountId, provider, service, tagKey, tagValue, emails } = change;
  const changes = {
    ...(typeof name === 'string' && { name: parseName(name, 'name') }),
    ...(metric && { metric }),
    ...(operator && { operator }),
    ...(typeof threshold === 'number' && { threshold: parseThreshold(threshold) }),
    ...(accountId !== undefined && { accountId }),
    ...(provider !== undefined && { provider: parseProviderOrNull(provider) }),
    ...(service !== undefined && { service: parseService(service) }),
    ...(tagKey !== undefined && { tagKey: parseTagKey(tagKey) }),
    ...(tagValue !== undefined && { tagValue: parseTagValue(tagValue) }),
    ...(emails !== undefined && { emails: parseEmails(emails ?? []) }),
    ...(typeof slack === 'boolean' && { slack }),
    ...(typeof enabled === 'boolean' && { enabled }),
  };
  if (Object.keys(changes).length === 0) throw unchanged(...mandatory, ...clearable);
  return changes;
}

/** @throws {AppError} VALIDATION_ERROR for a value without a key */
export function checkTag({ tagKey, tagValue }: Pick<RuleValues, 'tagKey' | 'tagValue'>): void {
  if (tagKey === null && tagValue !== null) throw keyMissing('tag_value', tagValue);
}

function parseTagKey(key: string | null): string | null {
  if (key === null) return null;
  const name = tagKeyName(parseWord(key, 'tag_key', tagKeyRule));
  if (name.trim() === '') throw invalid`${arg('tag_key', key)} must have text after the prefix`;
  return name;
}

/** Parses a tag value, which can be empty: clouds allow tags without a value. */
function parseTagValue(value: string | null): string | null {
  return value === null ? null : parseLine(value, 'tag_value', tagValueRule);
}

/** Parses a threshold. Negative ones make sense for changes, and where credits exceed costs. */
function parseThreshold(threshold: number): Amount {
  if (Math.abs(threshold) >= thresholdBelow)
    throw invalid`${arg('threshold', threshold)} must be within ±${thresholdBelow.toLocaleString('en-US')}`;
  return parseAmount(parseDecimal(threshold, 'threshold'));
}
