import { request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { runJobs } from '../support/jobs.ts';
import { aWorld, type World } from '../support/world.ts';

const limits = { auth: 20, read: 100, write: 30, report: 5, export: 10 };

/** Sends headers that fetch does not allow. */
async function send(world: World, path: string, headers: Record<string, string>, body = '') {
  const { port } = new URL(world.url);
  const sent = request({ port, path, method: body === '' ? 'GET' : 'POST', headers });
  const { promise, resolve, reject } = Promise.withResolvers<{ status?: number; left: unknown; text: string }>();
  sent.once('error', reject);
  sent.once('response', async (answer) =>
    resolve({ status: answer.statusCode, left: answer.headers['x-ratelimit-remaining'], text: await text(answer) }),
  );
  sent.end(body);
  return promise;
}

describe('the client address for rate limits', () => {
  const left = async (world: World, forwarded: string) =>
    (await world.rest('GET', '/org', { headers: { 'x-forwarded-for': forwarded } })).headers.get(
      'x-ratelimit-remaining',
    );

  it('is that of the connection without a trusted proxy, whatever a client claims', async () => {
    const world = await aWorld({ config: { rateLimits: limits } });
    expect([await left(world, '203.0.113.1'), await left(world, '203.0.113.2')]).toEqual(['19', '18']);
  });

  it('is the one seen by the nearest proxy, not one claimed by the client', async () => {
    const world = await aWorld({ config: { rateLimits: limits, trustProxy: 1 } });
    const claims = ['203.0.113.1', '6.6.6.6, 203.0.113.1', '203.0.113.1, 203.0.113.2'];
    expect([await left(world, claims[0] ?? ''), await left(world, claims[1] ?? '')]).toEqual(['19', '18']);
    expect(await left(world, claims[2] ?? '')).toBe('19');
  });

  it("ignores ports, is a /64 for IPv6, and is the proxy's own if the header is invalid", async () => {
    const world = await aWorld({ config: { rateLimits: limits, trustProxy: 1 } });
    const claims = ['203.0.113.9:1', '203.0.113.9:2', '[2001:db8::1]:1', '2001:db8::2', 'unknown', '<script>'];
    const answers: (string | null)[] = [];
    for (const claim of claims) answers.push(await left(world, claim));
    expect(answers).toEqual(['19', '18', '19', '18', '19', '18']);
  });
});

describe('the Host header', () => {
  it.each(['a:b:c', 'evil.example/', 'a b', '[', '@', 'a?b'])('is rejected by both APIs: %s', async (host) => {
    const world = await aWorld();
    const json = { host, 'content-type': 'application/json' };
    for (const answer of [
      await send(world, '/api/v1/org', { host }),
      await send(world, '/graphql', json, '{"query":"{ __typename }"}'),
    ]) {
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('The Host header must be a host')]);
      expect(answer.text).not.toContain('at ');
      expect(answer.left).toMatch(/^\d+$/);
    }
  });

  it.each(['/api/v1/org', '/graphql?query={__typename}', '/docs', '/'])(
    'is required in HTTP/1.1 only, with an error envelope: %s',
    async (path) => {
      const { hostname, port } = new URL((await aWorld()).url);
      const ask = async (version: string) => {
        const socket = connect(Number(port), hostname);
        socket.write(`GET ${path} HTTP/${version}\r\nConnection: close\r\n\r\n`);
        return text(socket);
      };
      expect(await ask('1.1')).toMatch(/^HTTP\/1.1 400 [^]*The Host header is missing, which HTTP\/1.1 requires/);
      expect(await ask('1.0')).not.toContain('Host header');
    },
  );

  it.each(['/api/v1/org', '/graphql?query={__typename}'])('is rejected if it is repeated: %s', async (path) => {
    const { hostname, port } = new URL((await aWorld()).url);
    const socket = connect(Number(port), hostname);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a.example\r\nHost: b.example\r\nConnection: close\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1.1 400 [^]*The Host header is given several times; send it once/);
  });

  it.each(['localhost', 'costs.example.com:8443', '[::1]:3000', '10.0.0.7'])('is valid: %s', async (host) => {
    const world = await aWorld();
    const json = { host, 'content-type': 'application/json' };
    expect((await send(world, '/graphql', json, '{"query":"{ __typename }"}')).status).toBe(200);
  });

  it('is not used in mails or links', async () => {
    const world = await aWorld({ config: { publicUrl: 'https://costs.example.com' } });
    const { token, email } = await world.register();
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'content-type': 'application/json' };
    await send(world, '/api/v1/auth/forgot-password', headers, JSON.stringify({ email }));
    const authorization = `Bearer ${token}`;
    const invite = { emails: ['new@example.com'], role: 'viewer' };
    await send(world, '/api/v1/org/invite', { ...headers, authorization }, JSON.stringify(invite));
    await runJobs(world.deps, world.jobs);
    expect(world.mails).toHaveLength(2);
    for (const mail of world.mails) {
      expect(mail.text).toMatch(/https:\/\/costs\.example\.com\/(invite|reset-password)\?token=/);
      expect(JSON.stringify(mail)).not.toContain('evil.example');
    }
  });
});
