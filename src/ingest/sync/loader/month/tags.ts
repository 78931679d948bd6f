import type { DuckDBAppender } from '@duckdb/node-api';
import { idOf, idSql } from '../../../../engine/codebook.ts';
import { canonicalTags, tagKeyName } from '../../../../kit/tag-key.ts';
import type { Duck } from '../duck.ts';
import { UnreadableTags } from '../refusal.ts';
import { containerOf } from './containers.ts';

/** A key with more values than this, and more than a fifth of the month's resources, is an identifier, such as a name. Tag set
 *  rollups omit it, because it would make them nearly as long as the facts. */
const minIdentifierValues = 200;
const resourcesPerValue = 5;

/** Creates the tables `tag_map` (tag text of a bill → JSON text of facts, and the container that it names) and `tag_entry`
 *  (one row per tag of a text, and for keys that differ only in case only the first, so that each charge counts once per key).
 *  Parses each distinct text once, here: sorting maps in SQL takes several times longer.
 *  @param texts SELECT of the bill's texts
 *  @throws {UnreadableTags} */
export async function readTags(duck: Duck, texts: string): Promise<void> {
  await duck.run(`CREATE OR REPLACE TABLE tag_map (raw VARCHAR, tags VARCHAR, cluster VARCHAR, namespace VARCHAR, workload VARCHAR);
    CREATE OR REPLACE TABLE tag_entry (set_id BIGINT, key_id BIGINT, key VARCHAR, value VARCHAR);
    CREATE OR REPLACE TABLE tag_text AS ${texts}`);
  await duck.inTurn(() => appendTags(duck));
  // A stream whose query fails midway ends as if it were complete.
  const isWhole = await duck.value('SELECT (SELECT count(*) FROM tag_map) = (SELECT count(*) FROM tag_text)');
  if (isWhole !== 'true') throw new Error('not all tags were read');
}

async function appendTags(duck: Duck): Promise<void> {
  const [map, entry] = [
    await duck.connection.createAppender('tag_map'),
    await duck.connection.createAppender('tag_entry'),
  ];
  const keyIds = new Map<string, bigint>();
  const append = (raw: string) => {
    const tags = readable(raw);
    const text = JSON.stringify(tags);
    appendRow(map, [raw, text === '{}' ? null : text, ...containerTexts(tags)]);
    const setId = BigInt(idOf(text));
    const placed = new Set<bigint>();
    for (const [key, value] of Object.entries(tags)) {
      const keyId = keyIds.get(key) ?? BigInt(idOf(key.toLowerCase()));
      keyIds.set(key, keyId);
      if (placed.has(keyId)) continue;
      placed.add(keyId);
      entry.appendBigInt(setId);
      entry.appendBigInt(keyId);
      entry.appendVarchar(key);
      entry.appendVarchar(value);
      entry.endRow();
    }
  };
  // Uses a second connection, because an appender's flush ends a stream on its own connection.
  for await (const texts of textsOf(await duck.beside())) texts.forEach(append);
  map.closeSync();
  entry.closeSync();
}

/** Maximum length of a charge's tags in characters: more than three times what the clouds allow. */
const mostCharacters = 65_536;

/** @throws {UnreadableTags} also if they are too long, or a value is nested too deeply to be written as text */
function readable(raw: string): Record<string, string> {
  if (raw.length > mostCharacters)
    throw new UnreadableTags(raw, {
      reason: `has more than ${mostCharacters.toLocaleString('en-US')} characters`,
    });
  const tags = parseTags(raw);
  try {
    return canonicalTags(tags);
  } catch (error) {
    throw error instanceof RangeError ? new UnreadableTags(raw, { cause: error }) : error;
  }
}

function appendRow(table: DuckDBAppender, texts: readonly (string | null)[]): void {
  for (const text of texts) {
    if (text === null) table.appendNull();
    else table.appendVarchar(text);
  }
  table.endRow();
}

function containerTexts(tags: Readonly<Record<string, unknown>>): (string | null)[] {
  const { cluster = null, namespace = null, workload = null } = containerOf(tags) ?? {};
  return [cluster, namespace, workload];
}

/** Streams the rows of `tag_text` in chunks. Closes the connection at the end. */
async function* textsOf({ connection }: Duck): AsyncGenerator<string[]> {
  try {
    const result = await connection.stream('FROM tag_text');
    for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk())
      yield chunk.getColumnValues(0).map(String);
  } finally {
    connection.closeSync();
  }
}

/** SQL that formats a list as a PostgreSQL array literal. */
const arrayText = (texts: string) =>
  `'{' || array_to_string(list_transform(${texts}, lambda t: '"' || replace(replace(t, '\\', '\\\\'), '"', '\\"') || '"'), ',') || '}'`;

/** Creates the tables `tag_key`, `tag_reduced` (tag set → the set in rollups) and `tag_pair` (the pairs of those) from
 *  `tag_entry` and the charges. */
export async function buildTags(duck: Duck): Promise<void> {
  const resources = '(SELECT count(DISTINCT (x_Provider, ResourceId)) FROM charge WHERE ResourceId IS NOT NULL)';
  await duck.run(`
    CREATE OR REPLACE TABLE tag_key AS SELECT key_id AS id, min(key) AS key, ${arrayText('list_sort(list(DISTINCT key))')} AS spellings,
      count(DISTINCT value)::INTEGER AS value_count,
      value_count <= greatest(${minIdentifierValues}, ${resources} / ${resourcesPerValue}) AS rolled_up
      FROM tag_entry GROUP BY key_id;
    CREATE OR REPLACE TABLE tag_pair AS SELECT DISTINCT set_id, key_id, ${idSql('value')} AS value_id, value
      FROM tag_entry WHERE key_id IN (SELECT id FROM tag_key WHERE rolled_up);
    CREATE OR REPLACE TABLE tag_reduced AS
      SELECT set_id, ${idSql(`array_to_string(list_sort(list(concat(key_id, '=', value_id))), ',')`)} AS id FROM tag_pair GROUP BY set_id;
    CREATE OR REPLACE TABLE tag_pair AS SELECT DISTINCT r.id AS tag_set_id, key_id, value_id, value
      FROM tag_pair JOIN tag_reduced r USING (set_id)`);
}

// Forms of tags in bills: FOCUS's JSON object, and those of other exports, marked by a prefix.

/** Prefix of the tags of an allocated charge: a list of the tags of its workload and those of the shared resource. */
export const allocatedForm = 'allocated:';

/** Matches the prefix that names the form of a tags text. */
const form = /^(cur|gcp|allocated):/;

/** Returns tags as in the file, without the prefix. */
export function withoutForm(raw: string): string {
  return raw.replace(form, '');
}

/** Parses a charge's tags, by key as in the file.
 *  @throws {UnreadableTags} when the text is neither a JSON object nor a list of keys and values */
export function parseTags(raw: string): Record<string, unknown> {
  const [, word] = form.exec(raw) ?? [];
  const parsed = parse(raw);
  if (word === 'allocated') return mergeAllocated(raw, Object.values(parsed));
  if (word === 'cur') return fromReport(parsed);
  if (word === 'gcp') return strongest(raw, Object.values(parsed));
  return Array.isArray(parsed) ? strongest(raw, [parsed]) : parsed;
}

function parse(raw: string): Record<string, unknown> {
  const text = withoutForm(raw).trim();
  if (text === '""' || text === 'null') return {};
  try {
    // Some exports omit the braces.
    return JSON.parse(/^[{[]/.test(text) ? text : `{${text}}`);
  } catch (error) {
    throw new UnreadableTags(raw, { cause: error });
  }
}

/** Returns the tags of a Cost and Usage Report 2.0: user tags, whose keys have the prefix `user_`, and cost categories. */
function fromReport({
  resource_tags: tags,
  cost_category: categories,
}: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries([
    ...Object.entries(tags ?? {}).map(([key, value]) => [key.replace(/^user_/, ''), value]),
    ...Object.entries(categories ?? {}).map(([key, value]) => [costCategoryKey(key), value]),
  ]);
}

/** Returns the tag key of an AWS cost category; it cannot collide with a tag. */
export function costCategoryKey(name: string): string {
  return `cost_category:${name}`;
}

/** Merges the tags of a workload and of the resource that it shares; for keys that both have, the workload's wins. */
function mergeAllocated(raw: string, sets: readonly unknown[]): Record<string, unknown> {
  const [own = [], shared = []] = sets.map((tags) =>
    Object.entries(Array.isArray(tags) ? strongest(raw, [tags]) : (tags ?? {})),
  );
  const keys = new Set(own.map(([key]) => tagKeyName(key).toLowerCase()));
  return Object.fromEntries([...own, ...shared.filter(([key]) => !keys.has(tagKeyName(key).toLowerCase()))]);
}

/** Merges Google's lists of keys and values; for keys that several lists have, ignoring case, the first list wins. */
function strongest(raw: string, lists: readonly unknown[]): Record<string, unknown> {
  const tags = new Map<string, unknown>();
  for (const list of lists) {
    const before = new Set([...tags.keys()].map((key) => key.toLowerCase()));
    for (const entry of Array.isArray(list) ? list : []) {
      const { key, value } = folded(entry);
      if (typeof key !== 'string') throw new UnreadableTags(raw);
      if (!before.has(key.toLowerCase()) && !tags.has(key)) tags.set(key, value);
    }
  }
  return Object.fromEntries(tags);
}

function folded(entry: object | null): Record<string, unknown> {
  return Object.fromEntries(Object.entries(entry ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
}
