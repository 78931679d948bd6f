import type { AddressInfo } from 'node:net';
import http from 'node:http';
import express from 'express';
import { expect, it, onTestFinished } from 'vitest';
import { clearRefreshCookie, readRefreshCookie, setRefreshCookie } from '../../../src/tenancy/sessions/cookie.ts';

const token = 'aZ09_-x';

/** Sends a request to a server that sets, clears or reads the cookie. */
async function ask(publicUrl: string, path: '/set' | '/clear' | '/read', headers: Record<string, string> = {}) {
  const app = express();
  app.get('/set', (_req, res) => void (setRefreshCookie(res, publicUrl, token, 604_800_000), res.end()));
  app.get('/clear', (_req, res) => void (clearRefreshCookie(res, publicUrl), res.end()));
  app.get(
    '/read',
    (_req, res) => void res.json(readRefreshCookie(res, { publicUrl, corsOrigins: ['https://console.example'] })),
  );
  const server = app.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  // fetch does not allow setting the Host header.
  const response = await new Promise<http.IncomingMessage>((resolve) => http.get({ port, path, headers }, resolve));
  const body = (await response.toArray()).join('');
  return { cookie: response.headers['set-cookie']?.[0], body };
}

it('has attributes that keep it from scripts, other sites and other paths', async () => {
  const { cookie } = await ask('https://costs.example.com', '/set');
  expect(cookie?.replace(/Expires=[^;]*/, 'Expires=…')).toBe(
    `__Secure-costkeep_refresh=${token}; Max-Age=604800; Path=/api/v1/auth; Expires=…; HttpOnly; Secure; SameSite=Strict`,
  );
});

it.each([
  ['http://localhost:3000', '127.0.0.1:3000', false],
  ['http://127.0.0.1:3000', 'localhost', false],
  ['http://[::1]:3000', '[::1]:3000', false],
  ['http://localhost:3000', 'costs.example.com', true],
  ['http://costs.example.com', 'localhost:3000', true],
  ['https://localhost:3000', 'localhost:3000', true],
])('has the Secure attribute for public URL %s and host %s: %s', async (publicUrl, host, isSecure) => {
  expect((await ask(publicUrl, '/set', { host })).cookie?.includes('; Secure')).toBe(isSecure);
});

it('is cleared with the attributes it was set with', async () => {
  const { cookie } = await ask('http://localhost:3000', '/clear');
  expect(cookie).toBe(
    'costkeep_refresh=; Path=/api/v1/auth; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Strict',
  );
});

it.each([
  [`a=1; costkeep_refresh=${token}; b=2`, token],
  [`costkeep_refresh=${token}`, token],
  ['xcostkeep_refresh=1; costkeep_refreshx=2', null],
  ['', null],
])('is parsed from %j', async (cookie, expected) => {
  const { body } = await ask('http://localhost:3000', '/read', { cookie });
  expect(JSON.parse(body)).toBe(expected);
});

it('is not read over HTTPS without the prefix that keeps pages over plain HTTP from setting it', async () => {
  const { body } = await ask('https://costs.example.com', '/read', { cookie: `costkeep_refresh=${token}` });
  expect(JSON.parse(body)).toBeNull();
});

it.each([
  ['https://costs.example.com', true],
  ['https://inside.example', true], // the request's own host
  ['https://console.example', true], // in CORS_ORIGINS
  ['https://blog.example.com', false], // same site for browsers
  ['http://costs.example.com', false],
  ['null', false],
])('is accepted from origin %s: %s', async (from, isRead) => {
  const headers = { cookie: `__Secure-costkeep_refresh=${token}`, origin: from, host: 'inside.example' };
  const { body } = await ask('https://costs.example.com', '/read', headers);
  expect(JSON.parse(body)).toBe(isRead ? token : null);
});
