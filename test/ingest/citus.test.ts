import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { aLine, writeFocus } from '../support/focus.ts';
import { freshDatabase } from '../support/database.ts';
import { spawnServer, type SpawnedServer } from '../support/server.ts';

const isCitus = process.env['TEST_CITUS_URL'] !== undefined;

interface Account {
  readonly id: string;
  readonly sync_status: string;
  readonly last_sync_error: string | null;
  readonly sync_warnings: readonly string[];
}

const limits = ['AUTH', 'READ', 'WRITE', 'REPORT', 'EXPORT'].map((name) => [`RATE_LIMIT_${name}`, '1000000']);
const password = 'plum kite orbit';

const day = '2026-05-11';
const range = 'start_date=2026-05-01&end_date=2026-05-31';

let base = '';
let server: SpawnedServer;
let token = '';

async function call<Body>(method: string, at: string, body?: object): Promise<Body> {
  const response = await fetch(`${server.url}/api/v1${at}`, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${at} answered ${response.status}: ${text}`);
  return (text === '' ? null : JSON.parse(text)) as Body;
}

/** Delivers a bill of two machines, each tagged with a team; `cost` is that of the first, the second costs a dollar. */
async function deliver(folder: string, cost: string): Promise<void> {
  await writeFocus(path.join(base, 'bills', folder, 'may.csv'), [
    aLine({ day, cost, ResourceId: 'vm-1', Tags: '{"team":"web"}' }),
    aLine({ day, ResourceId: 'vm-2', Tags: '{"team":"data"}' }),
  ]);
}

async function synced(id: string): Promise<Account> {
  return vi.waitFor(
    async () => {
      const account = await call<Account>('GET', `/accounts/${id}`);
      expect(account).toMatchObject({ sync_status: 'succeeded', last_sync_error: null });
      return account;
    },
    { timeout: 30_000, interval: 200 },
  );
}

async function connect(folder: string): Promise<Account> {
  const { id } = await call<Account>('POST', '/accounts', {
    name: folder,
    provider: 'focus',
    settings: { path: folder },
  });
  return synced(id);
}

/** Waits for the results of evaluations: resources with their costs, tag keys and coverage. */
async function expectEvaluated(costs: readonly number[]): Promise<void> {
  await vi.waitFor(
    async () => {
      const { data } = await call<{ data: { cost_last_30_days: number }[] }>('GET', '/inventory?sort_by=name');
      expect(data.map((resource) => resource.cost_last_30_days).sort()).toEqual(costs);
      const tags = await call<{ data: object[] }>('GET', '/tags');
      expect(tags.data).toMatchObject([{ key: 'team', resource_count: costs.length }]);
    },
    { timeout: 30_000, interval: 200 },
  );
}

async function costsByTeam(): Promise<object> {
  const { groups } = await call<{ groups: { tag_value: string; cost: number }[] }>(
    'GET',
    `/costs/by-tag?tag_key=team&${range}`,
  );
  return Object.fromEntries(groups.map((group) => [group.tag_value, group.cost]));
}

async function costsByResource(): Promise<object> {
  const { rows } = await call<{ rows: { keys: { resource: string }; cost: number }[] }>(
    'GET',
    `/costs?group_by=resource&${range}`,
  );
  return Object.fromEntries(rows.map((row) => [row.keys.resource, row.cost]));
}

describe.skipIf(!isCitus)(
  'Citus cluster (skipped without TEST_CITUS_URL, the URL of a database of the coordinator)',
  () => {
    beforeAll(async () => {
      base = mkdtempSync(path.join(tmpdir(), 'costkeep-citus-'));
      chmodSync(base, 0o711);
      const { user, host, port, database } = (await freshDatabase()).connection;
      server = await spawnServer({
        PATH: process.env['PATH'] ?? '',
        DATABASE_URL: `postgresql://${user}@${host}:${port}/${database}`,
        DATA_DIR: path.join(base, 'data'),
        FOCUS_ROOT: path.join(base, 'bills'),
        PORT: '0',
        LOG_LEVEL: 'error',
        SYNC_CRON: 'off',
        ...Object.fromEntries(limits),
      });
      const person = { email: `${crypto.randomUUID()}@example.com`, password, name: 'Ana', organization_name: 'Plum' };
      token = (await call<{ access_token: string }>('POST', '/auth/register', person)).access_token;
    });
    afterAll(async () => {
      await call('DELETE', '/org', { password });
      await server.stop();
      rmSync(base, { recursive: true, force: true });
    });

    it('loads, evaluates, queries, restates and deletes like PostgreSQL', async () => {
      await deliver('first', '5');
      const first = await connect('first');
      await expectEvaluated([1, 5]);
      expect(await costsByTeam()).toEqual({ web: 5, data: 1 });
      expect(await costsByResource()).toEqual({ 'vm-1': 5, 'vm-2': 1 });

      await deliver('first', '7.5');
      await call('POST', `/accounts/${first.id}/sync`);
      await synced(first.id);
      await expectEvaluated([1, 7.5]);
      expect(await costsByTeam()).toEqual({ web: 7.5, data: 1 });
      expect(await costsByResource()).toEqual({ 'vm-1': 7.5, 'vm-2': 1 });

      await deliver('second', '2');
      const second = await connect('second');
      expect(second.sync_warnings).toEqual([
        expect.stringMatching(/^Sub-account "111" is also billed in another account/),
      ]);
      await expectEvaluated([1, 1, 2, 7.5]);

      await call('DELETE', `/accounts/${first.id}?purge=true`);
      await expectEvaluated([1, 2]);
      expect(await costsByTeam()).toEqual({ web: 2, data: 1 });
      expect(await costsByResource()).toEqual({ 'vm-1': 2, 'vm-2': 1 });
    });
  },
);
