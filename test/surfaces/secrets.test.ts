import { describe, expect, it } from 'vitest';
import { isSecretName } from '../../src/surfaces/secrets.ts';
import { worldOfFile } from '../support/world.ts';

const at = worldOfFile();

/** What nobody may find in an answer, as a text and as the number that somebody may send by mistake. */
const secret = { text: 'hunter2', number: 83_402_117 };
const hidden = /hunter2|83402117/;

describe('a secret of the wrong type', () => {
  it.each([
    ['a literal', 'mutation { login(email: "a@example.com", password: 83402117) { tokenType } }', {}],
    ['a name', 'mutation { login(email: "a@example.com", password: hunter2) { tokenType } }', {}],
    ['a list', 'mutation { login(email: "a@example.com", password: ["hunter2"]) { tokenType } }', {}],
    [
      'a variable',
      'mutation ($password: String!) { login(email: "a@b.example", password: $password) { tokenType } }',
      secret,
    ],
    [
      'any name',
      'mutation ($number: String!) { login(email: "a@b.example", password: $number) { tokenType } }',
      secret,
    ],
    ['a default', 'mutation ($p: String! = 83402117) { login(email: "a@b.example", password: $p) { tokenType } }', {}],
    [
      'a code',
      'mutation ($number: String) { login(email: "a", password: "b", totpCode: $number) { tokenType } }',
      secret,
    ],
    [
      'credentials',
      'mutation ($text: JSON) { connectAccount(name: "x", provider: AWS, credentials: $text) { id } }',
      secret,
    ],
    ['in an object', 'mutation { connectAccount(name: "x", provider: AWS, credentials: "hunter2") { id } }', {}],
    ['a lost quote', 'mutation { login(email: "a@example.com" password "hunter2") { tokenType } }', {}],
    ['a broken text', 'mutation { login(email: "a@example.com", password: "hun""hunter2") { tokenType } }', {}],
  ])('by GraphQL as %s is refused without being repeated', async (_what, query, variables) => {
    const { token } = await at().register();
    const named = 'password' in variables ? variables : { ...variables, password: secret.number };
    const answer = await at().gql(query, named, token);
    expect([answer.status, answer.body.errors?.[0]?.extensions.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(answer.text).not.toMatch(hidden);
  });

  it('by GraphQL is named, with what it must be', async () => {
    const query = 'mutation ($p: String!) { login(email: "a@b.example", password: $p) { tokenType } }';
    const { body } = await at().gql(query, { p: secret.number });
    expect(body.errors?.[0]?.message).toBe(
      'password must be String!; what was sent is not repeated, because it may be a secret',
    );
  });

  it.each([
    ['a number', '{"email":"a@example.com","password":83402117}', 'password must be a string, not a number'],
    [
      'a broken text',
      '{"email":"a@example.com","password":hunter2}',
      "The body is not valid JSON: Unexpected token 'h'",
    ],
    ['a cut text', '{"email":"a@example.com","password":"hunter2', 'The body is not valid JSON: Unterminated string'],
  ])('by REST as %s is refused without being repeated', async (_what, raw, message) => {
    const { status, text } = await at().rest('POST', '/auth/login', {
      raw,
      headers: { 'content-type': 'application/json' },
    });
    expect([status, text]).toEqual([400, expect.stringContaining(message)]);
    expect(text).not.toMatch(hidden);
  });
});

it('a value that is no secret is repeated, for who must find it', async () => {
  const { token } = await at().register();
  const { body } = await at().gql('query ($n: Int) { accounts(perPage: $n) { data { id } } }', { n: 'ten' }, token);
  expect(body.errors?.[0]?.message).toContain('"ten"');
  expect((await at().rest('PATCH', '/org', { token, body: { name: 5 } })).text).toContain('not 5');
});

it('secrets are known by their names', () => {
  const names = ['password', 'new_password', 'newPassword', 'token', 'refresh_token', 'code', 'totpCode', 'response'];
  expect([...names, 'credentials.role_arn', 'client_secret'].filter((name) => !isSecretName(name))).toEqual([]);
  expect(['name', 'tag_key', 'sort_by', 'codec', 'account_id'].filter(isSecretName)).toEqual([]);
});
