/** Why PostgreSQL cannot store a string, as a continuation of "must not contain …"; null if it can. Its text type
 *  accepts neither U+0000 nor lone surrogates, and JSON can express both. */
function flawOf(text: string): string | null {
  if (text.includes('\u0000')) return 'the character U+0000';
  return text.isWellFormed() ? null : 'an unpaired surrogate';
}

/** An invalid string in a JSON value. */
interface Flaw {
  readonly flaw: string;
  /** Path to the string; to the enclosing object for an invalid key. */
  readonly way: readonly (string | number)[];
}

/** Finds an invalid string in a JSON value, including its keys. Iterative, so that deep nesting cannot overflow the
 *  stack. */
export function findFlaw(value: unknown): Flaw | null {
  const open: { item: unknown; way: Flaw['way'] }[] = [{ item: value, way: [] }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { item, way } = next;
    const flaw = typeof item === 'string' ? flawOf(item) : null;
    if (flaw !== null) return { flaw, way };
    if (typeof item !== 'object' || item === null) continue;
    // Pushed one by one: spreading a long list would exceed the maximum number of arguments.
    for (const [key, inner] of Object.entries(item)) {
      open.push({ item: inner, way: [...way, Array.isArray(item) ? Number(key) : key] }, { item: key, way });
    }
  }
  return null;
}

/** Why PostgreSQL cannot store a JSON value, as in `flawOf`. */
export function flawIn(value: unknown): string | null {
  return findFlaw(value)?.flaw ?? null;
}
