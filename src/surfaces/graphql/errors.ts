import { GraphQLError, type ASTNode, type GraphQLSchema } from 'graphql';
import { restName, spelled, type AppError, type ErrorCode, type Spell } from '../../kit/errors/errors.ts';
import { detailsOf, headersOf, type Details } from '../errors.ts';
import { spellingOf } from './spelling.ts';

/** The extensions of every error: the REST envelope's fields other than the message, in GraphQL spelling. */
interface Extensions extends Partial<Details> {
  readonly code: ErrorCode;
  readonly status: number;
  readonly reason: string;
  readonly resourceId?: string;
}

/** Context for formatting an error. */
interface Circumstances {
  /** The thrown value, for its location in the document. */
  readonly thrown?: unknown;
  /** Whether the error determines the HTTP status of the response. */
  readonly setsStatus: boolean;
  readonly schema?: GraphQLSchema;
  /** Subject of a graphql-js error. */
  readonly field?: string | null;
}

/** Formats an error for GraphQL: names in its spelling, REST's code and status, no internals. */
export function graphqlError(error: AppError, { thrown, setsStatus, schema, field }: Circumstances): GraphQLError {
  const source = thrown instanceof GraphQLError ? thrown : null;
  const http = setsStatus ? { http: { status: error.status, headers: { ...headersOf(error) } } } : {};
  const spell = source?.extensions['isNative'] === isNative ? restName : spellingOf(schema, source);
  return new GraphQLError(spelled(error.statement, spell).message, {
    nodes: source?.nodes,
    source: source?.source,
    positions: source?.positions,
    path: source?.path,
    extensions: { ...extensionsOf(error, spell, field), ...http },
  });
}

/** An error from our own validation of a document or variables: its names are in the client's spelling already. */
export function nativeError(error: AppError, node: ASTNode | undefined): GraphQLError {
  return new GraphQLError(error.message, {
    nodes: node ?? null,
    originalError: error,
    extensions: { field: error.field, isNative },
  });
}

const isNative = Symbol('native');

/** The extensions of an error.
 *  @param concerned subject of a graphql-js error */
export function extensionsOf(error: AppError, spell: Spell, concerned: string | null = null): Extensions {
  const { code, status, resourceId, statement } = error;
  const { field, ...parts } = spelled(statement, spell);
  const details = detailsOf({ ...parts, field: field ?? concerned });
  return { code, status, ...details, ...(resourceId !== null && { resourceId }) };
}
