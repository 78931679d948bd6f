import type { Request } from 'express';
import { getNullableType, isListType, isScalarType, type GraphQLInputType } from 'graphql';
import { arg, fix, invalid } from '../../../kit/errors/errors.ts';
import { show } from './readers.ts';

/** Returns a request's query string without its question mark. */
export function searchOf(req: Pick<Request, 'originalUrl'>): string {
  const cut = req.originalUrl.indexOf('?');
  return cut === -1 ? '' : req.originalUrl.slice(cut + 1);
}

/** The parameters of a query string with their values. */
export type Query = ReadonlyMap<string, readonly string[]>;

/** Parses a query string strictly. A parameter may be repeated.
 *  @param search without its question mark
 *  @throws {AppError} VALIDATION_ERROR for invalid percent-encoding */
export function parseSearch(search: string): Query {
  const found = new Map<string, string[]>();
  for (const pair of search.split('&')) {
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
    throw invalid`The query string is not valid percent-encoding near ${show(text, 'text')}${fix}encode text as UTF-8, each byte as %XX`;
  }
}

/** Converts the strings of one parameter to a JSON value of its type, if they look like one; the type's reader
 *  validates the result. A one-item list becomes its item, so that no message mentions `status[0]` for `?status=x`.
 *  @throws {AppError} VALIDATION_ERROR if a single-valued parameter is repeated */
export type TextReader = (values: readonly string[], at: string) => unknown;

/** Builds the text reader of a type once. */
export function textReaderOf(type: GraphQLInputType): TextReader {
  const bare = getNullableType(type);
  if (isListType(bare)) {
    const item = wordReader(getNullableType(bare.ofType));
    return (values) => {
      const items = values.flatMap(splitList).map(item);
      return items.length === 1 ? items[0] : items;
    };
  }
  const word = wordReader(bare);
  return (values, at) => word(oneOf(values, at) ?? '');
}

/** Returns the value of a single-valued parameter; undefined if absent.
 *  @throws {AppError} VALIDATION_ERROR if it is repeated */
export function oneOf(values: readonly string[], at: string): string | undefined {
  if (values.length > 1) throw invalid`${arg(at)} was given ${values.length} times${fix}send it once`;
  return values[0];
}

/** `a,b\,c` becomes `a` and `b,c`. */
function splitList(text: string): string[] {
  return text.split(/(?<!\\),/).map((part) => part.replaceAll('\\,', ','));
}

function wordReader(type: unknown): (word: string) => unknown {
  const name = isScalarType(type) ? type.name : '';
  // A larger number would lose precision and be quoted incorrectly.
  if (name === 'Int') return (word) => (/^-?(0|[1-9]\d{0,14})$/.test(word) ? Number(word) : word);
  if (name === 'Float' || name === 'Decimal')
    return (word) => (/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(word) ? Number(word) : word);
  if (name === 'Boolean') return (word) => (word === 'true' ? true : word === 'false' ? false : word);
  return (word) => word;
}
