import {
  getNamedType,
  isLeafType,
  isNonNullType,
  isObjectType,
  parse,
  TypeInfo,
  visit,
  visitWithTypeInfo,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
} from 'graphql';
import { queryLimits } from '../../../src/graph/builder.ts';
import type { Context } from '../../../src/graph/context.ts';
import { measure } from '../../../src/surfaces/graphql/limits.ts';

type Field = GraphQLField<unknown, unknown>;

/** Stands for the id of an account in a query. */
export const anAccount = 'AN_ACCOUNT';

/** Required arguments of root fields. */
const given: Readonly<Record<string, string>> = {
  accountFiles: `id: "${anAccount}"`,
  accountSyncs: `id: "${anAccount}"`,
  costs: 'groupBy: [{ dimension: ACCOUNT }, { dimension: RESOURCE }]',
  costsDaily: 'groupBy: ACCOUNT',
};

/** Queries that follow every relation of the schema, from every root field whose required arguments are known. */
export interface RelationWalk {
  readonly documents: readonly string[];
  /** `Type.field` of each followed relation. */
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

/** Generates the queries. Each relation is followed two levels deep, as far as the limits allow; a query combines as many
 *  relations of its root as the limits allow. */
export function walkRelations(schema: GraphQLSchema): RelationWalk {
  const documents = Object.values(schema.getQueryType()?.getFields() ?? {}).flatMap((root) => {
    const item = itemOf(root);
    const isRequired = root.args.some((arg) => isNonNullType(arg.type) && arg.defaultValue === undefined);
    if (!item || (isRequired && !(root.name in given))) return [];
    const args = [given[root.name], item.isPage && 'perPage: 20'].filter(Boolean).join(', ');
    const documentOf = (steps: readonly string[]) => {
      const fields = [leaves(item.type), ...steps].join(' ');
      return `{ ${root.name}${args ? `(${args})` : ''} { ${item.isPage ? `data { ${fields} }` : fields} } }`;
    };
    const fits = (steps: readonly string[]) => isWithinLimits(schema, documentOf(steps));
    const far = stepsOf(item.type, 2);
    const near = far.some((step) => !fits([step])) ? stepsOf(item.type, 1) : [];
    const packs: string[][] = [];
    for (const step of [...near, ...far].filter((one) => fits([one]))) {
      const last = packs.at(-1);
      if (last && fits([...last, step])) last.push(step);
      else packs.push([step]);
    }
    return packs.map(documentOf);
  });
  return { documents, followed: new Set(documents.flatMap((document) => followedBy(schema, document))) };
}

/** `Type.field` of each relation in a query. */
function followedBy(schema: GraphQLSchema, document: string): string[] {
  const types = new TypeInfo(schema);
  const found: string[] = [];
  const look = () => {
    const [type, field] = [types.getParentType(), types.getFieldDef()];
    if (isObjectType(type) && field && isRelation(type, field)) found.push(`${type.name}.${field.name}`);
  };
  visit(parse(document), visitWithTypeInfo(types, { Field: look }));
  return found;
}

function isWithinLimits(schema: GraphQLSchema, document: string): boolean {
  const operation = { document: parse(document), schema };
  const { depth, breadth, complexity } = measure(operation, {} as Context);
  return depth <= queryLimits.depth && breadth <= queryLimits.breadth && complexity <= queryLimits.complexity;
}

function itemOf(root: Field): { type: GraphQLObjectType; isPage: boolean } | null {
  const type = getNamedType(root.type);
  if (!isObjectType(type)) return null;
  const data = type.getFields()['data'];
  const item = data && getNamedType(data.type);
  return isObjectType(item) ? { type: item, isPage: true } : { type, isPage: false };
}

/** The relations of a type. */
export function relationFields(type: GraphQLObjectType): Field[] {
  return Object.values(type.getFields()).filter((field) => isRelation(type, field));
}

/** Whether a field leads from one record to another; REST omits such fields. */
function isRelation(type: GraphQLObjectType, field: Field): boolean {
  const target = getNamedType(field.type);
  return field.extensions['rest'] === false && isObjectType(target) && (isRecord(type) || isRecord(target));
}

function isRecord(type: GraphQLObjectType): boolean {
  return type.extensions['pothosPrismaModel'] !== undefined;
}

/** Selections that follow the relations of a type and of its nested objects, each one level. */
function stepsOf(type: GraphQLObjectType, times: number): string[] {
  return Object.values(type.getFields()).flatMap((field) => {
    const target = getNamedType(field.type);
    if (!isObjectType(target)) return [];
    if (isRelation(type, field)) return waysOf(field, target, times);
    if (field.args.length > 0) return [];
    return stepsOf(target, times).map((selection) => `${field.name} { ${selection} }`);
  });
}

function waysOf(relation: Field, target: GraphQLObjectType, times: number): string[] {
  const further = times > 1 ? stepsOf(target, times - 1) : [];
  // More than a plan has of anything, so that an extra record would be seen.
  const first = relation.args.some(({ name }) => name === 'first') ? '(first: 6)' : '';
  return (further.length > 0 ? further : ['']).map((step) => `${relation.name}${first} { ${leaves(target)} ${step} }`);
}

function leaves(type: GraphQLObjectType): string {
  return Object.values(type.getFields())
    .filter((field) => isLeafType(getNamedType(field.type)))
    .map(({ name }) => name)
    .join(' ');
}
