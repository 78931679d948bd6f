import packageJson from '../../package.json' with { type: 'json' };
import { describe, expect, it, vi } from 'vitest';
import { openFacts } from '../../src/engine/fact-set.ts';
import { newId } from '../../src/kit/ids.ts';
import { openLog } from '../../src/kit/log.ts';
import { orgScope } from '../../src/tenancy/auth/scope.ts';
import { aWorld, worldOfFile } from '../support/world.ts';

const at = worldOfFile();
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(at().url + path, { headers, redirect: 'manual' });

describe('the probes', () => {
  it('report that the server is alive and ready', async () => {
    expect(await (await get('/health')).json()).toEqual({ status: 'ok', version: packageJson.version });
    const ready = await get('/ready');
    expect([ready.status, await ready.json()]).toEqual([
      200,
      { status: 'ok', checks: { database: 'ok', migrations: 'ok', queue: 'ok', limits: 'ok' } },
    ]);
  });

  it('report which checks failed', async () => {
    const world = await aWorld();
    await world.deps.pool.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('x', '', 'half')`,
    );
    await world.deps.pool.query('DROP SCHEMA graphile_worker CASCADE');
    const ready = await fetch(`${world.url}/ready`);
    expect([ready.status, await ready.json()]).toEqual([
      503,
      { status: 'failed', checks: { database: 'ok', migrations: 'failed', queue: 'failed', limits: 'ok' } },
    ]);
    expect((await fetch(`${world.url}/health`)).status).toBe(200);
  });
});

describe('the metrics', () => {
  it('are available on the local machine, but not through a proxy', async () => {
    await at().rest('GET', '/org');
    const text = await (await get('/metrics')).text();
    expect(text).toMatch(/http_request_duration_seconds_count\{method="GET",route="\/org",status="401"\} 1/);
    expect((await get('/metrics', { 'x-forwarded-for': '203.0.113.7' })).status).toBe(404);
  });

  it('label GraphQL requests by root field, never by client-defined names', async () => {
    const world = await aWorld();
    for (const name of ['Mine', 'MineToo']) await world.gql(`query ${name} { me { role } }`);
    await world.gql('query Both { me { role } organization { id } }');
    await world.rest('GET', '/accounts/x/sync');
    const text = await (await fetch(`${world.url}/metrics`)).text();
    const routes = [...text.matchAll(/_count\{method="\w+",route="([^"]*)"/g)].map(([, route]) => route);
    expect(routes.sort()).toEqual(['/accounts/{id}/sync', '2 fields', 'me']);
  });

  it('count queries of cost facts', async () => {
    const world = await aWorld();
    const facts = await openFacts(world.deps.pool, orgScope(newId(new Date()), null), {
      accountIds: null,
      start: null,
      end: null,
      grain: 'month',
    });
    await world.deps.engine.rows(facts, { name: 'test', sql: 'SELECT count(*) AS n FROM facts' });
    await world.deps.engine.rows(facts, { name: 'test', sql: 'SELECT wrong FROM facts' }).catch(() => {});
    const text = await (await fetch(`${world.url}/metrics`)).text();
    expect(text).toMatch(/fact_queries_total\{outcome="ok"\} 1\n/);
    expect(text).toMatch(/fact_queries_total\{outcome="failed"\} 1\n/);
    expect(text).toMatch(/fact_query_duration_seconds_count 1\n/);
    expect(text).toMatch(/fact_queries_running 0\n/);
  });

  it('require the token if one is configured', async () => {
    const world = await aWorld({ config: { metricsToken: 'sesame' } });
    const status = async (authorization?: string) =>
      (await fetch(`${world.url}/metrics`, authorization === undefined ? {} : { headers: { authorization } })).status;
    expect([await status(), await status('Bearer wrong'), await status('Bearer sesame')]).toEqual([404, 404, 200]);
  });
});

describe('the request log', () => {
  it('has one line per request with id and route, without query and token', async () => {
    const lines: string[] = [];
    const log = openLog('info', { write: (line: string) => void lines.push(line) });
    const world = await aWorld({ log });
    const { token } = await world.register();
    lines.length = 0;
    const { headers } = await world.rest('GET', '/costs/by-service?tag_value=secret', { token });
    await vi.waitFor(() => expect(lines).toHaveLength(1));
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      requestId: headers.get('x-request-id'),
      method: 'GET',
      path: '/api/v1/costs/by-service',
      route: '/costs/by-service',
      status: 400,
      userId: expect.any(String),
    });
    expect(lines[0]).not.toMatch(/secret|Bearer|eyJ/);
  });
});

describe('browser security headers', () => {
  it('allow configured origins to call and read limit headers; preflights are not counted', async () => {
    const world = await aWorld({ config: { corsOrigins: ['https://costs.example.com'] } });
    const preflight = () =>
      fetch(`${world.url}/api/v1/org`, {
        method: 'OPTIONS',
        headers: { origin: 'https://costs.example.com', 'access-control-request-method': 'PATCH' },
      });
    const [first, second] = [await preflight(), await preflight()];
    expect([first.status, first.headers.get('access-control-allow-origin')]).toEqual([
      204,
      'https://costs.example.com',
    ]);
    expect(first.headers.get('x-ratelimit-remaining')).toBe(second.headers.get('x-ratelimit-remaining'));
    const call = await world.rest('GET', '/org', { headers: { origin: 'https://costs.example.com' } });
    expect(call.headers.get('access-control-expose-headers')).toContain('X-RateLimit-Remaining');
    const foreign = await world.rest('GET', '/org', { headers: { origin: 'https://evil.example' } });
    expect([foreign.headers.get('access-control-allow-origin'), foreign.headers.get('vary')]).toEqual([null, 'Origin']);
  });

  it('disallow sniffing, scripts and framing', async () => {
    const { headers } = await at().rest('GET', '/org');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none';base-uri 'none';object-src 'none';frame-ancestors 'none'",
    );
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect([headers.get('x-powered-by'), headers.get('strict-transport-security')]).toEqual([null, null]);
    const https = await aWorld({ config: { publicUrl: 'https://costs.example.com' } });
    expect((await https.rest('GET', '/org')).headers.get('strict-transport-security')).toContain('max-age=');
  });

  it("restrict the API reference to the server's own scripts and styles", async () => {
    const page = await get('/docs', { accept: 'text/html' });
    const html = await page.text();
    expect(html.match(/(?:src|href)="(?:https?:)?\/\/[^"]*"/g)).toBeNull();
    const policy = page.headers.get('content-security-policy');
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("connect-src 'self';");
    const files = [...html.matchAll(/(?:src|href)="(\/docs\/assets\/[^"]+)"/g)].map(([, file]) => file ?? '');
    const answers = await Promise.all(files.map(async (file) => [file, (await get(file)).headers.get('content-type')]));
    expect(answers).toEqual([
      ['/docs/assets/start.css', 'text/css; charset=utf-8'],
      ['/docs/assets/prepare.js', 'text/javascript; charset=utf-8'],
      ['/docs/assets/scalar.js', 'text/javascript; charset=utf-8'],
      ['/docs/assets/start.js', 'text/javascript; charset=utf-8'],
    ]);
    expect((await get('/docs/assets/constructor')).status).toBe(404);
  });
});
