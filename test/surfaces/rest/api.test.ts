import {
  GraphQLID,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
  type GraphQLFieldConfig,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { restApiOf } from '../../../src/surfaces/rest/api.ts';

const route = { method: 'GET', path: '/a', status: 200, tags: ['Service'], category: 'read' };

/** A schema with these root fields. */
function schemaOf(fields: Record<string, Partial<GraphQLFieldConfig<unknown, unknown>>>) {
  const entries = Object.entries(fields).map(([name, field]) => [
    name,
    { type: GraphQLString, extensions: { rest: route }, ...field },
  ]);
  return new GraphQLSchema({ query: new GraphQLObjectType({ name: 'Query', fields: Object.fromEntries(entries) }) });
}

describe('building the REST API fails', () => {
  it('when parameters replace an unknown argument', () => {
    const flat = { replaces: ['filters'], parameters: [{ name: 'service', description: 'A.' }], read: () => ({}) };
    const schema = schemaOf({ a: { extensions: { rest: { ...route, flat } } } });
    expect(() => restApiOf(schema)).toThrow('a: parameters stand for filters, which is not an argument');
  });

  it('when two arguments have the same REST name', () => {
    const schema = schemaOf({
      a: { args: { startDate: { type: GraphQLString }, start_date: { type: GraphQLString } } },
    });
    expect(() => restApiOf(schema)).toThrow(
      'Query.a: startDate and start_date are both start_date in REST; rename one',
    );
  });

  it('when two fields have the same route', () => {
    const id = { args: { id: { type: GraphQLID } }, extensions: { rest: { ...route, path: '/a/{id}' } } };
    const key = { args: { key: { type: GraphQLID } }, extensions: { rest: { ...route, path: '/a/{key}' } } };
    expect(() => restApiOf(schemaOf({ a: id, b: key }))).toThrow('a and b are both GET /a/{}');
  });

  it('when a path has a parameter without an argument', () => {
    expect(() => restApiOf(schemaOf({ a: { extensions: { rest: { ...route, path: '/a/{id}' } } } }))).toThrow(
      'a: /a/{id} names id, which is not an argument',
    );
  });

  it('when an argument has the same name as an input field', () => {
    const type = new GraphQLInputObjectType({ name: 'AInput', fields: { someName: { type: GraphQLString } } });
    const args = { someName: { type: GraphQLString }, input: { type: new GraphQLNonNull(type) } };
    const schema = schemaOf({ a: { args, extensions: { rest: { ...route, method: 'POST' } } } });
    expect(() => restApiOf(schema)).toThrow('a: some_name is both an argument and a field of input');
  });

  it('when a nested field has a required argument, which REST cannot pass', () => {
    const args = { n: { type: new GraphQLNonNull(GraphQLInt) } };
    const Nested = new GraphQLObjectType({ name: 'Nested', fields: { x: { type: GraphQLString, args } } });
    expect(() => restApiOf(schemaOf({ a: { type: Nested } }))).toThrow(
      'Nested.x needs the argument n, which REST cannot give it',
    );
  });

  it('when CSV is declared for something other than a list of objects', () => {
    const Answer = new GraphQLObjectType({
      name: 'Answer',
      fields: { groups: { type: new GraphQLList(GraphQLString) } },
    });
    const schema = schemaOf({ a: { type: Answer, extensions: { rest: { ...route, csv: 'groups' } } } });
    expect(() => restApiOf(schema)).toThrow('a: groups is not a list of objects, so it has no CSV');
  });

  it('when a tag has no description', () => {
    expect(() => restApiOf(schemaOf({ a: { extensions: { rest: { ...route, tags: ['Nonsense'] } } } }))).toThrow(
      'The tag Nonsense has no description',
    );
  });
});
