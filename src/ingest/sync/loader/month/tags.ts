import { idOf, idSql } from '../../../../engine/codebook.ts';
import { canonicalTags } from '../../../../kit/tag-key.ts';
import type { Duck } from '../duck.ts';
import { UnreadableTags } from '../refusal.ts';

/** A key with more values than this, and than a fifth of the month's resources, is an identifier, such as a name: the rollups
 *  by tag set leave it out, because it would make them as long as the facts. */
const minIdentifierValues = 200;
const resourcesPerValue = 5;

/** Makes the tables `tag_map` (a bill's text of tags, and the JSON text of facts) and `tag_entry` (a row per tag of a text). Each
 *  distinct text is parsed once, here: sorting maps in SQL costs several times more.
 *  @param texts SELECT of the bill's texts
 *  @throws {UnreadableTags} */
export async function readTags(duck: Duck, texts: string): Promise<void> {
  await duck.run(`CREATE OR REPLACE TABLE tag_map (raw VARCHAR, tags VARCHAR);
    CREATE OR REPLACE TABLE tag_entry (set_id BIGINT, key_id BIGINT, key VARCHAR, value VARCHAR);
    CREATE OR REPLACE TABLE tag_text AS ${texts}`);
  await duck.inTurn(() => appendTags(duck));
  // A stream ends as if it were complete when its query fails midway.
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
    const tags = canonicalTags(parseTags(raw));
    const text = JSON.stringify(tags);
    map.appendVarchar(raw);
    if (text === '{}') map.appendNull();
    else map.appendVarchar(text);
    map.endRow();
    const setId = BigInt(idOf(text));
    for (const [key, value] of Object.entries(tags)) {
      const keyId = keyIds.get(key) ?? BigInt(idOf(key.toLowerCase()));
      keyIds.set(key, keyId);
      entry.appendBigInt(setId);
      entry.appendBigInt(keyId);
      entry.appendVarchar(key);
      entry.appendVarchar(value);
      entry.endRow();
    }
  };
  // Appenders end a stream of their own connection when they flush.
  for await (const texts of textsOf(await duck.beside())) texts.forEach(append);
  map.closeSync();
  entry.closeSync();
}

/** The rows of `tag_text`, some at a time. The connection is closed at the end. */
async function* textsOf({ connection }: Duck): AsyncGenerator<string[]> {
  try {
    const result = await connection.stream('FROM tag_text');
    for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk())
      yield chunk.getColumnValues(0).map(String);
  } finally {
    connection.closeSync();
  }
}

/** Text of a PostgreSQL array. */
const arrayText = (texts: string) =>
  `'{' || array_to_string(list_transform(${texts}, lambda t: '"' || replace(replace(t, '\\', '\\\\'), '"', '\\"') || '"'), ',') || '}'`;

/** Makes the tables `tag_key`, `tag_reduced` (a set to the one that rollups hold) and `tag_pair` (the pairs of those) from
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

// The forms in which bills have tags: FOCUS's JSON object, and those of other exports, with a word before the text.

/** The word that says how a text of tags is to be read, and what follows. */
const form = /^(cur|gcp):/;

/** Tags as they stand in the file, without the word before them. */
export function withoutForm(raw: string): string {
  return raw.replace(form, '');
}

/** A charge's tags by key as the file has them.
 *  @throws {UnreadableTags} when the text is no JSON object, nor a list of keys and values */
export function parseTags(raw: string): Record<string, unknown> {
  const [, word] = form.exec(raw) ?? [];
  const parsed = parse(raw);
  if (word === 'cur') return fromReport(parsed);
  if (word === 'gcp') return strongest(raw, Object.values(parsed));
  return Array.isArray(parsed) ? strongest(raw, [parsed]) : parsed;
}

function parse(raw: string): Record<string, unknown> {
  const text = withoutForm(raw).trim();
  if (text === '""' || text === 'null') return {};
  try {
    // Some exports leave the braces out.
    return JSON.parse(/^[{[]/.test(text) ? text : `{${text}}`);
  } catch (error) {
    throw new UnreadableTags(raw, { cause: error });
  }
}

/** A Cost and Usage Report 2.0: tags of users with `user_` before the key, and cost categories beside them. */
function fromReport({
  resource_tags: tags,
  cost_category: categories,
}: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries([
    ...Object.entries(tags ?? {}).map(([key, value]) => [key.replace(/^user_/, ''), value]),
    ...Object.entries(categories ?? {}).map(([key, value]) => [costCategoryKey(key), value]),
  ]);
}

/** The key under which an AWS cost category stands among the tags, where no tag can be meant. */
export function costCategoryKey(name: string): string {
  return `cost_category:${name}`;
}

/** Google's lists of keys and values: of a key that several have, the first list's value. */
function strongest(raw: string, lists: readonly unknown[]): Record<string, unknown> {
  const tags = new Map<string, [string, unknown]>();
  for (const entry of lists.flatMap((list) => (Array.isArray(list) ? list : []))) {
    const { key, value } = folded(entry);
    if (typeof key !== 'string') throw new UnreadableTags(raw);
    if (!tags.has(key.toLowerCase())) tags.set(key.toLowerCase(), [key, value]);
  }
  return Object.fromEntries(tags.values());
}

function folded(entry: object | null): Record<string, unknown> {
  return Object.fromEntries(Object.entries(entry ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
}
