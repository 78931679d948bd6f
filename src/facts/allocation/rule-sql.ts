import { literal } from '../../engine/sql.ts';
import type { Dimension } from '../costs/dimensions.ts';
import type { AllocationRule, Condition, DerivedValue } from './rules.ts';

/** Rules that determine the value of a charge. */
export interface ValueRules {
  /** The value of charges that no rule matches. */
  readonly defaultValue: string;
  /** The first that matches counts. */
  readonly rules: readonly AllocationRule[];
}

/** Returns DuckDB SQL for the value of a charge, never null.
 *  @param refer returns SQL of a dimension's value, null for charges without one */
export function ruledValueSql({ defaultValue, rules }: ValueRules, refer: (dimension: Dimension) => string): string {
  const cases = rules.map(({ value, valueFrom, conditions }) => {
    const derived = valueFrom && derivedSql(valueFrom, refer(valueFrom.dimension));
    const tests = [
      ...conditions.map((condition) => conditionSql(condition, refer(condition.dimension))),
      ...(derived === null ? [] : [`${derived} IS NOT NULL`]),
    ];
    return `WHEN ${tests.join(' AND ')} THEN ${derived ?? literal(value ?? '')}`;
  });
  return `CASE ${cases.join('\n')} ELSE ${literal(defaultValue)} END`;
}

/** Returns the dimensions that rules refer to. */
export function dimensionsIn(rules: readonly AllocationRule[]): Dimension[] {
  return [
    ...new Set(
      rules.flatMap(({ valueFrom, conditions }) => [
        ...(valueFrom === null ? [] : [valueFrom.dimension]),
        ...conditions.map(({ dimension }) => dimension),
      ]),
    ),
  ];
}

/** Returns SQL of a derived value; null if it is blank. */
function derivedSql({ transform, prefix }: DerivedValue, value: string): string {
  const start = literal(prefix ?? '');
  const transformed = {
    none: value,
    lower: `lower(${value})`,
    strip_prefix: `CASE WHEN starts_with(${value}, ${start}) THEN substr(${value}, length(${start}) + 1) ELSE ${value} END`,
  }[transform];
  return `nullif(trim(${transformed}), '')`;
}

function conditionSql({ operator, values }: Condition, value: string): string {
  const listed = values.map(literal);
  switch (operator) {
    case 'in':
      return `coalesce(${value} IN (${listed.join(', ')}), false)`;
    case 'not_in':
      return `NOT coalesce(${value} IN (${listed.join(', ')}), false)`;
    case 'starts_with':
      return anyOf(listed.map((text) => `starts_with(${value}, ${text})`));
    case 'contains':
      return anyOf(listed.map((text) => `contains(${value}, ${text})`));
    case 'exists':
      return `${value} IS NOT NULL`;
    case 'missing':
      return `${value} IS NULL`;
    default:
      return operator satisfies never;
  }
}

function anyOf(tests: readonly string[]): string {
  return `coalesce(${tests.join(' OR ')}, false)`;
}
