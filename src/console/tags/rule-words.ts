import type { PolicyRule } from './queries.ts';

const shownValues = 4;

type Expectation = Omit<PolicyRule, 'key'>;

/** What a rule expects of a tag, in words, without its key. */
export function ruleWords(rule: Expectation): string {
  const parts = [rule.required ? 'required' : 'optional', ...valueParts(rule), rule.caseSensitive && 'case matters'];
  return parts.filter(Boolean).join(', ');
}

/** What a rule expects of the value alone. */
export function valueWords(rule: Expectation): string {
  return valueParts(rule).filter(Boolean).join(', ') || 'any value';
}

function valueParts({ allowedValues, pattern }: Expectation) {
  return [allowedValues.length > 0 && `one of ${valuesWords(allowedValues)}`, pattern !== null && `matches ${pattern}`];
}

function valuesWords(values: readonly string[]): string {
  const shown = values.slice(0, shownValues).map((value) => value || '(empty)');
  const left = values.length - shown.length;
  return left > 0 ? `${shown.join(', ')} and ${left} more` : shown.join(', ');
}
