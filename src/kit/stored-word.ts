/** Stands for a stored word that this version does not know, because another version wrote it. No word is spelled so. */
export const unknownWord = 'unknown';

/** One of some words, or what stands for one of another version. */
export type StoredWord<Word extends string> = Word | typeof unknownWord;

/** Reads a word from a column.
 *  @param known the words of this version, as keys
 *  @returns `unknown` for any other text, so that old rows stay readable */
export function storedWord<Word extends string>(
  known: Readonly<Record<Word, unknown>>,
  text: string,
): StoredWord<Word> {
  return isKeyOf(known, text) ? text : unknownWord;
}

function isKeyOf<Word extends string>(known: Readonly<Record<Word, unknown>>, text: string): text is Word {
  return Object.hasOwn(known, text);
}

/** What a filter by stored words matches: a word that is among the first list, or outside the second. */
export interface WordFilter {
  readonly among: readonly string[];
  /** Null: only what is among the first list. */
  readonly outside: readonly string[] | null;
}

/** Reads a filter by stored words; `unknown` matches every word that is not known. */
export function wordFilter<Word extends string>(
  known: Readonly<Record<Word, unknown>>,
  asked: readonly StoredWord<Word>[],
): WordFilter {
  const among = [...new Set(asked)].filter((word) => word !== unknownWord);
  return { among, outside: asked.includes(unknownWord) ? Object.keys(known) : null };
}
