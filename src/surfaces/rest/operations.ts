import { buildOperationNodeForField } from '@graphql-tools/utils';
import { Kind, validate, type DocumentNode, type GraphQLField, type OperationTypeNode } from 'graphql';
import type { RestRoute } from '../../graph/rest.ts';
import type { Shape } from './shape.ts';
import { routeOf } from './route.ts';
import { translate } from './translate.ts';
import { parametersOf, type Parameter } from './variables.ts';

/** One route of the REST API, with everything about it worked out at start. */
export interface Operation {
  /** The root field's name: the operation's id in the document. */
  readonly name: string;
  readonly kind: 'query' | 'mutation';
  readonly route: RestRoute;
  /** The root field as REST spells it. */
  readonly field: GraphQLField<unknown, unknown>;
  readonly parameters: readonly Parameter[];
}

/** All routes. @throws {Error} when one would not run, so that the server does not start with it */
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
    refuseInvalid(shape, kind, field);
    const parameters = parametersOf(field, route, shape.spelling);
    refuseUnboundPath(field.name, route, parameters);
    refuseUnknownFlat(field, route);
    return [{ name: field.name, kind, route, field, parameters }];
  });
}

/** Builds the operation just as Sofa does, and validates its translation. */
function refuseInvalid(shape: Shape, kind: 'query' | 'mutation', field: GraphQLField<unknown, unknown>): void {
  const ignore = Object.keys(shape.shape.getTypeMap());
  // A string enum of graphql-js; its values are these words.
  const options = {
    kind: kind as OperationTypeNode,
    schema: shape.shape,
    field: field.name,
    models: [],
    ignore,
    circularReferenceDepth: 1,
  };
  const document: DocumentNode = { kind: Kind.DOCUMENT, definitions: [buildOperationNodeForField(options)] };
  const [error] = validate(shape.executable, translate(document, shape));
  if (error) throw new Error(`The REST operation of ${field.name} does not fit the schema: ${error.message}`);
}

function refuseUnboundPath(name: string, route: RestRoute, parameters: readonly Parameter[]): void {
  for (const [, parameter] of route.path.matchAll(/\{(\w+)\}/g)) {
    if (!parameters.some((known) => known.name === parameter))
      throw new Error(`${name}: ${route.path} names ${parameter}, which is no argument`);
  }
}

function refuseUnknownFlat({ name, args }: GraphQLField<unknown, unknown>, { flat }: RestRoute): void {
  for (const replaced of flat?.replaces ?? []) {
    if (!args.some((argument) => argument.name === replaced))
      throw new Error(`${name}: parameters stand for ${replaced}, which is no argument`);
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
