import { GraphQLError, Kind, parse, print, visit, type ASTNode, type DocumentNode, type ValueNode } from 'graphql';
import { isSecretName } from '../secrets.ts';

/** How graphql-js says that a value is of the wrong type; each of these repeats the value. */
const repeatsValue = /invalid value|cannot represent|Expected value of type|does not exist in|cannot be parsed/;

/** A text in a syntax error, which may be a password whose quotes went wrong. */
const quotedText = /\b(String|BlockString) "[^]*"/;

/** Takes the value out of an error of graphql-js where it may be a secret, however the document names its variables. */
export function withoutSecret(error: GraphQLError): GraphQLError {
  if (error.message.startsWith('Syntax Error')) return reworded(error, error.message.replace(quotedText, '$1'));
  if (!repeatsValue.test(error.message)) return error;
  const [node] = error.nodes ?? [];
  const name = node && secretAt(node);
  if (!node || !name) return error;
  const must = node.kind === Kind.VARIABLE_DEFINITION ? `must be ${print(node.type)}` : 'is of the wrong type';
  return reworded(error, `${name} ${must}; what was sent is not repeated, because it may be a secret`);
}

function reworded(error: GraphQLError, message: string): GraphQLError {
  const { nodes, source, positions, path, extensions } = error;
  return new GraphQLError(message, { nodes, source, positions, path, extensions });
}

/** Name of the secret argument or field that a node is the value of, or a part of, by itself or through a variable. */
function secretAt(node: ASTNode): string | null {
  const body = node.loc?.source.body;
  if (body === undefined) return null;
  const document = parse(body);
  return secretAround(document, node) ?? secretOfVariable(document, node);
}

function secretAround(document: DocumentNode, node: ASTNode): string | null {
  return firstSecret(document, (value) => isInside(node, value));
}

function secretOfVariable(document: DocumentNode, node: ASTNode): string | null {
  const names = new Set<string>();
  // The same variable name in another operation is as good a reason for silence.
  visit(document, {
    VariableDefinition: (definition) => {
      if (isInside(node, definition)) names.add(definition.variable.name.value);
    },
  });
  if (names.size === 0) return null;
  return firstSecret(document, (value) => [...names].some((name) => uses(value, name)));
}

function firstSecret(document: DocumentNode, concerns: (value: ValueNode) => boolean): string | null {
  let found: string | null = null;
  const look = ({ name, value }: { name: { value: string }; value: ValueNode }) => {
    if (found === null && isSecretName(name.value) && concerns(value)) found = name.value;
  };
  visit(document, { Argument: look, ObjectField: look });
  return found;
}

function isInside(inner: ASTNode, outer: ASTNode): boolean {
  return inner.loc !== undefined && outer.loc !== undefined
    ? outer.loc.start <= inner.loc.start && inner.loc.end <= outer.loc.end
    : false;
}

function uses(value: ValueNode, variable: string): boolean {
  let isUsed = false;
  visit(value, { Variable: (node) => void (isUsed ||= node.name.value === variable) });
  return isUsed;
}
