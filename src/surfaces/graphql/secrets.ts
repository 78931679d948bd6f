import { GraphQLError } from 'graphql';
import { shortened } from './arguments.ts';

/** A text in a syntax error, which may be a password whose quotes went wrong. */
const quotedText = /\b(String|BlockString) "[^]*"/;

/** What graphql-js says when a variable that has a default is null where null is not allowed: it repeats the literals around
 *  the variable. */
const repeatsLiteral = /^(Argument "\w+") has invalid value [^]*/;

/** Takes what may be a secret, and the ends of long names, out of an error of graphql-js; values.ts says of every other value
 *  what may be said. */
export function withoutSecret(error: GraphQLError): GraphQLError {
  const { nodes, source, positions, path, extensions } = error;
  const bare = error.message.startsWith('Syntax Error')
    ? error.message.replace(quotedText, '$1')
    : error.message.replace(repeatsLiteral, '$1 holds a variable that is null where null is not allowed');
  const message = error.originalError ? bare : shortened(bare);
  if (message === error.message) return error;
  return new GraphQLError(message, { nodes, source, positions, path, extensions });
}
