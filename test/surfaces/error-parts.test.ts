import { describe, expect, it } from 'vitest';
import { worldOfFile } from '../support/world.ts';

const at = worldOfFile();

interface RestError {
  readonly error: Readonly<Record<string, unknown>>;
}

describe('the parts of an error', () => {
  it('are fields of the envelope in REST', async () => {
    const { token } = await at().register();
    const { body } = await at().rest<RestError>('GET', '/budgets?per_page=500', { token });
    expect(body.error).toEqual({
      code: 'VALIDATION_ERROR',
      message: 'per_page must be 1 to 100, not 500',
      status: 400,
      field: 'per_page',
      value: '500',
      reason: 'must be 1 to 100',
    });
  });

  it('are extensions in GraphQL, in GraphQL spelling', async () => {
    const { token } = await at().register();
    const { body } = await at().gql(
      '{ costs(endDate: "2020-01-01", startDate: "2020-02-01") { totalCost } }',
      {},
      token,
    );
    expect(body.errors?.[0]).toMatchObject({
      message: 'endDate "2020-01-01" is before startDate 2020-02-01; send the earlier day as startDate',
      extensions: {
        code: 'VALIDATION_ERROR',
        status: 400,
        field: 'endDate',
        value: '2020-01-01',
        reason: 'is before startDate 2020-02-01',
        remedy: 'send the earlier day as startDate',
      },
    });
  });

  it('name the operation of a remedy in the spelling of each API', async () => {
    const { token } = await at().register();
    const rest = await at().rest<RestError>('POST', '/notifications/slack/test', { token });
    const graph = await at().gql('mutation { testSlack { delivered } }', {}, token);
    expect(rest.body.error).toMatchObject({
      operation: 'POST /notifications/slack/webhook',
      remedy: 'set one with POST /notifications/slack/webhook first',
    });
    expect(graph.body.errors?.[0]?.extensions).toMatchObject({
      operation: 'setSlackWebhook',
      remedy: 'set one with setSlackWebhook first',
    });
  });

  it('are also present for values rejected by graphql-js', async () => {
    const { token } = await at().register();
    const literal = await at().gql('{ recommendations(status: [DON]) { data { id } } }', {}, token);
    expect(literal.body.errors?.[0]?.extensions).toMatchObject({
      field: 'status[0]',
      value: 'DON',
      reason: expect.stringMatching(/^must be one of /),
    });
    const missing = await at().gql('{ account { id } }', {}, token);
    expect(missing.body.errors?.[0]).toMatchObject({
      message: 'id is required',
      extensions: { field: 'id', reason: 'is required' },
    });
  });

  it('never contain a secret', async () => {
    const body = { email: 'a@b.example', password: 5 };
    const rest = await at().rest<RestError>('POST', '/auth/login', { body });
    expect(rest.body.error).toMatchObject({ field: 'password', reason: 'must be a string' });
    expect(rest.body.error).not.toHaveProperty('value');
    const query = 'mutation ($p: String!) { login(email: "a@b.example", password: $p) { tokenType } }';
    const graph = await at().gql(query, { p: 5 });
    expect(graph.body.errors?.[0]?.extensions).toMatchObject({ field: 'password', reason: 'must be a string' });
    expect(graph.body.errors?.[0]?.extensions).not.toHaveProperty('value');
  });

  it('are omitted where they do not apply', async () => {
    const { token } = await at().register();
    const { body } = await at().rest<RestError>('GET', '/accounts/nope', { token });
    const message = 'Account "nope" not found';
    expect(body.error).toEqual({ code: 'NOT_FOUND', message, status: 404, reason: message });
  });
});
