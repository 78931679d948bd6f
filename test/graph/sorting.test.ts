import { getNullableType, isEnumType, type GraphQLEnumType, type GraphQLSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import { budgetSortFields } from '../../src/analysis/budgets/list.ts';
import { textOf } from '../../src/surfaces/rest/sofa/spelling.ts';
import { shapeOf } from '../../src/surfaces/rest/sofa/shape.ts';
import { buildSchema } from '../../src/surfaces/schema.ts';

/** The enum of each sort argument by list field. */
function sortEnums(schema: GraphQLSchema, argument: string): Map<string, GraphQLEnumType> {
  const fields = Object.values(schema.getQueryType()?.getFields() ?? {});
  const types = fields.flatMap(({ name, args }) =>
    args.filter((arg) => arg.name === argument).map(({ type }) => [name, getNullableType(type)] as const),
  );
  return new Map(types.map(([name, type]) => [name, isEnumType(type) ? type : expect.fail(`${name}: no enum`)]));
}

describe('sort order of a list', () => {
  const schema = buildSchema();

  it('is one enum per list in GraphQL, with both directions of each field', () => {
    const enums = sortEnums(schema, 'sortBy');
    expect(enums.size).toBeGreaterThanOrEqual(18);
    expect(new Set([...enums.values()].map(({ name }) => name)).size).toBe(enums.size);
    for (const type of enums.values()) {
      const names = type.getValues().map(({ name }) => name);
      expect(names.every((name) => /_(ASC|DESC)$/.test(name))).toBe(true);
      expect(names.filter((name) => name.endsWith('_ASC')).map((name) => name.replace(/ASC$/, 'DESC'))).toEqual(
        names.filter((name) => name.endsWith('_DESC')),
      );
    }
  });

  it('is a field or -field in REST, and in the values that resolvers read', () => {
    const budgets = sortEnums(shapeOf(schema).shape, 'sort_by').get('budgets');
    const texts = budgets?.getValues().map(textOf);
    expect(texts?.toSorted()).toEqual(budgetSortFields.flatMap((field) => [field, `-${field}`]).toSorted());
    expect(budgets?.getValues().map(({ value }): unknown => value)).toEqual(texts);
  });
});
