import { identifier, literal } from '../../../../engine/sql.ts';
import type { Columns } from '../layout.ts';
import { costCategoryKey } from '../tag-forms.ts';
import type { Made } from './dialect.ts';

/** The tags of a Cost and Usage Report. */
export interface ReportTags {
  made: Made;
  /** See `tag-forms.ts`. */
  form: string;
  /** Own columns that they are made of. */
  names: readonly string[];
  /** The column, or columns, as the file's owner calls them. */
  column: string;
  /** SQL of their text over the file's own rows. */
  text: string;
}

/** Reads tags of 2.0's maps `resource_tags` and `cost_category`, or of the older reports' column for each key. */
export function awsTags(columns: Columns): ReportTags {
  const maps = ['resource_tags', 'cost_category'].flatMap((name) => columns.get(name) ?? []);
  return maps.length > 0 ? ofMaps(maps) : ofColumns(columns);
}

function ofMaps(maps: readonly { name: string; type: string }[]): ReportTags {
  const names = maps.map(({ name }) => name);
  const isNested = maps.some(({ type }) => type !== 'VARCHAR' && type !== 'JSON');
  const keyed = (text: (name: string) => string) => maps.map(({ name }) => text(name));
  const text = `'{' || ${keyed(
    (name) => `'${JSON.stringify(name.toLowerCase())}:' || coalesce(nullif(${identifier(name)}, ''), 'null')`,
  ).join(` || ',' || `)} || '}'`;
  const nested = `{${keyed((name) => `${literal(name.toLowerCase())}: ${identifier(name)}`).join(', ')}}`;
  const made = isNested ? { sql: nested, type: 'STRUCT' } : { sql: text };
  return {
    made,
    form: 'cur:',
    names,
    column: names.join(' or '),
    text: isNested ? `to_json(${nested})::VARCHAR` : text,
  };
}

/** Key of a tag by the older reports' columns: `resourceTags/user:Team`, `costCategory/Unit`; Parquet `resource_tags_user_team`. */
const keyOf: readonly (readonly [RegExp, (key: string) => string])[] = [
  [/^resourceTags\/(.+)$/, (key) => key],
  [/^costCategory\/(.+)$/, costCategoryKey],
  [/^resource_tags_user_(.+)$/, (key) => key],
  [/^resource_tags_(aws_.+)$/, (key) => key],
  [/^cost_category_(.+)$/, costCategoryKey],
];

function ofColumns(columns: Columns): ReportTags {
  const entries = [...columns.values()].flatMap(({ name }) => {
    const key = keyOf.flatMap(([pattern, make]) => pattern.exec(name)?.slice(1, 2).map(make) ?? [])[0];
    return key ? [{ name, key }] : [];
  });
  const names = entries.map(({ name }) => name);
  if (entries.length === 0)
    return { made: { sql: 'NULL::VARCHAR' }, form: '', names, column: 'resourceTags', text: 'NULL' };
  const nested = `{${entries.map(({ name, key }) => `${literal(key)}: ${identifier(name)}::VARCHAR`).join(', ')}}`;
  return {
    made: { sql: nested, type: 'STRUCT' },
    form: '',
    names,
    column: 'resourceTags',
    text: `to_json(${nested})::VARCHAR`,
  };
}
