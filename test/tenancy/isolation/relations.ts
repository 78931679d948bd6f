import { complexityFromQuery } from '@pothos/plugin-complexity';
import { getNamedType, isLeafType, isNonNullType, isObjectType } from 'graphql';
import type { GraphQLField, GraphQLObjectType, GraphQLSchema } from 'graphql';
import { queryLimits } from '../../../src/graph/builder.ts';

type Field = GraphQLField<unknown, unknown>;

/** Queries that follow every relation of the schema, from every root field that takes no required argument. */
export interface RelationWalk {
  readonly documents: readonly string[];
  /** `Type.field` of each relation that they follow. */
  readonly followed: ReadonlySet<string>;
}

/** `Type.field` of each relation that a query can reach. */
export function relationsOf(schema: GraphQLSchema): string[] {
  const reached = new Set<GraphQLObjectType>();
  const reach = (type: unknown): void => {
    if (!isObjectType(type) || reached.has(type)) return;
    reached.add(type);
    for (const field of Object.values(type.getFields())) reach(getNamedType(field.type));
  };
  reach(schema.getQueryType());
  return [...reached].flatMap((type) => relationFields(type).map(({ name }) => `${type.name}.${name}`));
}

/** Makes the queries. A relation is followed twice in a row: there, and from there on. A query follows as many relations of its
 *  root as the limits let it. */
export function walkRelations(schema: GraphQLSchema): RelationWalk {
  const followed = new Set<string>();
  const documents = Object.values(schema.getQueryType()?.getFields() ?? {}).flatMap((root) => {
    const item = itemOf(root);
    if (!item || root.args.some((arg) => isNonNullType(arg.type) && arg.defaultValue === undefined)) return [];
    const documentOf = (steps: readonly string[]) => {
      const fields = [leaves(item.type), ...steps].join(' ');
      return item.isPage ? `{ ${root.name}(perPage: 20) { data { ${fields} } } }` : `{ ${root.name} { ${fields} } }`;
    };
    const packs: string[][] = [];
    for (const step of stepsOf(item.type, 2, followed)) {
      const last = packs.at(-1);
      if (last && isWithinLimits(schema, documentOf([...last, step]))) last.push(step);
      else packs.push([step]);
    }
    return packs.map(documentOf);
  });
  return { documents, followed };
}

function isWithinLimits(schema: GraphQLSchema, document: string): boolean {
  const { depth, breadth, complexity } = complexityFromQuery(document, { schema, ctx: {} });
  return depth <= queryLimits.depth && breadth <= queryLimits.breadth && complexity <= queryLimits.complexity;
}

function itemOf(root: Field): { type: GraphQLObjectType; isPage: boolean } | null {
  const type = getNamedType(root.type);
  if (!isObjectType(type)) return null;
  const data = type.getFields()['data'];
  const item = data && getNamedType(data.type);
  return isObjectType(item) ? { type: item, isPage: true } : { type, isPage: false };
}

/** Fields that lead from a stored record to another, or to one from an answer: REST leaves them out. */
function relationFields(type: GraphQLObjectType): Field[] {
  return Object.values(type.getFields()).filter((field) => {
    const target = getNamedType(field.type);
    return field.extensions['rest'] === false && isObjectType(target) && (isRecord(type) || isRecord(target));
  });
}

function isRecord(type: GraphQLObjectType): boolean {
  return type.extensions['pothosPrismaModel'] !== undefined;
}

/** Selections that follow the relations of a type, and of the objects that stand in it, one way each. */
function stepsOf(type: GraphQLObjectType, times: number, followed: Set<string>): string[] {
  const own = (at: GraphQLObjectType) =>
    relationFields(at).flatMap((relation) => waysOf(at, relation, times, followed));
  const inner = Object.values(type.getFields()).flatMap((field) => {
    const target = getNamedType(field.type);
    if (field.extensions['rest'] === false || field.args.length > 0 || !isObjectType(target)) return [];
    return own(target).map((selection) => `${field.name} { ${selection} }`);
  });
  return [...own(type), ...inner];
}

function waysOf(type: GraphQLObjectType, relation: Field, times: number, followed: Set<string>): string[] {
  followed.add(`${type.name}.${relation.name}`);
  const target = getNamedType(relation.type);
  if (!isObjectType(target)) return [];
  const further = times > 1 ? stepsOf(target, times - 1, followed) : [];
  // More than a plan has of anything there, so that one too many is seen.
  const first = relation.args.some(({ name }) => name === 'first') ? '(first: 6)' : '';
  return (further.length > 0 ? further : ['']).map((step) => `${relation.name}${first} { ${leaves(target)} ${step} }`);
}

function leaves(type: GraphQLObjectType): string {
  return Object.values(type.getFields())
    .filter((field) => isLeafType(getNamedType(field.type)))
    .map(({ name }) => name)
    .join(' ');
}
