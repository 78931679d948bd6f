import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { azureOperations } from '../../../src/providers/azure/operations.ts';
import { azurePermissions } from '../../../src/providers/azure/permissions.ts';
import { type AzureRequest, azureManagement, azurePages, azureRequest } from '../../../src/providers/azure/request.ts';
import { servicePrincipal } from '../../../src/providers/azure/sign-in.ts';
import { TryLater } from '../../../src/providers/faults.ts';
import { type AzureReply, type FakeAzure, aadsts, startFakeAzure } from '../../support/clouds/azure/cloud.ts';
import { endpointsOf, idle } from './world.ts';

let fake: FakeAzure;
beforeAll(async () => {
  fake = await startFakeAzure();
});
afterAll(() => fake.stop());
beforeEach(() => {
  fake.routes.clear();
  fake.calls.length = 0;
  fake.refuseSignIn = null;
});

const names: AzureRequest = { operation: 'subscriptions', path: '/subscriptions' };

function management() {
  const endpoints = endpointsOf(fake);
  return azureManagement(servicePrincipal(fake, endpoints), endpoints);
}

/** Returns one reply after the other, and repeats the last one. */
function answers(route: string, ...replies: AzureReply[]) {
  fake.routes.set(route, () => (replies.length > 1 ? replies.shift() : replies[0]) ?? { status: 500 });
}

async function errorOf(work: Promise<unknown>): Promise<Error> {
  const error = await work.then(
    () => null,
    (each: unknown) => each,
  );
  if (!(error instanceof Error)) throw new Error('nothing was thrown');
  return error;
}

describe('allowed operations', () => {
  it('need only the requested permissions', () => {
    const granted = new Set(azurePermissions.map(({ permission }) => permission));
    for (const { permission } of Object.values(azureOperations)) if (permission) expect(granted).toContain(permission);
    for (const { permission, role } of azurePermissions) expect(`${permission} ${role}`).toMatch(/\/read .*Reader$/);
  });

  it.each<[AzureRequest['operation'], string]>([
    ['resources', '/subscriptions/x/resourceGroups/y/providers/Microsoft.Compute/virtualMachines/z/deallocate'],
    ['query', '/subscriptions/cfbbd179-59d2-4052-aa06-9270a38aa9d6/providers/Microsoft.CostManagement/exports'],
    ['query', '/providers/Microsoft.Billing/billingAccounts/../x/providers/Microsoft.CostManagement/query'],
    ['subscriptions', '/subscriptions/../tenants'],
    ['subscriptions', '@evil.example/subscriptions'],
  ])('exclude %s of %s, rejected before the network', async (operation, path) => {
    const error = await errorOf(azureRequest(management(), { operation, path }, idle));
    expect(error).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(fake.calls).toEqual([]);
    expect(fake.signIns).toEqual([]);
  });
});

describe('throttling', () => {
  it('waits for the longest time in the headers, and retries', async () => {
    const headers = {
      'x-ms-ratelimit-microsoft.costmanagement-qpu-retry-after': '0',
      'x-ms-ratelimit-microsoft.costmanagement-entity-retry-after': '0.2',
      'x-ms-ratelimit-microsoft.costmanagement-tenant-retry-after': '0.1',
    };
    answers('get /subscriptions', { status: 429, headers }, { status: 200, body: { value: [] } });
    const start = performance.now();
    expect(await azureRequest(management(), names, idle)).toEqual({ value: [] });
    expect(performance.now() - start).toBeGreaterThan(190);
    expect(fake.calls).toHaveLength(2);
  });

  it.each([
    [{ 'retry-after': '5', 'x-ms-ratelimit-microsoft.costmanagement-entity-retry-after': '61' }, 61_000],
    [{ 'x-ms-user-quota-resets-after': '00:01:05' }, 65_000],
  ])('passes a long wait on instead of sleeping: %j', async (headers, retryAfterMs) => {
    answers('get /subscriptions', { status: 429, headers });
    expect(await errorOf(azureRequest(management(), names, idle))).toMatchObject({ name: 'TryLater', retryAfterMs });
    expect(fake.calls).toHaveLength(1);
  });

  it.each([
    ['500 without a body', { status: 500 }],
    ['a truncated response', { status: 200, body: '{"value":[{"subscr' }],
  ])('retries after %s', async (_, reply) => {
    answers('get /subscriptions', { headers: { 'retry-after': '0' }, ...reply }, { status: 200, body: { value: [] } });
    expect(await azureRequest(management(), names, idle)).toEqual({ value: [] });
  });
});

describe('refusal', () => {
  const query: AzureRequest = {
    operation: 'query',
    path: '/subscriptions/cfbbd179-59d2-4052-aa06-9270a38aa9d6/providers/Microsoft.CostManagement/query',
    body: {},
  };

  it('names the action, the scope and the role', async () => {
    answers(`post ${query.path}`.toLowerCase(), {
      status: 403,
      body: { error: { code: 'AuthorizationFailed', message: 'The client … does not have authorization' } },
    });
    const error = await errorOf(azureRequest(management(), query, idle));
    expect(error.message).toBe(
      'Azure refuses "Microsoft.CostManagement/query/read" on "/subscriptions/cfbbd179-59d2-4052-aa06-9270a38aa9d6" ' +
        '(AuthorizationFailed, 403); assign role "Cost Management Reader" there to application ' +
        '"aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee"; it can take some minutes to take effect',
    );
    expect(fake.calls).toHaveLength(1);
  });

  it('of an expired token is retried once with a new one', async () => {
    answers('get /subscriptions', { status: 200, body: { value: [] } });
    const opened = management();
    await azureRequest(opened, names, idle);
    fake.expireTokens();
    expect(await azureRequest(opened, names, idle)).toEqual({ value: [] });
    answers('get /subscriptions', { status: 401, body: { error: { code: 'InvalidAuthenticationToken' } } });
    expect((await errorOf(azureRequest(opened, names, idle))).message).toMatch(
      /does not accept the token.*InvalidAuthenticationToken, 401/,
    );
  });
});

describe('pages', () => {
  const all = async (link: (page: unknown) => string | null) =>
    Array.fromAsync(azurePages(management(), names, link, idle));
  const linkOf = (page: unknown) => (page as { nextLink?: string }).nextLink ?? null;

  it('are followed to the last one', async () => {
    const nextLink = `${fake.url}/subscriptions?api-version=2022-12-01&$skiptoken=2`;
    answers('get /subscriptions', { status: 200, body: { nextLink } }, { status: 200, body: { value: [] } });
    expect(await all(linkOf)).toEqual([{ nextLink }, { value: [] }]);
    expect(fake.calls.map((call) => call.query['$skiptoken'])).toEqual([undefined, '2']);
  });

  it.each([
    ['another host', 'https://evil.example/subscriptions'],
    ['another path', '/subscriptions/x/providers/Microsoft.Compute/virtualMachines/y/deallocate'],
    ['an invalid URL', 'javascript:1'],
  ])('are not followed to %s', async (_, link) => {
    const nextLink = link.startsWith('/') ? fake.url + link : link;
    answers('get /subscriptions', { status: 200, body: { nextLink } });
    expect(await errorOf(all(linkOf))).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(fake.calls).toHaveLength(1);
  });

  it('that repeat are an error', async () => {
    answers('get /subscriptions', { status: 200, body: { nextLink: `${fake.url}/subscriptions?page=2` } });
    expect((await errorOf(all(linkOf))).message).toMatch(/twice \(endless paging\)/);
    expect(fake.calls).toHaveLength(2);
  });
});

describe('sign-in', () => {
  const scope = 'https://storage.azure.com/.default';

  it.each([
    [
      'AADSTS7000215: Invalid client secret',
      401,
      /^credentials\.client_secret is wrong .*\(AADSTS7000215\); send the secret's value/,
    ],
    ['AADSTS7000222: keys are expired', 401, /^credentials\.client_secret .* has expired/],
    ['AADSTS700016: not found', 400, /^credentials\.client_id .*; correct it or credentials\.tenant_id/],
    ['AADSTS90002: Tenant not found', 400, /^credentials\.tenant_id "11111111-.*" does not exist .*; correct it/],
    ['AADSTS7000112: disabled', 400, /is disabled .*; enable it/],
    ['AADSTS53003: blocked', 400, /Conditional Access policy/],
    ['AADSTS99999: news', 400, /^credentials are rejected .*\(AADSTS99999\); check all three$/],
  ])('explains %s without the secret', async (description, status, message) => {
    fake.refuseSignIn = aadsts(status, 'invalid_client', description);
    const error = await errorOf(servicePrincipal(fake, endpointsOf(fake)).token(scope, idle));
    expect(error).toMatchObject({ code: 'VALIDATION_ERROR', message: expect.stringMatching(message) });
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(fake.clientSecret);
  });

  it('is retried later when Microsoft requests it', async () => {
    fake.refuseSignIn = { status: 429, headers: { 'retry-after': '90' }, body: {} };
    const error = await errorOf(servicePrincipal(fake, endpointsOf(fake)).token(scope, idle));
    expect(error).toMatchObject({ name: 'TryLater', retryAfterMs: 90_000 });
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(fake.clientSecret);
  });

  it('stops on abort', async () => {
    const error = await errorOf(
      servicePrincipal(fake, endpointsOf(fake)).token(scope, AbortSignal.abort(new Error('gone'))),
    );
    expect(error).not.toBeInstanceOf(TryLater);
  });
});
