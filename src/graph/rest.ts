import type { RateCategory } from '../kit/config.ts';
import type { ErrorCode } from '../kit/errors.ts';

/** How a root field is reached through REST. It stands on the field itself, as `extensions: { rest }`: the only list of
 *  routes, of rate categories, and of what the OpenAPI document says. A root field without one is GraphQL's alone, and
 *  its category is then `read` for a query and `write` for a mutation (`extensions: { category }` says otherwise). */
export interface RestRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/api/v1`, with parameters in braces: `/accounts/{id}`. Each parameter is an argument of the field. */
  readonly path: `/${string}`;
  /** Of the answer when all went well. With 204 the field's value is not sent. */
  readonly status: 200 | 201 | 202 | 204;
  readonly tags: readonly string[];
  readonly category: RateCategory;
  /** True: answers without a token. Such a field states no `authScopes`. */
  readonly public?: true;
  /** True on a DELETE that takes its arguments in a JSON body: a secret must not stand in an address. */
  readonly takesBody?: true;
  /** True: the field tells what its answer depends on (`Context.dependsOn`), which becomes the ETag. */
  readonly etag?: true;
  /** The array in the answer (REST spelling) whose items are the rows of the answer as CSV. */
  readonly csv?: string;
  /** Errors of its own, for the document, beside those that follow from the method, the path and the category. */
  readonly errors?: readonly ErrorCode[];
}
