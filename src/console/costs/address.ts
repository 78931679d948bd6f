import type { Dimension, Grouping } from './dimensions.ts';

/** Granularities of the chart: a bar per day or month. */
export const granularities = ['daily', 'monthly'] as const;
export type Granularity = (typeof granularities)[number];

/** Cost metric. */
export const metrics = ['effective', 'billed', 'list', 'contracted'] as const;
export type Metric = (typeof metrics)[number];

/** Comparison periods; the first is the default. */
export const comparisons = ['previous_period', 'previous_month', 'previous_year', 'none'] as const;
export type Compare = (typeof comparisons)[number];

/** FOCUS ChargeCategory values, spelled as in the API's filter. */
export const chargeCategories = ['usage', 'purchase', 'tax', 'credit', 'adjustment'] as const;

/** Types of the chart; the first is the default. */
export const charts = ['bar', 'line', 'area', 'cumulative', 'table'] as const;

type OneOrMore = string | readonly string[] | null | undefined;

/** URL key of a filter: a dimension includes values, `exclude_` excludes them. */
export type FilterKey = Dimension | `exclude_${Dimension}`;

/** Query of the cost explorer. Omitted fields do not filter or use their default. */
export interface CostsQuestion extends Readonly<Partial<Record<FilterKey, OneOrMore>>> {
  /** First and last UTC day, inclusive. */
  readonly from?: string | null | undefined;
  readonly to?: string | null | undefined;
  readonly granularity?: Granularity;
  /** Up to two dimensions. */
  readonly group?: Grouping | readonly Dimension[];
  readonly metric?: Metric;
  readonly compare?: Compare;
  /** Bar whose breakdown is open, such as `2026-11-03`. */
  readonly day?: string | undefined;
  /** `true` groups by service, meter or resource, the first that has more than one value, else by day. */
  readonly drill?: 'true';
  /** `true` shows days with incomplete bills, too. */
  readonly incomplete?: 'true' | undefined;
  /** `true` splits the shared costs of the grouped virtual tag. */
  readonly shared?: 'true' | undefined;
}

/** Builds an explorer URL: `costsHref({ service: 'Amazon EC2', from, to })`. */
export function costsHref(question: CostsQuestion): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(question)) {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    for (const one of values) if (one) query.append(key, String(one));
  }
  const text = query.toString();
  return text === '' ? '/costs' : `/costs?${text}`;
}
