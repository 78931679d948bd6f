import { describe, expect, it } from 'vitest';
import { SoftwareAuthenticator, type Behaviour } from '../../support/authenticator.ts';
import { bearer, passkeyWorld, publicUrl } from './world.ts';

describe('registering a passkey', () => {
  it('returns options without a body, and the passkey when given name and response', async () => {
    const { world, ask, post } = await passkeyWorld();
    const { viewer, accessToken } = await world.register('ana');
    const asked = await post('webauthn/register', undefined, accessToken);
    expect([asked.status, { ...asked.body, options: null }]).toEqual([
      200,
      {
        options: null,
        id: null,
        name: null,
        device_type: null,
        backed_up: null,
        transports: null,
        created_at: null,
        last_used_at: null,
      },
    ]);
    expect(asked.body.options).toMatchObject({
      rp: { id: 'costs.example.com', name: 'Costkeep' },
      user: { name: 'ana@example.com', displayName: 'ana' },
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      attestation: 'none',
      excludeCredentials: [],
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
      timeout: 300_000,
    });
    expect(Buffer.from(asked.body.options.user.id, 'base64url').toString('hex')).toBe(
      viewer.userId.replaceAll('-', ''),
    );
    const response = new SoftwareAuthenticator(publicUrl).create(asked.body.options);
    const made = await post('webauthn/register', { name: ' Laptop ', response }, accessToken);
    const passkey = {
      id: expect.any(String),
      name: 'Laptop',
      device_type: 'single_device',
      backed_up: false,
      transports: ['internal', 'hybrid'],
      created_at: '2026-11-21T10:00:00.000Z',
      last_used_at: null,
    };
    expect([made.status, made.body]).toEqual([201, { options: null, ...passkey }]);
    const list = await ask('GET', '/api/v1/auth/passkeys', undefined, bearer(accessToken));
    expect(list.body.data).toEqual([{ ...passkey, id: made.body.id }]);
    expect((await world.audit()).at(-1)).toMatchObject({ action: 'passkey_added', details: { name: 'Laptop' } });
  });

  it('accepts several passkeys of a user, each once, and excludes existing ones in the options', async () => {
    const { world, ask, post, addPasskey } = await passkeyWorld();
    const { accessToken } = await world.register('ana');
    const { authenticator } = await addPasskey(accessToken, 'One');
    await addPasskey(accessToken, 'Two');
    const { body } = await post('webauthn/register', undefined, accessToken);
    expect(body.options.excludeCredentials).toHaveLength(2);
    expect(body.options.excludeCredentials[0]).toEqual({
      id: authenticator.credentialId.toString('base64url'),
      type: 'public-key',
      transports: ['internal', 'hybrid'],
    });
    const again = await post(
      'webauthn/register',
      { name: 'Three', response: authenticator.create(body.options) },
      accessToken,
    );
    expect(again.body.error).toMatchObject({ code: 'CONFLICT', status: 409 });
    const list = await ask('GET', '/api/v1/auth/passkeys?sort_by=name', undefined, bearer(accessToken));
    expect(list.body.data.map(({ name }: { name: string }) => name)).toEqual(['One', 'Two']);
  });

  it('requires a Bearer token, and a single-line name of 1 to 100 characters', async () => {
    const { world, post } = await passkeyWorld();
    const { accessToken } = await world.register('ana');
    expect((await post('webauthn/register')).status).toBe(401);
    for (const name of [undefined, null, '', ' ', 'x'.repeat(101), 'a\nb']) {
      const { body } = await post('webauthn/register', undefined, accessToken);
      const response = new SoftwareAuthenticator(publicUrl).create(body.options);
      const { status, body: answer } = await post('webauthn/register', { name, response }, accessToken);
      expect([name, status, answer.error.message.startsWith('name')]).toEqual([name, 400, true]);
    }
  });

  it.each<[string, Behaviour]>([
    ['another origin', { origin: 'https://costs.example.org' }],
    ['another relying party', { rpId: 'example.com' }],
    ['a user who is not present', { isPresent: false }],
    ['an assertion', { type: 'webauthn.get' }],
    ['a frame of another origin', { isCrossOrigin: true }],
  ])('rejects %s', async (_case, behaviour) => {
    const { world, addPasskey } = await passkeyWorld();
    const { accessToken } = await world.register('ana');
    const { answer } = await addPasskey(accessToken, 'Laptop', behaviour);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(answer.body.error.message).toMatch(/^response/);
    expect(await world.deps.db.passkey.count()).toBe(0);
  });

  it('accepts a challenge once, within five minutes, from the user who requested it', async () => {
    const { world, post } = await passkeyWorld();
    const [ana, ben] = [await world.register('ana'), await world.register('ben')];
    const authenticator = new SoftwareAuthenticator(publicUrl);
    const ask = async () => (await post('webauthn/register', undefined, ana.accessToken)).body.options;
    const send = async (response: object, token: string) =>
      (await post('webauthn/register', { name: 'Laptop', response }, token)).status;
    const foreign = authenticator.create(await ask());
    expect([await send(foreign, ben.accessToken), await send(foreign, ana.accessToken)]).toEqual([400, 400]);
    const late = authenticator.create(await ask());
    world.passMs(300_000);
    expect(await send(late, ana.accessToken)).toBe(400);
    const good = authenticator.create(await ask());
    expect([await send(good, ana.accessToken), await send(good, ana.accessToken)]).toEqual([201, 400]);
    const invented = authenticator.create({
      challenge: 'A'.repeat(43),
      rp: { id: 'costs.example.com' },
      user: { id: 'AA' },
    });
    expect(await send(invented, ana.accessToken)).toBe(400);
  });

  it('rejects an invalid name before there is a response', async () => {
    const { world, post } = await passkeyWorld();
    const { accessToken } = await world.register('ana');
    const { status, body } = await post('webauthn/register', { name: ' ' }, accessToken);
    expect([status, body.error.field]).toEqual([400, 'name']);
  });

  it('returns 400 for an invalid credential, naming the part', async () => {
    const { world, post } = await passkeyWorld();
    const { accessToken } = await world.register('ana');
    const { body } = await post('webauthn/register', undefined, accessToken);
    const good = new SoftwareAuthenticator(publicUrl).create(body.options);
    const clientDataJSON = Buffer.from('[1]').toString('base64url');
    for (const [response, at] of [
      ['text', 'response'],
      [{}, 'response.id must be a base64url string of 1 to 65536 characters; send what toJSON()'],
      [
        { ...good, id: Buffer.alloc(1_024, 1).toString('base64url') },
        'response.id must be a base64url string of at most 1,023 bytes; send',
      ],
      [{ ...good, rawId: 5 }, 'response.rawId must be a base64url string'],
      [{ ...good, type: 'password' }, 'response.type must be "public-key"; send what toJSON()'],
      [{ ...good, clientExtensionResults: [] }, 'response.clientExtensionResults must be a JSON object; send'],
      [{ ...good, authenticatorAttachment: 'x' }, 'response.authenticatorAttachment must be "platform" or "cross-'],
      [{ ...good, response: 5 }, 'response.response must be a JSON object; send'],
      [
        { ...good, response: { ...Object(good['response']), transports: ['usb', 5] } },
        'response.response.transports[1] must be a string of at most 32 characters; send',
      ],
      [{ ...good, response: {} }, 'response.response.clientDataJSON must be a base64url string'],
      [{ ...good, response: { clientDataJSON, attestationObject: 'AA' } }, 'response.response.clientDataJSON'],
      [
        { ...good, response: { ...Object(good['response']), attestationObject: '****' } },
        'response.response.attestationObject',
      ],
      [{ ...good, response: { ...Object(good['response']), attestationObject: 'AAAA' } }, 'response'],
    ] as const) {
      const answer = await post('webauthn/register', { name: 'Laptop', response }, accessToken);
      expect([answer.status, answer.body.error.message.slice(0, at.length)]).toEqual([400, at]);
    }
  });
});

describe('a passkey', () => {
  it('can be renamed and removed only by its owner', async () => {
    const { world, ask, addPasskey } = await passkeyWorld();
    const [ana, ben] = [await world.register('ana'), await world.register('ben')];
    const { answer } = await addPasskey(ana.accessToken);
    const path = `/api/v1/auth/passkeys/${answer.body.id}`;
    const change = (method: string, token: string, body?: object) => ask(method, path, body, bearer(token));
    expect((await change('PATCH', ben.accessToken, { name: 'Mine' })).status).toBe(404);
    expect((await change('DELETE', ben.accessToken)).status).toBe(404);
    expect((await change('PATCH', ana.accessToken, { name: 'Phone' })).body).toMatchObject({ name: 'Phone' });
    expect((await change('PATCH', ana.accessToken, { name: '' })).status).toBe(400);
    expect((await change('DELETE', ana.accessToken)).status).toBe(204);
    expect((await change('DELETE', ana.accessToken)).body.error.message).toBe(`Passkey "${answer.body.id}" not found`);
    expect((await ask('DELETE', '/api/v1/auth/passkeys/7', undefined, bearer(ana.accessToken))).status).toBe(404);
    expect((await world.audit()).slice(-2)).toMatchObject([
      { action: 'passkey_renamed', details: { name: { from: 'Laptop', to: 'Phone' } } },
      { action: 'passkey_removed', details: { name: 'Phone' } },
    ]);
  });

  it('is limited to fifty per user', async () => {
    const { world, addPasskey } = await passkeyWorld();
    const { viewer, accessToken } = await world.register('ana');
    const passkey = {
      userId: viewer.userId,
      name: 'Key',
      publicKey: Buffer.alloc(1),
      counter: 0,
      deviceType: 'singleDevice',
    };
    const data = Array.from({ length: 49 }, (_, n) => ({
      ...passkey,
      credentialId: Buffer.alloc(16, n),
      backedUp: false,
    }));
    await world.deps.db.passkey.createMany({ data });
    expect((await addPasskey(accessToken)).answer.status).toBe(201);
    expect((await addPasskey(accessToken)).answer.status).toBe(409);
  });
});
