import {
  coerceInputValue,
  getNamedType,
  getNullableType,
  getOperationAST,
  GraphQLError,
  isEnumType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  Kind,
  typeFromAST,
  valueFromASTUntyped,
  ValuesOfCorrectTypeRule,
  type ASTNode,
  type DocumentNode,
  type ExecutionArgs,
  type GraphQLInputType,
  type ValidationRule,
  type ValueNode,
} from 'graphql';
import { kindOf, show, showKind } from '../rest/readers.ts';
import { isSecretName } from '../secrets.ts';
import { textOf, waysTo, type Way } from './arguments.ts';

/** Maximum number of errors about variables in one answer: the default of graphql-js. */
const maxErrors = 50;

/** How graphql-js says that an input object lacks a field, or has one too much. */
const missingField = /^Field "(?:\w+\.)?(\w+)" of required type/;
const unknownField = /^Field "(\w+)" is not defined by type/;

/** A value that graphql-js refuses. */
interface Refused {
  /** The way to the value; that of the whole object where a field of it is missing or unknown. */
  readonly way: Way;
  readonly type: GraphQLInputType;
  readonly node: ASTNode;
  /** What graphql-js says. */
  readonly message: string;
  /** The value as JSON. */
  readonly value: unknown;
}

/** Checks the literals of a document as graphql-js does, and says what is wrong with them as REST does. */
export const literalsRule: ValidationRule = (context) => {
  const reportError = (error: GraphQLError) => {
    const [node] = error.nodes ?? [];
    const way = node && wayTo(node, context.getDocument());
    // An unknown field has no type.
    const type = context.getInputType() ?? context.getParentInputType();
    if (!way || !type) return context.reportError(error);
    const { message } = error;
    if (node.kind === Kind.OBJECT_FIELD)
      return context.reportError(errorOf({ way: way.slice(0, -1), type, node, message, value: undefined }));
    context.reportError(errorOf({ way, type, node, message, value: isValue(node) ? valueFromASTUntyped(node) : null }));
  };
  return ValuesOfCorrectTypeRule(Object.assign(Object.create(context), { reportError }));
};

/** Checks the variables of a request as graphql-js does, and says what is wrong with them as REST does. */
export function variableErrors(
  args: Pick<ExecutionArgs, 'schema' | 'document' | 'operationName' | 'variableValues'>,
): GraphQLError[] {
  const { schema, document, operationName, variableValues } = args;
  const errors: GraphQLError[] = [];
  for (const node of getOperationAST(document, operationName)?.variableDefinitions ?? []) {
    const type = typeFromAST(schema, node.type);
    const name = node.variable.name.value;
    const value = variableValues?.[name];
    // Visits the whole document, so only for an error.
    const start = () => wayTo(node, document) ?? [name];
    if (!isInputType(type)) continue;
    if (value === undefined) {
      if (isNonNullType(type) && !node.defaultValue)
        errors.push(errorAt(start(), `is required: give the variable $${name} a value`, node));
      continue;
    }
    coerceInputValue(value, type, (path, refused, { message }) => {
      if (errors.length === maxErrors) return;
      errors.push(errorOf({ way: [...start(), ...path], type: typeAt(type, path), node, message, value: refused }));
    });
  }
  return errors;
}

/** The way to a part of a document; of several the one to a secret, if there is any. */
function wayTo(node: ASTNode, document: DocumentNode): Way | undefined {
  const ways = waysTo(node, document);
  return ways.find(isSecret) ?? ways[0];
}

function isSecret(way: Way): boolean {
  return way.some((step) => typeof step === 'string' && isSecretName(step));
}

function errorOf({ way, type, node, message, value }: Refused): GraphQLError {
  const named = getNamedType(type);
  const [, missing] = missingField.exec(message) ?? [];
  if (missing !== undefined) return errorAt([...way, missing], 'is required', node);
  const [, unknown] = unknownField.exec(message) ?? [];
  if (unknown !== undefined && isInputObjectType(named)) {
    const known = Object.keys(named.getFields()).join(', ');
    return errorAt([...way, unknown.slice(0, 80)], `is not a known field; use ${known}`, node);
  }
  return errorAt(way, `must be ${expected(type, value)}, not ${shown({ way, type, node, message, value })}`, node);
}

function errorAt(way: Way, text: string, node: ASTNode): GraphQLError {
  const field = textOf(way);
  return new GraphQLError(`${field} ${text}`, { nodes: node, extensions: { field } });
}

function expected(type: GraphQLInputType, value: unknown): string {
  const named = getNamedType(type);
  // One item stands for a list of it; null does not.
  if (value === null && isListType(getNullableType(type))) return 'a list';
  if (isInputObjectType(named)) return 'an object';
  if (!isEnumType(named)) return kindOf(named, value);
  const names = named.getValues().map(({ name }) => name);
  return `one of ${names.join(', ')}`;
}

/** The value as a message may repeat it. What stands in place of an object may be a secret of it. */
function shown({ way, type, node, value }: Refused): string {
  const named = getNamedType(type);
  const isHidden = isInputObjectType(named) || named.name === 'JSON' || isSecret(way);
  if (node.kind === Kind.ENUM) return isHidden ? 'a name' : node.value.slice(0, 80);
  return isHidden ? showKind(value) : show(value, '');
}

function isValue(node: ASTNode): node is ValueNode {
  return node.kind.endsWith('Value') || node.kind === Kind.VARIABLE;
}

function typeAt(type: GraphQLInputType, [step, ...rest]: Way): GraphQLInputType {
  if (step === undefined) return type;
  const bare = getNullableType(type);
  if (isListType(bare)) return typeAt(bare.ofType, typeof step === 'number' ? rest : [step, ...rest]);
  const inner = isInputObjectType(bare) ? bare.getFields()[step]?.type : undefined;
  return inner ? typeAt(inner, rest) : type;
}
