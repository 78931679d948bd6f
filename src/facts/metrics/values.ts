import { createHash } from 'node:crypto';
import { Decimal } from 'decimal.js';
import { arg, fix, invalid, not } from '../../kit/errors/errors.ts';
import { givenDecimals } from '../../kit/money.ts';
import { compare } from '../../kit/sort.ts';
import { parseDay, type Day } from '../../kit/time/period.ts';
import { unprintable, visibleLineRule } from '../../tenancy/login/input.ts';

/** The quantity of a day, as clients send it. */
export interface ValueInput {
  readonly date: string;
  readonly value: number;
  readonly labels?: object | null;
}

/** Names with values, sorted by name. */
export type Labels = Readonly<Record<string, string>>;

/** The quantity of a day and a set of labels. */
export interface MetricValue {
  readonly date: Day;
  readonly labels: Labels;
  /** Exact decimal. */
  readonly value: string;
}

/** Bounds of the values in one request. */
export const valuesRule = { maxItems: 10_000 } as const;
/** Significant digits that a JSON number keeps exactly, so that JSON and CSV mean the same. */
const mostDigits = 15;
/** Bounds of a value. */
export const valueRule = { minimum: 0, maximum: 1e15, exclusiveMaximum: true } as const;
const nameCharacters = 64;
const textCharacters = 256;
/** Bounds of a set of labels. */
export const labelsRule = {
  maxProperties: 10,
  additionalProperties: { type: 'string', minLength: 1, maxLength: textCharacters, ...visibleLineRule },
} as const;

/** Bounds of label filters. */
export const labelFilterRule = {
  maxItems: labelsRule.maxProperties,
  items: { pattern: '^[^:\\s][^:]*:[\\s\\S]*\\S[\\s\\S]*$' },
} as const;

/** Names a field of a value: `values[3].date` in JSON, `date in line 5` in CSV. */
export type At = (index: number, field: 'date' | 'value' | 'labels') => string;

/** Validates the values of a request.
 *  @param whole names a value as a whole
 *  @throws {AppError} VALIDATION_ERROR naming the first value at fault */
export function parseValues(
  inputs: readonly ValueInput[],
  at: At = (index, field) => `values[${index}].${field}`,
  whole = (index: number) => `values[${index}]`,
): MetricValue[] {
  if (inputs.length > valuesRule.maxItems)
    throw invalid`${arg('values')} takes at most ${valuesRule.maxItems} values at once, not ${inputs.length}${fix}send them in several requests`;
  const seen = new Set<string>();
  return inputs.map((input, index) => {
    const value = parseValue(input, (field) => at(index, field));
    const key = `${value.date} ${JSON.stringify(value.labels)}`;
    if (seen.has(key))
      throw invalid`${arg(whole(index))} repeats ${value.date} with the same labels${fix}send each day and set of labels once`;
    seen.add(key);
    return value;
  });
}

function parseValue({ date, value, labels }: ValueInput, at: (field: 'date' | 'value' | 'labels') => string) {
  const day = parseDay(date);
  if (day === null) throw invalid`${arg(at('date'), date)} is not a calendar day such as 2026-01-31`;
  return { date: day, value: parseQuantity(value, at('value')), labels: parseLabels(labels ?? {}, at('labels')) };
}

/** Parses the decimal that a number was written as. Negative quantities are rejected: they have no cost per unit. */
function parseQuantity(value: number, field: string): string {
  const exact = new Decimal(value);
  if (exact.isNegative() && !exact.isZero()) throw invalid`${arg(field, value)} must be 0 or more`;
  if (exact.decimalPlaces() > givenDecimals || exact.precision() > mostDigits || exact.gte(valueRule.maximum))
    throw invalid`${arg(field, value)} must have at most ${mostDigits} significant digits and ${givenDecimals} decimals${fix}round it`;
  return exact.abs().toFixed();
}

/** Parses labels and sorts them by name, so that equal sets are equal strings.
 *  @throws {AppError} VALIDATION_ERROR naming the field */
function parseLabels(labels: object, field: string): Labels {
  const entries = Object.entries(labels as Record<string, unknown>);
  if (entries.length > labelsRule.maxProperties)
    throw invalid`${arg(field)} has ${entries.length} labels; at most ${labelsRule.maxProperties} are allowed`;
  for (const [name, text] of entries) {
    if (name.trim() !== name || name === '' || name.includes(':') || !isLine(name, nameCharacters))
      throw invalid`${arg(field, name)} is not a label name${fix}use 1 to ${nameCharacters} characters on one line, without a colon`;
    if (typeof text !== 'string') throw invalid`${arg(`${field}.${name}`, not('other JSON', null))} must be a string`;
    if (text.trim() === '' || !isLine(text, textCharacters))
      throw invalid`${arg(`${field}.${name}`, text)} is not a label value${fix}use 1 to ${textCharacters} characters on one line, or leave the label out`;
  }
  return Object.fromEntries((entries as [string, string][]).toSorted(([one], [other]) => compare(one, other)));
}

function isLine(text: string, most: number): boolean {
  return [...text].length <= most && text.isWellFormed() && !unprintable.test(text);
}

/** Identifies a set of labels within a day. */
export function digestOf(labels: Labels): string {
  return createHash('sha256')
    .update(JSON.stringify(Object.entries(labels)))
    .digest('hex')
    .slice(0, 32);
}

/** Parses label filters written as `NAME:VALUE`; several must all match.
 *  @throws {AppError} VALIDATION_ERROR naming the filter */
export function parseLabelFilters(texts: readonly string[] | null | undefined): Labels {
  const { maxItems } = labelFilterRule;
  if (texts && texts.length > maxItems)
    throw invalid`${arg('label')} has ${texts.length} labels; at most ${maxItems} are allowed`;
  const pairs = (texts ?? []).map((text, index): [string, string] => {
    const [, name = '', value = ''] = /^([^:]+):(.+)$/su.exec(text) ?? [];
    if (name.trim() !== name || name === '' || value.trim() === '')
      throw invalid`${arg(`label[${index}]`, text, 'label')} is not a label${fix}write NAME:VALUE, such as region:eu`;
    return [name, value];
  });
  const names = pairs.map(([name]) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw invalid`${arg('label')} repeats ${twice}${fix}give each label once`;
  return Object.fromEntries(pairs.toSorted(([one], [other]) => compare(one, other)));
}
