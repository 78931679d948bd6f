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
import { snakeOf } from '../../../kit/text/case.ts';
import { restNameOf, Spelling } from './spelling.ts';

/** The REST API as a schema: the one that Sofa sees and the one that it executes. */
export interface Shape {
  /** In snake_case and reduced to what REST returns. Read by Sofa and the document, never executed. */
  readonly shape: GraphQLSchema;
  /** The real schema with lower-case enum values. Resolvers, arguments and `info` are unchanged, so schema plugins
   *  cannot know which API is calling. */
  readonly executable: GraphQLSchema;
  readonly spelling: Spelling;
}

/** Derives the REST API's shape. @throws {Error} if two names collide, or a type has no REST form */
export function shapeOf(schema: GraphQLSchema): Shape {
  const spelling = new Spelling();
  const executable = withLowerCaseEnums(schema, spelling);
  const shape = pruneSchema(respelled(executable, spelling));
  const abstract = Object.values(shape.getTypeMap()).find(isAbstractType);
  if (abstract) throw new Error(`${abstract.name} is abstract, which REST cannot return: set extensions.rest to false`);
  refuseRequiredArguments({ shape, executable, spelling });
  return { shape, executable, spelling };
}

/** REST selects every field and passes no arguments to nested ones. */
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
      // The internal value is unchanged, so resolvers never see the spelling.
      { ...config, value: config.value === undefined ? name : config.value },
    ],
  });
  restoreDefaults(schema, lowered);
  return lowered;
}

/** mapSchema converts defaults with the old enum names and back with the new ones, which fails silently. The
 *  internal default is unchanged, so it is restored. */
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
    // REST responses have concrete types, so interfaces are not needed.
    [MapperKind.OBJECT_TYPE]: (type) => new GraphQLObjectType({ ...type.toConfig(), interfaces: [] }),
    [MapperKind.OBJECT_FIELD]: (config, name, type) => {
      const extensions = config.extensions ?? {};
      if (extensions['rest'] === false) return null;
      // Sofa would turn a nested field's arguments into parameters.
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
