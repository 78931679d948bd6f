/** How many distinct texts are remembered: a month of one resource repeats its labels each day. */
const remembered = 20_000;

/** Makes FOCUS Tags of a line's labels, its tags and its project's labels: of one key the first of these counts, so that what
 *  is said of a resource itself goes before what it inherits. */
export class LabelReader {
  readonly #known = new Map<string, string>();

  /** @param lists JSON arrays of `{key, value}`, whatever their case
   *  @returns a JSON object, empty text for no tags */
  read(...lists: readonly (string | null)[]): string {
    const key = lists.join('\u001f');
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const tags = tagsOf(lists);
    if (this.#known.size >= remembered) this.#known.clear();
    this.#known.set(key, tags);
    return tags;
  }
}

function tagsOf(lists: readonly (string | null)[]): string {
  const tags = new Map<string, string>();
  for (const list of lists)
    for (const [key, value] of pairsOf(list)) if (!tags.has(key) && key.trim() !== '') tags.set(key, value);
  // Sorted: what was the same in another order is the same.
  const sorted = [...tags].sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.length === 0
    ? ''
    : `{${sorted.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`)}}`;
}

function pairsOf(list: string | null): [string, string][] {
  if (!list) return [];
  const parsed: unknown = JSON.parse(list);
  if (!Array.isArray(parsed)) return [];
  return parsed.flatMap((each: unknown): [string, string][] => {
    if (typeof each !== 'object' || each === null) return [];
    const fields = new Map(Object.entries(each).map(([name, value]) => [name.toLowerCase(), value]));
    // Google's older view calls the key of a tag `name`.
    const key: unknown = fields.get('key') ?? fields.get('name');
    const value: unknown = fields.get('value');
    return typeof key === 'string' ? [[key, typeof value === 'string' ? value : '']] : [];
  });
}
