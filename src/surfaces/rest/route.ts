import type { GraphQLField } from 'graphql';
import type { RateCategory } from '../../kit/config/config.ts';
import type { RestRoute } from '../../graph/rest.ts';

/** The route declared by a root field; null if there is none. */
export function routeOf(field: Pick<GraphQLField<unknown, unknown>, 'extensions'>): RestRoute | null {
  const rest = field.extensions['rest'];
  // Built with this type by graph/rest.ts; extensions are untyped here.
  return typeof rest === 'object' && rest !== null ? (rest as RestRoute) : null;
}

/** A path in the syntax of Express and Sofa: `/accounts/:id`. */
export function colonPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

/** Status of a successful response.
 *  @param given the arguments by REST name */
export function statusOf({ status, createsWith }: RestRoute, given: Readonly<Record<string, unknown>>): number {
  return createsWith !== undefined && (given[createsWith] ?? null) !== null ? 201 : status;
}

/** Whether arguments other than path parameters are in a JSON body, as opposed to the query. */
export function takesBody(route: RestRoute): boolean {
  return route.takesBody === true || (route.method !== 'GET' && route.method !== 'DELETE');
}

/** The rate limit category of a root field, for both APIs. */
export function categoryOf(
  field: Pick<GraphQLField<unknown, unknown>, 'extensions'>,
  kind: 'query' | 'mutation',
): RateCategory {
  const own = field.extensions['category'];
  return routeOf(field)?.category ?? (isCategory(own) ? own : kind === 'query' ? 'read' : 'write');
}

function isCategory(value: unknown): value is RateCategory {
  return value === 'auth' || value === 'read' || value === 'write' || value === 'report' || value === 'export';
}
