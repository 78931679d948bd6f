import net from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { apiPath, openApi } from '../../src/mcp/api/client.ts';
import { ApiFailure, type Failure } from '../../src/mcp/api/failure.ts';
import { aFakeApi, json, refusing } from './fake-api.ts';

const shape = z.object({ total: z.number() });
const token = 'svc_secretsecret';

async function failureAt(base: string, more: { timeoutMs?: number; signal?: AbortSignal } = {}): Promise<Failure> {
  try {
    await openApi({ base, token, ...more }).get('/costs', {}, shape);
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    expect(JSON.stringify(error.failure)).not.toContain(token);
    return error.failure;
  }
  throw new Error('It answered');
}

/** A TCP server with custom handling of connections. */
async function aSocketServer(handle: (socket: net.Socket) => void): Promise<string> {
  const server = net.createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server does not listen on a port');
  return `http://127.0.0.1:${address.port}/api/v1`;
}

describe('an API request', () => {
  it('sends the token, repeats lists, omits missing values, and picks the requested fields', async () => {
    const api = await aFakeApi(json(200, { total: 3, other: 4 }));
    const path = apiPath`/costs/${'a/b'}`;
    const query = { service: ['Amazon S3', 'a&b'], page: 2, region: undefined, all: true };
    const answer = await openApi({ base: api.base, token, requestId: 'req-abcdefgh' }).get(path, query, shape);
    expect(answer).toEqual({ total: 3 });
    const [asked] = api.asked;
    expect(asked?.url).toBe('/api/v1/costs/a%2Fb?service=Amazon+S3&service=a%26b&page=2&all=true');
    expect(asked?.headers).toMatchObject({
      authorization: `Bearer ${token}`,
      accept: 'application/json',
      'user-agent': 'costkeep-mcp',
      'x-request-id': 'req-abcdefgh',
    });
  });

  it.each(['', '.', '..'])('rejects the id "%s", which would change the path', (id) => {
    expect(() => apiPath`/budgets/${id}`).toThrow(`"${id}" is not a valid id`);
  });

  it('is retried when the API closes the connection, unless it changes something', async () => {
    let connections = 0;
    const base = await aSocketServer((socket) => {
      connections += 1;
      const isFirst = connections === 1;
      socket.on('error', () => {});
      socket.on('data', () => {
        const body = '{"total":5}';
        if (isFirst) socket.destroy();
        else socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`);
      });
    });
    expect(await openApi({ base, token }).get('/x', {}, shape)).toEqual({ total: 5 });
    expect(connections).toBe(2);
    connections = 0;
    await expect(openApi({ base, token }).send('POST', '/x', {}, shape)).rejects.toThrow(
      /the connection was (?:reset|closed).*It is unknown whether the change was made/,
    );
    expect(connections).toBe(1);
  });

  it('is cancelled with its caller', async () => {
    const api = await aFakeApi(() => {});
    const caller = new AbortController();
    const failure = failureAt(api.base, { signal: caller.signal });
    setTimeout(() => caller.abort(), 50);
    expect((await failure).code).toBe('CANCELLED');
  });
});

describe('an API error', () => {
  it.each([
    [400, 'VALIDATION_ERROR'],
    [401, 'UNAUTHORIZED'],
    [403, 'FORBIDDEN'],
    [404, 'NOT_FOUND'],
    [409, 'CONFLICT'],
    [500, 'INTERNAL_ERROR'],
    [503, 'SERVICE_UNAVAILABLE'],
  ])('with status %i keeps code, message and request id', async (status, code) => {
    const api = await aFakeApi(refusing(status, code, 'What is wrong'));
    expect(await failureAt(api.base)).toEqual({
      code,
      status,
      message: 'What is wrong',
      retryAfterS: null,
      requestId: 'req-12345678',
    });
  });

  it('with status 429 includes when to retry', async () => {
    const api = await aFakeApi(refusing(429, 'RATE_LIMITED', 'Too many', { 'retry-after': '17' }));
    expect(await failureAt(api.base)).toMatchObject({ code: 'RATE_LIMITED', status: 429, retryAfterS: 17 });
  });

  it('supports a retry date from a proxy', async () => {
    const at = (ms: number) => ({ 'retry-after': new Date(Date.now() + ms).toUTCString() });
    const soon = await aFakeApi(refusing(429, 'RATE_LIMITED', 'Too many', at(30_000)));
    const { retryAfterS } = await failureAt(soon.base);
    expect(retryAfterS).toBeGreaterThan(25);
    expect(retryAfterS).toBeLessThanOrEqual(30);
    const past = await aFakeApi(refusing(429, 'RATE_LIMITED', 'Too many', at(-30_000)));
    expect((await failureAt(past.base)).retryAfterS).toBeNull();
  });

  it('has its message truncated to a length useful for models', async () => {
    const api = await aFakeApi(refusing(400, 'C'.repeat(9_000), `No ${'x'.repeat(200_000)}`));
    const { code, message } = await failureAt(api.base);
    expect([code.length, message.length]).toEqual([100, 2_001]);
    expect(message).toMatch(/^No x+…$/);
  });
});

describe('a server other than the API', () => {
  const unexpected = (status: number, what: RegExp) => ({
    code: 'API_UNEXPECTED_ANSWER',
    status,
    message: expect.stringMatching(what) as unknown,
  });

  it.each([200, 404, 502])('returning HTML with %i is reported with the variable to correct', async (status) => {
    const api = await aFakeApi((_req, res) => {
      res.writeHead(status, { 'content-type': 'text/html; charset=utf-8' });
      res.end('<html>Sign in to svc_secretsecret</html>');
    });
    expect(await failureAt(api.base)).toMatchObject(unexpected(status, /returned \d+ with text\/html.*SVC_API_URL/));
  });

  it('is recognized by invalid or unexpected JSON', async () => {
    const broken = await aFakeApi((_req, res) => res.end('{"total":'));
    expect(await failureAt(broken.base)).toMatchObject(unexpected(200, /SVC_API_URL/));
    const other = await aFakeApi(json(200, { total: 'many' }));
    expect(await failureAt(other.base)).toMatchObject(unexpected(200, /SVC_API_URL/));
  });

  it('does not receive the token by redirect', async () => {
    const elsewhere = await aFakeApi(json(200, { total: 1 }));
    const api = await aFakeApi((_req, res) => res.writeHead(307, { location: elsewhere.base }).end());
    expect(await failureAt(api.base)).toMatchObject(unexpected(307, /a redirect \(307\), which is not followed/));
    expect(elsewhere.asked).toEqual([]);
  });

  it('with an endless response is disconnected', async () => {
    const api = await aFakeApi((_req, res) => {
      const chunk = 'x'.repeat(1024 * 1024);
      const more = () => {
        while (!res.destroyed && res.write(chunk));
      };
      res.on('drain', more);
      more();
    });
    const failure = await failureAt(api.base);
    expect(failure.code).toBe('API_UNEXPECTED_ANSWER');
    expect(failure.message).toMatch(/\(larger than 8388608 bytes\): request less/);
  });
});

describe('an unreachable API', () => {
  it('is reported when the connection is refused', async () => {
    const api = await aFakeApi(json(200, {}));
    await api.close();
    const failure = await failureAt(api.base);
    expect(failure).toMatchObject({ code: 'API_UNREACHABLE', status: null });
    expect(failure.message).toContain(`${api.base} cannot be reached (the connection was refused): start Costkeep`);
  });

  it('is reported when the host name is unknown', async () => {
    const failure = await failureAt('http://no-such-host.invalid/api/v1');
    expect(failure.message).toMatch(/cannot be reached \((no such host|its name cannot be resolved at the moment)\)/);
  });

  it('is reported when it does not support TLS', async () => {
    const api = await aFakeApi(json(200, {}));
    const failure = await failureAt(api.base.replace('http:', 'https:'));
    expect(failure.message).toMatch(/it does not use TLS: use http:\/\//);
  });

  it('is reported when headers or body exceed the timeout', async () => {
    const silent = await aFakeApi(() => {});
    expect(await failureAt(silent.base, { timeoutMs: 100 })).toMatchObject({
      code: 'API_TIMEOUT',
      message: expect.stringContaining('did not respond within 0.1 s: request less') as unknown,
    });
    const half = await aFakeApi((_req, res) => void res.write('{"total"'));
    expect((await failureAt(half.base, { timeoutMs: 100 })).code).toBe('API_TIMEOUT');
  });
});
