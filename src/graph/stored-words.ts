import type { EnumRef } from '@pothos/core';
import { builder } from './builder.ts';
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

/** Creates an enum whose values are words of our own, with their names in upper case: `{ gt: 'Greater than …' }`. Other
 *  characters become underscores: `singleDevice` is `SINGLE_DEVICE`.
 *  @param words each word with its description */
export function wordEnum<Word extends string>(
  name: string,
  description: string,
  words: Readonly<Record<Word, string>>,
): EnumRef<(typeof builder)['$inferSchemaTypes'], Word> {
  const entries = Object.entries<string>(words);
  const values = entries.map(([value, text]) => [nameOf(value), { value, description: text }]);
  return builder.enumType(name, { description, values: Object.fromEntries(values) as never });
}

function nameOf(value: string): string {
  return value.replaceAll(/[A-Z]/g, '_$&').replaceAll(/\W+/g, '_').toUpperCase();
}
