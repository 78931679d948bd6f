import { literal } from '../../../engine/sql.ts';
import { dimensionInfo, foldedTagKey, tagKeyOf, type Dimension, type DimensionName } from '../dimensions.ts';
import type { CostQuery, Filter } from '../query.ts';

// Builds DuckDB SQL of dimension values. Texts are literals: as parameters they would prevent DuckDB from skipping row groups
// that cannot contain them.

/** Spellings of each tag key in the bills in scope, by folded key. */
export type Spellings = ReadonlyMap<string, readonly string[]>;

/** Returns SQL of a dimension's value over the columns of a fact file, or over the `tags` column of a relation. */
export function valueSql(dimension: Dimension, spellings: Spellings, tags = 'Tags'): string {
  if (dimension === 'tag') return tags;
  const key = tagKeyOf(dimension);
  if (key === null) return dimensionInfo(dimension as DimensionName).fact;
  // Of several spellings on one charge, the first counts. A JSON pointer supports any key, including quotes and dots.
  const values = (spellings.get(foldedTagKey(key)) ?? [])
    .toSorted()
    .map((spelling) => `json_extract_string(${tags}, ${literal(pointer(spelling))})`);
  if (values.length === 0) return 'NULL::VARCHAR';
  return values.length === 1 ? `${values[0]}` : `coalesce(${values.join(', ')})`;
}

function pointer(key: string): string {
  return `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** Returns SQL conditions on charges: the filters of named dimensions, over the columns of a fact file. */
export function rowFilter(query: Pick<CostQuery, 'include' | 'exclude'>): string[] {
  return conditions(query, (dimension) => (tagKeyOf(dimension) === null ? valueSql(dimension, new Map()) : null));
}

/** Returns SQL conditions on charges' tags: the filters of tag keys. */
export function tagFilter(query: Pick<CostQuery, 'include' | 'exclude'>, spellings: Spellings, tags: string): string[] {
  return conditions(query, (dimension) => (tagKeyOf(dimension) === null ? null : valueSql(dimension, spellings, tags)));
}

function conditions(
  { include, exclude }: Pick<CostQuery, 'include' | 'exclude'>,
  valueOf: (dimension: Dimension) => string | null,
): string[] {
  const conditionOf = (filter: Filter): string[] => {
    const value = valueOf(filter.dimension);
    return value === null ? [] : [selectedSql(filter, value)];
  };
  return [...include.flatMap(conditionOf), ...exclude.flatMap(conditionOf).map((sql) => `NOT coalesce(${sql}, false)`)];
}

function selectedSql({ values, prefixes }: Filter, value: string): string {
  const texts = values.filter((text) => text !== null);
  const parts = [
    ...(texts.length === 0 ? [] : [`${value} IN (${texts.map(literal).join(', ')})`]),
    ...prefixes.map((prefix) => (prefix === '' ? `${value} IS NOT NULL` : `starts_with(${value}, ${literal(prefix)})`)),
    ...(values.includes(null) ? [`${value} IS NULL`] : []),
  ];
  return parts.length === 0 ? 'false' : `(${parts.join(' OR ')})`;
}
