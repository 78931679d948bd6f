import { defaultFieldResolver, isObjectType, type GraphQLResolveInfo } from 'graphql';
import { expect, it } from 'vitest';
import { buildSchema } from '../../src/surfaces/schema.ts';

const schema = buildSchema();

/** Resolves a field of a row outside any operation, where the query that loaded the row is unknown. */
function resolve(type: string, name: string, row: object): unknown {
  const parent = schema.getType(type);
  const field = isObjectType(parent) ? parent.getFields()[name] : undefined;
  return (field?.resolve ?? defaultFieldResolver)(row, {}, {}, { fieldName: name } as GraphQLResolveInfo);
}

it('resolves a field from the columns of its row', () => {
  expect(resolve('Account', 'name', { name: 'Bills' })).toBe('Bills');
  expect(resolve('Account', 'currency', { currency: null })).toBeNull();
  expect(resolve('Account', 'syncStatus', { sync: { status: 'failed' } })).toBe('failed');
  expect(resolve('Account', 'syncStatus', { sync: null })).toBe('never');
});

it('throws for a column missing from the row, so that the query plan has to load it', () => {
  expect(() => resolve('Account', 'name', { id: '1' })).toThrow(TypeError);
  expect(() => resolve('Account', 'syncStatus', {})).toThrow(TypeError);
  expect(() => resolve('Account', 'syncStatus', { sync: {} })).toThrow(TypeError);
});
