import type { Permission } from '../tenancy/auth/permissions.ts';
import type { Bounds } from './bounded.ts';
import type { RateCategory } from '../kit/config/config.ts';
import type { CsvLayout } from '../kit/text/spreadsheet.ts';
import type { ErrorCode } from '../kit/errors/errors.ts';

/** The REST route of a root field, declared on the field itself as `extensions: { rest }`: the only source of
 *  routes, rate limit categories and the OpenAPI document. A root field without one is GraphQL-only, with the
 *  category `read` for a query and `write` for a mutation unless `extensions: { category }` overrides it. */
export interface RestRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Relative to `/api/v1`, with parameters in braces: `/accounts/{id}`. Each parameter is an argument of the field. */
  readonly path: `/${string}`;
  /** Status of a successful response. With 204 the field's value is not sent. */
  readonly status: 200 | 201 | 202 | 204;
  /** An argument (REST spelling) that makes the operation create something: if given, the status is 201. */
  readonly createsWith?: string;
  readonly tags: readonly string[];
  readonly category: RateCategory;
  /** True: no token required. Such a field has no `authScopes`. */
  readonly public?: true;
  /** True: reads the refresh token from the cookie if the body has none. */
  readonly refreshCookie?: true;
  /** True on a DELETE that takes its arguments in a JSON body, because secrets must not appear in URLs. */
  readonly takesBody?: true;
  /** The body is a list instead of an object. */
  readonly listBody?: ListBody;
  /** True: the field reports what its response depends on (`Context.dependsOn`), which becomes the ETag. */
  readonly etag?: true;
  /** The array in the response (REST spelling) whose items become CSV rows. */
  readonly csv?: string;
  /** Builds the CSV if its columns depend on the response. `csv` then only names the array. */
  readonly csvTable?: CsvTable;
  /** True: the CSV is a series that `?layout=wide` pivots into one column per group. */
  readonly csvLayouts?: true;
  /** Query parameters that replace arguments that a query string cannot express. */
  readonly flat?: FlatArguments;
  /** Documented error codes in addition to those implied by the method, path and category. */
  readonly errors?: readonly ErrorCode[];
}

/** Settings of a route that differ from the defaults: POST; status 204 for DELETE, otherwise 200; category `read` for GET,
 *  otherwise `write`. */
type RouteOptions = Pick<RestRoute, 'path'> & Partial<RestRoute>;

function routed(tag: string, options: RouteOptions): { extensions: { rest: RestRoute } } {
  const { method = 'POST' } = options;
  const category = method === 'GET' ? 'read' : 'write';
  const rest = { method, status: method === 'DELETE' ? 204 : 200, tags: [tag], category, ...options } as const;
  return { extensions: { rest } };
}

/** Options of a root field for callers with these scopes, with its route. */
export function guardedRoute<Scopes extends object>(tag: string, authScopes: Scopes, options: RouteOptions) {
  return { authScopes, ...routed(tag, options) };
}

/** Options of a query for every signed-in caller. */
export function readRoute(tag: string, path: RestRoute['path'], more: Partial<RestRoute> = {}) {
  return guardedRoute(tag, { signedIn: true }, { method: 'GET', path, ...more });
}

/** Options of a mutation that requires a permission. */
export function writeRoute<Action extends Permission>(tag: string, can: Action, options: RouteOptions) {
  return guardedRoute(tag, { signedIn: true, can }, options);
}

/** Options of a root field that requires no token; its category is `auth` by default. */
export function publicRoute(tag: string, options: RouteOptions) {
  return routed(tag, { category: 'auth', public: true, ...options });
}

/** Scopes of operations on the caller's own login: not for API tokens. */
export const ownLogin = { signedIn: true, interactive: true, can: 'self.write' } as const;

/** Scopes of `ownLogin`, including callers who still have to set up the second factor that their organization requires. */
export const ownLoginWhileEnrolling = { enrolling: true, interactive: true, can: 'self.write' } as const;

/** Builds CSV rows, header first, from a response in REST spelling. */
export type CsvTable = (answer: unknown, layout: CsvLayout) => readonly (readonly (string | number | null)[])[];

/** A body that is the value of one argument, as a JSON array or as CSV. */
export interface ListBody {
  /** The argument, in REST spelling. */
  readonly argument: string;
  /** Converts CSV to the items of the array.
   *  @throws {AppError} VALIDATION_ERROR that names the line */
  readonly readCsv: (text: string) => readonly unknown[];
}

/** A query or path parameter. */
export interface FlatParameter {
  readonly name: string;
  readonly description: string;
  /** Bounds that its reader enforces. */
  readonly jsonSchema?: Bounds;
}

/** Path or query parameters that replace arguments of other types. */
export interface FlatArguments {
  /** The arguments (REST spelling) that they replace. */
  readonly replaces: readonly string[];
  /** Each takes a list of strings in the query, or one string in the path. */
  readonly parameters: readonly FlatParameter[];
  /** Converts the given parameters to arguments. Argument names are in REST spelling, input field names in GraphQL
   *  spelling, enum values in lower case.
   *  @throws {AppError} VALIDATION_ERROR that names the parameter */
  readonly read: (given: Readonly<Record<string, readonly string[] | undefined>>) => Readonly<Record<string, unknown>>;
}
