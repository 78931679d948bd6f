import type { Dimension, Grouping } from './dimensions.ts';

/** How long a bar of the chart is. */
export const granularities = ['daily', 'monthly'] as const;
export type Granularity = (typeof granularities)[number];

/** Which cost is added up. */
export const metrics = ['effective', 'billed', 'list', 'contracted'] as const;
export type Metric = (typeof metrics)[number];

/** What a range is compared with; the first is the default. */
export const comparisons = ['previous_period', 'previous_month', 'previous_year', 'none'] as const;
export type Compare = (typeof comparisons)[number];

/** FOCUS ChargeCategory, as the API filters by it. */
export const chargeCategories = ['usage', 'purchase', 'tax', 'credit', 'adjustment'] as const;

type OneOrMore = string | readonly string[] | null | undefined;

/** The address's name of a filter: a dimension includes values, `exclude_` leaves them out. */
export type FilterKey = Dimension | `exclude_${Dimension}`;

/** A question to the cost explorer. What is left out is not filtered by, or has its default. */
export interface CostsQuestion extends Readonly<Partial<Record<FilterKey, OneOrMore>>> {
  /** First and last UTC day, both included. */
  readonly from?: string | null | undefined;
  readonly to?: string | null | undefined;
  readonly granularity?: Granularity;
  /** Up to two dimensions. */
  readonly group?: Grouping | readonly Dimension[];
  readonly metric?: Metric;
}

/** The charges without a value of a dimension, such as untagged ones, as the value of a filter. */
export const noValue = '(none)';

/** A value as filters take it: one that ends in `*` would be a prefix, and `(none)` the charges without a value. */
export function escaped(value: string): string {
  if (value === noValue) return `\\${value}`;
  return value.endsWith('*') ? `${value.slice(0, -1)}\\*` : value;
}

/** A filter's value as GraphQL takes it: null for the charges without one. */
export function filterValue(value: string): string | null {
  if (value === noValue) return null;
  return value === escaped(noValue) ? noValue : value;
}

/** Whether a filter's value is a prefix. */
export function isPrefix(value: string): boolean {
  return value.endsWith('*') && !value.endsWith('\\*');
}

/** The address of the explorer that shows this: `costsHref({ service: 'Amazon EC2', from, to })`. */
export function costsHref(question: CostsQuestion): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(question)) {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    for (const one of values) if (one) query.append(key, String(one));
  }
  const text = query.toString();
  return text === '' ? '/costs' : `/costs?${text}`;
}
