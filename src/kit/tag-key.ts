import { compare } from './sort.ts';

/** Normalizes a tag key so that bills and queries agree: strips the `user:` that some AWS exports prefix to
 *  user-defined keys (the console and other exports show the bare key). Keeps whitespace: to the clouds, `org` and
 *  ` org` are different keys. Idempotent. */
export function tagKeyName(key: string): string {
  return key.replace(/^(?:user:)+/, '');
}

/** Replaces what PostgreSQL cannot store, NUL and lone surrogates, with the replacement character. */
export function storable(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed();
}

/** Normalizes tags for storage: strips AWS's `user:`, drops blank keys and null values, and sorts by key. Keys that differ
 *  only in case are different keys (FOCUS: a JSON object's), and all stay; where keys count regardless of case, the first
 *  in code point order counts. Of equal keys, the smallest value stays. */
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
  return Object.fromEntries(entries.filter(([key]) => (seen.has(key) ? false : seen.add(key))));
}
