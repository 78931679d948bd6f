import { GraphQLError, type ASTNode, type GraphQLSchema } from 'graphql';
import { restName, spelled, type AppError, type ErrorCode, type Spell } from '../../kit/errors/errors.ts';
import { detailsOf, headersOf, type Details } from '../errors.ts';
import { spellingOf } from './spelling.ts';

/** The extensions of every error: what the envelope of REST has beside the message, in the spelling of GraphQL. */
interface Extensions extends Partial<Details> {
  readonly code: ErrorCode;
  readonly status: number;
  readonly reason: string;
  readonly resourceId?: string;
}

/** What an error is written with. */
interface Circumstances {
  /** What was thrown, for its place in the document. */
  readonly thrown?: unknown;
  /** Whether the response's own status follows the error. */
  readonly setsStatus: boolean;
  readonly schema?: GraphQLSchema;
  /** What an error of graphql-js itself concerns. */
  readonly field?: string | null;
}

/** Writes an error as GraphQL answers it: names in its spelling, the code and status of REST, nothing of the inside. */
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

/** An error that a check of ours found in a document or in variables: its names are the client's own already. */
export function nativeError(error: AppError, node: ASTNode | undefined): GraphQLError {
  return new GraphQLError(error.message, {
    nodes: node ?? null,
    originalError: error,
    extensions: { field: error.field, isNative },
  });
}

const isNative = Symbol('native');

/** The extensions of an error.
 *  @param concerned what an error of graphql-js itself concerns */
export function extensionsOf(error: AppError, spell: Spell, concerned: string | null = null): Extensions {
  const { code, status, resourceId, statement } = error;
  const { field, ...said } = spelled(statement, spell);
  const details = detailsOf({ ...said, field: field ?? concerned });
  return { code, status, ...details, ...(resourceId !== null && { resourceId }) };
}
