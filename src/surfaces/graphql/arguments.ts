import {
  Kind,
  parse,
  visit,
  type ArgumentNode,
  type ASTNode,
  type DocumentNode,
  type GraphQLError,
  type ObjectFieldNode,
  type ValueNode,
} from 'graphql';

/** Path to a value: names of an argument and input fields, and list indexes. */
export type Way = readonly (string | number)[];

/** Subject of a graphql-js error: an argument such as `settings.subscriptionIds[2]`, a selected field such as
 *  `budgets.data.nope`, otherwise `query` for the document; null for a resolver's error. */
export function fieldOf(error: GraphQLError): string | null {
  const field = wholeFieldOf(error);
  return field === null ? null : shortened(field);
}

/** Truncates names to 80 characters, since clients may invent longer ones. */
export function shortened(text: string): string {
  return text.replaceAll(/(\w{80})\w+/g, '$1…');
}

function wholeFieldOf(error: GraphQLError): string | null {
  const { extensions, nodes, path, source } = error;
  if (typeof extensions['field'] === 'string') return extensions['field'];
  const [node] = nodes ?? [];
  const document = node?.loc && parse(node.loc.source.body);
  const [way] = document ? waysTo(node, document) : [];
  if (way) return textOf(way);
  if (path !== undefined || !source) return null;
  return document && node.kind === Kind.FIELD ? selectionOf(node, document) : 'query';
}

/** Formats a path for messages and `extensions.field`. */
export function textOf(way: Way): string {
  return way.map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`)).join('');
}

/** Paths to a node that is part of an argument's value, or to each use of it if it is a variable. */
export function waysTo(node: ASTNode, document: DocumentNode): readonly Way[] {
  const variables = new Set<string>();
  // Includes uses of the variable in other operations: it is equally secret there.
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

/** The names of a selected field and its parents, within its operation or fragment. */
function selectionOf(node: ASTNode, document: DocumentNode): string {
  const names: string[] = [];
  visit(document, {
    Field: (field) => {
      if (isInside(node, field)) names.push(field.name.value);
    },
  });
  return names.join('.');
}

/** An argument, or a part of its value. */
type Part = ArgumentNode | ObjectFieldNode | ValueNode;

/** Visits an argument and every part of its value, outer parts first. */
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
