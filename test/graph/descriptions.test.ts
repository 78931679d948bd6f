import { isEnumType, isInputObjectType, isInterfaceType, isObjectType, type GraphQLNamedType } from 'graphql';
import { expect, it } from 'vitest';
import { buildSchema } from '../../src/surfaces/schema.ts';

/** The parts of a type that have no description. */
function undescribed(type: GraphQLNamedType): string[] {
  const own = type.description ? [] : [type.name];
  if (isEnumType(type))
    return [...own, ...type.getValues().flatMap((value) => (value.description ? [] : [`${type.name}.${value.name}`]))];
  if (isInputObjectType(type))
    return [
      ...own,
      ...Object.values(type.getFields()).flatMap((field) => (field.description ? [] : [`${type.name}.${field.name}`])),
    ];
  if (!isObjectType(type) && !isInterfaceType(type)) return own;
  const fields = Object.values(type.getFields()).flatMap((field) => {
    const at = `${type.name}.${field.name}`;
    return [
      ...(field.description ? [] : [at]),
      ...field.args.flatMap((arg) => (arg.description ? [] : [`${at}(${arg.name})`])),
    ];
  });
  return [...own, ...fields];
}

it('describes every type, field, argument and enum value', () => {
  const types = Object.values(buildSchema().getTypeMap()).filter((type) => !type.name.startsWith('__'));
  expect(types.flatMap(undescribed)).toEqual([]);
});
