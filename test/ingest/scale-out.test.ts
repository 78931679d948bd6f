import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shareCodeCache } from '../support/code-cache.ts';
import { startS3, type FakeS3 } from '../support/clouds/s3.ts';
import { freshDatabase } from '../support/database.ts';
import { aLine, writeFocus } from '../support/focus.ts';
import { findPgBouncer, startPgBouncer, type PgBouncer } from '../support/pgbouncer.ts';
import { findRedis, startRedis, type TestRedis } from '../support/redis.ts';
import { findPrograms, startServerPostgres, type ServerPostgres } from '../support/server-postgres.ts';
import { spawnServer, type SpawnedServer } from '../support/server.ts';

// Two servers and a worker as processes of their own, on one database (of TEST_CITUS_URL, if set), with Redis, PgBouncer in
// transaction mode and facts in S3.

const [programs, redisProgram, bouncerProgram] = [findPrograms(), findRedis(), findPgBouncer()];
const isPossible = programs !== null && redisProgram !== null && bouncerProgram !== null;

const takeoverMs = 60_000;
const loginsPerMinute = 5;
const person = { email: 'ana@example.com', password: 'plum kite orbit', name: 'Ana', organization_name: 'Plum' };
const range = 'start_date=2026-05-01&end_date=2026-05-31';
const linesPerBill = 60;

let base = '';
let postgres: ServerPostgres | undefined;
let bouncer: PgBouncer;
let redis: TestRedis;
let s3: FakeS3;
let env: Record<string, string>;
let [first, second, worker]: (SpawnedServer | undefined)[] = [];
let token = '';

/** The URL of an empty database: on the Citus cluster of the run, or on a PostgreSQL of this machine. */
async function databaseUrl(): Promise<string> {
  if (process.env['TEST_CITUS_URL']) {
    const { user, host, port, database } = (await freshDatabase()).connection;
    return `postgresql://${user}@${host}:${port}/${database}`;
  }
  postgres = await startServerPostgres(programs ?? '');
  return postgres.freshUrl();
}

/** Each process has a data folder of its own, like on another machine. */
function start(name: string): Promise<SpawnedServer> {
  const dataDir = path.join(base, name);
  if (!existsSync(dataDir)) {
    mkdirSync(dataDir);
    shareCodeCache(dataDir);
  }
  return spawnServer({ ...env, DATA_DIR: dataDir }, name === 'worker' ? 'work' : 'serve');
}

async function call<Body = unknown>(server: SpawnedServer | undefined, method: string, at: string, body?: object) {
  const response = await fetch(`${server?.url}/api/v1${at}`, {
    method,
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  return { status: response.status, body: (text === '' ? null : JSON.parse(text)) as Body };
}

/** Delivers the bill again: each line costs as much as the number of the delivery. */
async function deliver(cost: number): Promise<void> {
  const lines = Array.from({ length: linesPerBill }, (_, index) =>
    aLine({
      day: `2026-05-${String((index % 28) + 1).padStart(2, '0')}`,
      cost: String(cost),
      ResourceId: `vm-${index}`,
    }),
  );
  await writeFocus(path.join(base, 'bills', 'export', 'may.csv'), lines);
}

/** Waits until the account's sync has succeeded, as seen by a server.
 *  @returns how long it took, in milliseconds */
async function untilSynced(server: SpawnedServer | undefined, id: string): Promise<number> {
  const since = performance.now();
  for (;;) {
    const { body } = await call<{ sync_status: string; last_sync_error: string | null }>(
      server,
      'GET',
      `/accounts/${id}`,
    );
    const took = performance.now() - since;
    if (body.sync_status === 'succeeded') return took;
    // A sync that lost its loader fails, and is retried.
    if (body.sync_status === 'failed') await call(server, 'POST', `/accounts/${id}/sync`);
    if (took > takeoverMs) throw new Error(`The sync is ${body.sync_status} after ${took} ms: ${body.last_sync_error}`);
    await pause(100);
  }
}

/** The total from the sums in the database, and that from the facts in S3: sums have no resources. */
async function totals(server: SpawnedServer | undefined): Promise<number[]> {
  const sums = await call<{ total_cost: number }>(server, 'GET', `/costs/by-service?${range}&cost_metric=billed`);
  const facts = await call<{ rows: { cost: number }[] }>(
    server,
    'GET',
    `/costs?resource=vm-*&limit=1&cost_metric=billed&${range}`,
  );
  return [sums.body.total_cost, facts.body.rows?.[0]?.cost ?? Number.NaN];
}

/** Waits until a process reads the bill. */
async function reader(): Promise<'first' | 'second' | 'worker'> {
  for (;;) {
    if (worker?.hasChild('loader')) return 'worker';
    if (first?.hasChild('loader')) return 'first';
    if (second?.hasChild('loader')) return 'second';
    await pause(10);
  }
}

async function restart(name: 'first' | 'second' | 'worker'): Promise<void> {
  const victim = { first, second, worker }[name];
  await victim?.kill(true);
  const started = await start(name);
  if (name === 'first') first = started;
  else if (name === 'second') second = started;
  else worker = started;
}

describe.skipIf(!isPossible)('several servers (needs postgres, pgbouncer and redis-server on this machine)', () => {
  let id = '';

  beforeAll(async () => {
    base = mkdtempSync(path.join(tmpdir(), 'costkeep-scale-'));
    chmodSync(base, 0o711);
    const direct = await databaseUrl();
    bouncer = await startPgBouncer(bouncerProgram ?? '', direct);
    redis = await startRedis(redisProgram ?? '');
    s3 = await startS3();
    s3.server.createBucket('facts');
    env = {
      PATH: process.env['PATH'] ?? '',
      DATABASE_URL: bouncer.urlOf(direct),
      DATABASE_DIRECT_URL: direct,
      REDIS_URL: redis.url,
      FACTS_URL: 's3://facts/prod',
      S3_ENDPOINT: s3.url,
      AWS_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE',
      AWS_SECRET_ACCESS_KEY: 'x'.repeat(40),
      JWT_KEY: randomBytes(32).toString('base64'),
      ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      FOCUS_ROOT: path.join(base, 'bills'),
      PORT: '0',
      LOG_LEVEL: 'error',
      SYNC_CRON: 'off',
      RATE_LIMIT_AUTH: String(loginsPerMinute),
      ...Object.fromEntries(['READ', 'WRITE', 'REPORT', 'EXPORT'].map((name) => [`RATE_LIMIT_${name}`, '1000000'])),
    };
    // Both migrate.
    [first, second] = await Promise.all([start('first'), start('second')]);
    worker = await start('worker');
    await deliver(1);
    const registered = await call<{ access_token: string }>(first, 'POST', '/auth/register', person);
    token = registered.body.access_token;
    const account = { name: 'Bills', provider: 'focus', settings: { path: 'export' } };
    id = (await call<{ id: string }>(first, 'POST', '/accounts', account)).body.id;
  }, 300_000);
  afterAll(async () => {
    await Promise.all([first, second, worker].map((each) => each?.stop()));
    await Promise.all([bouncer?.stop(), redis?.signal('SIGKILL'), s3?.stop()]);
    await postgres?.remove();
    rmSync(base, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }, 120_000);

  it('shows a sync started on one server on the other, with sums and facts', async () => {
    await untilSynced(second, id);
    expect(await totals(second)).toEqual([linesPerBill, linesPerBill]);
    expect(await totals(first)).toEqual([linesPerBill, linesPerBill]);
  }, 120_000);

  it('counts requests to both servers against the same limit', async () => {
    const statuses: number[] = [];
    for (let count = 0; count < loginsPerMinute; count += 1) {
      const { email, password } = person;
      const server = count % 2 === 0 ? second : first;
      statuses.push((await call(server, 'POST', '/auth/login', { email, password })).status);
    }
    // Registering was the first request.
    expect(statuses).toEqual([...Array.from({ length: loginsPerMinute - 1 }, () => 200), 429]);
  }, 60_000);

  it('neither loses nor duplicates data when processes are killed during syncs, which others take over within 60 seconds', async () => {
    const rounds = ['process', 'loader', 'process', 'engine', 'process'] as const;
    for (const [round, victim] of rounds.entries()) {
      const cost = round + 2;
      await deliver(cost);
      const [asked, other] = round % 2 === 0 ? [first, second] : [second, first];
      expect((await call(asked, 'POST', `/accounts/${id}/sync`)).status).toBe(202);
      const busy = await reader();
      if (victim === 'process') await restart(busy);
      else if (victim === 'loader') ({ first, second, worker })[busy]?.killChild(victim);
      else {
        // The queries of the previous round started it.
        expect(asked?.hasChild('engine')).toBe(true);
        asked?.killChild('engine');
      }
      const watcher = busy === 'first' ? second : busy === 'second' ? first : other;
      expect(await untilSynced(watcher, id)).toBeLessThan(takeoverMs);
      const expected = linesPerBill * cost;
      expect(await totals(first)).toEqual([expected, expected]);
      expect(await totals(second)).toEqual([expected, expected]);
    }
  }, 600_000);

  it('refuses a server with another key or another location of fact files', async () => {
    const otherKey = { ...env, ENCRYPTION_KEY: randomBytes(32).toString('base64'), DATA_DIR: path.join(base, 'third') };
    await expect(spawnServer(otherKey)).rejects.toThrow(
      'ENCRYPTION_KEY: the secrets in this database are encrypted with another key; set it to that key',
    );
    const otherPlace = { ...env, FACTS_URL: path.join(base, 'facts'), DATA_DIR: path.join(base, 'third') };
    await expect(spawnServer(otherPlace)).rejects.toThrow(
      /FACTS_URL: the fact files of this database are not in ".*facts"; set it to the location that all servers and workers share/,
    );
  }, 120_000);
});
