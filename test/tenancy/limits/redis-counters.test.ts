import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createClient } from 'redis';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createApp } from '../../../src/app.ts';
import { openLog } from '../../../src/kit/log.ts';
import { createLimiter } from '../../../src/tenancy/limits/limiter.ts';
import { openRedisCounters } from '../../../src/tenancy/limits/redis-counters.ts';
import { findRedis, startRedis, type TestRedis } from '../../support/redis.ts';
import { aWorld } from '../../support/world.ts';

const program = findRedis();
const limits = { auth: 20, read: 100, write: 30, report: 5, export: 10 };
const patient = { timeout: 15_000, interval: 20 };

let redis: TestRedis;

/** Opens the counters of one server with their log, closed when the test ends. */
async function counters(url = redis.url) {
  const lines: string[] = [];
  const log = openLog('info', { write: (line: string) => void lines.push(line) });
  const opened = await openRedisCounters(url, { clock: { now: () => new Date() }, log });
  onTestFinished(() => opened.close());
  return { counters: opened, said: () => lines.map((line) => JSON.parse(line)) };
}

/** A separate client that inspects and manipulates Redis. */
async function administrator() {
  const client = createClient({ url: redis.url });
  client.on('error', () => {}); // Redis may end first
  onTestFinished(() => client.destroy());
  return client.connect();
}

/** Another server on the world's database, with its own Redis counters. */
async function anotherServer(world: Awaited<ReturnType<typeof aWorld>>) {
  const own = await counters();
  const server = createApp(world.deps, own.counters).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const get = (path: string, token: string) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${token}` } });
  return { ...own, get };
}

async function aSignedInWorld() {
  const world = await aWorld({ config: { rateLimits: limits } });
  return { world, token: (await world.register()).token };
}

const admitted = (answers: readonly { status: number }[]) => answers.filter(({ status }) => status === 200).length;

describe.skipIf(!program)('counters in Redis (needs redis-server on this machine)', () => {
  beforeEach(async () => {
    redis = await startRedis(program ?? '');
    return async () => {
      await redis.signal('SIGCONT');
      await redis.signal('SIGKILL');
    };
  });

  it('admit exactly the limit of 200 parallel requests, and count down without repeats', async () => {
    const limiter = createLimiter(limits, (await counters()).counters);
    const verdicts = await Promise.all(Array.from({ length: 200 }, () => limiter.hit('write', 'user:a')));
    const passed = verdicts.filter((verdict) => !verdict.limited);
    expect(passed.map((verdict) => verdict.remaining)).toEqual(Array.from({ length: 30 }, (_, index) => 29 - index));
    expect(new Set(verdicts.map((verdict) => Math.abs(verdict.reset - Date.now() / 1000 - 60) < 5))).toEqual(
      new Set([true]),
    );
  });

  it('open no window with weight 0, and end a window after a minute by the clock of Redis', async () => {
    const { counters: shared } = await counters();
    expect(await shared.add('read|user:a', 0)).toMatchObject({ count: 0, leftMs: 60_000 });
    const client = await administrator();
    expect(await client.exists('costkeep:limit:read|user:a')).toBe(0);
    expect(await shared.add('read|user:a', 3)).toMatchObject({ count: 3, leftMs: 60_000 });
    expect(await client.pTTL('costkeep:limit:read|user:a')).toBeGreaterThan(59_000);
    await client.pExpire('costkeep:limit:read|user:a', 5_000);
    const later = await shared.add('read|user:a', 1);
    expect([later.count, later.leftMs > 4_000 && later.leftMs <= 5_000]).toEqual([4, true]);
    await client.pExpire('costkeep:limit:read|user:a', 1);
    await vi.waitFor(async () => expect(await client.exists('costkeep:limit:read|user:a')).toBe(0), patient);
    expect((await shared.add('read|user:a', 1)).count).toBe(1);
  });

  it('reload the script when Redis has lost it', async () => {
    const { counters: shared } = await counters();
    await shared.add('a', 1);
    const client = await administrator();
    await client.scriptFlush();
    expect((await shared.add('a', 1)).count).toBe(2);
  });

  it('share one limit between two servers', async () => {
    const { world, token } = await aSignedInWorld();
    const servers = [await anotherServer(world), await anotherServer(world)];
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) => servers[index % 2]?.get('/api/v1/org', token) ?? Response.error()),
    );
    expect(admitted(answers)).toBe(100);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(100);
    expect(new Set(answers.map(({ headers }) => headers.get('x-ratelimit-remaining'))).size).toBe(100);
  });

  it('answer every request when Redis is killed, and keep the limit without it', async () => {
    const { world, token } = await aSignedInWorld();
    const { get, said } = await anotherServer(world);
    const answers = Array.from({ length: 200 }, () => get('/api/v1/org', token));
    await Promise.race(answers);
    await redis.signal('SIGKILL');
    expect(admitted(await Promise.all(answers))).toBe(100);
    const startedMs = performance.now();
    expect((await get('/api/v1/org', token)).status).toBe(429);
    expect(performance.now() - startedMs).toBeLessThan(400);
    const ready = await get('/ready', token);
    expect([ready.status, await ready.json()]).toMatchObject([200, { status: 'ok', checks: { limits: 'degraded' } }]);
    await redis.start();
    await vi.waitFor(
      async () => expect(await (await get('/ready', token)).json()).toMatchObject({ checks: { limits: 'ok' } }),
      patient,
    );
    expect((await get('/api/v1/org', token)).headers.get('x-ratelimit-remaining')).toBe('99');
    expect(said().map(({ msg }) => msg)).toEqual([
      'Redis is unavailable: each server counts requests separately',
      'Redis is available again: servers share request counts',
    ]);
  });

  it('time out once, after half a second, when Redis hangs', async () => {
    const { counters: shared } = await counters();
    expect((await shared.add('a', 1)).count).toBe(1);
    await redis.signal('SIGSTOP');
    const startedMs = performance.now();
    const first = await Promise.all(Array.from({ length: 50 }, () => shared.add('a', 1)));
    expect(first.map(({ count }) => count)).toEqual(Array.from({ length: 50 }, (_, index) => index + 2));
    expect(performance.now() - startedMs).toBeLessThan(1_500);
    const againMs = performance.now();
    expect((await shared.add('a', 1)).count).toBe(52);
    expect(performance.now() - againMs).toBeLessThan(50);
    await redis.signal('SIGCONT');
    await vi.waitFor(() => expect(shared.isDegraded()).toBe(false), patient);
  });

  it('start without Redis or with a wrong password, log that once, and never log the password', async () => {
    const wrong = await counters(redis.url.replace(/:[^:@/]+@/, ':hunter2@'));
    expect([wrong.counters.isDegraded(), (await wrong.counters.add('a', 1)).count]).toEqual([true, 1]);
    await redis.signal('SIGKILL');
    const early = await counters();
    expect(early.counters.isDegraded()).toBe(true);
    await redis.start();
    await vi.waitFor(() => expect(early.counters.isDegraded()).toBe(false), patient);
    const refusals = wrong.said();
    expect(refusals).toHaveLength(1);
    expect(refusals[0].err.message).toMatch(/WRONGPASS/);
    expect(JSON.stringify([...refusals, ...early.said()])).not.toMatch(/hunter2|a%2Fb|a\/b/);
  });

  it('shorten a window that would last too long, and ignore an invalid count', async () => {
    const { counters: shared } = await counters();
    const client = await administrator();
    await client.set('costkeep:limit:a', '5', { PX: 86_400_000 });
    const { count, leftMs } = await shared.add('a', 1);
    expect([count, leftMs]).toEqual([6, 60_000]);
    await client.set('costkeep:limit:b', '-9');
    expect((await shared.add('b', 1)).count).toBe(1);
    expect(shared.isDegraded()).toBe(true);
  });

  it('treat a Redis that cannot write as unavailable', async () => {
    const { counters: shared } = await counters();
    const client = await administrator();
    await client.configSet('maxmemory', '1');
    expect((await shared.add('a', 1)).count).toBe(1);
    expect(shared.isDegraded()).toBe(true);
    await client.configSet('maxmemory', '0');
    await vi.waitFor(() => expect(shared.isDegraded()).toBe(false), patient);
  });
});
