import express from 'express';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { consolePages } from '../../src/surfaces/console.ts';
import { worldOfFile } from '../support/world.ts';

const built = path.resolve(import.meta.dirname, '../../dist/console');
const asBrowser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

describe('the first visit', () => {
  const world = worldOfFile();
  const open = (at: string) => fetch(`${world().url}${at}`, { headers: asBrowser, redirect: 'manual' });

  it('leads to the registration until an organization exists', async () => {
    for (const at of ['/', '/login', '/login?next=%2Fbudgets']) {
      const response = await open(at);
      expect([response.status, response.headers.get('location')], at).toEqual([303, '/register']);
      expect(response.headers.get('cache-control')).toBe('no-store');
    }
    expect((await open('/register')).status).toBe(200);
    expect((await open('/forgot-password')).status).toBe(200);
    await world().register();
    for (const at of ['/', '/login']) expect((await open(at)).status, at).toBe(200);
  });
});

describe('the first visit to a server that accepts users by invitation only', () => {
  const world = worldOfFile({ config: { registration: 'invite' } });

  it('shows the login', async () => {
    const response = await fetch(`${world().url}/login`, { headers: asBrowser, redirect: 'manual' });
    expect(response.status).toBe(200);
  });
});

describe('the console', () => {
  const world = worldOfFile();
  const get = (at: string, headers: Record<string, string> = {}) => fetch(`${world().url}${at}`, { headers });

  it.each(['/', '/costs?from=2026-01-01', '/tags/keys/kubernetes.io%2Fname', '/login'])(
    'serves its page to browsers at %s',
    async (at) => {
      const response = await get(at, asBrowser);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(response.headers.get('cache-control')).toBe('no-cache');
      expect(await response.text()).toContain('<div id="root">');
    },
  );

  it('allows scripts only from its own files', async () => {
    const policy = (await get('/', asBrowser)).headers.get('content-security-policy') ?? '';
    const directives = Object.fromEntries(policy.split(';').map((part) => [part.split(' ')[0], part]));
    expect(directives).toMatchObject({
      'default-src': "default-src 'none'",
      'script-src': "script-src 'self'",
      'connect-src': "connect-src 'self'",
      'base-uri': "base-uri 'none'",
      'object-src': "object-src 'none'",
      'frame-ancestors': "frame-ancestors 'none'",
    });
    expect(readFileSync(path.join(built, 'index.html'), 'utf8')).not.toMatch(/<script(?![^>]* src=)/);
  });

  it('leaves other paths and API requests to the API', async () => {
    const missing = await get('/costs', { accept: '*/*' });
    expect(missing.status).toBe(404);
    expect(await missing.text()).toBe('Nothing is served at /costs; the API is at /api/v1\n');
    expect((await get('/api/v1/costs/daily', asBrowser)).status).toBe(401);
    expect((await fetch(`${world().url}/costs`, { method: 'POST', headers: asBrowser })).status).toBe(404);
    expect((await get('/assets/none.js')).status).toBe(404);
  });

  it.each(['/api', '/api/v2/x', '/api/v1x'])('leaves the unknown path %s to the API', async (at) => {
    const response = await get(at, asBrowser);
    expect([response.status, response.headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8']);
    const message = `No route GET ${at === '/api' ? '/api/' : at}; see /api/v1/docs`;
    expect(await response.json()).toMatchObject({ error: { code: 'NOT_FOUND', message } });
  });

  it('serves compressed files with an immutable cache lifetime', async () => {
    const script = readdirSync(path.join(built, 'assets')).find((name) => /^index-.*\.js$/.test(name)) ?? '';
    const response = await get(`/assets/${script}`, { 'accept-encoding': 'br' });
    expect(response.headers.get('content-encoding')).toBe('br');
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(await response.text()).toBe(readFileSync(path.join(built, 'assets', script), 'utf8'));
    const file = readFileSync(path.join(built, 'assets', `${script}.br`));
    expect(brotliDecompressSync(file)).toEqual(readFileSync(path.join(built, 'assets', script)));
  });

  it('can be rebuilt while the server runs: a missing file is a 404 meanwhile', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'costkeep-built-'));
    writeFileSync(path.join(folder, 'index.html'), '<p>one</p>');
    const server = createServer(express().use(consolePages(folder)));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`;
    const ask = async () => (await fetch(url, { headers: asBrowser })).text();
    expect(await ask()).toBe('<p>one</p>');
    rmSync(path.join(folder, 'index.html'));
    expect((await fetch(url, { headers: asBrowser })).status).toBe(404);
    writeFileSync(path.join(folder, 'index.html'), '<p>two</p>');
    expect(await ask()).toBe('<p>two</p>');
    server.close();
    rmSync(folder, { recursive: true });
  });

  it('ignores range requests, and serves no files outside its folder', async () => {
    const page = await get('/', { ...asBrowser, range: 'bytes=0-9' });
    expect(page.status).toBe(200);
    const outside = await get('/..%2f..%2fpackage.json');
    expect(outside.status).toBe(404);
  });
});
