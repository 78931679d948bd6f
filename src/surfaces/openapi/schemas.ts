import {
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLArgument,
  type GraphQLEnumType,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLScalarType,
  type GraphQLType,
} from 'graphql';
import { boundsOf, limited } from '../../graph/bounded.ts';
import { jsonValueSchema } from '../../graph/scalars.ts';
import { snakeOf } from '../../kit/text/case.ts';
import { textOf } from '../rest/sofa/spelling.ts';

/** A part of an OpenAPI document. */
export type Json = Readonly<Record<string, unknown>>;

/** Any type: lists do not record whether they are input or output. */
type Type = GraphQLType;

/** The schemas of all types that REST returns or accepts, by name.
 *  @param roots types of responses and parameters */
export function componentSchemas(roots: Iterable<Type>): Json {
  const types = new Set<GraphQLNamedType>();
  for (const root of roots) collectTypes(root, types);
  const entries = [...types].flatMap((type): [string, Json][] => {
    if (isObjectType(type)) return [[type.name, objectSchema(type)]];
    if (isInputObjectType(type)) return [[type.name, inputSchema(type)]];
    if (isEnumType(type)) return [[type.name, enumSchema(type)]];
    return type.name === 'JSON' ? [[jsonValueSchema.name, jsonValueSchema.schema]] : [];
  });
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function collectTypes(type: Type, found: Set<GraphQLNamedType>): void {
  const named = getNamedType(type);
  if (found.has(named)) return;
  found.add(named);
  if (isObjectType(named) || isInputObjectType(named))
    for (const field of Object.values(named.getFields())) collectTypes(field.type, found);
}

/** A response always has all keys; those that do not apply are null. */
function objectSchema(type: GraphQLObjectType): Json {
  const fields = Object.values(type.getFields());
  return {
    type: 'object',
    description: restWords(type.description),
    required: fields.map((field) => field.name),
    properties: Object.fromEntries(
      fields.map((field) => [
        field.name,
        described(narrowed(wholeRange(schemaOf(field.type)), boundsOf(field)), field.description),
      ]),
    ),
  };
}

/** Integer in a response, with the range that GraphQL enforces. Integers in requests declare their own: see
 *  bounds.test.ts. */
function wholeRange(schema: Json): Json {
  return schema['type'] === 'integer' ? { ...schema, ...int32 } : schema;
}

function inputSchema(type: GraphQLInputObjectType): Json {
  return { description: restWords(type.description), ...fieldsSchema(Object.values(type.getFields())) };
}

/** The schema of a JSON body with exactly these fields. */
export function fieldsSchema(fields: readonly (GraphQLArgument | GraphQLInputField)[]): Json {
  const required = fields.filter(
    (field) => boundsOf(field)['required'] === true || (isNonNullType(field.type) && field.defaultValue === undefined),
  );
  return {
    type: 'object',
    additionalProperties: false,
    ...(required.length > 0 ? { required: required.map((field) => field.name) } : {}),
    properties: Object.fromEntries(fields.map((field) => [field.name, inputFieldSchema(field)])),
  };
}

/** The schema of one argument, with its default, bounds and description. */
export function inputFieldSchema(field: GraphQLArgument | GraphQLInputField): Json {
  const own = limited(field.type, boundsOf(field));
  const fallback = field.defaultValue === undefined ? {} : { default: spelledDefault(field.type, field.defaultValue) };
  const { nullable, required: _required, takesItem, ...bounds } = own;
  const schema = narrowed(nullable === false ? bareSchema(getNullableType(field.type)) : schemaOf(field.type), bounds);
  const either = takesItem === true ? { anyOf: [schema, schema['items']] } : schema;
  const whole = field.deprecationReason ? { ...either, deprecated: true } : either;
  return described(
    'default' in fallback && '$ref' in whole ? { allOf: [whole], ...fallback } : { ...whole, ...fallback },
    field.description,
  );
}

/** Adds bounds to a schema; those of a list's items go to the items. */
function narrowed(schema: Json, { items, ...bounds }: Json): Json {
  const own = schema['items'];
  return { ...schema, ...bounds, ...(isJson(own) && isJson(items) ? { items: { ...own, ...items } } : {}) };
}

/** The schema of a type. OpenAPI 3.0.3 allows null with `nullable`, which requires a sibling `type`. */
function schemaOf(type: Type): Json {
  if (isNonNullType(type)) return bareSchema(type.ofType);
  const schema = bareSchema(type);
  if (!('$ref' in schema)) return { ...schema, nullable: true };
  // `nullable` next to allOf has no effect, because the referenced schema still rejects null (OpenAPI 3.0.3,
  // clarification of nullable).
  return { anyOf: [schema, { type: isEnumType(type) ? 'string' : 'object', nullable: true, enum: [null] }] };
}

/** The schema of a REST response. Root fields are nullable in GraphQL, so that other fields still resolve; in REST
 *  they never are. */
export function answerSchema(type: Type): Json {
  return bareSchema(getNullableType(type));
}

function bareSchema(type: Type): Json {
  if (isNonNullType(type)) return bareSchema(type.ofType);
  if (isListType(type)) return { type: 'array', items: schemaOf(type.ofType) };
  if (isObjectType(type) || isInputObjectType(type) || isEnumType(type))
    return { $ref: `#/components/schemas/${type.name}` };
  // Abstract types were already rejected at startup: see shape.ts.
  return scalarSchema(type as GraphQLScalarType);
}

/** GraphQL's integer range. */
export const int32: Json = { type: 'integer', format: 'int32', minimum: -(2 ** 31), maximum: 2 ** 31 - 1 };

const specified: Readonly<Record<string, Json>> = {
  Int: { type: 'integer', format: 'int32' },
  Float: { type: 'number' },
  String: { type: 'string' },
  Boolean: { type: 'boolean' },
  ID: { type: 'string', format: 'uuid' },
};

/** The schema of a scalar. */
export function scalarSchema(type: GraphQLScalarType): Json {
  const own = type.extensions['jsonSchema'];
  return specified[type.name] ?? (isJson(own) ? own : {});
}

function enumSchema(type: GraphQLEnumType): Json {
  const values = type.getValues();
  const lines = values.map((value) => `- \`${textOf(value)}\`: ${restWords(value.description)}`);
  return {
    type: 'string',
    enum: values.map(textOf),
    description: `${restWords(type.description)}\n\n${lines.join('\n')}`,
  };
}

/** References cannot have siblings in OpenAPI 3.0. */
function described(schema: Json, text: string | null | undefined): Json {
  if (!text) return schema;
  const description = restWords(text);
  return '$ref' in schema ? { allOf: [schema], description } : { ...schema, description };
}

/** Converts a schema description to REST spelling: names in code quotes become snake_case. */
export function restWords(text: string | null | undefined): string {
  return (text ?? '').replaceAll(/`([a-z]+(?:[A-Z][a-z\d]*)+)`/g, (_quoted, name: string) => `\`${snakeOf(name)}\``);
}

/** A default is stored as the internal value; an enum's is documented by its name. */
function spelledDefault(type: GraphQLInputType, value: unknown): unknown {
  const bare = getNullableType(type);
  if (isListType(bare) && Array.isArray(value)) return value.map((item) => spelledDefault(bare.ofType, item));
  if (!isEnumType(bare)) return value;
  const known = bare.getValues().find((one) => one.value === value);
  return known && textOf(known);
}

/** Whether a value is a JSON object. */
export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
