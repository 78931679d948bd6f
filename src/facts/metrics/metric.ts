import type { MetricDirection } from '../../../prisma/generated/client/enums.ts';
import { arg, fix, invalid } from '../../kit/errors/errors.ts';
import { defaulted, given, required, type RecordChange, type RecordInput } from '../../kit/record-fields.ts';
import { nameRule, parseName } from '../../tenancy/login/input.ts';

/** The fields of a metric that unit costs use. */
export interface Metric {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly unit: string;
  readonly direction: MetricDirection;
  /** Changes with its values. */
  readonly valuesVersion: number;
}

/** Bounds of a key. */
export const keyRule = { minLength: 1, maxLength: 64, pattern: '^[A-Za-z][A-Za-z0-9_.-]*$' } as const;
const keyForm = new RegExp(keyRule.pattern);
/** Bounds of a unit. */
const unitRule = { ...nameRule, maxLength: 50 } as const;

/** The fields of a metric that clients set. */
export const metricFields = {
  key: required(parseKey, keyRule),
  name: required(parseName, nameRule),
  unit: required(parseUnit, unitRule),
  direction: defaulted<MetricDirection, MetricDirection>('lower_is_better', given),
};

export type MetricInput = RecordInput<typeof metricFields>;
export type MetricChange = RecordChange<typeof metricFields>;

/** Parses the key of a metric: keys are case-insensitive and are stored in lower case.
 *  @throws {AppError} VALIDATION_ERROR naming the field */
export function parseKey(text: string, field: string): string {
  if (text.length > keyRule.maxLength || !keyForm.test(text))
    throw invalid`${arg(field, text)} is not a key${fix}use a letter and then letters, digits, ".", "_" or "-", at most ${keyRule.maxLength} characters, such as orders`;
  return text.toLowerCase();
}

function parseUnit(text: string, field: string): string {
  const unit = parseName(text, field);
  const length = [...unit].length;
  if (length > unitRule.maxLength)
    throw invalid`${arg(field)} must have at most ${unitRule.maxLength} characters, not ${length}`;
  return unit;
}
