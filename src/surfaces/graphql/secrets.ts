import { getNamedType, GraphQLError, isInputObjectType, isInputType, Kind, print, type ASTNode } from 'graphql';
import type { GraphQLInputType, GraphQLSchema } from 'graphql';
import { isSecretName } from '../secrets.ts';
import { faultIn, textOf, waysTo, type Request, type Way } from './arguments.ts';

/** How graphql-js says that a value is of the wrong type; each of these repeats the value. */
const repeatsValue = /invalid value|cannot represent|Expected value of type|does not exist in|cannot be parsed/;

/** A text in a syntax error, which may be a password whose quotes went wrong. */
const quotedText = /\b(String|BlockString) "[^]*"/;

/** What follows the value in an error about a field that it lacks, or has too much: names alone. */
const aboutField =
  /; (Field "\w+" (?:of required type "[\w![\]]+" was not provided|is not defined by type "\w+")\.(?: Did you mean [^;]*)?)$/;

/** The type of a literal of which an error repeats the source. */
const literalType = /^Expected value of type "\[*(\w+)/;

/** Takes the value out of an error of graphql-js where it may be a secret, however the document names its variables. */
export function withoutSecret(error: GraphQLError, request: Request): GraphQLError {
  if (error.message.startsWith('Syntax Error')) return reworded(error, error.message.replace(quotedText, '$1'));
  if (!repeatsValue.test(error.message)) return error;
  const [node] = error.nodes ?? [];
  const way = node && secretAt(error, node, request);
  if (!node || !way) return error;
  const [, field] = aboutField.exec(error.message) ?? [];
  if (field !== undefined) return reworded(error, field);
  const isWhole = node.kind === Kind.VARIABLE_DEFINITION && (faultIn(node, request)?.way.length ?? 0) === 0;
  const must = isWhole ? `must be ${print(node.type)}` : 'is of the wrong type';
  return reworded(error, `${textOf(way)} ${must}; the value is not shown because it may be a secret`);
}

function reworded(error: GraphQLError, message: string): GraphQLError {
  const { nodes, source, positions, path, extensions } = error;
  return new GraphQLError(message, { nodes, source, positions, path, extensions });
}

/** The way to the value that an error repeats, where it is a secret, a part of one, or may hold one. */
function secretAt(error: GraphQLError, node: ASTNode, request: Request): Way | null {
  const ways = waysTo(node);
  const fault = node.kind === Kind.VARIABLE_DEFINITION ? faultIn(node, request) : null;
  const type = fault?.type ?? typeNamed(literalType.exec(error.message)?.[1], request.schema);
  const full = ways.map((way) => [...way, ...(fault?.way ?? [])]);
  if (type && mayHoldSecret(type)) return full[0] ?? null;
  return full.find((way) => way.some((step) => typeof step === 'string' && isSecretName(step))) ?? null;
}

function typeNamed(name: string | undefined, schema: GraphQLSchema): GraphQLInputType | null {
  const type = name === undefined ? undefined : schema.getType(name);
  return isInputType(type) ? type : null;
}

/** Whether a value of this type may hold a secret in one of its fields. */
function mayHoldSecret(type: GraphQLInputType, seen: ReadonlySet<unknown> = new Set()): boolean {
  const named = getNamedType(type);
  if (!isInputObjectType(named) || seen.has(named)) return false;
  const deeper = new Set([...seen, named]);
  return Object.values(named.getFields()).some(
    (field) => isSecretName(field.name) || mayHoldSecret(field.type, deeper),
  );
}
