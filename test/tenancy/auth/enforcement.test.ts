import { type GraphQLField } from 'graphql';
import { generateSync } from 'otplib';
import { describe, expect, it } from 'vitest';
import { routeOf } from '../../../src/surfaces/rest/route.ts';
import { buildSchema } from '../../../src/surfaces/schema.ts';
import { newToken, tokenHash } from '../../../src/tenancy/tokens/run.ts';
import { password } from '../support.ts';
import { essentials } from '../../support/essentials.ts';
import { bearer, passkeyWorld } from '../passkeys/world.ts';

/** A member without the second factor that their organization requires, and an API token created before. */
async function withoutSecondFactor() {
  const server = await passkeyWorld();
  const { viewer, accessToken } = await server.world.register('ana');
  const { organizationId } = viewer.scope;
  const apiToken = newToken();
  await server.world.deps.db.apiToken.create({
    data: {
      organizationId,
      userId: viewer.userId,
      name: 'CI',
      tokenHash: tokenHash(apiToken),
      lastFour: apiToken.slice(-4),
    },
  });
  await server.world.deps.db.organization.updateMany({ data: { requireTwoFactor: true } });
  const get = (path: string, token: string, headers: object = {}) =>
    server.ask('GET', `/api/v1${path}`, undefined, { ...bearer(token), ...headers });
  return { ...server, viewer, accessToken, apiToken, get };
}

const refusal = { code: 'TWO_FACTOR_SETUP_REQUIRED', status: 403 };

describe('a member without a required second factor', () => {
  it('can log in, but cannot do anything except set up a second factor', async () => {
    const { get, login, post, accessToken, apiToken } = await withoutSecondFactor();
    const { body } = await login('ana@example.com');
    expect(body).toMatchObject({
      two_factor_setup_required: true,
      two_factor_required: false,
      access_token: expect.any(String),
    });
    for (const token of [body.access_token, accessToken, apiToken]) {
      for (const path of ['/org', '/accounts', '/costs/summary', '/audit-logs'])
        expect([path, (await get(path, token)).body.error]).toMatchObject([path, refusal]);
    }
    expect((await post('2fa/disable', { password, code: '123456' }, accessToken)).body.error).toMatchObject(refusal);
    expect((await post('2fa/setup', undefined, apiToken)).body.error).toMatchObject(refusal);
    expect((await get('/auth/me', apiToken)).body).toMatchObject({
      two_factor_setup_required: true,
      two_factor_enabled: false,
    });
  });

  it('is refused in GraphQL, too, field by field', async () => {
    const { ask, accessToken } = await withoutSecondFactor();
    const query = '{ me { twoFactorSetupRequired } organization { name } }';
    const { body } = await ask('POST', '/graphql', { query }, bearer(accessToken));
    expect(body.data).toEqual({ me: { twoFactorSetupRequired: true }, organization: null });
    expect(essentials(body.errors[0].extensions)).toEqual(refusal);
  });

  it('gets no 304 for an ETag', async () => {
    const { world, get, accessToken } = await withoutSecondFactor();
    await world.deps.db.organization.updateMany({ data: { requireTwoFactor: false } });
    expect((await get('/costs/summary', accessToken, { 'if-none-match': '*' })).status).toBe(304);
    await world.deps.db.organization.updateMany({ data: { requireTwoFactor: true } });
    expect((await get('/costs/summary', accessToken, { 'if-none-match': '*' })).body.error).toMatchObject(refusal);
  });

  it('can set up TOTP, and then do everything', async () => {
    const { world, get, post, accessToken, apiToken } = await withoutSecondFactor();
    const { secret, qr_svg, otpauth_uri } = (await post('2fa/setup', undefined, accessToken)).body;
    expect([qr_svg, otpauth_uri]).toEqual([
      expect.stringMatching(/^<svg /),
      expect.stringMatching(/^otpauth:\/\/totp\//),
    ]);
    expect((await get('/org', accessToken)).status).toBe(403);
    const code = generateSync({ secret, epoch: Math.floor(world.deps.clock.now().getTime() / 1000) });
    const { body } = await post('2fa/confirm', { code }, accessToken);
    expect(body).toEqual({ recovery_codes: Array.from({ length: 10 }, () => expect.any(String)) });
    expect([(await get('/org', accessToken)).status, (await get('/org', apiToken)).status]).toEqual([200, 200]);
    expect((await get('/auth/me', accessToken)).body).toMatchObject({
      two_factor_enabled: true,
      two_factor_setup_required: false,
      second_factors: ['totp', 'recovery_code'],
      recovery_codes_left: 10,
    });
  });

  it('can register a passkey, and is refused again when the last one is removed', async () => {
    const { ask, get, addPasskey, accessToken } = await withoutSecondFactor();
    expect((await get('/auth/passkeys', accessToken)).status).toBe(200);
    const { answer } = await addPasskey(accessToken);
    expect((await get('/org', accessToken)).status).toBe(200);
    await ask('DELETE', `/api/v1/auth/passkeys/${answer.body.id}`, undefined, bearer(accessToken));
    expect((await get('/org', accessToken)).body.error).toMatchObject(refusal);
  });

  it('can refresh and log out', async () => {
    const { post, login } = await withoutSecondFactor();
    const { body } = await login('ana@example.com');
    const refreshed = await post('refresh', { refresh_token: body.refresh_token });
    expect([refreshed.status, refreshed.body.two_factor_setup_required]).toEqual([200, true]);
    expect((await post('logout', undefined, refreshed.body.access_token)).status).toBe(204);
  });
});

describe('root fields', () => {
  it('require the second factor, except those for its setup and for leaving', () => {
    const schema = buildSchema();
    const roots = [schema.getQueryType(), schema.getMutationType()].flatMap((root) =>
      Object.values(root?.getFields() ?? {}),
    );
    const guarded = roots.filter((field) => routeOf(field)?.public !== true);
    const open = guarded.filter((field) => scopesOf(field)['signedIn'] !== true);
    expect(open.map(({ name }) => name).sort()).toEqual([
      'confirmTwoFactor',
      'me',
      'passkeys',
      'registerPasskey',
      'setUpTwoFactor',
      'switchOrganization',
    ]);
    for (const field of open) expect([field.name, scopesOf(field)['enrolling']]).toEqual([field.name, true]);
  });
});

function scopesOf(field: GraphQLField<unknown, unknown>): Record<string, unknown> {
  return Object(Object(field.extensions['pothosOptions']).authScopes);
}
