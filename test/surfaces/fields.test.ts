import { beforeAll, describe, expect, it } from 'vitest';
import { worldOfFile } from '../support/world.ts';
import { essentials } from '../support/essentials.ts';

const at = worldOfFile();

let token = '';
beforeAll(async () => {
  token = (await at().register()).token;
});

interface RestError {
  readonly error: { readonly code: string; readonly status: number; readonly message: string; readonly field?: string };
}

/** A REST request, with the field and message of its error. */
type RestCase = readonly [method: string, path: string, body: object | undefined, field: string, message: string];

const account = { name: 'Bills', provider: 'azure' };
const subscriptionIds = ['11111111-2222-3333-4444-555555555555'];
const azurePlace = { subscription_ids: subscriptionIds };
const googlePlace = { billing_project: 'billing-123', dataset: 'billing', location: 'EU' };

const restCases: readonly RestCase[] = [
  ['GET', '/accounts?per_page=101', undefined, 'per_page', 'per_page must be 1 to 100, not 101'],
  ['GET', '/accounts?pr_page=1', undefined, 'pr_page', 'pr_page is not a known parameter; use provider'],
  ['GET', '/accounts?page=x', undefined, 'page', 'page must be a whole number, not "x"'],
  ['GET', '/accounts?sort_by=cost', undefined, 'sort_by', 'sort_by must be one of name, -name'],
  [
    'GET',
    '/costs?start_date=2026-13-01',
    undefined,
    'start_date',
    'start_date must be a day such as "2026-01-31", not "2026-13-01"',
  ],
  ['GET', '/costs?service=*', undefined, 'service', 'service "*" is a prefix without text; write text before the *'],
  [
    'GET',
    '/costs?exclude_charge_category=x',
    undefined,
    'exclude_charge_category',
    'exclude_charge_category "x" is not a charge category; use',
  ],
  ['GET', '/costs?group_by=team', undefined, 'group_by', 'group_by "team" is not a dimension; use account'],
  ['GET', '/costs/by-tag', undefined, 'tag_key', 'tag_key is required'],
  ['POST', '/budgets', { name: 'B', amount: 0, period: 'monthly' }, 'amount', 'amount must be above 0, not 0'],
  [
    'POST',
    '/budgets',
    { name: 'B', amount: 1, period: 'monthly', alert_thresholds: [50, 0] },
    'alert_thresholds[1]',
    'alert_thresholds[1] must be above 0 and at most',
  ],
  ['POST', '/budgets', { name: 'B', period: 'monthly' }, 'amount', 'amount is required'],
  [
    'POST',
    '/budgets',
    { name: 'B', amount: '1', period: 'monthly' },
    'amount',
    'amount must be a finite number, not "1"',
  ],
  [
    'POST',
    '/accounts',
    { ...account, settings: { storage_acount: 'x' } },
    'settings.storage_acount',
    'settings.storage_acount is not a known field; use source, path, bucket, ',
  ],
  [
    'POST',
    '/accounts',
    { ...account, credentials: { tenant_id: 'x' }, settings: azurePlace },
    'credentials.tenant_id',
    'credentials.tenant_id must be',
  ],
  [
    'POST',
    '/accounts',
    { name: 'B', provider: 'gcp', credentials: { service_account_json: { type: 'user' } }, settings: googlePlace },
    'credentials.service_account_json.type',
    'credentials.service_account_json.type must be "service_account"',
  ],
  [
    'POST',
    '/reports',
    { type: 'cost_summary', format: 'csv', filters: { acount_id: ['x'] } },
    'filters.acount_id',
    'filters.acount_id is not a known field; use account_id, provider, ',
  ],
  [
    'POST',
    '/auth/register',
    { name: 'A', email: 'a@example.com', password: 'good enough words', invite_token: 'nope' },
    'invite_token',
    'invite_token is unknown',
  ],
];

describe('REST errors', () => {
  it.each(restCases)('of %s %s %j name the field %s', async (method, path, body, ...[field, message]) => {
    const answer = await at().rest<RestError>(method, path, { token, ...(body && { body }) });
    expect(essentials(answer.body.error)).toEqual({
      code: 'VALIDATION_ERROR',
      status: 400,
      field,
      message: expect.stringContaining(message),
    });
  });

  it('have no field if they concern no argument', async () => {
    const { body } = await at().rest<RestError>('GET', '/accounts/nope', { token });
    expect(essentials(body.error)).toEqual({ code: 'NOT_FOUND', status: 404, message: 'Account "nope" not found' });
  });

  it('name the field of a conflict, too', async () => {
    const owner = await at().register();
    const person = { name: 'A', email: owner.email, password: 'good enough words', organization_name: 'Other' };
    const { status, body } = await at().rest<RestError>('POST', '/auth/register', { body: person });
    expect([status, body.error.field, body.error.message]).toEqual([
      409,
      'email',
      `email "${owner.email}" is already registered; sign in, or reset the password`,
    ]);
  });
});

/** A GraphQL document with its variables, and the field and message of its error. */
type GraphCase = readonly [query: string, variables: object, field: string, message: string];

const connect =
  'mutation ($credentials: AccountCredentialsInput, $settings: AccountSettingsInput) { connectAccount(input: { name: "B", provider: AZURE, credentials: $credentials, settings: $settings }) { id } }';
const google =
  'mutation ($credentials: AccountCredentialsInput) { connectAccount(input: { name: "B", provider: GCP, credentials: $credentials, settings: {billingProject: "billing-123", dataset: "billing", location: "EU"} }) { id } }';

const graphCases: readonly GraphCase[] = [
  ['{ accounts(perPage: 101) { data { id } } }', {}, 'perPage', 'perPage must be 1 to 100, not 101'],
  ['{ accounts(sortBy: COST_ASC) { data { id } } }', {}, 'sortBy', 'sortBy must be one of NAME_ASC, NAME_DESC, '],
  ['query ($s: AccountSort) { accounts(sortBy: $s) { data { id } } }', { s: 'cost' }, 'sortBy', ', not "cost"'],
  ['{ accounts(pagee: 1) { data { id } } }', {}, 'pagee', 'Unknown argument "pagee"'],
  ['{ accounts(page: "x") { data { id } } }', {}, 'page', 'page must be a whole number, not "x"'],
  [
    'query ($n: Int) { accounts(perPage: $n) { data { id } } }',
    { n: 'x' },
    'perPage',
    'perPage must be a whole number, not "x"',
  ],
  [
    'query ($d: Date) { costs(startDate: $d) { totalCost } }',
    { d: '2026-13-01' },
    'startDate',
    'startDate must be a day such as "2026-01-31", not "2026-13-01"',
  ],
  [
    '{ costs(startDate: "2026-02-01", endDate: "2026-01-01") { totalCost } }',
    {},
    'endDate',
    'endDate "2026-01-01" is before startDate 2026-02-01',
  ],
  [
    '{ costs(filters: {include: [{dimension: REGION, values: ["a"]}, {dimension: SERVICE, values: ["*"]}]}) { totalCost } }',
    {},
    'filters.include[1].values[0]',
    'filters.include[1].values[0] "*" is a prefix without text',
  ],
  [
    '{ costs(groupBy: [{dimension: SERVICE}, {}]) { totalCost } }',
    {},
    'groupBy[1]',
    'groupBy[1] must set one of dimension, tag, virtualTag',
  ],
  [
    'mutation { createBudget(input: { name: "B", amount: 1, period: MONTHLY, alertThresholds: [50, 0] }) { id } }',
    {},
    'input.alertThresholds[1]',
    'input.alertThresholds[1] must be above 0',
  ],
  [
    'mutation { createBudget(input: { name: "B", period: MONTHLY }) { id } }',
    {},
    'input.amount',
    'input.amount is required',
  ],
  [
    'mutation ($input: CreateBudgetInput!) { createBudget(input: $input) { id } }',
    { input: { name: 'B', amount: 1, alertThresholds: [50, 'x'] } },
    'input.alertThresholds[1]',
    'input.alertThresholds[1] must be a finite number, not "x"',
  ],
  ['mutation { createBudget { id } }', {}, 'input', 'input is required'],
  [
    'mutation { updateTagPolicy(id: "00000000-0000-0000-0000-000000000001", input: { rules: [{ key: "" }] }) { id } }',
    {},
    'input.rules[0].key',
    'input.rules[0].key must have 1 to 256 characters',
  ],
  [
    connect,
    { settings: { storageAcount: 'x' } },
    'input.settings.storageAcount',
    'input.settings.storageAcount is not a known field; use ',
  ],
  [
    connect,
    { settings: { subscriptionIds: ['a', 5] } },
    'input.settings.subscriptionIds[1]',
    'input.settings.subscriptionIds[1] must be a string, not 5',
  ],
  [
    connect,
    { credentials: { tenantId: 'x' }, settings: { subscriptionIds } },
    'input.credentials.tenantId',
    'input.credentials.tenantId must be',
  ],
  [
    'mutation ($s: AccountSettingsInput!) { connectAccount(input: { name: "B", provider: AZURE, settings: $s }) { id } }',
    {},
    'input.settings',
    'input.settings is required; give the variable $s a value',
  ],
  [
    'mutation { createBudget(input: { name: "B", amount: null }) { id } }',
    {},
    'input.amount',
    'input.amount must be a finite number, not null',
  ],
  [
    'mutation { createApiToken(input: { name: "B", expiresAt: "2026-02-30T00:00:00Z" }) { token } }',
    {},
    'input.expiresAt',
    'input.expiresAt must be a timestamp such as "2026-01-31T12:00:00Z", not "2026-02-30T00:00:00Z"',
  ],
  [
    'mutation ($at: DateTime) { createApiToken(input: { name: "B", expiresAt: $at }) { token } }',
    { at: 'x'.repeat(300) },
    'input.expiresAt',
    `input.expiresAt must be a timestamp such as "2026-01-31T12:00:00Z", not "${'x'.repeat(76)}…`,
  ],
  ['{ accounts { data { id nope } } }', {}, 'accounts.data.nope', 'Cannot query field "nope" on type "Account"'],
  [`{ ${'x'.repeat(300)} }`, {}, `${'x'.repeat(80)}…`, `Cannot query field "${'x'.repeat(80)}…" on type "Query"`],
  [
    `{ accounts(${'x'.repeat(300)}: 1) { data { id } } }`,
    {},
    `${'x'.repeat(80)}…`,
    `Unknown argument "${'x'.repeat(80)}…"`,
  ],
  ['{ accounts }', {}, 'accounts', 'must have a selection of subfields'],
  ['{ accounts { data { ...Unknown } } }', {}, 'query', 'Unknown fragment "Unknown"'],
  [
    'mutation { updateOrganization(input: {}) { id } }',
    {},
    'input',
    'input has no changes; send at least one of input.name, ',
  ],
  [
    'mutation ($name: String) { updateOrganization(input: { name: $name }) { id } }',
    {},
    'input',
    'input has no changes; send at least one of input.name, ',
  ],
  [
    google,
    { credentials: { serviceAccountJson: { type: 'service_account', token_uri: 'x' } } },
    'input.credentials.serviceAccountJson.token_uri',
    'input.credentials.serviceAccountJson.token_uri must be',
  ],
  [
    'mutation ($name: String) { updateOrganization(input: { name: $name }) { id } }',
    { name: 'a\u0000' },
    'input.name',
    'input.name must not contain the character U+0000',
  ],
  [
    'mutation { updateOrganization(input: { currency: "usd" }) { id } }',
    {},
    'input.currency',
    'input.currency "usd" must be an ISO 4217 code such as "USD"',
  ],
];

describe('GraphQL errors', () => {
  it.each(graphCases)('of %s with %j name the field %s', async (query, variables, field, message) => {
    const { body } = await at().gql(query, variables, token);
    expect(body.errors?.[0]).toMatchObject({
      message: expect.stringContaining(message),
      extensions: { code: 'VALIDATION_ERROR', status: 400, field },
    });
  });

  it('name a field each for several faults in a variable', async () => {
    const { body } = await at().gql(connect, { settings: { storageAccount: 5, subscriptionIds: [7] } }, token);
    expect(body.errors?.map(({ extensions }) => extensions.field)).toEqual([
      'input.settings.subscriptionIds[0]',
      'input.settings.storageAccount',
    ]);
  });

  it.each([
    [{ acount_id: ['x'] }, 'input.filters.acount_id', 'input.filters.acount_id is not a known field; use accountId, '],
    [
      { costMetric: 'LIST' },
      'input.filters.costMetric',
      'input.filters.costMetric is not a filter of this report; use input.filters.accountId',
    ],
    [{ service: [' '] }, 'input.filters.service[0]', 'input.filters.service[0] " " is blank'],
  ])('of the report filters %j name %s', async (filters, field, text) => {
    const query =
      'mutation ($filters: ReportFiltersInput) { createReport(input: { type: INVENTORY, format: CSV, filters: $filters }) { id } }';
    const { body } = await at().gql(query, { filters }, token);
    expect(body.errors?.[0]).toMatchObject({ message: expect.stringContaining(text), extensions: { field } });
  });

  it('have no field if they concern no argument', async () => {
    const { body } = await at().gql('{ account(id: "nope") { id } }', {}, token);
    expect(essentials(body.errors?.[0]?.extensions)).toEqual({ code: 'NOT_FOUND', status: 404 });
  });
});
