import type { CostMetric } from '../../engine/codebook.ts';
import type { DayRange } from '../../kit/time/period.ts';
import { identityOf, keyDimension, type Dimension, type DimensionName } from './dimensions.ts';

export type { CostMetric };

/** The period that costs are summed by, in addition to the dimensions: none, each UTC day, or each calendar month. */
export type Bucket = 'none' | 'day' | 'month';

/** Selects charges by one dimension: any of the values, or any value that starts with one of the prefixes. */
export interface Filter {
  readonly dimension: Dimension;
  /** Null means charges without a value. Sorted, no duplicates. */
  readonly values: readonly (string | null)[];
  /** The empty prefix selects every charge with a value. Sorted, no duplicates. */
  readonly prefixes: readonly string[];
}

/** Filters of several dimensions. */
export interface Filters {
  /** All of these must match the charge. At most one per dimension. */
  readonly include: readonly Filter[];
  /** None of these may match the charge. At most one per dimension. */
  readonly exclude: readonly Filter[];
}

/** A cost query, used by every view and by `GET /costs`. Equal queries serialize to equal JSON. */
export interface CostQuery extends Filters {
  /** Charge days, half-open. */
  readonly range: DayRange;
  readonly costMetric: CostMetric;
  readonly bucket: Bucket;
  /** At most three, no duplicates. */
  readonly dimensions: readonly Dimension[];
}

/** Creates a filter by exact values. Values with NUL are dropped: no stored text contains NUL, and no store accepts it. */
export function filterOf(
  dimension: Dimension,
  values: readonly (string | null)[],
  prefixes: readonly string[] = [],
): Filter {
  return { dimension, values: distinct(values), prefixes: distinct(prefixes) };
}

/** Creates a filter for charges that have any value. */
export function carrying(dimension: Dimension): Filter {
  return { dimension, values: [], prefixes: [''] };
}

/** Filter by a tag key: charges that have it (with one of the values, if any are given), charges that lack it, or both. */
export interface TagFilter {
  readonly key: string;
  readonly carried: 'yes' | 'no' | 'either';
  readonly values: readonly string[] | null;
}

/** Creates filters by values of dimensions and by a tag. Null lists do not filter. */
export function filtersOf(
  lists: { readonly [Name in DimensionName]?: readonly string[] | null },
  tag: TagFilter | null = null,
): Filters {
  const include = Object.entries(lists).flatMap(([dimension, values]) =>
    values === null ? [] : [filterOf(dimension as DimensionName, values)],
  );
  if (tag === null || tag.carried === 'either') return { include, exclude: [] };
  const dimension = keyDimension(tag.key);
  if (tag.carried === 'no') return { include, exclude: [carrying(dimension)] };
  return { include: [...include, tag.values ? filterOf(dimension, tag.values) : carrying(dimension)], exclude: [] };
}

/** Returns the exact values that a dimension is filtered by; null if it is not filtered. */
export function valuesOf({ include }: Filters, dimension: DimensionName): readonly string[] | null {
  const filter = include.find((each) => each.dimension === dimension);
  return filter ? filter.values.filter((value) => value !== null) : null;
}

/** Sorts and deduplicates, so that equal filters serialize to equal JSON; drops values that no stored text can hold. */
export function distinct<Value extends string | null>(values: readonly Value[]): Value[] {
  return [...new Set(values)].filter((value) => value === null || !value.includes('\0')).sort();
}

/** Merges the filters of each dimension: their values are alternatives. */
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

/** Returns whether a filter selects a value. */
export function selects({ values, prefixes }: Filter, value: string | null): boolean {
  return values.includes(value) || (value !== null && prefixes.some((prefix) => value.startsWith(prefix)));
}

/** Returns whether the filters accept a charge with this value of the dimension. */
export function passes({ include, exclude }: Filters, dimension: Dimension, value: string | null): boolean {
  const of = (filters: readonly Filter[]) => filters.filter((filter) => filter.dimension === dimension);
  return of(include).every((filter) => selects(filter, value)) && !of(exclude).some((filter) => selects(filter, value));
}

/** Returns the filters without those of the dimension. */
export function withoutFilters({ include, exclude }: Filters, dimension: Dimension): Filters {
  const others = (filters: readonly Filter[]) => filters.filter((filter) => filter.dimension !== dimension);
  return { include: others(include), exclude: others(exclude) };
}
