import { GraphQLBoolean, GraphQLInt, GraphQLList, GraphQLNonNull, GraphQLString } from 'graphql';
import { describe, expect, it } from 'vitest';
import { parseSearch, textReaderOf } from '../../../../src/surfaces/rest/input/query.ts';

const strings = textReaderOf(new GraphQLList(new GraphQLNonNull(GraphQLString)));

describe('query string parsing', () => {
  it('decodes percent-encoding and plus signs, and keeps repeated parameters', () => {
    expect([...parseSearch('a=1&b=x%20y+z&a=2&c')]).toEqual([
      ['a', ['1', '2']],
      ['b', ['x y z']],
      ['c', ['']],
    ]);
  });

  it('rejects invalid percent-encoding, naming it', () => {
    expect(() => parseSearch('a=%E0%A4%A')).toThrow('The query string is not valid percent-encoding near "%E0%A4%A"');
  });

  it.each([
    [['a,b'], ['a', 'b']],
    [['a\\,b,c'], ['a,b', 'c']],
    [
      ['a', 'b,c'],
      ['a', 'b', 'c'],
    ],
    [['a,'], ['a', '']],
  ])('reads %j as the list %j', (texts, list) => {
    expect(strings(texts, 'service')).toEqual(list);
  });

  it.each([
    [['a'], 'a'],
    [['a\\,b'], 'a,b'],
    [[''], ''],
    [['a\\b'], 'a\\b'],
  ])('reads %j as the single item %j', (texts, item) => {
    expect(strings(texts, 'service')).toBe(item);
  });

  it.each(['1e3', '1.5', '+1', ' 1', '0x10', '1_000', '١'])('does not read %j as a whole number', (text) => {
    expect(textReaderOf(GraphQLInt)([text], 'page')).toBe(text);
  });

  it('reads numbers and booleans only in their canonical form', () => {
    const number = textReaderOf(GraphQLInt);
    expect([number(['12'], 'n'), number(['012'], 'n'), number(['0x1'], 'n'), number([''], 'n')]).toEqual([
      12,
      '012',
      '0x1',
      '',
    ]);
    const boolean = textReaderOf(GraphQLBoolean);
    expect([boolean(['true'], 'b'), boolean(['false'], 'b'), boolean(['yes'], 'b')]).toEqual([true, false, 'yes']);
  });

  it('rejects a repeated single value', () => {
    expect(() => textReaderOf(GraphQLInt)(['1', '2'], 'page')).toThrow('page was given 2 times; send it once');
  });
});
