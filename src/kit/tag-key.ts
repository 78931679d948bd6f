/** A tag key as bills and questions agree on it: without the `user:` that some AWS exports put before the keys of users (the
 *  console, and other exports, show the bare key). Blanks stay: clouds take `org` and ` org` for two keys. Applied twice, it
 *  changes nothing more. */
export function tagKeyName(key: string): string {
  return key.replace(/^(?:user:)+/, '');
}
