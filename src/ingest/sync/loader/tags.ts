import { createHash } from 'node:crypto';
import { tagKeyName } from '../../../kit/tag-key.ts';
import type { Duck } from './duck.ts';
import { readTags } from './tag-forms.ts';

/** A key with more values than this, and than a fifth of the month's resources, is an identifier, such as a name: the rollups
 *  by tag set leave it out, because it would make them as long as the facts. */
const minIdentifierValues = 200;
const resourcesPerValue = 5;

/** 63 bits of the MD5 of a text: the id of a dictionary entry, the same in DuckDB (`idOf`) and here. */
export function textId(text: string): bigint {
  return BigInt(`0x${createHash('md5').update(text).digest('hex').slice(0, 16)}`) >> 1n;
}

/** A charge's tags as they are kept: pairs by key, the `user:` prefix of AWS removed, blank keys and null values dropped. Of
 *  two keys that differ in case only the first in code point order counts, so that a charge has one value per key. What
 *  PostgreSQL cannot hold, NUL and halves of surrogate pairs, becomes the replacement character.
 *  @throws {UnreadableTags} when the text is not a JSON object */
export function canonicalTags(raw: string): Record<string, string> {
  const entries = Object.entries(readTags(raw))
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([key, value]): [string, string] => [
      tagKeyName(storable(key)),
      storable(typeof value === 'string' ? value : JSON.stringify(value)),
    ])
    .filter(([key]) => key.trim() !== '')
    .sort(([a, v], [b, w]) => compare(a, b) || compare(v, w));
  const seen = new Set<string>();
  return Object.fromEntries(
    entries.filter(([key]) => {
      const folded = key.toLowerCase();
      return seen.has(folded) ? false : seen.add(folded);
    }),
  );
}

function storable(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed();
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Makes the tables `tag_map` (raw text to set), `tag_set`, `tag_pair`, `tag_value`, `tag_key` and `tag_reduced` (set to the set
 *  that the rollups hold) from the month table `m` and the resources `d_resource`. Each distinct text is parsed once, here:
 *  sorting maps in SQL costs several times more. */
export async function buildTags(duck: Duck): Promise<void> {
  await duck.run(`CREATE OR REPLACE TABLE tag_map (raw VARCHAR, id BIGINT);
    CREATE OR REPLACE TABLE tag_set (id BIGINT, tags VARCHAR);
    CREATE OR REPLACE TABLE tag_pair (tag_set_id BIGINT, key_id BIGINT, value_id BIGINT, key VARCHAR, value VARCHAR);
    CREATE OR REPLACE TABLE tag_reduced (id BIGINT, reduced_id BIGINT)`);
  const writer = await TagWriter.open(duck, 'tag_map');
  await eachText(duck, 'SELECT DISTINCT tags FROM m WHERE tags IS NOT NULL', (raw) =>
    writer.add(raw, canonicalTags(raw)),
  );
  writer.close();
  await duck.run(`
    CREATE OR REPLACE TABLE tag_value AS SELECT DISTINCT value_id AS id, value FROM tag_pair;
    CREATE OR REPLACE TABLE tag_key AS SELECT key_id AS id, min(key) AS key, count(DISTINCT value_id)::INT AS value_count,
      count(DISTINCT value_id) <= greatest(${minIdentifierValues}, (SELECT count(*) FROM d_resource) / ${resourcesPerValue}) AS rolled_up
      FROM tag_pair GROUP BY key_id`);
  await reduceSets(duck);
}

/** Interns each set without its identifier keys. */
async function reduceSets(duck: Duck): Promise<void> {
  const rows = await duck.rows('SELECT lower(key) AS k FROM tag_key WHERE NOT rolled_up');
  const identifiers = new Set(rows.map((row) => row['k']));
  await duck.run('CREATE OR REPLACE TABLE full_set AS SELECT * FROM tag_set');
  const writer = await TagWriter.open(duck, 'tag_reduced', await knownSets(duck));
  await eachText(duck, 'SELECT tags FROM full_set', (text) => {
    const tags: Record<string, string> = JSON.parse(text);
    writer.reduce(
      text,
      Object.fromEntries(Object.entries(tags).filter(([key]) => !identifiers.has(key.toLowerCase()))),
    );
  });
  writer.close();
}

async function knownSets(duck: Duck): Promise<Set<bigint>> {
  const rows = await duck.rows('SELECT id FROM tag_set');
  return new Set(rows.map((row) => BigInt(row['id'] ?? 0)));
}

async function eachText(duck: Duck, sql: string, use: (text: string) => void): Promise<void> {
  const result = await duck.connection.stream(sql);
  for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    for (const value of chunk.getColumnValues(0)) use(String(value));
  }
}

type Appender = Awaited<ReturnType<Duck['connection']['createAppender']>>;

/** Interns tag sets: each is written once, with its pairs. */
class TagWriter {
  readonly #map: Appender;
  readonly #set: Appender;
  readonly #pair: Appender;
  readonly #sets: Set<bigint>;
  readonly #ids = new Map<string, bigint>();

  private constructor(map: Appender, set: Appender, pair: Appender, known: Set<bigint>) {
    this.#map = map;
    this.#set = set;
    this.#pair = pair;
    this.#sets = known;
  }

  static async open(duck: Duck, map: 'tag_map' | 'tag_reduced', known = new Set<bigint>()): Promise<TagWriter> {
    const { connection } = duck;
    const [maps, sets, pairs] = [
      await connection.createAppender(map),
      await connection.createAppender('tag_set'),
      await connection.createAppender('tag_pair'),
    ];
    return new TagWriter(maps, sets, pairs, known);
  }

  /** Maps a raw text to its set. */
  add(raw: string, tags: Record<string, string>): void {
    this.#map.appendVarchar(raw);
    this.#map.appendBigInt(this.#intern(tags));
    this.#map.endRow();
  }

  /** Maps a set's text to the set that is left of it. */
  reduce(text: string, tags: Record<string, string>): void {
    this.#map.appendBigInt(textId(text));
    this.#map.appendBigInt(this.#intern(tags));
    this.#map.endRow();
  }

  #intern(tags: Record<string, string>): bigint {
    const pairs = Object.entries(tags);
    if (pairs.length === 0) return 0n;
    const text = JSON.stringify(tags);
    const id = textId(text);
    if (this.#sets.has(id)) return id;
    this.#sets.add(id);
    this.#set.appendBigInt(id);
    this.#set.appendVarchar(text);
    this.#set.endRow();
    for (const [key, value] of pairs) this.#addPair(id, key, value);
    return id;
  }

  #addPair(id: bigint, key: string, value: string): void {
    this.#pair.appendBigInt(id);
    this.#pair.appendBigInt(this.#idOf(key.toLowerCase()));
    this.#pair.appendBigInt(this.#idOf(value));
    this.#pair.appendVarchar(key);
    this.#pair.appendVarchar(value);
    this.#pair.endRow();
  }

  #idOf(text: string): bigint {
    const known = this.#ids.get(text);
    if (known !== undefined) return known;
    const id = textId(text);
    this.#ids.set(text, id);
    return id;
  }

  close(): void {
    this.#map.closeSync();
    this.#set.closeSync();
    this.#pair.closeSync();
  }
}
