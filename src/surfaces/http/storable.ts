/** What keeps PostgreSQL from holding a text, in words that go on "must not contain …"; null when it can.
 *  Its text takes neither U+0000 nor half of a surrogate pair, and JSON can spell both. */
function flawOf(text: string): string | null {
  if (text.includes('\u0000')) return 'the character U+0000';
  return text.isWellFormed() ? null : 'an unpaired surrogate';
}

/** A flaw of a text in a JSON value. */
interface Flaw {
  readonly flaw: string;
  /** Names and places that lead to the text; to the object around it for a name that is flawed. */
  readonly way: readonly (string | number)[];
}

/** A flaw of any text in a JSON value, names included. It walks without recursion, so no nesting is too deep. */
export function findFlaw(value: unknown): Flaw | null {
  const open: { item: unknown; way: Flaw['way'] }[] = [{ item: value, way: [] }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { item, way } = next;
    const flaw = typeof item === 'string' ? flawOf(item) : null;
    if (flaw !== null) return { flaw, way };
    if (typeof item !== 'object' || item === null) continue;
    // One by one: a spread of a long list is a call with too many arguments.
    for (const [key, inner] of Object.entries(item)) {
      open.push({ item: inner, way: [...way, Array.isArray(item) ? Number(key) : key] }, { item: key, way });
    }
  }
  return null;
}

/** What keeps PostgreSQL from holding a JSON value, as `flawOf` says it. */
export function flawIn(value: unknown): string | null {
  return findFlaw(value)?.flaw ?? null;
}
