import { describe, expect, it } from 'vitest';
import { isSecretName } from '../../../src/surfaces/http/secrets.ts';
import { worldOfFile } from '../../support/world.ts';

const at = worldOfFile();

/** Values that must not appear in a response: a text, and a number sent by mistake. */
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
      'a variable of any name',
      'mutation ($number: String!) { login(email: "a@b.example", password: $number) { tokenType } }',
      secret,
    ],
    ['a default', 'mutation ($p: String! = 83402117) { login(email: "a@b.example", password: $p) { tokenType } }', {}],
    [
      'a TOTP code',
      'mutation ($number: String) { login(email: "a", password: "b", totpCode: $number) { tokenType } }',
      secret,
    ],
    [
      'credentials',
      'mutation ($text: AccountCredentialsInput) { connectAccount(input: { name: "x", provider: AWS, credentials: $text }) { id } }',
      secret,
    ],
    [
      'a field of credentials',
      'mutation ($c: AccountCredentialsInput) { connectAccount(input: { name: "x", provider: AWS, credentials: $c }) { id } }',
      { c: { secretAccessKey: secret.number } },
    ],
    [
      'an unknown field of credentials',
      'mutation ($c: AccountCredentialsInput) { connectAccount(input: { name: "x", provider: AWS, credentials: $c }) { id } }',
      { c: { secret: secret.text } },
    ],
    [
      'a key file',
      'mutation ($t: JSON) { connectAccount(input: { name: "x", provider: GCP, credentials: {serviceAccountJson: $t} }) { id } }',
      { t: secret.text },
    ],
    [
      'a literal of credentials',
      'mutation { connectAccount(input: { name: "x", provider: AZURE, credentials: {clientSecret: 83402117} }) { id } }',
      {},
    ],
    [
      'credentials of another provider',
      'mutation { connectAccount(input: { name: "x", provider: AZURE, settings: {subscriptionIds: ["00000000-0000-0000-0000-000000000001"]}, credentials: {secretAccessKey: "hunter2"} }) { id } }',
      {},
    ],
    [
      'in an object',
      'mutation { connectAccount(input: { name: "x", provider: AWS, credentials: "hunter2" }) { id } }',
      {},
    ],
    [
      'a field of an input',
      'mutation ($input: RegisterInput!) { register(input: $input) { tokenType } }',
      { input: { email: 'a@b.example', name: 'A', password: secret.number } },
    ],
    [
      'a neighbour of a missing field',
      'mutation ($input: RegisterInput!) { register(input: $input) { tokenType } }',
      { input: { email: 'a@b.example', password: secret.text } },
    ],
    [
      'a neighbour of an unknown field',
      'mutation ($input: ConnectAccountInput!) { connectAccount(input: $input) { id } }',
      { input: { name: 'x', provider: 'AWS', credentials: { secretAccessKey: secret.text }, setings: {} } },
    ],
    ['in place of an input', 'mutation { register(input: "hunter2") { tokenType } }', {}],
    [
      'in place of a variable input',
      'mutation ($input: RegisterInput!) { register(input: $input) { tokenType } }',
      { input: [secret.text] },
    ],
    [
      'a neighbour of a variable that is null',
      'mutation ($name: String = "A") { register(input: { email: "a@b.example", name: $name, password: "hunter2" }) { tokenType } }',
      { name: null },
    ],
    ['a name in place of an input', 'mutation { connectAccount(input: hunter2) { id } }', {}],
    ['a missing colon', 'mutation { login(email: "a@example.com" password "hunter2") { tokenType } }', {}],
    ['a malformed string', 'mutation { login(email: "a@example.com", password: "hun""hunter2") { tokenType } }', {}],
  ])('is rejected by GraphQL without being repeated: %s', async (_what, query, variables) => {
    const { token } = await at().register();
    const named = 'password' in variables ? variables : { ...variables, password: secret.number };
    const answer = await at().gql(query, named, token);
    expect([answer.status, answer.body.errors?.[0]?.extensions.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(answer.text).not.toMatch(hidden);
  });

  it('is named by GraphQL with the expected type', async () => {
    const query = 'mutation ($p: String!) { login(email: "a@b.example", password: $p) { tokenType } }';
    const { body } = await at().gql(query, { p: secret.number });
    expect(body.errors?.[0]?.message).toBe('password must be a string, not a number');
  });

  it('does not hide the name of a missing field in GraphQL', async () => {
    const query = 'mutation ($input: RegisterInput!) { register(input: $input) { tokenType } }';
    const { body } = await at().gql(query, { input: { email: 'a@b.example', password: secret.text } });
    expect(body.errors).toMatchObject([
      {
        message: 'input.name is required',
        extensions: { code: 'VALIDATION_ERROR', status: 400, field: 'input.name' },
      },
    ]);
  });

  it.each([
    ['a number', '{"email":"a@example.com","password":83402117}', 'password must be a string, not a number'],
    [
      'an unquoted text',
      '{"email":"a@example.com","password":hunter2}',
      "The body is not valid JSON: Unexpected token 'h'",
    ],
    [
      'a truncated string',
      '{"email":"a@example.com","password":"hunter2',
      'The body is not valid JSON: Unterminated string',
    ],
  ])('is rejected by REST without being repeated: %s', async (_what, raw, message) => {
    const { status, text } = await at().rest('POST', '/auth/login', {
      raw,
      headers: { 'content-type': 'application/json' },
    });
    expect([status, text]).toEqual([400, expect.stringContaining(message)]);
    expect(text).not.toMatch(hidden);
  });
});

describe('invalid credentials', () => {
  const key = '-----BEGIN PRIVATE KEY-----\nhunter2\n-----END PRIVATE KEY-----';
  const blob = { storage_account: 'acmebills' };
  const of = (provider: string, credentials: unknown, settings: object = {}) => ({
    name: 'A',
    provider,
    credentials,
    settings,
  });
  const bucket = { bucket: 'bills', export_name: 'focus' };
  const azure = { subscription_ids: ['00000000-0000-0000-0000-000000000001'] };
  const gcp = { billing_project: 'billing-123', dataset: 'billing', location: 'EU' };
  it.each([
    of('aws', 'hunter2', bucket),
    of('aws', { role_arn: 'hunter2' }, bucket),
    of('aws', { role_arn: secret.number }, bucket),
    of('aws', { access_key_id: 'hunter2', secret_access_key: 'hunter2' }, bucket),
    of('aws', { access_key_id: 'AKIAHUNTERHUNTERXX', secret_access_key: 'hunter2 ' }, bucket),
    of('aws', { hunter: 'hunter2' }, bucket),
    of('aws', { client_secret: 'hunter2' }, bucket),
    of('azure', { tenant_id: 'hunter2', client_id: 'hunter2', client_secret: 'hunter2' }, azure),
    of('azure', { tenant_id: azure.subscription_ids[0], client_id: 'x', client_secret: ['hunter2'] }, azure),
    of('azure', {}, { ...azure, ...blob, container: '?sv=2026&sig=hunter2' }),
    of('gcp', { service_account_json: 'hunter2' }, gcp),
    of('gcp', { service_account_json: { type: 'hunter2' } }, gcp),
    of(
      'gcp',
      { service_account_json: { type: 'service_account', project_id: 'hunter-2', client_email: 'hunter2' } },
      gcp,
    ),
    of(
      'gcp',
      {
        service_account_json: {
          type: 'service_account',
          project_id: 'hunter-two',
          client_email: 'a@hunter-two.iam.gserviceaccount.com',
          private_key: key,
        },
      },
      gcp,
    ),
    of('focus', { access_key_id: 'hunter2', secret_access_key: 'hunter2' }, { bucket: 'bills' }),
    of('focus', {}, { bucket: 'bills', endpoint: 'https://hunter2@evil.example' }),
  ])('are rejected by REST without being repeated: %#', async (body) => {
    const { token } = await at().register();
    const { status, text } = await at().rest('POST', '/accounts', { token, body });
    expect([status, text]).toEqual([400, expect.stringContaining('VALIDATION_ERROR')]);
    expect(text).not.toMatch(hidden);
  });
});

it('repeats a value that is not secret in the error', async () => {
  const { token } = await at().register();
  const { body } = await at().gql('query ($n: Int) { accounts(perPage: $n) { data { id } } }', { n: 'ten' }, token);
  expect(body.errors?.[0]?.message).toContain('"ten"');
  expect((await at().rest('PATCH', '/org', { token, body: { name: 5 } })).text).toContain('not 5');
});

it('recognizes secrets by name', () => {
  const names = ['password', 'new_password', 'newPassword', 'token', 'refresh_token', 'code', 'totpCode', 'response'];
  expect([...names, 'credentials.role_arn', 'client_secret'].filter((name) => !isSecretName(name))).toEqual([]);
  expect(['name', 'tag_key', 'sort_by', 'codec', 'account_id'].filter(isSecretName)).toEqual([]);
});
