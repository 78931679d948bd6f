import { getNullableType, isListType, isScalarType, type GraphQLInputType } from 'graphql';
import { invalid } from '../../kit/errors.ts';
import { show } from './readers.ts';

/** Splits a query string, strictly. A parameter may come several times.
 *  @param search with or without its question mark
 *  @throws {AppError} VALIDATION_ERROR for bad percent-encoding */
export function parseSearch(search: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const pair of search.replace(/^\?/, '').split('&')) {
    if (pair === '') continue;
    const cut = pair.indexOf('=');
    const name = decoded(cut === -1 ? pair : pair.slice(0, cut));
    const value = cut === -1 ? '' : decoded(pair.slice(cut + 1));
    const values = found.get(name);
    if (values) values.push(value);
    else found.set(name, [value]);
  }
  return found;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalid(`The query string is not valid percent-encoding near ${show(text, 'text')}`);
  }
}

/** Turns the texts of one parameter into a JSON value of its type, as far as they look like one; the type's reader
 *  judges what comes out.
 *  @throws {AppError} VALIDATION_ERROR when a parameter that takes one value came several times */
export type TextReader = (values: readonly string[], at: string) => unknown;

/** Builds the text reader of a type once. */
export function textReaderOf(type: GraphQLInputType): TextReader {
  const bare = getNullableType(type);
  if (isListType(bare)) {
    const item = wordReader(getNullableType(bare.ofType));
    return (values) => values.flatMap(splitList).map(item);
  }
  const word = wordReader(bare);
  return (values, at) => {
    if (values.length > 1) throw invalid(`${at} was given ${values.length} times; it takes one value`);
    return word(values[0] ?? '');
  };
}

/** `a,b\,c` is `a` and `b,c`. */
function splitList(text: string): string[] {
  return text.split(/(?<!\\),/).map((part) => part.replaceAll('\\,', ','));
}

function wordReader(type: unknown): (word: string) => unknown {
  const isNumber = isScalarType(type) && ['Int', 'Float', 'Decimal'].includes(type.name);
  const isBoolean = isScalarType(type) && type.name === 'Boolean';
  if (isNumber) return (word) => (/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(word) ? Number(word) : word);
  if (isBoolean) return (word) => (word === 'true' ? true : word === 'false' ? false : word);
  return (word) => word;
}
