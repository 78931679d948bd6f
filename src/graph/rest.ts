import type { Permission } from '../tenancy/auth/permissions.ts';
import type { Bounds } from './bounded.ts';
import type { RateCategory } from '../kit/config/config.ts';
import type { CsvLayout } from '../kit/text/spreadsheet.ts';
import type { ErrorCode } from '../kit/errors/errors.ts';

/** How a root field is reached through REST. It stands on the field itself, as `extensions: { rest }`: the only list of
 *  routes, of rate categories, and of what the OpenAPI document says. A root field without one is GraphQL's alone, and
 *  its category is then `read` for a query and `write` for a mutation (`extensions: { category }` says otherwise). */
export interface RestRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/api/v1`, with parameters in braces: `/accounts/{id}`. Each parameter is an argument of the field. */
  readonly path: `/${string}`;
  /** Of the answer when all went well. With 204 the field's value is not sent. */
  readonly status: 200 | 201 | 202 | 204;
  /** An argument (REST spelling) that makes the operation create something: given, the status is 201. */
  readonly createsWith?: string;
  readonly tags: readonly string[];
  readonly category: RateCategory;
  /** True: answers without a token. Such a field states no `authScopes`. */
  readonly public?: true;
  /** True: takes the refresh token from the cookie, where the body has none. */
  readonly refreshCookie?: true;
  /** True on a DELETE that takes its arguments in a JSON body: a secret must not stand in an address. */
  readonly takesBody?: true;
  /** True: the field tells what its answer depends on (`Context.dependsOn`), which becomes the ETag. */
  readonly etag?: true;
  /** The array in the answer (REST spelling) whose items are the rows of the answer as CSV. */
  readonly csv?: string;
  /** Writes the CSV where its columns depend on the answer. `csv` then only names the array. */
  readonly csvTable?: CsvTable;
  /** True: the CSV is a series that `?layout=wide` pivots, so that each group is a column. */
  readonly csvLayouts?: true;
  /** Query parameters in place of arguments that a query string cannot spell. */
  readonly flat?: FlatArguments;
  /** Errors of its own, for the document, beside those that follow from the method, the path and the category. */
  readonly errors?: readonly ErrorCode[];
}

/** Options of a root field that reads, for every signed-in caller. */
export function readRoute(tag: string, path: RestRoute['path'], more: Partial<RestRoute> = {}) {
  const rest: RestRoute = { method: 'GET', path, status: 200, tags: [tag], category: 'read', ...more };
  return { authScopes: { signedIn: true }, extensions: { rest } };
}

/** Options of a mutation that takes a permission, at its route. */
export function writeRoute<Action extends Permission>(
  tag: string,
  can: Action,
  route: Pick<RestRoute, 'method' | 'path'> & Partial<RestRoute>,
) {
  const rest: RestRoute = { status: 200, tags: [tag], category: 'write', ...route };
  return { authScopes: { signedIn: true, can }, extensions: { rest } };
}

/** Makes the lines of a CSV, the header first, from an answer in REST's spelling. */
export type CsvTable = (answer: unknown, layout: CsvLayout) => readonly (readonly (string | number | null)[])[];

/** A parameter of a query string or path. */
export interface FlatParameter {
  readonly name: string;
  readonly description: string;
  /** Bounds that its reader enforces. */
  readonly jsonSchema?: Bounds;
}

/** Parameters of a path or query string that stand for arguments of other types. */
export interface FlatArguments {
  /** The arguments (REST spelling) that they stand for. */
  readonly replaces: readonly string[];
  /** Each takes a list of texts in the query, or one text in the path. */
  readonly parameters: readonly FlatParameter[];
  /** Makes the arguments from the parameters that were given. Names of arguments are in REST spelling, names of input fields
   *  in that of GraphQL, enum values in lower case.
   *  @throws {AppError} VALIDATION_ERROR that names the parameter */
  readonly read: (given: Readonly<Record<string, readonly string[] | undefined>>) => Readonly<Record<string, unknown>>;
}
