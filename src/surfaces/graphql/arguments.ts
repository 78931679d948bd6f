import {
  coerceInputValue,
  getNullableType,
  isInputObjectType,
  isInputType,
  isListType,
  Kind,
  parse,
  typeFromAST,
  visit,
  type ArgumentNode,
  type ASTNode,
  type GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  type ObjectFieldNode,
  type ValueNode,
  type VariableDefinitionNode,
} from 'graphql';

/** The way to a value: names of an argument and of input fields, and places in lists. */
export type Way = readonly (string | number)[];

/** What an error of graphql-js is read with. */
export interface Request {
  readonly schema: GraphQLSchema;
  /** The variables as they were sent. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** Errors about the same node that come before this one. */
  readonly before: number;
}

/** The argument that an error of graphql-js concerns, such as `settings.subscriptionIds[2]`; null when it concerns none. */
export function argumentOf(error: GraphQLError, request: Request): string | null {
  const [node] = error.nodes ?? [];
  if (!node) return null;
  const [way = null] = waysTo(node);
  // The values of what is missing have no node, so graphql-js names it in its message alone.
  const [, argument, field] = missing.exec(error.message) ?? [];
  if (argument !== undefined && node.kind === Kind.FIELD) return argument;
  if (way === null) return null;
  if (field !== undefined) return textOf([...way, field]);
  const fault = node.kind === Kind.VARIABLE_DEFINITION ? faultIn(node, request) : null;
  return textOf([...way, ...(fault?.way ?? []), ...(fault?.field ? [fault.field] : [])]);
}

const missing = /\bargument "(\w+)" of (?:required )?type|^Field "\w+\.(\w+)" of required type/i;

/** A way as messages and `extensions.field` have it. */
export function textOf(way: Way): string {
  return way.map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`)).join('');
}

/** The ways to a node of a document that is a part of an argument's value, or a variable that is: one for each of its uses. */
export function waysTo(node: ASTNode): readonly Way[] {
  const body = node.loc?.source.body;
  if (body === undefined) return [];
  const document = parse(body);
  const variables = new Set<string>();
  // The same variable of another operation counts too: it is as secret there.
  visit(document, {
    VariableDefinition: (definition) => {
      if (isInside(node, definition)) variables.add(definition.variable.name.value);
    },
  });
  const uses: Way[] = [];
  let deepest: Way | null = null;
  const look = (part: Part, way: Way) => {
    if (isInside(node, part)) deepest = way;
    if (part.kind === Kind.VARIABLE && variables.has(part.name.value)) uses.push(way);
  };
  visit(document, { Argument: (argument) => walk(argument, [argument.name.value], look) });
  return deepest ? [deepest] : uses;
}

/** An argument, or a part of its value. */
type Part = ArgumentNode | ObjectFieldNode | ValueNode;

/** Visits an argument and every part of its value, the outer ones first. */
function walk(part: Part, way: Way, look: (part: Part, way: Way) => void): void {
  look(part, way);
  if (part.kind === Kind.ARGUMENT || part.kind === Kind.OBJECT_FIELD) return walk(part.value, way, look);
  if (part.kind === Kind.LIST) part.values.forEach((item, index) => walk(item, [...way, index], look));
  if (part.kind === Kind.OBJECT) for (const field of part.fields) walk(field, [...way, field.name.value], look);
}

function isInside(inner: ASTNode, outer: ASTNode): boolean {
  return inner.loc !== undefined && outer.loc !== undefined
    ? outer.loc.start <= inner.loc.start && inner.loc.end <= outer.loc.end
    : false;
}

/** A fault in the value of a variable. */
interface Fault {
  /** The way from the variable to the value that an error shows. */
  readonly way: Way;
  /** The field that this value lacks, or has too much; null for another fault. */
  readonly field: string | null;
  readonly type: GraphQLInputType;
}

/** The fault in a variable that an error tells of: graphql-js finds them in the same order again. */
export function faultIn(
  { variable, type: node }: VariableDefinitionNode,
  { schema, variables, before }: Request,
): Fault | null {
  const type = typeFromAST(schema, node);
  const value = variables[variable.name.value];
  if (!isInputType(type) || value === undefined || value === null) return null;
  const found: Fault[] = [];
  coerceInputValue(value, type, (way, _value, { message }) => {
    const [, field = null] = /^Field "(\w+)" (?:of required type|is not defined)/.exec(message) ?? [];
    found.push({ way, field, type: typeAt(type, way) });
  });
  return found[before] ?? null;
}

function typeAt(type: GraphQLInputType, [step, ...rest]: Way): GraphQLInputType {
  if (step === undefined) return type;
  const bare = getNullableType(type);
  if (isListType(bare)) return typeAt(bare.ofType, typeof step === 'number' ? rest : [step, ...rest]);
  const inner = isInputObjectType(bare) ? bare.getFields()[step]?.type : undefined;
  return inner ? typeAt(inner, rest) : type;
}
