import type { GraphQLField } from 'graphql';
import type { RestRoute } from '../../../graph/rest.ts';
import type { Shape } from './shape.ts';
import { routeOf } from '../route.ts';
import { parametersOf, type Parameter } from '../input/variables.ts';

/** One route of the REST API, fully computed at startup. */
export interface Operation {
  /** Name of the root field: the operationId in the document. */
  readonly name: string;
  readonly kind: 'query' | 'mutation';
  readonly route: RestRoute;
  /** The root field in REST spelling. */
  readonly field: GraphQLField<unknown, unknown>;
  readonly parameters: readonly Parameter[];
}

/** All routes. @throws {Error} if one is invalid, so that the server does not start */
export function operationsOf(shape: Shape): Operation[] {
  const operations = [...rootOperations(shape, 'query'), ...rootOperations(shape, 'mutation')];
  refuseDoubles(operations);
  return operations;
}

function rootOperations(shape: Shape, kind: 'query' | 'mutation'): Operation[] {
  const root = kind === 'query' ? shape.shape.getQueryType() : shape.shape.getMutationType();
  return Object.values(root?.getFields() ?? {}).flatMap((field) => {
    const route = routeOf(field);
    if (!route) return [];
    const parameters = parametersOf(field, route, shape.spelling);
    refuseUnboundPath(field.name, route, parameters);
    refuseUnknownFlat(field, route);
    return [{ name: field.name, kind, route, field, parameters }];
  });
}

function refuseUnboundPath(name: string, route: RestRoute, parameters: readonly Parameter[]): void {
  for (const [, parameter] of route.path.matchAll(/\{(\w+)\}/g)) {
    if (!parameters.some((known) => known.name === parameter))
      throw new Error(`${name}: ${route.path} names ${parameter}, which is not an argument`);
  }
}

function refuseUnknownFlat({ name, args }: GraphQLField<unknown, unknown>, { flat }: RestRoute): void {
  for (const replaced of flat?.replaces ?? []) {
    if (!args.some((argument) => argument.name === replaced))
      throw new Error(`${name}: parameters stand for ${replaced}, which is not an argument`);
  }
}

function refuseDoubles(operations: readonly Operation[]): void {
  const seen = new Map<string, string>();
  for (const { name, route } of operations) {
    const key = `${route.method} ${route.path.replaceAll(/\{\w+\}/g, '{}')}`;
    const other = seen.get(key);
    if (other) throw new Error(`${other} and ${name} are both ${key}`);
    seen.set(key, name);
  }
}
