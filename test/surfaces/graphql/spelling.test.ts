import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { spellingOf } from '../../../src/surfaces/graphql/spelling.ts';
import { routeOf } from '../../../src/surfaces/rest/route.ts';
import { buildSchema } from '../../../src/surfaces/schema.ts';
import { worldOfFile } from '../../support/world.ts';

const at = worldOfFile();

let token = '';
beforeAll(async () => {
  token = (await at().register()).token;
});

const none = '00000000-0000-0000-0000-000000000001';

/** A document, and the field and message of its error. */
const cases: readonly (readonly [query: string, field: string | undefined, message: string])[] = [
  [
    `mutation { updateAnomaly(id: "${none}", input: { status: null }) { id } }`,
    'input.status',
    'input.status must be one of OPEN, ACKNOWLEDGED, RESOLVED, not null',
  ],
  [
    `mutation { updateRecommendation(id: "${none}", input: { status: null }) { id } }`,
    'input.status',
    'input.status must be one of OPEN, IN_PROGRESS, APPLIED, ARCHIVED, not null',
  ],
  [
    'mutation { createReport(input: { type: RECOMMENDATIONS, format: CSV, filters: { status: [OPEN, ACKNOWLEDGED] } }) { id } }',
    'input.filters.status[1]',
    'input.filters.status[1] "ACKNOWLEDGED" must be one of OPEN, IN_PROGRESS, APPLIED, ARCHIVED',
  ],
  [
    `mutation { createReport(input: { type: RECOMMENDATIONS, format: CSV, filters: { accountId: ["${none}"] } }) { id } }`,
    'input.filters.accountId[0]',
    `input.filters.accountId[0] "${none}" is not an account of the organization; use an id from accounts`,
  ],
  [
    'mutation { createReport(input: { type: RECOMMENDATIONS, format: CSV, filters: { tagKey: "x" } }) { id } }',
    'input.filters.tagKey',
    'input.filters.tagKey is not a filter of this report; use input.filters.accountId, input.filters.provider, input.filters.type, input.filters.status, input.filters.minSavings, input.filters.includeSnoozed',
  ],
  [
    'mutation { connectAccount(input: { name: "B", provider: AZURE }) { id } }',
    'input.credentials',
    'input.credentials are required for provider AZURE; see accountSetup',
  ],
  [
    'mutation { connectAccount(input: { name: "B", provider: AWS, credentials: {}, settings: { path: "x" } }) { id } }',
    'input.settings.path',
    'input.settings.path is not valid for provider AWS; use bucket, prefix, exportName, region',
  ],
  ['mutation { testSlack { delivered } }', undefined, 'No chat webhook is set; set one with setSlackWebhook first'],
  [
    'mutation { confirmTwoFactor(code: "123456") { recoveryCodes } }',
    undefined,
    'There is no TOTP secret to confirm; create one with setUpTwoFactor first',
  ],
  [
    'mutation { switchOrganization(organizationId: "x") { accessToken } }',
    'organizationId',
    'organizationId "x" is not one of your organizations; see the organizations of me',
  ],
  [
    '{ costsByService(tagValue: ["a", "b"]) { totalCost } }',
    'tagValue',
    'tagValue "a, b" requires tagKey; give both or neither',
  ],
  [
    'mutation { updateOrganization(input: { name: null }) { id } }',
    'input.name',
    'input.name cannot be null; leave it out to keep it',
  ],
  ['{ account(id: null) { id } }', 'id', 'id must be a string, not null'],
  [
    '{ costs(filters: { include: null, exclude: [null] }) { totalCost } }',
    'filters.exclude[0]',
    'filters.exclude[0] must be an object, not null',
  ],
  ['mutation { setExchangeRates(rates: null) { rates { rate } } }', 'rates', 'rates must be a list, not null'],
  [
    'mutation { setExchangeRates(rates: [{ month: "2026-01", from: "USD", to: "EUR", rate: 1 }, { month: "2026-01", from: "USD", to: "EUR", rate: 2 }]) { rates { rate } } }',
    'rates[1]',
    'rates[1] repeats USD to EUR for 2026-01; list each pair and month once',
  ],
];

describe('GraphQL errors', () => {
  it.each(cases)('of %s use GraphQL spelling', async (query, field, message) => {
    const { body } = await at().gql(query, {}, token);
    expect(body.errors?.map((error) => [error.extensions.field, error.message])).toEqual([[field, message]]);
  });

  it('name the item of a variable that the database cannot store', async () => {
    const query = 'query ($f: CostFiltersInput) { costs(filters: $f) { totalCost } }';
    const f = { include: [{ dimension: 'SERVICE', values: ['a', 'b\u0000'] }] };
    const { body } = await at().gql(query, { f }, token);
    expect(body.errors?.map((error) => [error.extensions.field, error.message])).toEqual([
      ['filters.include[0].values[1]', 'filters.include[0].values[1] must not contain the character U+0000'],
    ]);
  });

  it('have upper-case values outside arguments, too, and keep routes that are not operations', () => {
    const spell = spellingOf(buildSchema(), null);
    expect(spell({ path: 'role', choice: 'super_admin' })).toBe('SUPER_ADMIN');
    expect(spell({ route: 'GET /docs' })).toBe('GET /docs');
  });

  it('name operations in a remedy', async () => {
    const login = await at().gql<{ createApiToken: { token: string } }>(
      'mutation { createApiToken(input: { name: "CI" }) { token } }',
      {},
      token,
    );
    const service = login.body.data?.createApiToken.token;
    const { body } = await at().gql('mutation { logout }', {}, service);
    expect(body.errors?.[0]?.message).toBe('An API token has no session to end; revoke it with revokeApiToken');
  });
});

describe('routes in error messages', () => {
  const schema = buildSchema();
  const fields = [schema.getQueryType(), schema.getMutationType()].flatMap((root) =>
    Object.values(root?.getFields() ?? {}),
  );
  const routes = fields.map((field) => routeOf(field));
  const known = new Set(routes.map((route) => route && `${route.method} ${route.path}`));
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.startsWith('console/') && !name.startsWith('mcp/'))
    .map((name) => readFileSync(`src/${name}`, 'utf8'));

  it('exist', () => {
    const named = sources.flatMap((text) => [...text.matchAll(/\boperation\('([^']+)'\)/g)].map(([, route]) => route));
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((route) => !known.has(route ?? null))).toEqual([]);
  });
});
