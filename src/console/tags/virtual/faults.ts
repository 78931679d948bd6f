import type { Refusal } from '../../api/refusal.ts';
import { sentence } from '../../words/format.ts';
import { percentOf, takesValues, type Draft, type DraftCondition, type DraftRule, type DraftSplit } from './draft.ts';

/** Errors by field path, spelled as in the API: `rules[2].conditions[0].values`. */
export type Faults = Readonly<Partial<Record<string, string>>>;

/** Validates what the client can check; the API validates the rest. */
export function faultsOf({ key, name, defaultValue, rules, splits }: Draft): Faults {
  return Object.fromEntries([
    ...(name.trim() === '' ? [['name', 'Enter a name']] : []),
    ...(key === '' || /^[a-z0-9][a-z0-9_.-]{0,59}$/.test(key)
      ? []
      : [['key', 'Use lowercase letters, digits, “.”, “_” and “-”; start with a letter or digit']]),
    ...(defaultValue.trim() === '' ? [['defaultValue', 'Enter a value']] : []),
    ...rulesFaults(rules),
    ...splits.flatMap((split, index) => splitFaults(split, `splits[${index}]`)),
  ]);
}

type Found = [path: string, fault: string];

/** Errors in rules; without any, the API can preview them. */
export function rulesFaults(rules: readonly DraftRule[]): Found[] {
  return rules.length === 0
    ? [['rules', 'Add at least one rule']]
    : rules.flatMap((rule, index) => ruleFaults(rule, `rules[${index}]`));
}

function ruleFaults({ kind, value, dimension, transform, prefix, conditions }: DraftRule, at: string): Found[] {
  const found: Found[] = conditions.flatMap((condition, index) =>
    conditionFaults(condition, `${at}.conditions[${index}]`),
  );
  if (kind === 'value') {
    if (value.trim() === '') found.push([`${at}.value`, 'Enter a value']);
    if (conditions.length === 0) found.push([`${at}.conditions`, 'Add at least one condition']);
    return found;
  }
  if (dimension === '') found.push([`${at}.valueFrom.dimension`, 'Choose a dimension']);
  if (transform === 'STRIP_PREFIX' && prefix === '') found.push([`${at}.valueFrom.prefix`, 'Enter the prefix']);
  return found;
}

function conditionFaults({ dimension, operator, values }: DraftCondition, at: string): Found[] {
  if (dimension === '') return [[`${at}.dimension`, 'Choose a dimension']];
  return takesValues(operator) && values.length === 0 ? [[`${at}.values`, 'Enter at least one value']] : [];
}

function splitFaults(split: DraftSplit, at: string): Found[] {
  const { name, sourceValues, method, isForAll, targets, shares, metricId } = split;
  const found: Found[] = [];
  if (name.trim() === '') found.push([`${at}.name`, 'Enter a name']);
  if (sourceValues.length === 0) found.push([`${at}.sourceValues`, 'Enter at least one value']);
  if (method === 'METRIC' && metricId === null) found.push([`${at}.metricId`, 'Choose a unit metric']);
  if (method !== 'FIXED') {
    if (!isForAll && targets.length === 0) found.push([`${at}.targets`, 'Enter at least one value']);
    return found;
  }
  for (const [index, { value, percent }] of shares.entries()) {
    if (value.trim() === '') found.push([`${at}.shares[${index}].value`, 'Enter a value']);
    if (percent === null || percent <= 0) found.push([`${at}.shares[${index}].percent`, 'Enter a percentage above 0']);
  }
  if (shares.length === 0) found.push([`${at}.shares`, 'Add at least one target']);
  else if (percentOf(shares) !== 100) found.push([`${at}.shares`, 'The percentages must add up to 100%']);
  return found;
}

/** Items of these lists share one field. */
const inOneField = /\.(values|sourceValues|targets)\[\d+\]$/;

/** Maps an API error to the path of its field; empty if it names none. */
export function faultsOfRefusal(refusal: Refusal): Faults {
  const { field } = refusal;
  if (refusal.code !== 'VALIDATION_ERROR' && refusal.code !== 'CONFLICT') return {};
  if (field === null) return {};
  return { [field.replace(inOneField, '.$1').replace(/\.shares\[\d+\]$/, '$&.value')]: sentence(refusal.rest) };
}

/** Whether a part of the form, such as `rules[2]`, has an error. */
export function isFaulty(faults: Faults, at: string): boolean {
  return Object.keys(faults).some((path) => path === at || isWithin(path, at));
}

/** Errors outside a part of the form; none for `''`, which is the whole form. */
export function faultsWithout(faults: Faults, at: string): Faults {
  if (at === '') return {};
  return Object.fromEntries(Object.entries(faults).filter(([path]) => path !== at && !isWithin(path, at)));
}

function isWithin(path: string, at: string): boolean {
  return path.startsWith(`${at}.`) || path.startsWith(`${at}[`);
}
