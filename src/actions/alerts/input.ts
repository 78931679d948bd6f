import type { AlertMetric, AlertOperator } from '../../../prisma/generated/client/enums.ts';
import { notifiedFields, parseLine, parseWord, targetFields } from '../../analysis/budgets/target.ts';
import { arg, invalid } from '../../kit/errors/errors.ts';
import { keyMissing } from '../../kit/errors/refusals.ts';
import { parseAmount, parseDecimal, type Amount } from '../../kit/money.ts';
import { clearable, defaulted, given, required, type RecordChange, type RecordInput } from '../../kit/record-fields.ts';
import { tagKeyName } from '../../kit/tag-key.ts';
import { lineRule, nameRule, parseName, visibleLineRule } from '../../tenancy/login/input.ts';

const thresholdBelow = 1e15;
/** Bounds of a rule's threshold. */
const thresholdRule = { minimum: 1 - thresholdBelow, maximum: thresholdBelow - 1 } as const;
/** Bounds of a rule's tag. */
const tagKeyRule = { ...visibleLineRule, minLength: 1, maxLength: 256 } as const;
const tagValueRule = { ...lineRule, minLength: 0, maxLength: 512 } as const;

/** The fields of a rule that clients set. */
export const ruleFields = {
  name: required(parseName, nameRule),
  metric: required(given<AlertMetric>),
  operator: required(given<AlertOperator>),
  threshold: required(parseThreshold, thresholdRule),
  ...targetFields,
  tagKey: clearable(null, parseTagKey, tagKeyRule),
  tagValue: clearable(null, parseTagValue, tagValueRule),
  ...notifiedFields,
  enabled: defaulted(true, given<boolean>),
};

export type RuleInput = RecordInput<typeof ruleFields>;
export type RuleChange = RecordChange<typeof ruleFields>;

/** @throws {AppError} VALIDATION_ERROR for a value without a key */
export function checkTag({
  tagKey,
  tagValue,
}: {
  readonly tagKey: string | null;
  readonly tagValue: string | null;
}): void {
  if (tagKey === null && tagValue !== null) throw keyMissing('tag_value', tagValue);
}

function parseTagKey(key: string): string {
  const name = tagKeyName(parseWord(key, 'tag_key', tagKeyRule));
  if (name.trim() === '') throw invalid`${arg('tag_key', key)} must have text after the prefix`;
  return name;
}

/** Parses a tag value, which can be empty: clouds allow tags without a value. */
function parseTagValue(value: string): string {
  return parseLine(value, 'tag_value', tagValueRule);
}

/** Parses a threshold. Negative ones make sense for changes, and where credits exceed costs. */
function parseThreshold(threshold: number): Amount {
  if (Math.abs(threshold) >= thresholdBelow)
    throw invalid`${arg('threshold', threshold)} must be within ±${thresholdBelow.toLocaleString('en-US')}`;
  return parseAmount(parseDecimal(threshold, 'threshold'));
}
