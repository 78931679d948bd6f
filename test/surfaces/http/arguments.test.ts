import {
  getNamedType,
  getNullableType,
  isEnumType,
  isLeafType,
  isListType,
  isNonNullType,
  type GraphQLInputType,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { restApiOf } from '../../../src/surfaces/rest/api.ts';
import { buildSchema } from '../../../src/surfaces/schema.ts';
import { worldOfFile } from '../../support/world.ts';

const schema = buildSchema();
const fields = Object.values(schema.getQueryType()?.getFields() ?? {});

/** One query for each text filter of each root field: with a blank value, and with the arguments that the field requires. */
const questions = fields
  .filter(({ args }) => !args.some(({ type, name }) => isNonNullType(type) && name !== 'tagKey'))
  .flatMap(({ name, args }) =>
    args
      .filter(({ type, extensions }) => !isNonNullType(type) && extensions['allowsBlank'] !== true)
      .filter(({ type }) => /^\[?(String|ID)!?\]?$/.test(String(type)))
      .map((arg) => {
        const value = isListType(getNullableType(arg.type)) ? '["x", " "]' : '" "';
        const key = args.some((other) => other.name === 'tagKey' && isNonNullType(other.type))
          ? ', tagKey: "team"'
          : '';
        const argument = `${arg.name}${value.startsWith('[') ? '[1]' : ''}`;
        return { field: name, argument, query: `{ ${name}(${arg.name}: ${value}${key}) { __typename } }` };
      }),
  );

/** A value for a required argument. */
function sample(type: GraphQLInputType): string {
  const named = getNamedType(type);
  if (isEnumType(named)) return named.getValues()[0]?.name ?? '';
  return isLeafType(named) ? '"x"' : '{ tag: "team" }';
}

describe('a blank or empty filter', () => {
  const at = worldOfFile();

  it('is rejected by every GraphQL query, naming the argument', async () => {
    const world = at();
    const { token } = await world.register();
    expect(questions.map(({ field }) => field)).toEqual(
      expect.arrayContaining(['anomalies', 'budgets', 'costsByTag', 'inventory', 'recommendations']),
    );
    for (const { field, argument, query } of questions) {
      const { status, body } = await world.gql(query, {}, token);
      const message = `${argument} " " is blank; give a value, or leave it out`;
      expect({ field, status, errors: body.errors }).toMatchObject({
        field,
        status: 400,
        errors: [{ message, extensions: { code: 'VALIDATION_ERROR' } }],
      });
    }
  });

  it('is rejected by every GraphQL query when a list is empty', async () => {
    const world = at();
    const { token } = await world.register();
    const lists = fields.flatMap(({ name, args }) =>
      args
        .filter(({ type }) => isListType(getNullableType(type)) && isLeafType(getNamedType(type)))
        .map((arg) => {
          const required = args
            .filter((other) => isNonNullType(other.type))
            .map((other) => `${other.name}: ${sample(other.type)}`);
          return {
            name: arg.name,
            query: `{ ${name}(${[`${arg.name}: []`, ...required].join(', ')}) { __typename } }`,
          };
        }),
    );
    expect(lists.length).toBeGreaterThan(60);
    for (const { name, query } of lists) {
      const { status, body } = await world.gql(query, {}, token);
      const message = `${name} is an empty list; give at least one value, or leave it out`;
      expect({ query, status, errors: body.errors }).toMatchObject({
        query,
        status: 400,
        errors: [{ message, extensions: { code: 'VALIDATION_ERROR', field: name } }],
      });
    }
    const grouped = await world.gql('{ costs(groupBy: [], filters: { include: [] }) { rowCount } }', {}, token);
    expect(grouped.body).toMatchObject({ data: { costs: { rowCount: expect.any(Number) } } });
  });

  it('is rejected by every REST list that filters by account', async () => {
    const world = at();
    const { token } = await world.register();
    const lists = restApiOf(schema).operations.filter(
      ({ route, parameters }) => route.method === 'GET' && parameters.some(({ name }) => name === 'account_id'),
    );
    expect(lists.length).toBeGreaterThan(15);
    for (const { route } of lists) {
      const path = `${route.path.replace('{dimension}', 'service')}?account_id=`;
      const { status, body } = await world.rest('GET', path, { token });
      const message = 'account_id "" is blank; give a value, or leave it out';
      expect({ path, status, body }).toMatchObject({ path, status: 400, body: { error: { message } } });
    }
  });

  it('is rejected when the filter takes a single text, except for tag values', async () => {
    const world = at();
    const { token } = await world.register();
    for (const path of ['/inventory?search=%20', '/recommendations?resource_id=', '/costs/by-tag?tag_key=%20'])
      expect([path, (await world.rest('GET', path, { token })).status]).toEqual([path, 400]);
    for (const path of ['/costs/daily?tag_key=team&tag_value=', '/inventory?tag_key=team&tag_value=%20'])
      expect([path, (await world.rest('GET', path, { token })).status]).toEqual([path, 200]);
  });

  it('is rejected only after authentication', async () => {
    const world = at();
    const { body } = await world.gql('{ inventory(search: "") { pagination { total } } }');
    expect(body.errors?.[0]?.extensions).toMatchObject({ code: 'UNAUTHORIZED' });
  });
});

describe('a provider filter', () => {
  const at = worldOfFile();
  const filtered = fields.filter(({ args }) =>
    args.some(({ name, type }) => name === 'provider' && String(type) === '[String!]'),
  );

  it('is rejected in GraphQL and REST when it is not a slug', async () => {
    const world = at();
    const { token } = await world.register();
    expect(filtered.length).toBeGreaterThan(15);
    for (const { name, args } of filtered) {
      const key = args.some((other) => other.name === 'tagKey' && isNonNullType(other.type)) ? ', tagKey: "team"' : '';
      const { status, body } = await world.gql(`{ ${name}(provider: "aws,gcp"${key}) { __typename } }`, {}, token);
      const message = 'provider[0] "aws,gcp" is not a provider; use one slug such as aws, azure, gcp or oracle';
      expect({ name, status, errors: body.errors }).toMatchObject({
        name,
        status: 400,
        errors: [{ message, extensions: { code: 'VALIDATION_ERROR', field: 'provider[0]' } }],
      });
    }
    const { status, body } = await world.rest('GET', '/inventory?provider=%20AWS', { token });
    expect([status, Object(body).error]).toMatchObject([
      400,
      { field: 'provider', message: expect.stringContaining('provider " AWS" is not a provider') },
    ]);
  });

  it('accepts lists in any case, separated by commas in REST', async () => {
    const world = at();
    const { token } = await world.register();
    for (const path of ['/inventory?provider=AWS,gcp', '/costs/daily?provider=aws,GCP', '/costs?provider=aws,gcp'])
      expect([path, (await world.rest('GET', path, { token })).status]).toEqual([path, 200]);
  });
});

describe('a text, list or free object beyond the general limits', () => {
  const at = worldOfFile();
  const long = 'x'.repeat(10_001);

  it('is rejected in GraphQL, naming the argument, at any depth', async () => {
    const world = at();
    const { token } = await world.register();
    const services = `{ costsDaily(service: ["EC2", "${long}"]) { totalCost } }`;
    const many = `{ costsDaily(service: ${JSON.stringify(Array.from({ length: 1001 }, String))}) { totalCost } }`;
    const nested = `mutation { connectAccount(input: { name: "x", provider: FOCUS, settings: { path: "${long}" } }) { id } }`;
    const answers = await Promise.all([services, many, nested].map((query) => world.gql(query, {}, token)));
    expect(answers.map(({ body }) => [body.errors?.[0]?.message, body.errors?.[0]?.extensions.field])).toEqual([
      ['service[1] has 10001 characters; at most 10000 are allowed', 'service[1]'],
      ['service has 1001 items; at most 1000 are allowed', 'service'],
      ['input.settings.path has 10001 characters; at most 10000 are allowed', 'input.settings.path'],
    ]);
  });

  it('is rejected when a free-form object has too many keys', async () => {
    const world = at();
    const { token } = await world.register();
    const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`key_${n}`, n]));
    const asked = async (count: number) => {
      const body = { name: 'x', response: keys(count) };
      return Object((await world.rest('POST', '/auth/webauthn/register', { token, body })).body).error;
    };
    expect(await asked(101)).toMatchObject({
      message: 'response has 101 keys; at most 100 are allowed',
      field: 'response',
    });
    expect((await asked(100)).message).toMatch(/^response\.id must be/);
  });

  it('is rejected in REST in the path, the query and the body', async () => {
    const world = at();
    const { token } = await world.register();
    const body = { name: 'x', provider: 'focus', settings: { path: long } };
    const answers = await Promise.all([
      world.rest('GET', `/costs/dimensions/tag:${long}/values`, { token }),
      world.rest('GET', `/costs/export?format=focus_csv&tag=${long}`, { token }),
      world.rest('GET', `/org/members?search=${long}`, { token }),
      world.rest('POST', '/accounts', { token, body }),
    ]);
    expect(answers.map((answer) => [answer.status, Object(answer.body).error.field])).toEqual([
      [400, 'dimension'],
      [400, 'tag'],
      [400, 'search'],
      [400, 'settings.path'],
    ]);
  });

  it('is measured in characters, not in UTF-16 code units', async () => {
    const world = at();
    const { token } = await world.register();
    const answer = await world.gql(
      'query ($text: String) { members(search: $text) { pagination { total } } }',
      { text: '😀'.repeat(10_000) },
      token,
    );
    expect(answer.body.errors).toBeUndefined();
  });

  it('is rejected only after authentication, except in public operations', async () => {
    const world = at();
    const { body } = await world.gql(`{ members(search: "${long}") { pagination { total } } }`);
    expect(body.errors?.[0]?.extensions).toMatchObject({ code: 'UNAUTHORIZED' });
    const reset = await world.rest('POST', '/auth/reset-password', {
      body: { token: long, password: 'plum kite orbit' },
    });
    expect([reset.status, Object(reset.body).error.field]).toEqual([400, 'token']);
  });
});
