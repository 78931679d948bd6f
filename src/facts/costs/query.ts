import type { CostMetric } from '../../engine/codebook.ts';
import type { DayRange } from '../../kit/period.ts';
import { identityOf, type Dimension, type DimensionName } from './dimensions.ts';

export type { CostMetric };

/** What sums are per, beside the dimensions: nothing, each UTC day, or each calendar month. */
export type Bucket = 'none' | 'day' | 'month';

/** Selects charges by their value of one dimension: any of the values, or any that begins with one of the prefixes. */
export interface Filter {
  readonly dimension: Dimension;
  /** Null stands for charges without a value. Sorted, without duplicates. */
  readonly values: readonly (string | null)[];
  /** The empty prefix selects every charge that has a value. Sorted, without duplicates. */
  readonly prefixes: readonly string[];
}

/** Filters of several dimensions. */
export interface Filters {
  /** All of them must select the charge. One for each dimension at most. */
  readonly include: readonly Filter[];
  /** None of them may. One for each dimension at most. */
  readonly exclude: readonly Filter[];
}

/** A question to the costs: every view and `GET /costs` ask it. Equal questions are equal JSON. */
export interface CostQuery extends Filters {
  /** Charge days, half-open. */
  readonly range: DayRange;
  readonly costMetric: CostMetric;
  readonly bucket: Bucket;
  /** At most three, all different. */
  readonly dimensions: readonly Dimension[];
}

/** A filter by exact values. NUL is in no stored text, and no store takes it: such a value matches nothing. */
export function filterOf(
  dimension: Dimension,
  values: readonly (string | null)[],
  prefixes: readonly string[] = [],
): Filter {
  return { dimension, values: distinct(values), prefixes: distinct(prefixes) };
}

/** A filter by whether charges have a value at all. */
export function carrying(dimension: Dimension): Filter {
  return { dimension, values: [], prefixes: [''] };
}

/** Which charges a tag key selects: those that carry it (with one of the values, where there are any), those that do not, or
 *  both. */
export interface TagFilter {
  readonly key: string;
  readonly carried: 'yes' | 'no' | 'either';
  readonly values: readonly string[] | null;
}

/** Filters by the values of some dimensions, and by a tag. Null lists do not filter. */
export function filtersOf(
  lists: { readonly [Name in DimensionName]?: readonly string[] | null },
  tag: TagFilter | null = null,
): Filters {
  const include = Object.entries(lists).flatMap(([dimension, values]) =>
    values === null ? [] : [filterOf(dimension as DimensionName, values)],
  );
  if (tag === null || tag.carried === 'either') return { include, exclude: [] };
  const dimension: Dimension = `tag:${tag.key}`;
  if (tag.carried === 'no') return { include, exclude: [carrying(dimension)] };
  return { include: [...include, tag.values ? filterOf(dimension, tag.values) : carrying(dimension)], exclude: [] };
}

/** The exact values that a dimension is filtered by; null where it is not. */
export function valuesOf({ include }: Filters, dimension: DimensionName): readonly string[] | null {
  const filter = include.find((each) => each.dimension === dimension);
  return filter ? filter.values.filter((value) => value !== null) : null;
}

/** Sorted and once each, so that equal filters are equal JSON; without what no text holds. */
export function distinct<Value extends string | null>(values: readonly Value[]): Value[] {
  return [...new Set(values)].filter((value) => value === null || !value.includes('\0')).sort();
}

/** Joins the filters of one dimension: their values are alternatives. */
export function joinFilters(filters: readonly Filter[]): Filter[] {
  const groups = Map.groupBy(filters, ({ dimension }) => identityOf(dimension));
  return [...groups.values()].flatMap((same) => {
    const [first] = same;
    if (first === undefined) return [];
    return [
      filterOf(
        first.dimension,
        same.flatMap(({ values }) => values),
        same.flatMap(({ prefixes }) => prefixes),
      ),
    ];
  });
}

/** Whether a filter selects a value. */
export function selects({ values, prefixes }: Filter, value: string | null): boolean {
  return values.includes(value) || (value !== null && prefixes.some((prefix) => value.startsWith(prefix)));
}

/** Whether the filters let a charge through whose value of the dimension is known. */
export function passes({ include, exclude }: Filters, dimension: Dimension, value: string | null): boolean {
  const of = (filters: readonly Filter[]) => filters.filter((filter) => filter.dimension === dimension);
  return of(include).every((filter) => selects(filter, value)) && !of(exclude).some((filter) => selects(filter, value));
}

/** The filters of the other dimensions. */
export function withoutFilters({ include, exclude }: Filters, dimension: Dimension): Filters {
  const others = (filters: readonly Filter[]) => filters.filter((filter) => filter.dimension !== dimension);
  return { include: others(include), exclude: others(exclude) };
}
