import { describe, expect, it } from 'vitest';
import { SoftwareAuthenticator, type Behaviour } from '../../support/authenticator.ts';
import { password } from '../support.ts';
import { bearer, passkeyWorld, publicUrl } from './world.ts';

const refusal = {
  code: 'UNAUTHORIZED',
  status: 401,
  message: 'response was not accepted; request new options, which work once',
  field: 'response',
  reason: 'was not accepted',
  remedy: 'request new options, which work once',
};

async function withPasskey() {
  const server = await passkeyWorld();
  const ana = await server.world.register('ana');
  const { authenticator, answer } = await server.addPasskey(ana.accessToken);
  return { ...server, ana, authenticator, passkeyId: String(answer.body.id) };
}

describe('a passkey as the second factor', () => {
  it('completes a password login without user verification', async () => {
    const { world, ask, login, authenticate, authenticator } = await withPasskey();
    const { body: half, cookie } = await login('ana@example.com');
    expect([half, cookie]).toEqual([
      {
        access_token: null,
        refresh_token: null,
        token_type: 'Bearer',
        expires_in: 900,
        user: null,
        organization: null,
        two_factor_setup_required: false,
        two_factor_required: true,
        challenge_token: expect.stringMatching(/^[\w-]{43}$/),
        methods: ['webauthn'],
      },
      undefined,
    ]);
    const done = await authenticate(authenticator, { challenge_token: half.challenge_token }, { isVerified: false });
    expect([done.status, done.body]).toMatchObject([
      200,
      { options: null, two_factor_required: false, user: { email: 'ana@example.com' } },
    ]);
    expect(done.cookie).toBe(`__Secure-costkeep_refresh=${done.body.refresh_token}`);
    expect(
      (await ask('GET', '/api/v1/auth/me', undefined, bearer(done.body.access_token))).body.second_factors,
    ).toEqual(['webauthn']);
    expect(await world.deps.db.session.count({ where: { method: 'password + passkey' } })).toBe(1);
  });

  it('is requested by credential id', async () => {
    const { post, login, authenticator } = await withPasskey();
    const { challenge_token } = (await login('ana@example.com')).body;
    const { body } = await post('webauthn/authenticate', { challenge_token });
    expect(body.options).toEqual({
      rpId: 'costs.example.com',
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      allowCredentials: [
        {
          id: authenticator.credentialId.toString('base64url'),
          type: 'public-key',
          transports: ['internal', 'hybrid'],
        },
      ],
      timeout: 300_000,
      userVerification: 'preferred',
    });
  });

  it('must belong to the user, and answer the challenge of this login', async () => {
    const { world, post, login, addPasskey, authenticate, authenticator } = await withPasskey();
    const ben = await world.register('ben');
    const { authenticator: other } = await addPasskey(ben.accessToken);
    const token = async () => ({ challenge_token: (await login('ana@example.com')).body.challenge_token });
    expect((await authenticate(other, await token())).body.error).toEqual(refusal);
    const [one, two] = [await token(), await token()];
    const { body } = await post('webauthn/authenticate', one);
    const response = authenticator.get(body.options);
    expect((await post('webauthn/authenticate', { ...two, response })).status).toBe(401);
    const again = await post('webauthn/authenticate', one);
    expect((await post('webauthn/authenticate', { response: authenticator.get(again.body.options) })).status).toBe(401);
    expect((await authenticate(authenticator, one)).status).toBe(200);
    expect((await post('webauthn/authenticate', one)).status).toBe(401);
  });

  it('allows five attempts', async () => {
    const { post, login, authenticate, authenticator } = await withPasskey();
    const given = { challenge_token: (await login('ana@example.com')).body.challenge_token };
    for (let tries = 0; tries < 5; tries += 1)
      expect((await authenticate(authenticator, given, { isForged: true })).status).toBe(401);
    expect((await post('webauthn/authenticate', given)).status).toBe(401);
    const { challenge_token } = (await login('ana@example.com')).body;
    expect((await authenticate(authenticator, { challenge_token })).status).toBe(200);
  });

  it('is rejected while the address is locked, without counting attempts', async () => {
    const { world, login, authenticate, authenticator } = await withPasskey();
    const { challenge_token } = (await login('ana@example.com')).body;
    for (let tries = 0; tries < 5; tries += 1) await login('ana@example.com', { password: 'wrong password' });
    for (const behaviour of [{ isForged: true }, {}, {}, {}, {}]) {
      const { status, body } = await authenticate(authenticator, { challenge_token }, behaviour);
      expect([status, body.error.code]).toEqual([423, 'ACCOUNT_LOCKED']);
    }
    world.passMs(60_000);
    expect((await authenticate(authenticator, { challenge_token })).status).toBe(200);
  });

  it('is not available to a user with TOTP only, or for an unknown challenge', async () => {
    const { world, post } = await passkeyWorld();
    const { viewer } = await world.register('ana');
    await world.deps.db.user.update({
      where: { id: viewer.userId },
      data: { totpSecret: Buffer.alloc(40), totpConfirmedAt: world.deps.clock.now() },
    });
    const { body } = await post('login', { email: 'ana@example.com', password });
    expect(body.methods).toEqual(['totp']);
    expect((await post('webauthn/authenticate', { challenge_token: body.challenge_token })).status).toBe(409);
    expect((await post('webauthn/authenticate', { challenge_token: 'nothing' })).status).toBe(401);
    const both = await post('webauthn/authenticate', {
      challenge_token: body.challenge_token,
      email: 'ana@example.com',
    });
    expect(both.body.error.message).toMatch(/^email/);
  });
});

describe('a passkey without a password', () => {
  it('logs in with a discoverable credential or by email', async () => {
    const { world, authenticate, authenticator } = await withPasskey();
    for (const given of [{}, { email: ' ANA@example.com' }]) {
      const done = await authenticate(authenticator, given);
      expect([done.status, done.body]).toMatchObject([
        200,
        { user: { email: 'ana@example.com' }, challenge_token: null },
      ]);
    }
    expect((await world.audit()).at(-1)).toMatchObject({ action: 'login', details: { method: 'passkey' } });
    const passkey = await world.deps.db.passkey.findFirstOrThrow();
    expect([passkey.counter, passkey.lastUsedAt]).toEqual([3n, world.deps.clock.now()]);
  });

  it('satisfies a required second factor', async () => {
    const { world, authenticate, authenticator } = await withPasskey();
    await world.deps.db.organization.updateMany({ data: { requireTwoFactor: true } });
    const { body } = await authenticate(authenticator);
    expect(body).toMatchObject({ two_factor_setup_required: false, two_factor_required: false });
  });

  it.each<[string, Behaviour]>([
    ['has not verified its user', { isVerified: false }],
    ['was not touched', { isPresent: false }],
    ['was used on another origin', { origin: 'https://costs.example.org' }],
    ['was used on the same host without HTTPS', { origin: 'http://costs.example.com' }],
    ['is of another relying party', { rpId: 'example.com' }],
    ['signs with another key', { isForged: true }],
    ['signs a registration', { type: 'webauthn.create' }],
    ['reports another user handle', { userHandle: Buffer.alloc(16, 1).toString('base64url') }],
    ['reports an unchanged counter', { counter: 1 }],
    ['no longer reports a counter', { counter: 0 }],
  ])('is rejected when it %s', async (_case, behaviour) => {
    const { world, authenticate, authenticator } = await withPasskey();
    const answer = await authenticate(authenticator, {}, behaviour);
    expect([answer.status, answer.body.error, answer.cookie]).toEqual([401, refusal, undefined]);
    const entry = (await world.audit()).find(({ action }) => action === 'failed_login');
    expect(entry).toMatchObject({ actorEmail: 'ana@example.com', details: { wrong: 'passkey' } });
  });

  it('is rejected when its counter did not increase, with the reason in the audit log', async () => {
    const { world, authenticate, authenticator } = await withPasskey();
    expect((await authenticate(authenticator, {}, { counter: 9 })).status).toBe(200);
    for (const counter of [8, 9]) expect((await authenticate(authenticator, {}, { counter })).status).toBe(401);
    expect((await world.audit()).at(-1)?.details).toEqual({ wrong: 'passkey', why: 'its counter did not increase' });
    expect((await authenticate(authenticator, {}, { counter: 10 })).status).toBe(200);
  });

  it('can have no counter', async () => {
    const server = await passkeyWorld();
    const { accessToken } = await server.world.register('ana');
    const { authenticator } = await server.addPasskey(accessToken, 'Phone', { counter: 0 });
    for (let uses = 0; uses < 2; uses += 1)
      expect((await server.authenticate(authenticator, {}, { counter: 0 })).status).toBe(200);
  });

  it('does not need a user handle', async () => {
    const { authenticate, authenticator } = await withPasskey();
    expect((await authenticate(authenticator, {}, { userHandle: null })).status).toBe(200);
  });

  it('is rejected for another email, after its removal, and when unknown', async () => {
    const { ask, ana, world, authenticate, authenticator, passkeyId } = await withPasskey();
    await world.register('ben');
    expect((await authenticate(authenticator, { email: 'ben@example.com' })).body.error).toEqual(refusal);
    expect((await authenticate(new SoftwareAuthenticator(publicUrl))).body.error).toEqual(refusal);
    await ask('DELETE', `/api/v1/auth/passkeys/${passkeyId}`, undefined, bearer(ana.accessToken));
    expect((await authenticate(authenticator)).body.error).toEqual(refusal);
  });

  it('answers a challenge once within five minutes, also under twenty concurrent requests', async () => {
    const { world, post, authenticator } = await withPasskey();
    const options = async () => (await post('webauthn/authenticate', {})).body.options;
    const late = authenticator.get(await options());
    world.passMs(300_000);
    expect((await post('webauthn/authenticate', { response: late })).status).toBe(401);
    const response = authenticator.get(await options());
    const answers = await Promise.all(Array.from({ length: 20 }, () => post('webauthn/authenticate', { response })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await post('webauthn/authenticate', { response })).status).toBe(401);
  });

  it('does not count towards the lockout, is rejected while it lasts, and resets the count', async () => {
    const { world, login, authenticate, authenticator } = await withPasskey();
    for (let tries = 0; tries < 6; tries += 1) await authenticate(authenticator, {}, { isForged: true });
    expect(await world.deps.db.loginLock.count()).toBe(0);
    for (let tries = 0; tries < 5; tries += 1) await login('ana@example.com', { password: 'wrong password' });
    const locked = await authenticate(authenticator);
    expect([locked.status, locked.body.error.code]).toEqual([423, 'ACCOUNT_LOCKED']);
    // A wrong passkey gets no information about the lock, which would reveal its owner.
    expect((await authenticate(authenticator, {}, { isForged: true })).body.error).toEqual(refusal);
    world.passMs(60_000);
    expect((await authenticate(authenticator)).status).toBe(200);
    for (let tries = 0; tries < 4; tries += 1) await login('ana@example.com', { password: 'wrong password' });
    expect((await login('ana@example.com')).status).toBe(200);
  });
});

describe('requesting passkeys of an email', () => {
  it('returns the same kind of options for emails with passkeys, without passkeys, and unknown ones', async () => {
    const { world, post, addPasskey } = await passkeyWorld();
    const ana = await world.register('ana');
    await world.register('ben');
    await addPasskey(ana.accessToken);
    const ask = async (email: string) => (await post('webauthn/authenticate', { email })).body.options;
    for (const email of ['ana@example.com', 'ben@example.com', 'eve@example.com', 'mia@example.com']) {
      const options = await ask(email);
      expect(Object.keys(options).sort()).toEqual([
        'allowCredentials',
        'challenge',
        'rpId',
        'timeout',
        'userVerification',
      ]);
      expect(options.userVerification).toBe('required');
      expect([1, 2]).toContain(options.allowCredentials.length);
      for (const { id, type } of options.allowCredentials) {
        expect([16, 20, 32, 64]).toContain(Buffer.from(id, 'base64url').length);
        expect(type).toBe('public-key');
      }
      expect((await ask(email.toUpperCase())).allowCredentials).toEqual(options.allowCredentials);
    }
    expect((await ask('eve@example.com')).allowCredentials).not.toEqual(
      (await ask('mia@example.com')).allowCredentials,
    );
    expect((await post('webauthn/authenticate', {})).body.options.allowCredentials).toEqual([]);
    expect((await post('webauthn/authenticate')).status).toBe(200);
    expect((await post('webauthn/authenticate', { email: 'nobody' })).status).toBe(400);
  });

  it('rejects real and decoy credentials with the same error and after the same time', async () => {
    const { post, authenticator } = await withPasskey();
    const elapsed = async (id: string) => {
      const { options } = (await post('webauthn/authenticate', { email: 'eve@example.com' })).body;
      const response = { ...authenticator.get(options, { isForged: true }), id, rawId: id };
      const startedMs = performance.now();
      const answer = await post('webauthn/authenticate', { response });
      expect(answer.body.error).toEqual(refusal);
      return performance.now() - startedMs;
    };
    const { options } = (await post('webauthn/authenticate', { email: 'eve@example.com' })).body;
    for (const id of [authenticator.credentialId.toString('base64url'), String(options.allowCredentials[0].id)])
      expect(await elapsed(id)).toBeGreaterThan(198);
  });
});
