/** A tag key as bills and questions agree on it: without the `user:` that some AWS exports put before the keys of users (the
 *  console, and other exports, show the bare key). Blanks stay: clouds take `org` and ` org` for two keys. Applied twice, it
 *  changes nothing more. */
export function tagKeyName(key: string): string {
  return key.replace(/^(?:user:)+/, '');
}

/** What PostgreSQL cannot hold, NUL and halves of surrogate pairs, becomes the replacement character. */
export function storable(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed();
}

/** Tags as they are kept: the `user:` of AWS removed, blank keys and null values dropped. Of keys that differ in case only the
 *  first in code point order counts, so that a charge or resource has one value per key. */
export function canonicalTags(tags: Readonly<Record<string, unknown>>): Record<string, string> {
  const entries = Object.entries(tags)
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

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
