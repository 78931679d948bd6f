import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { readConfig } from '../../../src/kit/config/config.ts';
import { open } from '../../../src/start.ts';
import { shareCodeCache } from '../../support/code-cache.ts';
import { aLine, writeFocus } from '../../support/focus.ts';
import { findPrograms, startServerPostgres, type ServerPostgres } from '../../support/server-postgres.ts';

const programs = findPrograms();
const main = path.resolve(import.meta.dirname, '../../../src/main.ts');

let server: ServerPostgres;
let url = '';
let folder = '';

describe.skipIf(!programs)('DATABASE_URL of a PostgreSQL server (needs postgres and initdb on this machine)', () => {
  beforeAll(async () => {
    server = await startServerPostgres(programs ?? '');
  });
  afterAll(() => server.remove());
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'costkeep-database-url-'));
    shareCodeCache(folder);
    url = await server.freshUrl();
    return () => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  });

  it('is migrated once by two servers that start at the same time', async () => {
    const config = readConfig({ DATABASE_URL: url, DATA_DIR: folder, LOG_LEVEL: 'silent' });
    const both = await Promise.all([open(config), open(config)]);
    for (const { deps, home } of both) {
      expect(home).toBeNull();
      await expect(deps.db.account.count()).resolves.toBe(0);
    }
    const { rows } = await both[0].deps.pool.query(
      'select count(*)::int as times from _prisma_migrations group by migration_name',
    );
    expect(rows.every(({ times }) => times === 1)).toBe(true);
    // Compiling a query about several accounts takes several times as long as running it.
    const { rows: settings } = await both[0].deps.pool.query(`select current_setting('jit') as jit`);
    expect(settings).toEqual([{ jit: 'off' }]);
    await Promise.all(both.map(({ close }) => close()));
  });

  it('reports why a wrong password was rejected, and never shows it', async () => {
    const wrong = url.replace(/:[^:@/]+@/, ':hunter2@');
    const { code, said } = await outcome(run('serve', { DATABASE_URL: wrong }));
    const { host, pathname } = new URL(url);
    expect(said).toBe(
      `DATABASE_URL: cannot connect to ${host}${decodeURIComponent(pathname)}: password authentication failed for user "owner"; start PostgreSQL, or correct the host, port, user, password and database\n`,
    );
    expect(code).toBe(1);
  });

  it('returns the cost of a bill synced over it', async () => {
    await writeBills();
    const api = await aServer();
    const token = await register(api);
    await connect(api, token);
    await untilSynced(api, token);
    const { body } = await ask(api, may, token);
    expect(body).toMatchObject({
      total_cost: 3.75,
      groups: [
        { service: 'Database', cost: 2.5 },
        { service: 'Virtual Machines', cost: 1.25 },
      ],
    });
  });

  it('lets a separate worker run the jobs', async () => {
    await writeBills();
    const api = await aServer();
    const token = await register(api);
    api.child.kill('SIGSTOP'); // the server has a worker, too, which must not run the job
    onTestFinished(() => void api.child.kill('SIGCONT'));
    await sql(`insert into accounts (id, organization_id, name, provider, external_id, settings)
      select gen_random_uuid(), id, 'Bills', 'focus', 'bills', '{"path": "bills"}' from organizations`);
    await sql(
      `insert into account_syncs (account_id, organization_id, status) select id, organization_id, 'queued' from accounts`,
    );
    await sql(
      `select graphile_worker.add_job('sync', json_build_object('organizationId', organization_id, 'accountId', id)) from accounts`,
    );
    const worker = run('work');
    await vi.waitFor(
      async () => expect(await sql('select status from account_syncs')).toEqual([{ status: 'succeeded' }]),
      patient,
    );
    worker.kill('SIGTERM');
    expect(await once(worker, 'exit')).toEqual([0, null]);
    api.child.kill('SIGCONT');
    expect((await ask(api, may, token)).body.total_cost).toBe(3.75);
  });

  it.each(['SIGINT', 'SIGQUIT'] as const)(
    'survives a restart by %s during a sync: requests fail with 503, then everything recovers',
    async (signal) => {
      await writeBills();
      const api = await aServer();
      const token = await register(api);
      const release = await holdFacts();
      await connect(api, token);
      await vi.waitFor(
        async () => expect(await sql(`select 1 from pg_stat_activity where wait_event_type = 'Lock'`)).not.toEqual([]),
        patient,
      );
      await server.stop(signal);
      await release();
      for (const at of ['/accounts', '/costs/summary']) {
        const { status, body, headers } = await ask(api, at, token);
        expect({ at, status, code: body.error?.code, retry: headers.get('retry-after') }).toEqual({
          at,
          status: 503,
          code: 'SERVICE_UNAVAILABLE',
          retry: '5',
        });
      }
      const graphql = await fetch(`${api.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: '{"query":"{ accounts { data { id } } }"}',
      });
      expect(await graphql.json()).toMatchObject({
        errors: [{ extensions: { code: 'SERVICE_UNAVAILABLE', status: 503 } }],
      });
      expect((await fetch(`${api.url}/health`)).status).toBe(200);
      expect((await fetch(`${api.url}/ready`)).status).toBe(503);
      await server.start();
      await vi.waitFor(async () => expect((await fetch(`${api.url}/ready`)).status).toBe(200), patient);
      await untilSynced(api, token);
      const { body } = await ask(api, may, token);
      expect(body.total_cost).toBe(3.75);
      expect(api.child.exitCode).toBeNull();
    },
    120_000,
  );
});

const may = '/costs/by-service?start_date=2026-05-01&end_date=2026-05-31';
const patient = { timeout: 60_000, interval: 100 };

/** One month of two services, in a folder that accounts may use. */
function writeBills(): Promise<void> {
  const lines = [aLine({ cost: '1.25' }), aLine({ cost: '2.5', ServiceName: 'Database', ResourceId: 'db-1' })];
  return writeFocus(path.join(folder, 'bills/may.csv'), lines);
}

interface Api {
  readonly url: string;
  readonly child: ChildProcess;
}

/** Starts one of our processes on the database; it ends with the test. */
function run(command: 'serve' | 'work', env: Record<string, string> = {}): ChildProcess {
  const ours = {
    DATABASE_URL: url,
    DATA_DIR: folder,
    FOCUS_ROOT: folder,
    PORT: '0',
    SYNC_CRON: 'off',
    LOG_LEVEL: 'silent',
  };
  const child = spawn(process.execPath, [main, command], {
    env: { PATH: process.env['PATH'], ...ours, RATE_LIMIT_READ: '100000', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  return child;
}

async function outcome(child: ChildProcess): Promise<{ code: number | null; said: string }> {
  const [said] = await Promise.all([child.stderr ? text(child.stderr) : '', once(child, 'exit')]);
  return { code: child.exitCode, said };
}

async function aServer(): Promise<Api> {
  const child = run('serve');
  let said = '';
  child.stderr?.on('data', (chunk) => (said += chunk));
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', (chunk) => {
      const found = /listens on (\S+)/.exec(String(chunk))?.[1];
      if (found) resolve(found);
    });
    child.once('exit', () => reject(new Error(`The server ended: ${said}`)));
  });
  return { url: address, child };
}

interface Body {
  readonly error?: { code: string };
  readonly access_token?: string;
  readonly total_cost?: number;
  readonly data?: { sync_status: string; last_sync_error: string | null }[];
}

async function ask(api: Api, at: string, token: string, body?: object) {
  const response = await fetch(`${api.url}/api/v1${at}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: body ? JSON.stringify(body) : null,
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Body };
}

async function register(api: Api): Promise<string> {
  const person = { email: 'ana@example.com', password: 'plum kite orbit', name: 'Ana', organization_name: 'Plum' };
  const { body } = await ask(api, '/auth/register', '', person);
  return body.access_token ?? '';
}

async function connect(api: Api, token: string): Promise<void> {
  const { status } = await ask(api, '/accounts', token, {
    name: 'Bills',
    provider: 'focus',
    settings: { path: 'bills' },
  });
  expect(status).toBe(201);
}

async function untilSynced(api: Api, token: string): Promise<void> {
  await vi.waitFor(async () => {
    const { body } = await ask(api, '/accounts', token);
    expect(body.data?.[0]).toMatchObject({ sync_status: 'succeeded', last_sync_error: null });
  }, patient);
}

/** Runs a statement as the owner of the database. */
async function sql(statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return (await client.query(statement).finally(() => client.end())).rows;
}

/** Keeps a sync from writing facts until it is released, or the database stops. */
async function holdFacts(): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {}); // the database's end is part of the test
  await client.connect();
  await client.query('begin; lock table cost_rollups in access exclusive mode');
  return () => client.end().catch(() => {});
}
