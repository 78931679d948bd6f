import fs from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { demoOrigin } from '../../../src/demo/organization/tenant.ts';
import { finishPurge, purgeAccount } from '../../../src/ingest/accounts/purge.ts';
import { disconnectAccount } from '../../../src/ingest/accounts/run.ts';
import type { Deps } from '../../../src/kit/deps.ts';
import { newId } from '../../../src/kit/ids.ts';
import { orgScope, type Viewer } from '../../../src/tenancy/auth/scope.ts';
import { anAccounting, type Accounting, type ErrorBody } from './world.ts';

/** Waits until a statement waits for a lock. */
async function waiting({ pool }: Pick<Deps, 'pool'>, statement: string): Promise<void> {
  const find = () =>
    pool.query(`SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE $1`, [statement]);
  await expect.poll(async () => (await find()).rows.length, { timeout: 30_000 }).toBeGreaterThan(0);
}

const deadlock = Object.assign(new Error('deadlock detected'), { code: '40P01' });

/** A schedule about an account. */
const scheduleOf = (id: string) => ({
  name: 'Bills',
  type: 'cost_summary',
  format: 'csv',
  frequency: 'daily',
  hour: 7,
  filters: { account_id: [id] },
});

describe('a deleted account', () => {
  it('is removed from the access of members and invitations', async () => {
    const { connect, call, become, deps } = await anAccounting();
    const [one, two] = [await connect('may'), await connect('june')];
    await become('admin', [one.id, two.id]);
    const invite = { emails: ['bea@example.com'], role: 'viewer', account_access: [one.id, two.id] };
    await call('POST', '/org/invite', invite);
    await call('DELETE', `/accounts/${one.id}?purge=true`);
    const me = await call<{ account_access: string[] }>('GET', '/auth/me');
    expect(me.body.account_access).toEqual([two.id]);
    expect(await deps.db.invite.findMany({ select: { accountAccess: true } })).toEqual([{ accountAccess: [two.id] }]);
  });

  it('is removed from the access that an earlier version left, by the migration', async () => {
    const { connect, call, become, deps } = await anAccounting();
    const [one, two] = [await connect('may'), await connect('june')];
    const gone = '01890000-0000-7000-8000-00000000000a';
    await become('admin', [two.id, one.id]);
    await call('POST', '/org/invite', { emails: ['bea@example.com'], role: 'viewer', account_access: [one.id] });
    await deps.db.membership.updateMany({ data: { accountAccess: [two.id, gone, one.id] } });
    await deps.db.invite.updateMany({ data: { accountAccess: [gone] } });
    const migration = 'prisma/migrations/20261129060900_access_of_deleted_accounts/migration.sql';
    for (const statement of fs
      .readFileSync(migration, 'utf8')
      .split(/;\n/)
      .filter((text) => text.trim() !== ''))
      await deps.db.$executeRawUnsafe(statement);
    const access = { select: { accountAccess: true } };
    expect(await deps.db.membership.findMany(access)).toEqual([{ accountAccess: [two.id, one.id] }]);
    expect(await deps.db.invite.findMany(access)).toEqual([{ accountAccess: [] }]);
  });

  it('is removed with the views and dashboards about it alone, including private ones, but stays in other views', async () => {
    const { connect, call, become, deps } = await anAccounting();
    const [{ id: one }, { id: two }] = [await connect('may'), await connect('june')];
    const view = async (name: string, query: object, visibility = 'organization') => {
      const { body } = await call<{ id: string }>('POST', '/views', { name, page: 'costs', query, visibility });
      return { view_id: body.id };
    };
    const dashboard = async (name: string, contents: readonly object[], visibility = 'organization') => {
      const widgets = contents.map((content, index) => ({ ...content, chart: 'bar', x: 0, y: index * 4, w: 6, h: 4 }));
      expect((await call('POST', '/dashboards', { name, widgets, visibility })).status).toBe(201);
    };
    const [ofOne, ofOneToo] = [await view('One', { account: one }), await view('Private', { account: one }, 'private')];
    const ofBoth = await view('Both', { account: [one, two], group: 'service' });
    const [ofTwo, ofAll] = [await view('Two', { account: two }), await view('All', { '-account': one })];
    await dashboard('One', [ofOne, { query: { account: one } }]);
    await dashboard('Private', [ofOneToo], 'private');
    await dashboard('One and both', [ofOne, ofBoth]);
    await dashboard('One and two', [ofOne, ofTwo]);
    await dashboard('One and all', [ofOne, ofAll]);
    await dashboard('Empty', []);
    await become('admin', [one, two]);
    expect((await call('DELETE', `/accounts/${one}?purge=true`)).status).toBe(204);
    const order = { orderBy: { name: 'asc' } } as const;
    const views = await deps.db.savedView.findMany({ ...order, select: { name: true, query: true, accountIds: true } });
    expect(views).toEqual([
      { name: 'All', query: { '-account': [one] }, accountIds: [] },
      { name: 'Both', query: { account: [one, two], group: ['service'] }, accountIds: [one, two] },
      { name: 'Two', query: { account: [two] }, accountIds: [two] },
    ]);
    const dashboards = await deps.db.dashboard.findMany({ ...order, select: { name: true } });
    expect(dashboards.map(({ name }) => name)).toEqual(['Empty', 'One and all', 'One and both', 'One and two']);
  });

  /** Requests the purge of an account on a server that is killed after a number of its transactions. */
  async function killedPurge({ deps, connect }: Accounting, transactions = 0) {
    const { id } = await connect('may');
    const { organizationId } = await deps.db.account.findFirstOrThrow({ where: { id } });
    const { userId } = await deps.db.membership.findFirstOrThrow();
    const actor = { ...demoOrigin, organizationId, userId, email: 'ana@example.com' };
    const scope = orgScope(organizationId, null);
    const begin = vi.fn<() => Promise<unknown>>(() => Promise.reject(new Error('killed')));
    for (let count = 0; count < transactions; count += 1) begin.mockImplementationOnce(() => deps.pool.connect());
    const killed = { ...deps, pool: { connect: begin } } as unknown as typeof deps;
    const deleting = disconnectAccount(killed, { scope } as Viewer, actor, { id, purge: true });
    await expect(deleting).rejects.toThrow('killed');
    return { id, scope, job: { organizationId, accountId: id } };
  }

  it.each([
    ['is deleted by a job if the server was killed before', 'disconnected', 0],
    ['is kept by such a job if it is connected', 'connected', 1],
  ] as const)('%s', async (_title, status, kept) => {
    const accounting = await anAccounting();
    const { deps } = accounting;
    const { id, scope, job } = await killedPurge(accounting);
    expect(await deps.queue.pending('purge_account', [job])).toEqual([job]);
    await deps.db.account.update({ where: { id }, data: { status } });
    await finishPurge(deps, scope, id);
    expect(await deps.db.account.count({ where: { id } })).toBe(kept);
  });

  it.each([0, 1])('cannot be connected again if the server was killed after %i transactions', async (transactions) => {
    const accounting = await anAccounting();
    const { deps, call, connect } = accounting;
    const { id, scope } = await killedPurge(accounting, transactions);
    const refused = await call<ErrorBody>('PATCH', `/accounts/${id}`, { settings: { path: 'may' } });
    expect([refused.status, refused.body.error.message]).toEqual([
      409,
      `Account "${id}" is being deleted with its data, which takes a few minutes at most; connect it again with POST /accounts when it is gone`,
    ]);
    expect(await deps.db.account.findFirst()).toMatchObject({ id, status: 'disconnected' });
    await finishPurge(deps, scope, id);
    expect((await connect('may')).id).not.toBe(id);
  });

  it('cannot be connected again while its purge is requested', async () => {
    const { connect, call, deps } = await anAccounting();
    const { id } = await connect('may');
    const { organizationId } = await deps.db.account.findFirstOrThrow({ where: { id } });
    const job = { organizationId, accountId: id };
    const answer = await deps.db.$transaction(async (tx) => {
      await deps.queue.add('purge_account', job, { within: tx, runAt: new Date(Date.now() + 60_000) });
      await tx.account.update({ where: { id }, data: { status: 'disconnected' } });
      const connected = call('PATCH', `/accounts/${id}`, { settings: { path: 'may' } });
      await waiting(deps, '%UPDATE%accounts%');
      return { connected };
    });
    expect((await answer.connected).status).toBe(409);
    expect(await deps.db.account.findFirst()).toMatchObject({ id, status: 'disconnected' });
  });

  it('has no costs in any query from the moment at which the first are deleted', async () => {
    const { connect, call, work, until, deps } = await anAccounting();
    const { id } = await connect('may');
    await work();
    await until(id, 'succeeded');
    const { organizationId } = await deps.db.account.findFirstOrThrow({ where: { id } });
    const totals = async () => {
      const range = 'start_date=2026-05-01&end_date=2026-05-31';
      const groups = ['service', 'invoice', 'resource'].flatMap((group) =>
        ['none', 'monthly', 'daily'].map((granularity) => `group_by=${group}&granularity=${granularity}`),
      );
      const answers = await Promise.all(
        groups.map((query) => call<{ total_cost: number }>('GET', `/costs?${range}&${query}`)),
      );
      const { body } = await call<{ pagination: { total: number } }>('GET', '/invoices');
      return {
        costs: [...new Set(answers.map(({ body: { total_cost } }) => total_cost))],
        bills: body.pagination.total,
      };
    };
    expect(await totals()).toEqual({ costs: [7], bills: 1 });
    const purged = await deps.db.$transaction(async (tx) => {
      await tx.accountSync.updateMany({ where: { accountId: id }, data: { finishedAt: deps.clock.now() } });
      const purge = purgeAccount(deps, orgScope(organizationId, null), id);
      await waiting(deps, '%deleteAccountSync %');
      expect(await totals()).toEqual({ costs: [0], bills: 0 });
      return { purge };
    });
    await purged.purge;
    expect(await totals()).toEqual({ costs: [0], bills: 0 });
  });

  it('is deleted after a sync that ends at the same time', async () => {
    const { connect, deps } = await anAccounting();
    const { id } = await connect('may');
    const { organizationId } = await deps.db.account.findFirstOrThrow({ where: { id } });
    const scope = orgScope(organizationId, null);
    const now = deps.clock.now();
    const purged = await deps.db.$transaction(async (tx) => {
      await tx.accountSync.updateMany({ where: { accountId: id }, data: { finishedAt: now } });
      const purge = purgeAccount(deps, scope, id);
      await waiting(deps, '%deleteAccountSync %');
      const ended = { status: 'cancelled', startedAt: now, finishedAt: now, rows: 0n } as const;
      await tx.syncRun.create({ data: { ...ended, id: newId(now), accountId: id, organizationId } });
      return { purge };
    });
    await purged.purge;
    expect(await deps.db.account.count({ where: { id } })).toBe(0);
  });
});

describe('a record about an account that is being deleted', () => {
  const records = [
    ['schedule', '/reports/schedules', scheduleOf, 'reportSchedule'],
    [
      'report',
      '/reports',
      (id: string) => ({ type: 'cost_summary', format: 'csv', filters: { account_id: [id] } }),
      'report',
    ],
  ] as const;

  it.each(records)('is deleted with it: %s', async (_kind, path, body, model) => {
    const { connect, call, deps } = await anAccounting();
    const { id } = await connect('may');
    const { organizationId } = await deps.db.account.findFirstOrThrow({ where: { id } });
    const purged = await deps.db.$transaction(async (tx) => {
      await tx.accountSync.updateMany({ where: { accountId: id }, data: { finishedAt: deps.clock.now() } });
      const purge = purgeAccount(deps, orgScope(organizationId, null), id);
      await waiting(deps, '%deleteAccountSync %');
      expect((await call('POST', path, body(id))).status).toBeLessThan(300);
      return { purge };
    });
    await purged.purge;
    expect(await deps.db[model as 'report'].count()).toBe(0);
  });

  it.each(records)('is rejected if the deletion has begun: %s', async (_kind, path, body, model) => {
    const { connect, call, deps } = await anAccounting();
    const { id } = await connect('may');
    await call('POST', '/reports/schedules', scheduleOf(id));
    const answers = await deps.db.$transaction(async (tx) => {
      await tx.reportSchedule.updateMany({ data: { name: 'Locked' } });
      const deleted = call('DELETE', `/accounts/${id}?purge=true`);
      await waiting(deps, '%deleteAccountSchedules%');
      const created = call<{ error: { message: string } }>('POST', path, body(id));
      await waiting(deps, '%holdAccounts%');
      return { deleted, created };
    });
    expect((await answers.deleted).status).toBe(204);
    const { status, body: answer } = await answers.created;
    expect([status, answer.error.message]).toEqual([
      400,
      `filters.account_id "${id}" is not an account of the organization; use an id from GET /accounts`,
    ]);
    expect(await deps.db[model as 'report'].count()).toBe(0);
  });

  it('does not result from an update of another record', async () => {
    const { connect, call, deps } = await anAccounting();
    const [one, two] = [await connect('may'), await connect('june')];
    await call('POST', '/reports/schedules', scheduleOf(one.id));
    const { body } = await call<{ id: string }>('POST', '/reports/schedules', scheduleOf(two.id));
    const answers = await deps.db.$transaction(async (tx) => {
      await tx.reportSchedule.updateMany({ data: { name: 'Locked' }, where: { id: { not: body.id } } });
      const deleted = call('DELETE', `/accounts/${one.id}?purge=true`);
      await waiting(deps, '%deleteAccountSchedules%');
      const changed = call('PATCH', `/reports/schedules/${body.id}`, { filters: { account_id: [one.id] } });
      await waiting(deps, '%holdAccounts%');
      return { deleted, changed };
    });
    expect([(await answers.deleted).status, (await answers.changed).status]).toEqual([204, 400]);
    const [kept] = await deps.db.reportSchedule.findMany();
    expect(kept).toMatchObject({ id: body.id, filters: { account_id: [two.id] } });
  });
});

describe('a deletion that deadlocks', () => {
  it('is retried', async () => {
    const { connect, call, deps } = await anAccounting();
    const { id } = await connect('may');
    await call('POST', '/reports/schedules', scheduleOf(id));
    const deleted = await deps.db.$transaction(async (tx) => {
      // The deletion detects the deadlock first.
      await tx.$executeRaw`SET LOCAL deadlock_timeout = '10min'`;
      await tx.reportSchedule.updateMany({ data: { name: 'Locked' } });
      const answer = call('DELETE', `/accounts/${id}?purge=true`);
      await waiting(deps, '%deleteAccountSchedules%');
      await tx.$executeRaw`SELECT FROM accounts WHERE id = ${id}::uuid FOR KEY SHARE`;
      return { answer };
    });
    expect((await deleted.answer).status).toBe(204);
    expect([await deps.db.account.count(), await deps.db.reportSchedule.count()]).toEqual([0, 0]);
  });

  it('reports that the account is disconnected when every attempt fails', async () => {
    const { connect, deps } = await anAccounting();
    const { id } = await connect('may');
    const { organizationId } = await deps.db.account.findFirstOrThrow({ where: { id } });
    const { userId } = await deps.db.membership.findFirstOrThrow();
    const actor = { ...demoOrigin, organizationId, userId, email: 'ana@example.com' };
    const begin = vi.fn<() => Promise<never>>(() => Promise.reject(deadlock));
    const contended = { ...deps, pool: { connect: begin } } as unknown as typeof deps;
    const viewer = { scope: orgScope(organizationId, null) } as Viewer;
    await expect(disconnectAccount(contended, viewer, actor, { id, purge: true })).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: 'The account is disconnected; its data will be deleted within a few minutes',
    });
    expect(begin).toHaveBeenCalledTimes(5);
    expect(await deps.db.account.findFirst()).toMatchObject({ id, status: 'disconnected' });
  });
});
