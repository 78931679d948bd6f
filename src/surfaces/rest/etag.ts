import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import {
  GraphQLError,
  getArgumentValues,
  getVariableValues,
  Kind,
  OperationTypeNode,
  type FieldNode,
  type VariableDefinitionNode,
} from 'graphql';
import { buildOperationNodeForField } from '@graphql-tools/utils';
import type { Context } from '../../graph/context.ts';
import type { Operation } from './operations.ts';
import type { Shape } from './shape.ts';
import { translate } from './translate.ts';

/** Gives what an answer depends on; null where the route states nothing. */
export type Dependence = (ctx: Context, variables: Readonly<Record<string, unknown>>) => Promise<string>;

/** Hands a route's `etag` the arguments that its resolver would get: coerced, renamed and with defaults. */
export function dependenceOf(operation: Operation, shape: Shape): Dependence | null {
  const { etag } = operation.route;
  const field = shape.executable.getQueryType()?.getFields()[operation.name];
  if (!etag || !field) return null;
  const { definitions, node } = callOf(operation, shape);
  return async (ctx, variables) => {
    const { coerced, errors } = getVariableValues(shape.executable, definitions, variables);
    if (!coerced) throw errors[0] ?? new GraphQLError('The variables cannot be read');
    const args = getArgumentValues(field, node, coerced);
    // The route was stated next to the field, so the arguments are of the type it names.
    return etag(ctx, args as never);
  };
}

function callOf(
  operation: Operation,
  shape: Shape,
): { definitions: readonly VariableDefinitionNode[]; node: FieldNode } {
  const ignore = Object.keys(shape.shape.getTypeMap());
  const kind = OperationTypeNode.QUERY;
  const definition = buildOperationNodeForField({
    kind,
    schema: shape.shape,
    field: operation.name,
    models: [],
    ignore,
    circularReferenceDepth: 1,
  });
  const translated = translate({ kind: Kind.DOCUMENT, definitions: [definition] }, shape);
  const [only] = translated.definitions;
  const node = only?.kind === Kind.OPERATION_DEFINITION ? only.selectionSet.selections[0] : undefined;
  if (only?.kind !== Kind.OPERATION_DEFINITION || node?.kind !== Kind.FIELD)
    throw new Error(`${operation.name} has no field to ask`);
  return { definitions: only.variableDefinitions ?? [], node };
}

/** Sets the ETag and what caches must know. True: the client's copy is still good.
 *  @param representation `json` and `csv` of one answer are different things */
export function isUnchanged(req: Request, res: Response, dependence: string, representation: string): boolean {
  const hash = createHash('sha256').update(representation).update('\u0000').update(dependence).digest('base64url');
  const tag = `W/"${hash.slice(0, 27)}"`;
  res.setHeader('ETag', tag);
  res.setHeader('Cache-Control', 'private, no-cache');
  res.vary('Authorization');
  res.vary('Accept');
  return matches(req.get('if-none-match'), tag);
}

/** RFC 9110, 13.1.2: weak comparison, a list, or any. */
function matches(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  const opaque = (text: string) => text.trim().replace(/^W\//, '');
  return header.trim() === '*' || header.split(',').some((candidate) => opaque(candidate) === opaque(tag));
}
