import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { aLine, runDuck } from '../../support/focus.ts';
import { readFacts } from '../../support/read-facts.ts';
import { aWorld } from '../../support/world.ts';
import { essentials } from '../../support/essentials.ts';
import { anAccounting, type AccountBody, type ErrorBody } from './world.ts';

interface PageBody {
  data: AccountBody[];
  pagination: { page: number; per_page: number; total: number; total_pages: number };
}

const noCredentials = 'credentials are not needed for a local folder or uploads; leave the field out';
const noPlace =
  'settings.path is required for provider focus, or settings.bucket, or settings.storage_account: the folder of the export under FOCUS_ROOT, or its object store; or settings.source uploads, to upload files';
const nobody = '01890000-0000-7000-8000-000000000001';
const total = async (call: Awaited<ReturnType<typeof anAccounting>>['call']) => {
  const { body } = await call<{ total_cost: number }>(
    'GET',
    '/costs/summary?start_date=2026-05-01&end_date=2026-06-30',
  );
  return body.total_cost;
};

describe('connecting an account', () => {
  it('returns the account with its first sync queued, and audits it', async () => {
    const { connect, deps } = await anAccounting();
    const account = await connect('./may/', ' Plum bills ');
    expect(account).toMatchObject({
      name: 'Plum bills',
      provider: 'focus',
      external_id: 'may',
      status: 'connected',
      sync_status: 'queued',
      sync_progress: { phase: null, percent: 0, rows: 0 },
      last_synced_at: null,
      last_sync_error: null,
      data_from: null,
      currency: null,
      settings: { path: 'may' },
    });
    const entry = await deps.db.auditEntry.findFirstOrThrow({ where: { action: 'account_connected' } });
    expect(entry).toMatchObject({ resourceType: 'account', resourceId: account.id, accountId: account.id });
  });

  it('rejects a second account for the same folder, however the path is written', async () => {
    const { call, connect } = await anAccounting();
    const { id } = await connect('may');
    const again = { name: 'Again', provider: 'focus', settings: { path: 'may/.' } };
    const answer = await call<ErrorBody>('POST', '/accounts', again);
    const message = `settings.path belongs to "may", which is already connected as account "${id}"; use that account`;
    const said = { code: 'CONFLICT', message, field: 'settings.path', remedy: 'use that account', resource_id: id };
    expect([answer.status, answer.body.error]).toMatchObject([409, said]);
  });

  it.each(['.', 'may/a.csv', 'link', 'link/a.csv'])(
    'rejects %s, which shares files with a connected folder and would count them twice',
    async (shared) => {
      const { call, connect, root } = await anAccounting();
      symlinkSync(path.join(root, 'may'), path.join(root, 'link'));
      await connect('may');
      const answer = await call<ErrorBody>('POST', '/accounts', {
        name: 'Again',
        provider: 'focus',
        settings: { path: shared },
      });
      expect([answer.status, answer.body.error.code]).toEqual([409, 'CONFLICT']);
      expect(answer.body.error.message).toMatch(/shares files with "may"|"may", which is already connected/);
    },
  );

  it('accepts a folder whose name only starts like another one', async () => {
    const { call, connect, put } = await anAccounting();
    await connect('may');
    await put('may-2/a.csv', [aLine({ day: '2026-05-03', cost: '7' })]);
    const body = { name: 'May 2', provider: 'focus', settings: { path: 'may-2' } };
    expect((await call('POST', '/accounts', body)).status).toBe(201);
  });

  it('lets exactly one of several concurrent requests succeed', async () => {
    const { call } = await anAccounting();
    const body = { name: 'Twin', provider: 'focus', settings: { path: 'may' } };
    const answers = await Promise.all([1, 2, 3, 4].map(() => call('POST', '/accounts', body)));
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([201, 409, 409, 409]);
  });

  it.each<[object, string]>([
    [{ name: ' ', provider: 'focus', settings: { path: 'may' } }, 'name must not be empty; give the account a name'],
    [
      { name: 'x'.repeat(101), provider: 'focus', settings: { path: 'may' } },
      'name has 101 characters; at most 100 are allowed',
    ],
    [
      { name: 'a\nb', provider: 'focus', settings: { path: 'may' } },
      'name must be one line without control characters',
    ],
    [{ name: 'A', provider: 'focus' }, noPlace],
    [{ name: 'A', provider: 'focus', settings: {} }, noPlace],
    [{ name: 'A', provider: 'focus', settings: { path: 'may' }, credentials: { role_arn: 'x' } }, noCredentials],
    [
      { name: 'A', provider: 'focus', settings: { path: 'may', prefix: 'x' } },
      'settings.prefix is not valid for a local folder; use path',
    ],
    [
      { name: 'A', provider: 'aws', settings: { path: 'may' }, credentials: { role_arn: 'x' } },
      'settings.path is not valid for provider aws; use bucket, prefix, export_name, region',
    ],
    [
      { name: 'A', provider: 'focus', settings: { path: 'may', bucket: '' } },
      'settings.bucket "" is blank; give a value, or leave it out',
    ],
    [
      { name: 'A', provider: 'aws', settings: { export_name: ' ' }, credentials: { role_arn: 'x' } },
      'settings.export_name " " is blank; give a value, or leave it out',
    ],
    [
      { name: 'A', provider: 'aws', settings: {}, credentials: { role_arn: 'x', access_key_id: '' } },
      'credentials.access_key_id "" is blank; give a value, or leave it out',
    ],
    [
      { name: 'A', provider: 'focus', settings: { path: '../may' } },
      'settings.path "../may" contains ".."; specify a folder or file under FOCUS_ROOT',
    ],
    [
      { name: 'A', provider: 'focus', settings: { path: 'may/../../etc' } },
      'settings.path "may/../../etc" contains ".."; specify a folder or file under FOCUS_ROOT',
    ],
    [
      { name: 'A', provider: 'focus', settings: { path: '/etc' } },
      'settings.path "/etc" is absolute; give it relative to FOCUS_ROOT',
    ],
    [
      { name: 'A', provider: 'focus', settings: { path: 'c:\\bills' } },
      'settings.path "c:\\\\bills" is absolute; give it relative to FOCUS_ROOT',
    ],
    [
      { name: 'A', provider: 'focus', settings: { path: 'nowhere' } },
      'settings.path "nowhere" does not exist under FOCUS_ROOT; check its spelling, or create it',
    ],
    [
      { name: 'A', provider: 'focus', settings: { path: 'out' } },
      'settings.path "out" is a symbolic link that leaves FOCUS_ROOT; copy the files under the root instead',
    ],
    [
      { name: 'A', provider: 'focus', settings: { path: 'out/secret' } },
      'settings.path "out/secret" is a symbolic link that leaves FOCUS_ROOT; copy the files under the root instead',
    ],
    [
      { name: 'A', provider: 'focus', settings: { path: 'sly' } },
      '"out.csv" is a symbolic link that leaves FOCUS_ROOT; copy the files under the root instead',
    ],
  ])('rejects %j', async (body, message) => {
    const { call, root } = await anAccounting();
    const outside = path.join(tmpdir(), `costkeep-outside-${process.pid}`);
    mkdirSync(path.join(outside, 'secret'), { recursive: true });
    writeFileSync(path.join(outside, 'a.csv'), 'secret');
    symlinkSync(outside, path.join(root, 'out'));
    mkdirSync(path.join(root, 'sly'));
    symlinkSync(path.join(outside, 'a.csv'), path.join(root, 'sly/out.csv'));
    const answer = await call<ErrorBody>('POST', '/accounts', body);
    rmSync(outside, { recursive: true });
    expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(answer.body.error.message).toBe(message);
    expect((await call<PageBody>('GET', '/accounts')).body.pagination.total).toBe(0);
  });

  it('rejects every path without FOCUS_ROOT', async () => {
    const { rest, register } = await aWorld();
    const { token } = await register();
    const body = { name: 'A', provider: 'focus', settings: { path: 'may' } };
    const answer = await rest<ErrorBody>('POST', '/accounts', { token, body });
    expect(answer.status).toBe(400);
    expect(answer.body.error.message).toMatch(/^Local paths are disabled; start the server with FOCUS_ROOT set/);
  });
});

describe('sync', () => {
  it('goes from queued to succeeded, then reports the period and currency of the data', async () => {
    const { connect, work, until, call } = await anAccounting();
    const { id } = await connect('may');
    await work();
    const done = await until(id, 'succeeded');
    expect(done).toMatchObject({
      sync_progress: null,
      last_sync_error: null,
      data_from: '2026-05-03',
      data_to: '2026-05-03',
      complete_through: '2026-05-03',
      currency: 'USD',
    });
    expect(Date.parse(done.last_synced_at ?? '')).toBeGreaterThan(Date.parse(done.created_at));
    expect(await total(call)).toBe(7);
  });

  it('reports phase, percent and rows while it runs, and runs once at a time', async () => {
    const { connect, work, until, call, put } = await anAccounting();
    const lines = Array.from({ length: 40_000 }, (_, index) => aLine({ day: '2026-05-03', ResourceId: `vm-${index}` }));
    await put('large/a.csv', lines);
    const { id } = await connect('large');
    await work();
    const running = await until(id, 'running');
    expect(['listing', 'reading', 'loading']).toContain(running.sync_progress?.phase);
    expect(running.sync_progress?.percent).toBeLessThanOrEqual(90);
    const again = await call('POST', `/accounts/${id}/sync`);
    expect([again.status, again.body.id]).toEqual([202, id]);
    await until(id, 'succeeded');
    expect(await total(call)).toBe(40_000);
  });

  it('returns 202 with the queued sync when requested again, without another job or audit entry', async () => {
    const { connect, call, deps } = await anAccounting();
    const { id } = await connect('may');
    for (const _time of [1, 2]) {
      const answer = await call('POST', `/accounts/${id}/sync`);
      expect([answer.status, answer.body.sync_status]).toEqual([202, 'queued']);
    }
    expect(await deps.db.auditEntry.count({ where: { action: 'sync_requested' } })).toBe(0);
    const { rows } = await deps.pool.query('SELECT count(*)::int AS jobs FROM graphile_worker.jobs');
    expect(rows).toEqual([{ jobs: 1 }]);
  });

  it('reports file, row and column of an error, keeps the last good load, and clears the error once fixed', async () => {
    const { connect, work, until, call, put } = await anAccounting();
    const { id } = await connect('may');
    await work();
    const first = await until(id, 'succeeded');
    await put('may/a.csv', [aLine({ day: '2026-05-03', BilledCost: 'x' })]);
    await call('POST', `/accounts/${id}/sync`);
    expect(await until(id, 'failed')).toMatchObject({
      sync_progress: null,
      last_synced_at: first.last_synced_at,
      last_sync_error: 'a.csv, row 2, column BilledCost: "x" is not a decimal number',
    });
    expect(await total(call)).toBe(7);
    await put('may/a.csv', [aLine({ day: '2026-05-03', cost: '8' })]);
    await call('POST', `/accounts/${id}/sync`);
    expect(await until(id, 'succeeded')).toMatchObject({ last_sync_error: null });
    expect(await total(call)).toBe(8);
  });

  it('fails with a reason when the folder is gone', async () => {
    const { connect, work, until, root } = await anAccounting();
    const { id } = await connect('may');
    rmSync(path.join(root, 'may'), { recursive: true });
    await work();
    expect(await until(id, 'failed')).toMatchObject({
      last_sync_error: 'settings.path "may" does not exist under FOCUS_ROOT; check its spelling, or create it',
    });
  });

  it('continues in another worker when its own stops', async () => {
    const { connect, work, until, call, root } = await anAccounting();
    // Large enough to outlast the grace period.
    const deliver = (lines: number) =>
      runDuck(`COPY (SELECT 1 AS BilledCost, 1 AS EffectiveCost, 1 AS ListCost, 1 AS ContractedCost, 'USD' AS BillingCurrency,
      DATE '2026-05-01' AS BillingPeriodStart, DATE '2026-05-03' AS ChargePeriodStart, 'Usage' AS ChargeCategory, 'S' AS ServiceName,
      'AWS' AS ProviderName, i::VARCHAR AS ResourceId FROM range(${lines}) t(i)) TO '${root}/large.parquet'`);
    await deliver(500_000);
    const { id } = await connect('large.parquet');
    const stop = await work();
    await until(id, 'running');
    await stop();
    expect((await call('GET', `/accounts/${id}`)).body).toMatchObject({ sync_status: 'queued', last_sync_error: null });
    // Shortens the wait: a resumed sync starts from the beginning.
    await deliver(5_000);
    await work();
    await until(id, 'succeeded');
    expect(await total(call)).toBe(5_000);
  }, 120_000);

  it('is queued once for every connected account by the schedule', async () => {
    const { connect, work, until, call, deps } = await anAccounting();
    const { id } = await connect('may');
    const other = await connect('june');
    await work();
    await until(id, 'succeeded');
    const { last_synced_at: first } = await until(other.id, 'succeeded');
    await call('DELETE', `/accounts/${id}`);
    await deps.queue.add('sync_all', {});
    // This follows the evaluation of the first load.
    await vi.waitFor(
      async () => {
        const { body } = await call('GET', `/accounts/${other.id}`);
        expect(body.last_synced_at).not.toBe(first);
      },
      { timeout: 15_000 },
    );
    expect((await call('GET', `/accounts/${id}`)).body.sync_status).toBe('succeeded');
  });

  it('can be cancelled while it is queued', async () => {
    const { connect, work, until, call, deps } = await anAccounting();
    const { id } = await connect('may');
    expect((await call('DELETE', `/accounts/${id}/sync`)).status).toBe(204);
    expect(await until(id, 'cancelled')).toMatchObject({ sync_progress: null, last_synced_at: null });
    expect((await deps.pool.query('SELECT 1 FROM graphile_worker.jobs')).rowCount).toBe(0);
    const again = await call<ErrorBody>('DELETE', `/accounts/${id}/sync`);
    expect([again.status, again.body.error.message]).toEqual([409, `Account "${id}" has no queued or running sync`]);
    expect((await call('POST', `/accounts/${id}/sync`)).body.sync_status).toBe('queued');
    await work();
    await until(id, 'succeeded');
  });

  it('can be cancelled while it runs, and runs again on request', async () => {
    const { connect, work, until, call, put } = await anAccounting();
    const lines = Array.from({ length: 60_000 }, (_, index) => aLine({ day: '2026-05-03', ResourceId: `vm-${index}` }));
    await put('large/a.csv', lines);
    const { id } = await connect('large');
    await work();
    await until(id, 'running');
    expect((await call('DELETE', `/accounts/${id}/sync`)).status).toBe(204);
    expect(await until(id, 'cancelled')).toMatchObject({ sync_progress: null, data_from: null });
    // Shortens the wait, and shows that the cancelled sync left nothing of the 60,000 lines.
    await put('large/a.csv', lines.slice(0, 7));
    await call('POST', `/accounts/${id}/sync`);
    await until(id, 'succeeded');
    expect(await total(call)).toBe(7);
  });
});

describe('updating an account', () => {
  it('renames without a sync', async () => {
    const { connect, work, until, call } = await anAccounting();
    const { id } = await connect('may');
    await work();
    await until(id, 'succeeded');
    const answer = await call('PATCH', `/accounts/${id}`, { name: 'New name' });
    expect([answer.status, answer.body.name, answer.body.sync_status]).toEqual([200, 'New name', 'succeeded']);
  });

  it('rejects an empty body and changes nothing', async () => {
    const { connect, call } = await anAccounting();
    const before = await connect('may');
    const answer = await call<ErrorBody>('PATCH', `/accounts/${before.id}`, {});
    expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect((await call('GET', `/accounts/${before.id}`)).body).toEqual(before);
  });

  it('rejects a blank setting and changes nothing', async () => {
    const { connect, call } = await anAccounting();
    const before = await connect('may');
    const answer = await call<ErrorBody>('PATCH', `/accounts/${before.id}`, { settings: { bucket: '' } });
    expect([answer.status, answer.body.error.message]).toEqual([
      400,
      'settings.bucket "" is blank; give a value, or leave it out',
    ]);
    expect((await call('GET', `/accounts/${before.id}`)).body).toEqual(before);
  });

  it('accepts another folder and syncs it', async () => {
    const { connect, work, until, call } = await anAccounting();
    const { id } = await connect('may');
    await work();
    await until(id, 'succeeded');
    const answer = await call('PATCH', `/accounts/${id}`, { settings: { path: 'june' } });
    expect([answer.body.external_id, answer.body.settings.path]).toEqual(['june', 'june']);
    await until(id, 'succeeded');
    expect((await call('GET', `/accounts/${id}`)).body).toMatchObject({
      data_from: '2026-05-03',
      data_to: '2026-06-03',
    });
  });

  it.each<[object, number, string]>([
    [{ name: '' }, 400, 'name must not be empty; give the account a name'],
    [{ name: null }, 400, 'name must not be empty; give the account a name'],
    [{ settings: null }, 400, 'settings cannot be null; leave the field out to keep them'],
    [{ settings: {} }, 400, 'settings is empty; send at least one setting'],
    [{ settings: { path: '..' } }, 400, 'settings.path ".." contains ".."; specify a folder or file under FOCUS_ROOT'],
    [{ credentials: { role_arn: 'x' } }, 400, noCredentials],
  ])('rejects %j', async (body, status, message) => {
    const { connect, call } = await anAccounting();
    const { id } = await connect('may');
    const answer = await call<ErrorBody>('PATCH', `/accounts/${id}`, body);
    expect([answer.status, answer.body.error.message]).toEqual([status, message]);
  });

  it('rejects the folder of another account', async () => {
    const { connect, call } = await anAccounting();
    const may = await connect('may');
    const june = await connect('june');
    const answer = await call<ErrorBody>('PATCH', `/accounts/${june.id}`, { settings: { path: 'may' } });
    expect([answer.status, answer.body.error.message]).toEqual([
      409,
      `settings.path belongs to "may", which is already connected as account "${may.id}"; use that account`,
    ]);
  });
});

describe('disconnecting an account', () => {
  it('keeps its history in the costs, hides it from the list, and allows reconnecting with PATCH', async () => {
    const { connect, work, until, call } = await anAccounting();
    const { id } = await connect('may');
    await work();
    await until(id, 'succeeded');
    expect((await call('DELETE', `/accounts/${id}`)).status).toBe(204);
    expect((await call('GET', `/accounts/${id}`)).body.status).toBe('disconnected');
    expect((await call<PageBody>('GET', '/accounts')).body.data).toEqual([]);
    expect((await call<PageBody>('GET', '/accounts?status=disconnected')).body.data.map((each) => each.id)).toEqual([
      id,
    ]);
    expect(await total(call)).toBe(7);
    expect((await call('POST', `/accounts/${id}/sync`)).status).toBe(409);
    const again = await call('PATCH', `/accounts/${id}`, { settings: { path: 'may' } });
    expect(again.body.status).toBe('connected');
    expect(['queued', 'running', 'succeeded']).toContain(again.body.sync_status);
    await until(id, 'succeeded');
  });

  it('refers to the disconnected account when the same folder is connected again', async () => {
    const { connect, call } = await anAccounting();
    const { id } = await connect('may');
    await call('DELETE', `/accounts/${id}`);
    const answer = await call<ErrorBody>('POST', '/accounts', {
      name: 'A',
      provider: 'focus',
      settings: { path: 'may' },
    });
    expect([answer.status, answer.body.error.message]).toEqual([
      409,
      `settings.path belongs to "may", which is already connected as account "${id}"; reconnect that one with PATCH /accounts/{id}`,
    ]);
  });

  it('deletes all data of the account with purge, and none of another account', async () => {
    const { connect, work, until, call, deps } = await anAccounting();
    const { id } = await connect('may');
    const other = await connect('june');
    const stop = await work();
    await until(id, 'succeeded');
    await until(other.id, 'succeeded');
    expect((await call('DELETE', `/accounts/${id}?purge=true`)).status).toBe(204);
    expect((await call('GET', `/accounts/${id}`)).status).toBe(404);
    for (const table of ['cost_rollups', 'services', 'tag_pairs', 'billing_periods', 'source_files']) {
      const { rows } = await deps.pool.query(`SELECT DISTINCT account_id FROM ${table} WHERE account_id = $1`, [id]);
      expect(rows, table).toEqual([]);
    }
    const count = 'SELECT count(*)::INT AS facts FROM facts';
    expect(await readFacts(deps, other.id, count)).toEqual([{ facts: 1 }]);
    const { rows: retired } = await deps.pool.query<{ key: string }>('SELECT key FROM retired_fact_files');
    expect(retired.map(({ key }) => key.split('/')[0])).toEqual([id, id]);
    await stop();
    expect((await connect('may')).sync_status).toBe('queued');
  });

  it('stops the running sync', async () => {
    const { connect, work, until, call, put } = await anAccounting();
    await put(
      'large/a.csv',
      Array.from({ length: 60_000 }, (_, index) => aLine({ day: '2026-05-03', ResourceId: `vm-${index}` })),
    );
    const { id } = await connect('large');
    await work();
    await until(id, 'running');
    expect((await call('DELETE', `/accounts/${id}`)).status).toBe(204);
    expect(await until(id, 'cancelled', 'failed')).toMatchObject({ status: 'disconnected', data_from: null });
    expect(await total(call)).toBe(0);
  });
});

describe('account list', () => {
  it('sorts, filters and paginates', async () => {
    const { connect, call, put } = await anAccounting();
    await put('july/a.csv', [aLine()]);
    const may = await connect('may', 'b');
    const june = await connect('june', 'C');
    const july = await connect('july', 'A');
    await call('DELETE', `/accounts/${june.id}/sync`);
    const ids = async (query: string) =>
      (await call<PageBody>('GET', `/accounts?${query}`)).body.data.map((each) => each.id);
    expect(await ids('')).toEqual([july.id, june.id, may.id]);
    expect(await ids('sort_by=name')).toEqual([july.id, may.id, june.id]);
    expect(await ids('sort_by=-name')).toEqual([june.id, may.id, july.id]);
    expect(await ids('sort_by=created_at')).toEqual([may.id, june.id, july.id]);
    expect(await ids('sort_by=last_synced_at')).toHaveLength(3);
    expect(await ids('sync_status=cancelled')).toEqual([june.id]);
    expect(await ids('sync_status=queued,cancelled&sort_by=name')).toEqual([july.id, may.id, june.id]);
    expect(await ids('provider=aws')).toEqual([]);
    expect(await ids('provider=focus&status=connected')).toHaveLength(3);
    const page = await call<PageBody>('GET', '/accounts?page=2&per_page=2&sort_by=name');
    expect(page.body).toMatchObject({
      data: [{ id: june.id }],
      pagination: { page: 2, per_page: 2, total: 3, total_pages: 2 },
    });
    const refused = await call<ErrorBody>('GET', '/accounts?sort_by=colour');
    expect([refused.status, refused.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
  });

  it.each(['GET', 'PATCH', 'DELETE'])('returns 404 to %s for an unknown id and for an invalid one', async (method) => {
    const { call } = await anAccounting();
    for (const id of [nobody, 'x', '%F0%9F%98%80']) {
      const answer = await call<ErrorBody>(method, `/accounts/${id}`, method === 'PATCH' ? { name: 'A' } : undefined);
      expect([answer.status, answer.body.error.code]).toEqual([404, 'NOT_FOUND']);
    }
  });

  it('shows another organization no accounts', async () => {
    const { connect, register, rest } = await anAccounting();
    const { id } = await connect('may');
    const { token } = await register({ email: 'eve@example.com' });
    expect((await rest<PageBody>('GET', '/accounts', { token })).body.data).toEqual([]);
    for (const [method, at] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/sync'],
      ['DELETE', '/sync'],
    ] as const)
      expect((await rest(method, `/accounts/${id}${at}`, { token })).status, `${method} ${at}`).toBe(404);
  });
});

describe('roles', () => {
  it.each(['member', 'viewer'] as const)('let a %s view accounts but not change them', async (role) => {
    const { connect, call, become } = await anAccounting();
    const { id } = await connect('may');
    await become(role);
    expect((await call('GET', `/accounts/${id}`)).status).toBe(200);
    expect((await call('GET', '/accounts/setup?provider=aws')).status).toBe(200);
    const attempts: [string, string, object?][] = [
      ['POST', '/accounts', { name: 'A', provider: 'focus', settings: { path: 'june' } }],
      ['PATCH', `/accounts/${id}`, { name: 'A' }],
      ['DELETE', `/accounts/${id}`],
      ['POST', `/accounts/${id}/sync`],
      ['DELETE', `/accounts/${id}/sync`],
    ];
    for (const [method, at, body] of attempts) {
      const answer = await call<ErrorBody>(method, at, body);
      expect([method, at, answer.status, answer.body.error.code]).toEqual([method, at, 403, 'FORBIDDEN']);
    }
  });

  it('show a restricted Admin only their own accounts, including those they connect', async () => {
    const { connect, call, become } = await anAccounting();
    const hidden = await connect('may');
    await become('admin', []);
    const own = await connect('june');
    expect((await call<PageBody>('GET', '/accounts')).body.data.map((each) => each.id)).toEqual([own.id]);
    expect((await call('GET', `/accounts/${hidden.id}`)).status).toBe(404);
    const taken = await call<ErrorBody>('POST', '/accounts', {
      name: 'A',
      provider: 'focus',
      settings: { path: 'may' },
    });
    const said = 'settings.path belongs to "may", which is already connected';
    expect([taken.status, taken.body.error.message]).toEqual([409, said]);
  });

  it('reveal nothing to a restricted Admin about an account that their source overlaps', async () => {
    const { connect, call, become, gql, put, token } = await anAccounting();
    await put('may/part/a.csv', [aLine({ day: '2026-05-04', cost: '1' })]);
    await connect('may');
    await become('admin', []);
    const input = { name: 'A', provider: 'focus', settings: { path: 'may/part' } };
    const refused = await call<ErrorBody>('POST', '/accounts', input);
    const message = 'settings.path belongs to "may/part", which is already connected';
    const error = { code: 'CONFLICT', field: 'settings.path', message, status: 409 };
    expect([refused.status, essentials(refused.body)]).toEqual([409, { error }]);
    const mutation = 'mutation ($input: ConnectAccountInput!) { connectAccount(input: $input) { id } }';
    const { body } = await gql(mutation, { input: { ...input, provider: 'FOCUS' } }, token);
    const extensions = { code: 'CONFLICT', field: 'input.settings.path' };
    expect(body.errors).toMatchObject([{ message: `input.${message}`, extensions }]);
  });

  it('limit exchange rates to the currencies of the accounts of a restricted user', async () => {
    const { connect, call, become, gql, until, work, token } = await anAccounting();
    await work();
    // The first bill decides the currency of the organization: USD.
    const may = await until((await connect('may')).id, 'succeeded');
    const june = await until((await connect('june')).id, 'succeeded');
    const [eur, jpy] = ['EUR', 'JPY'].map((from) => ({ month: '2026-06', from, to: 'USD', rate: 1.1 }));
    await call('PUT', '/org/exchange-rates', { rates: [eur, jpy] });
    const typed = (rate: object | undefined) => ({ ...rate, source: 'typed', provisional: false });
    const seen = async (ids?: string[]) => {
      await become('admin', ids);
      const { body } = await gql('{ exchangeRates { rates { from } } }', {}, token);
      const rest = await call<{ rates: unknown[] }>('GET', '/org/exchange-rates');
      return [rest.body.rates, body.data];
    };
    const both = [typed(eur), typed(jpy)];
    expect(await seen()).toEqual([both, { exchangeRates: { rates: [{ from: 'EUR' }, { from: 'JPY' }] } }]);
    expect(await seen([june.id])).toEqual([[typed(eur)], { exchangeRates: { rates: [{ from: 'EUR' }] } }]);
    expect(await seen([may.id])).toEqual([[], { exchangeRates: { rates: [] } }]);
    const refused = await call<ErrorBody>('PUT', '/org/exchange-rates', { rates: [{ ...eur, to: 'JPY' }] });
    const message = 'rates[0].from "EUR" is not a currency of your accounts (USD)';
    expect([refused.status, essentials(refused.body.error)]).toEqual([
      403,
      { code: 'FORBIDDEN', field: 'rates[0].from', message: expect.stringContaining(message), status: 403 },
    ]);
    expect(await seen([june.id])).toEqual([[typed(eur)], { exchangeRates: { rates: [{ from: 'EUR' }] } }]);
    const rates = [{ ...eur, rate: 1.2 }];
    const set = await call<{ rates: unknown[] }>('PUT', '/org/exchange-rates', { rates });
    expect(set.body.rates).toEqual(rates.map(typed));
    const mixed = await call<ErrorBody>('PUT', '/org/exchange-rates', { rates: [eur, { ...jpy, rate: null }] });
    expect([mixed.status, mixed.body.error]).toMatchObject([403, { field: 'rates[1].from' }]);
    expect((await seen())[0]).toEqual([...rates, jpy].map(typed));
  });
});
