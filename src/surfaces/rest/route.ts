import type { GraphQLField } from 'graphql';
import type { RateCategory } from '../../kit/config/config.ts';
import type { RestRoute } from '../../graph/rest.ts';

/** The route that a root field states, if it has one. */
export function routeOf(field: Pick<GraphQLField<unknown, unknown>, 'extensions'>): RestRoute | null {
  const rest = field.extensions['rest'];
  // Stated with `satisfies RestRoute` where the field is built; extensions are untyped on the way here.
  return typeof rest === 'object' && rest !== null ? (rest as RestRoute) : null;
}

/** A path as Express and Sofa write it: `/accounts/:id`. */
export function colonPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

/** The status of a successful answer.
 *  @param given the arguments, by their names in REST */
export function statusOf({ status, createsWith }: RestRoute, given: Readonly<Record<string, unknown>>): number {
  return createsWith !== undefined && (given[createsWith] ?? null) !== null ? 201 : status;
}

/** Whether the arguments that are not in the path come in a JSON body, rather than in the query. */
export function takesBody(route: RestRoute): boolean {
  return route.takesBody === true || (route.method !== 'GET' && route.method !== 'DELETE');
}

/** The budget a root field counts against, whichever API asks for it. */
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
