import { chargeDate, hasGoogleTags, hasNestedTags, mapColumns, startHours } from './columns.ts';
import { lit } from './duck.ts';
import { derived, pricingKind, withoutEmptyTexts } from './derived.ts';
import type { Layout } from './layout.ts';
import { repaired, spokenFor, vendor } from './quirks.ts';
import { numbers, type Source } from './source.ts';

/** The groups of one part of the files' charges: what is of one resource and day is in one part.
 *  @param months keep these billing months alone (`YYYY-MM`); null for all */
export function groupSql(
  sources: readonly Source[],
  months: readonly string[] | null,
  { part, parts }: { part: number; parts: number },
): string {
  const branches = [...groupByLayout(sources)].map((group) => branch(group, sources));
  const first = mapColumns(sources[0]?.layout.columns ?? new Map());
  const conditions = [
    ...(months ? [`period IN (${months.map((month) => lit(`${month}-01`)).join(',') || 'NULL'})`] : []),
    ...(parts > 1 ? [`hash(resource, ${chargeDate}) % ${parts} = ${part}`] : []),
  ];
  const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
  // Tags are grouped by their hash, which is cheaper than by themselves: two sets of one resource and day that share 64 bits
  // are not to be met.
  const groups = `
    SELECT file_no, ${chargeDate} AS charge_date, ${Object.keys(first.keys)
      .map((key) => (key === 'tags' ? 'hash(tags) AS tags_hash, any_value(tags) AS tags' : key))
      .join(', ')},
      ${Object.keys(first.attributes)
        .map((name) => `any_value(${name}) AS ${name}`)
        .join(', ')},
      count(*) AS line_items, ${startHours} AS start_hours,
      ${Object.keys(first.measures)
        .map((name) => `coalesce(sum(${name}), 0)::DECIMAL(38,12) AS ${name}`)
        .join(', ')}
    FROM (${branches.join('\nUNION ALL\n')}) ${where} GROUP BY ALL`;
  return finished(groups, sources);
}

/** What is made once of each group, in the order in which it builds on one another. */
function finished(groups: string, sources: readonly Source[]): string {
  const replace = (columns: Readonly<Record<string, string>>) =>
    Object.entries(columns)
      .map(([name, sql]) => `${sql} AS ${name}`)
      .join(', ');
  const named = `SELECT * REPLACE (${withoutEmptyTexts}) FROM (${groups})`;
  const known = `SELECT *, ${vendor(sources)} AS vendor FROM (${named})`;
  const mended = `SELECT * REPLACE (${replace(repaired(sources))}) FROM (${known})`;
  const spoken = spokenFor(sources);
  const counted = spoken ? `SELECT * REPLACE (${replace(spoken)}) FROM (${mended})` : mended;
  return `SELECT * EXCLUDE (pricing_category, commitment_status, tags_hash, vendor)
    REPLACE (${replace({ ...derived, tags: tagsText(sources) })}), ${pricingKind} AS pricing_kind FROM (${counted})`;
}

/** Tags as text, with the word before it that says in which form it is (`tag-forms.ts`). */
function tagsText(sources: readonly Source[]): string {
  const nested = sources.every((source) => hasNestedTags(source.layout.columns));
  const text = `nullif(${nested ? 'to_json(tags)::VARCHAR' : 'tags::VARCHAR'}, '')`;
  const forms = Map.groupBy(sources, ({ layout }) => tagForm(layout));
  const cases = [...forms].filter(([form]) => form !== '');
  if (cases.length === 0) return text;
  return `CASE ${cases.map(([form, of]) => `WHEN file_no IN (${numbers(of)}) THEN ${lit(form)} || ${text}`).join(' ')} ELSE ${text} END`;
}

/** The word before the text of a layout's tags. */
export function tagForm(layout: Layout): string {
  return hasGoogleTags(layout.columns) ? 'gcp:' : layout.tagForm;
}

/** Files that share their columns are read by one scan. */
function groupByLayout(sources: readonly Source[]): Iterable<Source[]> {
  return Map.groupBy(sources, (source) => source.layout.signature).values();
}

function branch(group: readonly Source[], all: readonly Source[]): string {
  const layout = group[0]?.layout;
  if (!layout) return '';
  const mapping = mapColumns(layout.columns);
  const mixed = all.some((source) => source.layout.signature !== layout.signature);
  // Grouping on a map is dearer than making JSON of each distinct one, unless files of other shapes come beside it.
  const tags =
    hasNestedTags(layout.columns) && mixed
      ? `to_json(${mapping.keys['tags']})::VARCHAR`
      : (mapping.keys['tags'] ?? 'NULL');
  const columns = {
    ...mapping.keys,
    tags,
    ...mapping.attributes,
    ...mapping.measures,
    starts_at: mapping.startsAt,
  };
  const fileNo = group.length === 1 ? numbers(group) : `list_extract([${numbers(group)}], file_index::INT + 1)::INT`;
  const list = Object.entries(columns).map(([name, sql]) => `${sql} AS ${name}`);
  return `SELECT ${fileNo} AS file_no, ${list.join(',\n')} FROM ${layout.from(group.map((source) => source.file.path))}`;
}
