import { unknownWord, type StoredWord } from '../kit/stored-word.ts';

/** Values of an enum whose words are stored as text, with `UNKNOWN` for words from other versions.
 *  @param known each word with its description */
export function storedWords<Word extends string>(known: Readonly<Record<Word, string>>) {
  const entries = Object.entries<string>({ ...known, [unknownWord]: 'Written by another version of Costkeep.' });
  return Object.fromEntries(
    // The keys of the table are the words.
    entries.map(([value, description]) => [value.toUpperCase(), { value: value as StoredWord<Word>, description }]),
  );
}
