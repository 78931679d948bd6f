import { getNamedType, GraphQLError, isInputObjectType, type GraphQLInputType, type GraphQLSchema } from 'graphql';
import type { AppError } from '../../kit/errors.ts';
import { camelOf } from '../rest/spelling.ts';
import { extensionsOf } from '../errors.ts';

/** Writes an error as GraphQL answers it: the code and status of REST in its extensions, nothing of the inside.
 *  @param setsStatus whether the response's own status follows the error */
export function graphqlError(
  error: AppError,
  at: { thrown?: unknown; setsStatus: boolean; schema?: GraphQLSchema },
): GraphQLError {
  const source = at.thrown instanceof GraphQLError ? at.thrown : null;
  const http = at.setsStatus ? { http: { status: error.status, headers: { ...error.headers } } } : {};
  return new GraphQLError(respelled(error, source, at.schema), {
    nodes: source?.nodes,
    source: source?.source,
    positions: source?.positions,
    path: source?.path,
    extensions: { ...extensionsOf(error), ...http },
  });
}

/** Use cases name fields as REST spells them; where the failing field knows the name in camelCase, it is given that way. */
function respelled(error: AppError, source: GraphQLError | null, schema: GraphQLSchema | undefined): string {
  const [node] = source?.nodes ?? [];
  const name = node && 'name' in node && node.name?.kind === 'Name' ? node.name.value : '';
  const field = schema?.getQueryType()?.getFields()[name] ?? schema?.getMutationType()?.getFields()[name];
  if (error.code !== 'VALIDATION_ERROR' || !field) return error.message;
  const args = new Set(field.args.flatMap(({ name: own, type }) => [own, ...fieldsOf(type)]));
  return error.message.replaceAll(/\b[a-z]+(?:_[a-z\d]+)+\b/g, (word) =>
    args.has(camelOf(word)) ? camelOf(word) : word,
  );
}

/** Names of the fields of an input object; of nothing else. */
function fieldsOf(type: GraphQLInputType): string[] {
  const named = getNamedType(type);
  return isInputObjectType(named) ? Object.keys(named.getFields()) : [];
}
