/** What keeps PostgreSQL from holding a text, in words that go on "must not contain …"; null when it can.
 *  Its text takes neither U+0000 nor half of a surrogate pair, and JSON can spell both. */
export function flawOf(text: string): string | null {
  if (text.includes('\u0000')) return 'the character U+0000';
  return text.isWellFormed() ? null : 'an unpaired surrogate';
}

/** The first flaw of any text in a JSON value, keys included. It walks without recursion, so no nesting is too deep. */
export function flawIn(value: unknown): string | null {
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    const flaw = typeof next === 'string' ? flawOf(next) : null;
    if (flaw !== null) return flaw;
    if (typeof next !== 'object' || next === null) continue;
    // One by one: a spread of a long list is a call with too many arguments.
    for (const [key, item] of Object.entries(next)) open.push(key, item);
  }
  return null;
}
