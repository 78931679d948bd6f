import { GraphQLError } from 'graphql';
import { arg, invalid } from '../../kit/errors/errors.ts';
import { fieldOf, shortened } from './arguments.ts';
import { nativeError } from './errors.ts';

/** A text in a syntax error, which may be a password whose quotes went wrong. Of a syntax error graphql-js gives a place and a
 *  message, and nothing else says what was expected there; so this one message is read. */
const quotedText = /\b(String|BlockString) "[^]*"/;

/** Takes what may be a secret, and the ends of long names, out of an error of graphql-js; values.ts says of every other value
 *  what may be said. */
export function withoutSecret(error: GraphQLError): GraphQLError {
  const { nodes, source, positions, path, extensions, originalError } = error;
  if (isOfArgument(originalError)) return ofArgument(error);
  if (originalError) return error;
  // An error of the document names nodes of it; only a syntax error has none.
  const isSyntax = source !== undefined && nodes === undefined;
  const message = shortened(isSyntax ? error.message.replace(quotedText, '$1') : error.message);
  return message === error.message ? error : new GraphQLError(message, { nodes, source, positions, path, extensions });
}

/** Whether graphql-js could not make the arguments of a field: it throws an error of its own, which has no path, there. */
function isOfArgument(thrown: Error | undefined): boolean {
  return thrown instanceof GraphQLError && thrown.path === undefined && thrown.nodes !== undefined;
}

/** Literals and variables were checked before, so what is left is a null in a variable that may be null elsewhere. The message of
 *  graphql-js repeats the literals around it. */
function ofArgument(error: GraphQLError): GraphQLError {
  const { nodes, source, positions, path } = error;
  const reason = 'holds a variable that is null where null is not allowed';
  const said = invalid`${arg(fieldOf(error) ?? 'query')} ${reason}`;
  const { extensions } = nativeError(said, nodes?.[0]);
  return new GraphQLError(said.message, { nodes, source, positions, path, extensions, originalError: said });
}
