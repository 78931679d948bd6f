/** Placeholder for a stored word unknown to this version, because another version wrote it. No real word is spelled
 *  like this. */
export const unknownWord = 'unknown';

/** A known word, or the placeholder for one from another version. */
export type StoredWord<Word extends string> = Word | typeof unknownWord;

/** Reads a word from a column.
 *  @param known this version's words, as keys
 *  @returns `unknown` for any other text, so that rows from other versions stay readable */
export function storedWord<Word extends string>(
  known: Readonly<Record<Word, unknown>>,
  text: string,
): StoredWord<Word> {
  return isKeyOf(known, text) ? text : unknownWord;
}

function isKeyOf<Word extends string>(known: Readonly<Record<Word, unknown>>, text: string): text is Word {
  return Object.hasOwn(known, text);
}

/** A filter on stored words: matches words in the first list or outside the second. */
export interface WordFilter {
  readonly among: readonly string[];
  /** Null: only words in the first list match. */
  readonly outside: readonly string[] | null;
}

/** Parses a filter on stored words; `unknown` matches every unknown word. */
export function wordFilter<Word extends string>(
  known: Readonly<Record<Word, unknown>>,
  asked: readonly StoredWord<Word>[],
): WordFilter {
  const among = [...new Set(asked)].filter((word) => word !== unknownWord);
  return { among, outside: asked.includes(unknownWord) ? Object.keys(known) : null };
}
