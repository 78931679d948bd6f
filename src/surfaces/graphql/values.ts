import {
  coerceInputValue,
  getNamedType,
  getNullableType,
  getOperationAST,
  isEnumType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  isRequiredArgument,
  isRequiredInputField,
  Kind,
  ProvidedRequiredArgumentsRule,
  typeFromAST,
  valueFromASTUntyped,
  ValuesOfCorrectTypeRule,
  type ASTNode,
  type DocumentNode,
  type ExecutionArgs,
  type GraphQLError,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type ValidationRule,
  type ValueNode,
} from 'graphql';
import { arg, fix, invalid, not, type Given } from '../../kit/errors/errors.ts';
import { givenAs, kindOf, objectOf, showKind } from '../rest/input/readers.ts';
import { isSecretName } from '../http/secrets.ts';
import { textOf, waysTo, type Way } from './arguments.ts';
import { nativeError } from './errors.ts';

/** Maximum number of variable errors per response: graphql-js' default. */
const maxErrors = 50;

/** A value rejected by graphql-js. */
interface Refused {
  readonly way: Way;
  readonly type: GraphQLInputType;
  readonly node: ASTNode;
  /** The value as JSON. */
  readonly value: unknown;
}

/** Validates the literals of a document like graphql-js, with REST's error messages. */
export const literalsRule: ValidationRule = (context) => {
  const incomplete = new Set<ASTNode>();
  const reportError = (error: GraphQLError) => {
    const [node] = error.nodes ?? [];
    const way = node && wayTo(node, context.getDocument());
    // An unknown field has no type.
    const type = context.getInputType() ?? context.getParentInputType();
    if (!way || !type) return context.reportError(error);
    const named = getNamedType(type);
    if (node.kind === Kind.OBJECT_FIELD && isInputObjectType(named))
      return context.reportError(unknownField(way.slice(0, -1), node.name.value, named, node));
    if (node.kind === Kind.OBJECT && isInputObjectType(named)) {
      // graphql-js reports each missing field on the object, without naming it.
      if (incomplete.has(node)) return;
      incomplete.add(node);
      const given = new Set(node.fields.map(({ name }) => name.value));
      return missingFields(way, named, (name) => given.has(name), node).forEach((fault) => context.reportError(fault));
    }
    context.reportError(errorOf({ way, type, node, value: isValue(node) ? valueFromASTUntyped(node) : null }));
  };
  return ValuesOfCorrectTypeRule(Object.assign(Object.create(context), { reportError }));
};

/** Rejects fields that lack a required argument like graphql-js, but with the name as structured data. */
export const requiredArgumentsRule: ValidationRule = (context) => ({
  ...ProvidedRequiredArgumentsRule(context),
  Field: {
    leave(node) {
      const given = new Set(node.arguments?.map(({ name }) => name.value));
      for (const argument of context.getFieldDef()?.args ?? [])
        if (isRequiredArgument(argument) && !given.has(argument.name))
          context.reportError(errorAt([argument.name], 'is required', node));
    },
  },
});

/** Validates the variables of a request like graphql-js, with REST's error messages. */
export function variableErrors(
  args: Pick<ExecutionArgs, 'schema' | 'document' | 'operationName' | 'variableValues'>,
): GraphQLError[] {
  const { schema, document, operationName, variableValues } = args;
  const errors: GraphQLError[] = [];
  for (const node of getOperationAST(document, operationName)?.variableDefinitions ?? []) {
    const type = typeFromAST(schema, node.type);
    const name = node.variable.name.value;
    const value = variableValues?.[name];
    // Lazy, because it visits the whole document: only needed for an error.
    const start = () => wayTo(node, document) ?? [name];
    if (!isInputType(type)) continue;
    if (value === undefined) {
      if (isNonNullType(type) && !node.defaultValue)
        errors.push(
          nativeError(invalid`${arg(textOf(start()))} is required${fix}give the variable $${name} a value`, node),
        );
      continue;
    }
    const broken = new Set<unknown>();
    coerceInputValue(value, type, (path, refused) => {
      if (errors.length >= maxErrors) return;
      const [way, inner] = [[...start(), ...path], typeAt(type, path)];
      const named = getNamedType(inner);
      const object = isInputObjectType(named) ? objectOf(refused) : null;
      if (!object || !isInputObjectType(named))
        return void errors.push(errorOf({ way, type: inner, node, value: refused }));
      // graphql-js reports each missing and each unknown field on the whole object.
      if (broken.has(refused)) return;
      broken.add(refused);
      const isGiven = (field: string) => object[field] !== undefined;
      const unknown = Object.keys(object).filter((field) => named.getFields()[field] === undefined);
      errors.push(...missingFields(way, named, isGiven, node));
      errors.push(...unknown.map((field) => unknownField(way, field, named, node)));
    });
  }
  return errors.slice(0, maxErrors);
}

/** Path to a part of a document; if there are several, one that may be secret is preferred. */
function wayTo(node: ASTNode, document: DocumentNode): Way | undefined {
  const ways = waysTo(node, document);
  return ways.find(isSecret) ?? ways[0];
}

function isSecret(way: Way): boolean {
  return way.some((step) => typeof step === 'string' && isSecretName(step));
}

function errorOf({ way, type, node, value }: Refused): GraphQLError {
  const kind = shown({ way, type, node, value });
  return errorAt(way, `must be ${expected(type, value)}`, node, kind);
}

function missingFields(
  way: Way,
  type: GraphQLInputObjectType,
  isGiven: (field: string) => boolean,
  node: ASTNode,
): GraphQLError[] {
  const missing = Object.values(type.getFields()).filter(
    (field) => isRequiredInputField(field) && !isGiven(field.name),
  );
  return missing.map(({ name }) => errorAt([...way, name], 'is required', node));
}

function unknownField(way: Way, field: string, type: GraphQLInputObjectType, node: ASTNode): GraphQLError {
  const known = Object.keys(type.getFields()).join(', ');
  return nativeError(
    invalid`${arg(textOf([...way, field.slice(0, 80)]))} is not a known field${fix}use ${known}`,
    node,
  );
}

function errorAt(way: Way, reason: string, node: ASTNode, given: Given | null = null): GraphQLError {
  return nativeError(invalid`${arg(textOf(way), given)} ${reason}`, node);
}

function expected(type: GraphQLInputType, value: unknown): string {
  const named = getNamedType(type);
  // A single item is accepted as a list; null is not.
  if (value === null && isListType(getNullableType(type))) return 'a list';
  if (isInputObjectType(named)) return 'an object';
  if (!isEnumType(named)) return kindOf(named, value);
  const names = named.getValues().map(({ name }) => name);
  return `one of ${names.join(', ')}`;
}

/** The value as a message may repeat it. A value in place of an object may be one of its secrets. */
function shown({ way, type, node, value }: Refused): Given {
  const named = getNamedType(type);
  const isHidden = isInputObjectType(named) || named.name === 'JSON' || isSecret(way);
  if (node.kind === Kind.ENUM) return isHidden ? not('a name', null) : not(node.value.slice(0, 80), node.value);
  return isHidden ? not(showKind(value), null) : givenAs(value, '');
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
