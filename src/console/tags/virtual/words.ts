import { dimensionLabel, isDimension, type Dimension } from '../../costs/dimensions.ts';
import type { VirtualTagRow } from '../queries.ts';
import type { DraftCondition, DraftRule, Method, Operator, Transform } from './draft.ts';
import { takesValues } from './draft.ts';

/** Labels of the operators. */
export const operators = {
  IN: 'is one of',
  NOT_IN: 'is not one of',
  STARTS_WITH: 'starts with',
  CONTAINS: 'contains',
  EXISTS: 'has a value',
  MISSING: 'has no value',
} as const satisfies Record<Operator, string>;

/** Labels of the transforms. */
export const transforms = {
  NONE: 'Unchanged',
  LOWER: 'Lower case',
  STRIP_PREFIX: 'Remove prefix',
} as const satisfies Record<Transform, string>;

/** Labels and meanings of the split methods. */
export const methods = {
  PROPORTIONAL: {
    label: 'Proportional',
    description: 'In proportion to the direct costs of the targets in each calendar month.',
  },
  EVEN: { label: 'Even', description: 'In equal parts.' },
  METRIC: {
    label: 'Unit metric',
    description: 'In proportion to the values of a unit metric in each calendar month.',
  },
  FIXED: { label: 'Fixed', description: 'By percentages that you set.' },
} as const satisfies Record<Method, { label: string; description: string }>;

const shownValues = 2;

type ConditionWords = Pick<DraftCondition, 'dimension' | 'operator' | 'values'>;

/** Formats a condition: `Service is one of Amazon EC2, Amazon S3 and 3 more`.
 *  @param labelOf formats a value of a dimension */
function conditionWords(
  { dimension, operator, values }: ConditionWords,
  labelOf: (dimension: Dimension, value: string) => string,
): string {
  const shown = values
    .slice(0, shownValues)
    .map((value) => (isDimension(dimension) ? labelOf(dimension, value) : value));
  const left = values.length - shown.length;
  const listed = left > 0 ? `${shown.join(', ')} and ${left} more` : shown.join(', ');
  return [nameOf(dimension), operators[operator], takesValues(operator) && (listed || '…')].filter(Boolean).join(' ');
}

/** Formats all conditions of a rule. */
export function conditionsWords(
  conditions: readonly ConditionWords[],
  labelOf: (dimension: Dimension, value: string) => string,
): string {
  return conditions.length === 0
    ? 'all charges with a value'
    : conditions.map((condition) => conditionWords(condition, labelOf)).join(' and ');
}

type ValueWords = Pick<DraftRule, 'kind' | 'value' | 'dimension' | 'transform' | 'prefix'>;

/** Formats the value of a rule: `web`, or `Value of team in lower case`. */
export function ruleValueWords({ kind, value, dimension, transform, prefix }: ValueWords): string {
  if (kind === 'value') return value.trim() || 'No value yet';
  const how = { NONE: '', LOWER: ' in lower case', STRIP_PREFIX: ` without “${prefix}”` }[transform];
  return `Value of ${nameOf(dimension)}${how}`;
}

function nameOf(dimension: string): string {
  return isDimension(dimension) ? dimensionLabel(dimension) : '…';
}

type Progress = Pick<VirtualTagRow, 'enabled' | 'evaluating' | 'evaluatedPercent'>;

/** Whether the rules of a virtual tag are still being evaluated. */
export function isEvaluating({ enabled, evaluating, evaluatedPercent }: Progress): boolean {
  return enabled && (evaluating || (evaluatedPercent !== null && evaluatedPercent < 100));
}
