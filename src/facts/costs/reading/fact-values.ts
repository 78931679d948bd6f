import { literal } from '../../../engine/sql.ts';
import { ruledValueSql, type ValueRules } from '../../allocation/rule-sql.ts';
import { dimensionInfo, foldedTagKey, isNamed, tagKeyOf, virtualKeyOf, type Dimension } from '../dimensions.ts';
import type { CostQuery, Filter } from '../query.ts';

// Builds DuckDB SQL of dimension values. Texts are literals: as parameters they would prevent DuckDB from skipping row groups
// that cannot contain them.

/** Spellings of each tag key in the bills in scope, by folded key. */
export type Spellings = ReadonlyMap<string, readonly string[]>;

/** Inputs of the values of tags and virtual tags. */
export interface TagBasis {
  readonly spellings: Spellings;
  /** The live rules of virtual tags, by key. One that is gone has no value. */
  readonly virtualTags: ReadonlyMap<string, ValueRules>;
}

/** The basis for dimensions that are not tags. */
const noTags: TagBasis = { spellings: new Map(), virtualTags: new Map() };

/** Returns SQL of a dimension's value over the columns of a fact file, or a tag's over the `tags` column of a relation. */
export function valueSql(dimension: Dimension, basis: TagBasis = noTags, tags = 'Tags'): string {
  if (isNamed(dimension)) return dimensionInfo(dimension).fact;
  if (dimension === 'tag') return tags;
  const virtualKey = virtualKeyOf(dimension);
  if (virtualKey !== null) {
    const rules = basis.virtualTags.get(virtualKey);
    return rules ? ruledValueSql(rules, (used) => valueSql(used, basis, tags)) : 'NULL::VARCHAR';
  }
  const key = tagKeyOf(dimension) ?? '';
  // Of several spellings on one charge, the first counts. A JSON pointer supports any key, including quotes and dots.
  const values = (basis.spellings.get(foldedTagKey(key)) ?? [])
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
  return conditions(query, (dimension) => (isNamed(dimension) ? valueSql(dimension) : null));
}

/** Returns SQL conditions on charges: the filters of tags and virtual tags.
 *  @param valueOf returns SQL of their values */
export function tagFilter(
  query: Pick<CostQuery, 'include' | 'exclude'>,
  valueOf: (dimension: Dimension) => string,
): string[] {
  return conditions(query, (dimension) => (isNamed(dimension) ? null : valueOf(dimension)));
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
