import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  buildSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
} from 'graphql';
import type { Random } from './random.ts';

const schema = buildSchema(readFileSync(path.resolve(import.meta.dirname, '../../schema/schema.graphql'), 'utf8'));
const roots = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
  Object.values(type?.getFields() ?? {}).map((field) => ({ field, isMutation: type === schema.getMutationType() })),
);

/** A random operation. */
export interface GraphQLRequest {
  /** Name of its root field. */
  readonly name: string;
  readonly isMutation: boolean;
  readonly query: string;
}

interface Choices {
  readonly random: Random;
  /** Returns a text for an argument: an existing id, or anything else. */
  text(): string;
}

/** A random operation on a random root field, with random arguments and fields. */
export function aGraphQLRequest({ random, text }: Choices, skipped: (name: string) => boolean): GraphQLRequest {
  const { field, isMutation } = random.pick(roots.filter((root) => !skipped(root.field.name)));
  const query = `${isMutation ? 'mutation' : 'query'} { ${selection(field, { random, text }, 3)} }`;
  return { name: field.name, isMutation, query };
}

type Field = GraphQLField<unknown, unknown>;

function selection(field: Field, choices: Choices, depth: number): string {
  const args = field.args.flatMap((argument) => {
    const isRequired = isNonNullType(argument.type) && argument.defaultValue === undefined;
    return isRequired || choices.random.next() < 0.1 ? [`${argument.name}: ${value(argument.type, choices, 3)}`] : [];
  });
  const type = getNamedType(field.type);
  const own = isObjectType(type) ? ` { ${fieldsOf(type, choices, depth)} }` : '';
  return `${field.name}${args.length > 0 ? `(${args.join(', ')})` : ''}${own}`;
}

/** Selects most leaves, and a few relations. */
function fieldsOf(type: GraphQLObjectType, choices: Choices, depth: number): string {
  const fields = Object.values(type.getFields());
  const leaves = fields.filter((field) => isLeafType(getNamedType(field.type)) && choices.random.next() < 0.9);
  const others = fields.filter((field) => !isLeafType(getNamedType(field.type)));
  const followed = depth > 1 ? others.filter(() => choices.random.next() < 2 / (others.length + 1)) : [];
  const chosen = [...leaves.map(({ name }) => name), ...followed.map((field) => selection(field, choices, depth - 1))];
  return ['__typename', ...chosen].join(' ');
}

function value(type: GraphQLInputType, choices: Choices, depth: number): string {
  const { random } = choices;
  if (isNonNullType(type)) return value(type.ofType, choices, depth);
  if (random.next() < 0.03) return 'null';
  if (isListType(type))
    return `[${Array.from({ length: random.below(3) }, () => value(type.ofType, choices, depth)).join(', ')}]`;
  if (isEnumType(type)) return random.pick(type.getValues()).name;
  if (!isInputObjectType(type)) return leaf(type.name, choices);
  const fields = Object.values(type.getFields()).filter(
    (field) => isNonNullType(field.type) || (depth > 0 && random.next() < 0.4),
  );
  return `{ ${fields.map((field) => `${field.name}: ${value(field.type, choices, depth - 1)}`).join(', ')} }`;
}

function leaf(name: string, { random, text }: Choices): string {
  const number = random.pick([0, 1, -1, 7, 100, 2 ** 31 - 1, 2 ** 31, 1e15]);
  const month = `2026-0${1 + random.below(9)}`;
  switch (name) {
    case 'Int':
      return String(number);
    case 'Float':
    case 'Decimal':
      return random.pick([String(number), '0.5', '1e300']);
    case 'Boolean':
      return String(random.next() < 0.5);
    case 'Month':
      return JSON.stringify(month);
    case 'Date':
      return JSON.stringify(`${month}-${10 + random.below(20)}`);
    case 'DateTime':
      return JSON.stringify(`${month}-11T00:00:00Z`);
    default:
      return JSON.stringify(text());
  }
}
