import type { SavedView as ViewRow } from '../../../prisma/generated/client/client.ts';
import type { ViewPage, Visibility } from '../../../prisma/generated/client/enums.ts';
import { arg, fix, invalid, not } from '../../kit/errors/errors.ts';
import { clearable, defaulted, given, required, type RecordChange, type RecordInput } from '../../kit/record-fields.ts';
import { lineRule, nameRule, parseName, unprintable } from '../../tenancy/login/input.ts';

/** A saved view. */
export type SavedView = Omit<ViewRow, 'query'> & { readonly query: ViewQuery };

/** Query parameters of a page's URL, with their values in order. */
export type ViewQuery = Readonly<Record<string, readonly string[]>>;

/** Bounds of a query. */
const queryLimits = { parameters: 50, values: 100, nameCharacters: 300, valueCharacters: 500, characters: 8000 };
const valueRule = { type: 'string', minLength: 1, maxLength: queryLimits.valueCharacters, ...lineRule } as const;
export const queryRule = {
  maxProperties: queryLimits.parameters,
  additionalProperties: {
    anyOf: [valueRule, { type: 'array', minItems: 1, maxItems: queryLimits.values, items: valueRule }],
  },
} as const;

/** Describes a query in the API. */
export const queryText =
  'Query parameters of the page’s URL by name, each with its value, or a list of values for a repeated one: `{"group": "service", "provider": ["aws", "gcp"]}`.';

/** The fields of a view that clients set. */
export const viewFields = {
  name: required(parseName, nameRule),
  page: required(given<ViewPage>),
  query: clearable<object, ViewQuery, ViewQuery>({}, parseQuery, queryRule),
  visibility: defaulted<Visibility, Visibility>('private', given),
};

export type ViewInput = RecordInput<typeof viewFields>;
export type ViewChange = RecordChange<typeof viewFields>;

/** Parses the query parameters of a URL.
 *  @throws {AppError} VALIDATION_ERROR naming the parameter */
export function parseQuery(query: object, field: string): ViewQuery {
  const entries = Object.entries(query as Record<string, unknown>);
  if (entries.length > queryLimits.parameters)
    throw invalid`${arg(field)} has ${entries.length} parameters; at most ${queryLimits.parameters} are allowed`;
  const parsed = entries.map(([name, value]) => {
    if (name === '' || !isLine(name, queryLimits.nameCharacters))
      throw invalid`${arg(field, name)} is not a parameter${fix}use 1 to ${queryLimits.nameCharacters} characters on one line`;
    return [name, valuesOf(value, `${field}.${name}`)] as const;
  });
  const result = Object.fromEntries(parsed);
  const { length } = JSON.stringify(result);
  if (length > queryLimits.characters)
    throw invalid`${arg(field)} can have at most ${queryLimits.characters} characters as JSON, not ${length}${fix}use fewer values`;
  return result;
}

function valuesOf(value: unknown, field: string): string[] {
  const values: unknown[] = Array.isArray(value) ? value : [value];
  if (values.length === 0 || values.length > queryLimits.values)
    throw invalid`${arg(field)} must have 1 to ${queryLimits.values} values, not ${values.length}`;
  return values.map((one) => {
    if (typeof one !== 'string')
      throw invalid`${arg(field, not('other JSON', null))} must be a string or a list of strings`;
    if (one === '' || !isLine(one, queryLimits.valueCharacters))
      throw invalid`${arg(field, one)} is not a value${fix}use 1 to ${queryLimits.valueCharacters} characters on one line, or leave the parameter out`;
    return one;
  });
}

function isLine(text: string, most: number): boolean {
  return text.length <= most && text.isWellFormed() && !unprintable.test(text);
}

/** Reads a query from its column. */
export function storedQuery(stored: unknown): ViewQuery {
  return Object(stored) as ViewQuery;
}

/** Returns a query as clients see it: a single value is not a list. */
export function shownQuery(query: ViewQuery): Record<string, string | readonly string[]> {
  return Object.fromEntries(Object.entries(query).map(([name, values]) => [name, oneOrAll(values)]));
}

function oneOrAll(values: readonly string[]): string | readonly string[] {
  const [first, ...more] = values;
  return first !== undefined && more.length === 0 ? first : values;
}

/** Accounts that a query is limited to; empty: all accounts. Values that are not an id, such as a prefix, stay as they are and
 *  therefore lie in no scope. */
export function accountsOf(query: ViewQuery): string[] {
  return [...new Set(query['account'] ?? [])].sort();
}
