import fs from 'node:fs';
import { chromium, type Browser, type Page } from 'playwright-core';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createApp } from '../../../src/app.ts';
import { freePort } from '../../support/free-port.ts';
import { password, tenancyWorld } from '../support.ts';
import { bearer } from './world.ts';

const executablePath = '/usr/bin/chromium';
let browser: Browser;

describe.skipIf(!fs.existsSync(executablePath))(`passkeys in a browser (needs ${executablePath})`, () => {
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    return () => browser.close();
  });

  it('log in with or without the password with a platform authenticator, and detect a cloned one', async () => {
    const { world, page, post } = await open();
    await withAuthenticator(page, 'internal');
    const { accessToken } = await world.register('ana');
    const asked = await post('webauthn/register', undefined, accessToken);
    const made = await post(
      'webauthn/register',
      { name: 'Laptop', response: await create(page, asked.options) },
      accessToken,
    );
    expect(made).toMatchObject({ name: 'Laptop', id: expect.any(String) });

    const alone = await post('webauthn/authenticate', {});
    const login = await post('webauthn/authenticate', { response: await get(page, alone.options) });
    expect(login).toMatchObject({
      user: { email: 'ana@example.com' },
      token_type: 'Bearer',
      access_token: expect.any(String),
    });

    const byAddress = await post('webauthn/authenticate', { email: 'ana@example.com' });
    expect(await post('webauthn/authenticate', { response: await get(page, byAddress.options) })).toHaveProperty(
      'access_token',
    );

    const half = await post('login', { email: 'ana@example.com', password });
    expect(half).toMatchObject({ two_factor_required: true, methods: ['webauthn'] });
    const { challenge_token } = half;
    const second = await post('webauthn/authenticate', { challenge_token });
    const response = await get(page, second.options);
    expect(await post('webauthn/authenticate', { challenge_token, response })).toHaveProperty('access_token');
    const methods = await world.deps.db.session.groupBy({ by: ['method'], _count: true, orderBy: { method: 'asc' } });
    expect(methods.map(({ method, _count }) => [method, _count])).toEqual([
      ['passkey', 2],
      ['password', 1],
      ['password + passkey', 1],
    ]);

    // Simulates 100 uses of a clone.
    await world.deps.db.passkey.updateMany({ data: { counter: 100 } });
    const copied = await post('webauthn/authenticate', {});
    const refused = await post('webauthn/authenticate', { response: await get(page, copied.options) });
    expect(refused.error).toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('are only a second factor if the security key cannot verify its user', async () => {
    const { world, page, post } = await open();
    await withAuthenticator(page, 'usb');
    const { accessToken } = await world.register('ana');
    const asked = await post('webauthn/register', undefined, accessToken);
    await post('webauthn/register', { name: 'Key', response: await create(page, asked.options) }, accessToken);
    const { challenge_token } = await post('login', { email: 'ana@example.com', password });
    const second = await post('webauthn/authenticate', { challenge_token });
    const response = await get(page, second.options);
    expect(await post('webauthn/authenticate', { challenge_token, response })).toHaveProperty('access_token');
    const alone = await post('webauthn/authenticate', { email: 'ana@example.com' });
    await expect(get(page, { ...alone.options, timeout: 1000 })).rejects.toThrow(/NotAllowedError/);
    const weaker = await get(page, { ...alone.options, userVerification: 'discouraged' });
    expect((await post('webauthn/authenticate', { response: weaker })).error).toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('cannot be registered twice on the same authenticator', async () => {
    const { world, page, post } = await open();
    await withAuthenticator(page, 'internal');
    const { accessToken } = await world.register('ana');
    const asked = await post('webauthn/register', undefined, accessToken);
    await post('webauthn/register', { name: 'Laptop', response: await create(page, asked.options) }, accessToken);
    const again = await post('webauthn/register', undefined, accessToken);
    await expect(create(page, again.options)).rejects.toThrow(/InvalidStateError/);
  });
});

/** A server at its `PUBLIC_URL`, with one of its pages open. */
async function open() {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const world = await tenancyWorld({ PUBLIC_URL: url, RATE_LIMIT_AUTH: '1000' });
  const server = createApp(world.deps).listen(port, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const page = await browser.newPage();
  onTestFinished(async () => {
    await page.close();
    server.close();
  });
  await page.goto(`${url}/docs`);
  const post = async (path: string, body?: object, token?: string) => {
    const headers = { ...bearer(token), ...(body && { 'content-type': 'application/json' }) };
    const init = { method: 'POST', headers, body: body ? JSON.stringify(body) : null };
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/auth/${path}`, init);
    return JSON.parse(await answer.text());
  };
  return { world, page, post };
}

/** Adds an authenticator to the browser: `internal` verifies its user and stores passkeys, `usb` does neither. */
async function withAuthenticator(page: Page, transport: 'internal' | 'usb'): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const isPlatform = transport === 'internal';
  const options = { hasResidentKey: isPlatform, hasUserVerification: isPlatform, isUserVerified: isPlatform };
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: { protocol: 'ctap2', transport, ...options, automaticPresenceSimulation: true },
  });
}

function create(page: Page, options: object): Promise<object> {
  return page.evaluate(async (json) => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(json);
    const made = await navigator.credentials.create({ publicKey });
    return made instanceof PublicKeyCredential ? made.toJSON() : {};
  }, Object(options));
}

function get(page: Page, options: object): Promise<object> {
  return page.evaluate(async (json) => {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(json);
    const found = await navigator.credentials.get({ publicKey });
    return found instanceof PublicKeyCredential ? found.toJSON() : {};
  }, Object(options));
}
