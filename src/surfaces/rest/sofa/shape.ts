import { MapperKind, mapSchema, pruneSchema } from '@graphql-tools/utils';
import {
  GraphQLObjectType,
  GraphQLScalarType,
  isAbstractType,
  isInputObjectType,
  isObjectType,
  isRequiredArgument,
  isSpecifiedScalarType,
  type GraphQLFieldConfigArgumentMap,
  type GraphQLSchema,
} from 'graphql';
import { routeOf } from '../route.ts';
import { restNameOf, snakeOf, Spelling } from './spelling.ts';

/** The REST API as a schema: what Sofa sees, and what it runs on. */
export interface Shape {
  /** Respelled in snake_case and cut down to what REST answers. Sofa and the document read it; it is never executed. */
  readonly shape: GraphQLSchema;
  /** The real schema with enum values in lower case. Resolvers, arguments and `info` are untouched, so no plugin of the
   *  schema notices which API asks. */
  readonly executable: GraphQLSchema;
  readonly spelling: Spelling;
}

/** Derives the REST API's shape. @throws {Error} when two names collide, or a type has no REST form */
export function shapeOf(schema: GraphQLSchema): Shape {
  const spelling = new Spelling();
  const executable = withLowerCaseEnums(schema, spelling);
  const shape = pruneSchema(respelled(executable, spelling));
  const abstract = Object.values(shape.getTypeMap()).find(isAbstractType);
  if (abstract) throw new Error(`${abstract.name} is abstract, which REST cannot answer: set extensions.rest to false`);
  refuseRequiredArguments({ shape, executable, spelling });
  return { shape, executable, spelling };
}

/** REST selects every field, and gives nested ones no arguments. */
function refuseRequiredArguments({ shape, executable, spelling }: Shape): void {
  for (const type of Object.values(shape.getTypeMap()).filter(isObjectType)) {
    const original = executable.getType(type.name);
    for (const { name, args } of Object.values(type.getFields())) {
      const field = isObjectType(original) ? original.getFields()[spelling.original(type.name, name)] : undefined;
      const required = args.length === 0 && field?.args.find(isRequiredArgument);
      if (required)
        throw new Error(`${type.name}.${name} needs the argument ${required.name}, which REST cannot give it`);
    }
  }
}

function withLowerCaseEnums(schema: GraphQLSchema, spelling: Spelling): GraphQLSchema {
  const lowered = mapSchema(schema, {
    [MapperKind.ENUM_VALUE]: (config, type, _schema, name) => [
      spelling.keep(type, name.toLowerCase(), name),
      // The value inside stays as it was, so resolvers never see the spelling.
      { ...config, value: config.value === undefined ? name : config.value },
    ],
  });
  restoreDefaults(schema, lowered);
  return lowered;
}

/** mapSchema takes defaults through the old names of enum values and back through the new ones, which fails silently.
 *  Inside, a default is what it was. */
function restoreDefaults(from: GraphQLSchema, to: GraphQLSchema): void {
  for (const type of Object.values(to.getTypeMap())) {
    const original = from.getType(type.name);
    if (isInputObjectType(type) && isInputObjectType(original)) {
      for (const field of Object.values(type.getFields()))
        field.defaultValue = original.getFields()[field.name]?.defaultValue;
    }
    if (!isObjectType(type) || !isObjectType(original)) continue;
    for (const field of Object.values(type.getFields())) {
      const args = original.getFields()[field.name]?.args ?? [];
      for (const arg of field.args) arg.defaultValue = args.find((known) => known.name === arg.name)?.defaultValue;
    }
  }
}

function respelled(schema: GraphQLSchema, spelling: Spelling): GraphQLSchema {
  return mapSchema(schema, {
    [MapperKind.SUBSCRIPTION]: () => null,
    [MapperKind.ROOT_FIELD]: (config, name, type) => {
      if (!routeOf({ extensions: config.extensions ?? {} })) return null;
      return [
        spelling.keep(type, name, name),
        { ...config, ...inert, args: respellArgs(config.args, `${type}.${name}`, spelling) },
      ];
    },
    // Answers have the type that their field states, so REST has no use for what types share.
    [MapperKind.OBJECT_TYPE]: (type) => new GraphQLObjectType({ ...type.toConfig(), interfaces: [] }),
    [MapperKind.OBJECT_FIELD]: (config, name, type) => {
      const extensions = config.extensions ?? {};
      if (extensions['rest'] === false) return null;
      // Sofa would make parameters of a nested field's arguments.
      return [
        spelling.keep(type, restNameOf({ extensions }) ?? snakeOf(name), name),
        { ...config, ...inert, args: {} },
      ];
    },
    [MapperKind.INPUT_OBJECT_FIELD]: (config, name, type) => [
      spelling.respell(type, name),
      { ...config, astNode: undefined },
    ],
    [MapperKind.SCALAR_TYPE]: (scalar) =>
      isSpecifiedScalarType(scalar)
        ? undefined
        : new GraphQLScalarType({ ...scalar.toConfig(), serialize: (value) => value }),
  });
}

const inert = { resolve: undefined, astNode: undefined };

function respellArgs(
  args: GraphQLFieldConfigArgumentMap = {},
  field: string,
  spelling: Spelling,
): GraphQLFieldConfigArgumentMap {
  const entries = Object.entries(args).map(([name, arg]) => [
    spelling.respell(field, name),
    { ...arg, astNode: undefined },
  ]);
  return Object.fromEntries(entries);
}
