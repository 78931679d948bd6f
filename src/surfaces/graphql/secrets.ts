import { GraphQLError } from 'graphql';
import { arg, invalid } from '../../kit/errors/errors.ts';
import { fieldOf, shortened } from './arguments.ts';
import { nativeError } from './errors.ts';

/** A string in a syntax error, which may be a password with broken quotes. graphql-js exposes only a location and a
 *  message for syntax errors, so the message itself is parsed. */
const quotedText = /\b(String|BlockString) "[^]*"/;

/** Removes possible secrets and truncates long names in a graphql-js error; values.ts handles all other values. */
export function withoutSecret(error: GraphQLError): GraphQLError {
  const { nodes, source, positions, path, extensions, originalError } = error;
  if (isOfArgument(originalError)) return ofArgument(error);
  if (originalError) return error;
  // Document errors have nodes; only syntax errors have none.
  const isSyntax = source !== undefined && nodes === undefined;
  const message = shortened(isSyntax ? error.message.replace(quotedText, '$1') : error.message);
  return message === error.message ? error : new GraphQLError(message, { nodes, source, positions, path, extensions });
}

/** Whether graphql-js could not coerce the arguments of a field: it then throws its own error, which has no path. */
function isOfArgument(thrown: Error | undefined): boolean {
  return thrown instanceof GraphQLError && thrown.path === undefined && thrown.nodes !== undefined;
}

/** Literals and variables were validated earlier, so the cause is a null variable that may be null elsewhere.
 *  graphql-js' message would repeat the surrounding literals. */
function ofArgument(error: GraphQLError): GraphQLError {
  const { nodes, source, positions, path } = error;
  const reason = 'holds a variable that is null where null is not allowed';
  const refusal = invalid`${arg(fieldOf(error) ?? 'query')} ${reason}`;
  const { extensions } = nativeError(refusal, nodes?.[0]);
  return new GraphQLError(refusal.message, { nodes, source, positions, path, extensions, originalError: refusal });
}
