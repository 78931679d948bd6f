import type { PolicyRule } from './queries.ts';

const shownValues = 4;

/** What a rule expects of a tag, in words, without its key. */
export function ruleWords({ required, allowedValues, pattern, caseSensitive }: Omit<PolicyRule, 'key'>): string {
  const parts = [
    required ? 'required' : 'optional',
    allowedValues.length > 0 && `one of ${valuesWords(allowedValues)}`,
    pattern !== null && `matches ${pattern}`,
    caseSensitive && 'spelled exactly so',
  ];
  return parts.filter(Boolean).join(', ');
}

function valuesWords(values: readonly string[]): string {
  const shown = values.slice(0, shownValues).map((value) => value || '(empty)');
  const left = values.length - shown.length;
  return left > 0 ? `${shown.join(', ')} and ${left} more` : shown.join(', ');
}
