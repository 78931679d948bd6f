import { once } from 'node:events';
import { get } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { worldOfFile, type World } from '../../support/world.ts';
import { waiting } from '../things.ts';
import { essentials } from '../../support/essentials.ts';

const at = worldOfFile();

describe('a route', () => {
  it('responds in snake_case with lower-case enums, without GraphQL-only fields', async () => {
    const { token } = await at().register();
    const { body, headers } = await at().rest('GET', '/things/t1', { token });
    expect(body).toEqual({
      id: 't1',
      display_name: '+4',
      kind: 'in_progress',
      amount: -1.5,
      origin: { made_at: '2026-11-21T10:00:00.000Z' },
      labels: { CamelKey: 1, some_key: ['a;=1'] },
      seen_by: null,
    });
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  it('responds to HEAD like GET without a body, and to OPTIONS with its methods', async () => {
    const { token } = await at().register();
    const head = await at().rest('HEAD', '/things/t1', { token });
    expect([head.status, head.text, Number(head.headers.get('content-length')) > 100]).toEqual([200, '', true]);
    const options = await at().rest('OPTIONS', '/things/t1');
    expect([options.status, options.text, options.headers.get('allow')]).toEqual([
      204,
      '',
      'DELETE, GET, HEAD, OPTIONS, PATCH',
    ]);
  });

  it('rejects other methods with 405 and Allow, with or without a token', async () => {
    const answer = await at().rest('PUT', '/things/t1', { raw: '{', headers: { 'content-type': 'x/y' } });
    expect(essentials(answer.body)).toEqual({
      error: { code: 'METHOD_NOT_ALLOWED', status: 405, message: expect.stringContaining('does not allow PUT') },
    });
    expect(answer.headers.get('allow')).toBe('DELETE, GET, HEAD, OPTIONS, PATCH');
  });

  it('does not support TRACE', async () => {
    const { port } = new URL(at().url);
    const socket = connect(Number(port), '127.0.0.1', () =>
      socket.end('TRACE /api/v1/things/t1 HTTP/1.1\r\nHost: x\r\nX-Secret: s3cret\r\nConnection: close\r\n\r\n'),
    );
    const answer = (await socket.toArray()).join('');
    expect(answer).toMatch(/^HTTP\/1\.1 405 /);
    expect(answer).not.toContain('s3cret');
  });

  it('with status 204 has no body and no content type', async () => {
    const { token } = await at().register();
    const { status, text, headers } = await at().rest('DELETE', '/things/t1?purge=true', { token });
    expect([status, text, headers.get('content-type')]).toEqual([204, '', null]);
  });

  it('returns 404 for unknown and malformed ids', async () => {
    const { token } = await at().register();
    for (const id of ['nope', '00000000-0000-0000-0000-000000000000', '%20', "'%3B--", 'a%2Fb']) {
      const { status, body } = await at().rest<{ error: { code: string } }>('GET', `/things/${id}`, { token });
      expect([id, status, body.error.code]).toEqual([id, 404, 'NOT_FOUND']);
    }
  });

  it('matches a fixed path before a parameter', async () => {
    const { token } = await at().register();
    expect((await at().rest('GET', '/things/failing', { token })).status).toBe(500);
  });

  it('rejects a trailing slash: an empty id is not a list', async () => {
    const { token } = await at().register();
    for (const path of ['/things/', '/things/t1/'])
      expect([path, await statusOf(at(), path, token)]).toEqual([path, 404]);
  });

  it.each(['/things/..', '/things/%2e%2E/things/t1', '/nothing/../things/t1', '/./things/t1', '/things\\t1'])(
    'is not reachable through %s',
    async (path) => {
      const { token } = await at().register();
      expect(await statusOf(at(), path, token)).toBe(404);
    },
  );

  it.each([
    ['GET', '/nothing', 404],
    ['POST', '/nothing', 404],
    ['GET', '/webhook', 404],
    ['POST', '/webhook', 404],
    ['DELETE', '/webhook/1', 404],
    ['GET', '/Things', 404],
    ['GET', '/things/t1/more', 404],
    ['GET', '/things/%zz', 400],
    ['GET', '//', 404],
  ])('does not match %s %s: status %i with an error envelope, without a token', async (method, path, status) => {
    const answer = await at().rest(method, path);
    expect(essentials(answer.body)).toEqual({
      error: { code: expect.any(String), message: expect.any(String), status },
    });
    expectCounted(answer.headers);
  });
});

describe('the order of checks', () => {
  it('authenticates before it reads the body', async () => {
    const answer = await at().rest('POST', '/things', { raw: '{', headers: { 'content-type': 'text/plain' } });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });

  it('adds WWW-Authenticate to every 401, including a failed login', async () => {
    const body = { email: 'nobody@example.com', password: 'x' };
    const { status, headers } = await at().rest('POST', '/auth/login', { body });
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  });

  it('validates the body before it checks the role', async () => {
    const { token } = await at().register();
    await at().deps.db.membership.updateMany({ data: { role: 'viewer' } });
    expect((await at().rest('POST', '/things', { token, body: { display_name: 5 } })).status).toBe(400);
    const denied = await at().rest<{ error: { code: string } }>('POST', '/things', {
      token,
      body: { display_name: 'x' },
    });
    expect([denied.status, denied.body.error.code]).toEqual([403, 'FORBIDDEN']);
  });

  it.each([
    '',
    'Bearer',
    'Bearer  ',
    'Basic YTpi',
    'Bearer a.b.c',
    'Bearer x y',
    `Bearer ${'x'.repeat(7000)}`,
    'bearer é',
  ])('treats the Authorization header "%.20s" as unauthenticated', async (authorization) => {
    const answer = await at().rest('GET', '/things', { headers: { authorization: encodeURI(authorization) } });
    expect(answer.body).toMatchObject({ error: { code: 'UNAUTHORIZED', status: 401 } });
  });
});

describe('an internal error', () => {
  it('reveals only the request id', async () => {
    const { token } = await at().register();
    const { body, headers } = await at().rest('GET', '/things/failing', { token });
    const id = headers.get('x-request-id') ?? '';
    expect(essentials(body)).toEqual({
      error: {
        code: 'INTERNAL_ERROR',
        message: `Unexpected error; the server log has the details of request ${id}`,
        status: 500,
      },
    });
  });
});

describe('unusual requests', () => {
  it('keep a valid request id from a proxy, and replace any other', async () => {
    const kept = await at().rest('GET', '/nothing', { headers: { 'x-request-id': 'trace-12345678' } });
    expect(kept.headers.get('x-request-id')).toBe('trace-12345678');
    const replaced = await at().rest('GET', '/nothing', { headers: { 'x-request-id': 'a b' } });
    expect(replaced.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
  });

  it.each(['application/xml', '*/*', 'text/html', ';;;', 'application/json;q=0', ''])(
    'get JSON for Accept "%s"',
    async (accept) => {
      const { token } = await at().register();
      const { status, headers } = await at().rest('GET', '/things/t1', { token, headers: { accept } });
      expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    },
  );

  it('do not break the server when a body is truncated', async () => {
    const { token } = await at().register();
    await cutOff(at(), token);
    expect((await at().rest('GET', '/things/t1', { token })).status).toBe(200);
  });
});

function expectCounted(headers: Headers): void {
  for (const name of ['limit', 'remaining', 'reset']) expect(headers.get(`x-ratelimit-${name}`)).toMatch(/^\d+$/);
  expect(headers.get('x-request-id')).toBeTruthy();
}

/** The status of a GET whose path is sent unnormalized, unlike with fetch. */
async function statusOf(world: World, path: string, token: string): Promise<number | undefined> {
  const { hostname, port } = new URL(world.url);
  const headers = { authorization: `Bearer ${token}` };
  const [response] = await once(get({ hostname, port, path: `/api/v1${path}`, headers }), 'response');
  return response.resume().statusCode;
}

/** Announces a body of 100 bytes, sends two and disconnects. */
function cutOff(world: World, token: string): Promise<void> {
  const { hostname, port } = new URL(world.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(
        `POST /api/v1/things HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"`,
      );
      setTimeout(() => socket.destroy(), 50);
    });
    socket.on('close', () => resolve());
    socket.on('error', reject);
  });
}

describe('a client that disconnects', () => {
  it.each(['REST', 'GraphQL'])('aborts the work of its %s request', async (api) => {
    const { token } = await at().register({ email: `leaves-${api}@example.com` });
    const leaving = new AbortController();
    const before = waiting.length;
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const request =
      api === 'REST'
        ? fetch(`${at().url}/api/v1/things/never`, { headers, signal: leaving.signal })
        : fetch(`${at().url}/graphql`, {
            method: 'POST',
            headers,
            body: '{"query":"{ thingNever }"}',
            signal: leaving.signal,
          });
    await expect.poll(() => waiting.length).toBe(before + 1);
    expect(waiting[before]?.aborted).toBe(false);
    leaving.abort();
    await expect(request).rejects.toThrow('aborted');
    await expect.poll(() => waiting[before]?.aborted).toBe(true);
    expect(waiting[before]?.reason).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });
});
