import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { aLine, writeFocus } from '../../support/focus.ts';
import { runJobs } from '../../support/jobs.ts';
import { aWorld, type World } from '../../support/world.ts';
import type { AccountBody, ErrorBody } from '../accounts/world.ts';

interface SampleAccount extends AccountBody {
  readonly sample: boolean;
}

const samples = '/accounts/sample';

/** A new organization on a server whose clock the test sets. */
async function anOrganization() {
  const root = mkdtempSync(path.join(tmpdir(), 'costkeep-samples-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  let now = new Date('2026-08-10T12:00:00Z');
  const world = await aWorld({ clock: { now: () => now }, config: { focusRoot: root } });
  const { token } = await world.register();
  const call = <Body>(method: string, at: string, body?: object) =>
    world.rest<Body>(method, at, { token, ...(body && { body }) });
  return { ...world, root, call, setNow: (text: string) => void (now = new Date(text)) };
}

async function accountsOf({ deps }: World) {
  return deps.db.account.findMany({ orderBy: { name: 'asc' }, select: { id: true, name: true, sampleOf: true } });
}

async function monthsOf({ deps }: World, accountId: string, loadedSince: string): Promise<string[]> {
  const rows = await deps.db.billingPeriod.findMany({
    where: { accountId, loadedAt: { gte: new Date(loadedSince) } },
    orderBy: { period: 'asc' },
  });
  return rows.map(({ period }) => period.toISOString().slice(0, 7));
}

it(
  'loads three clouds once, in the organization’s currency, with findings of every kind',
  { timeout: 180_000 },
  async () => {
    const site = await anOrganization();
    const loaded = await site.call<{ account_ids: string[] }>('POST', samples);
    expect(loaded.status).toBe(201);
    const { body: queued } = await site.call<{ data: SampleAccount[] }>('GET', '/accounts?sort_by=name');
    expect(queued.data.map(({ id }) => id)).toEqual(loaded.body.account_ids);
    expect(queued.data).toMatchObject(
      [
        ['AWS sample', 'sample://aws'],
        ['Azure sample', 'sample://azure'],
        ['Google Cloud sample', 'sample://gcp'],
      ].map(([name, externalId]) => ({ name, external_id: externalId, sample: true, sync_status: 'queued' })),
    );
    const again = await site.call<ErrorBody>('POST', samples);
    expect([again.status, again.body.error.message]).toEqual([
      409,
      'The organization already has sample data; remove it with DELETE /accounts/sample before you load it again',
    ]);
    await runJobs(site.deps, site.jobs);
    const { body: listed } = await site.call<{ data: SampleAccount[] }>('GET', '/accounts');
    expect(
      listed.data.map(({ data_from: from, data_to: to, complete_through: complete, currency }) => [
        from,
        to,
        complete,
        currency,
      ]),
    ).toEqual(listed.data.map(() => [expect.stringMatching(/^2025-0[78]/), '2026-08-10', '2026-08-08', 'USD']));
    const { body: costs } = await site.call<{ total_cost: number; unconverted: unknown[] }>('GET', '/costs/summary');
    expect(costs.total_cost).toBeGreaterThan(100_000);
    expect(costs.unconverted).toEqual([]);
    const { body: budgets } = await site.call<{ data: { status: string; account_id: string }[] }>('GET', '/budgets');
    expect(budgets.data).toMatchObject([{ status: 'ok', account_id: loaded.body.account_ids[0] }]);
    expect(await site.deps.db.delivery.count({ where: { kind: 'budget_alert' } })).toBe(0);
    for (const list of [
      '/dashboards',
      '/annotations',
      '/anomalies',
      '/recommendations',
      '/inventory',
      '/tags',
      '/invoices',
      '/coverage/gaps',
    ]) {
      const { body } = await site.call<{ data?: unknown[]; gaps?: unknown[] }>('GET', list);
      expect((body.data ?? body.gaps ?? []).length, list).toBeGreaterThan(0);
    }
    // The sample leaves the choice of the currency to the first real bill.
    const organization = await site.deps.db.organization.findFirstOrThrow();
    expect([organization.currency, organization.isCurrencyChosen]).toEqual(['USD', false]);
  },
);

it('is loaded as a whole or not at all', async () => {
  const site = await anOrganization();
  const { db } = site.deps;
  await db.$executeRawUnsafe(`ALTER TABLE annotations ADD CONSTRAINT refused CHECK (text NOT LIKE 'Backups%')`);
  expect((await site.call('POST', samples)).status).toBe(500);
  expect([await accountsOf(site), await db.budget.count(), await db.dashboard.count()]).toEqual([[], 0, 0]);
  expect(site.jobs.filter(({ task }) => task === 'sync')).toEqual([]);
  await db.$executeRawUnsafe('ALTER TABLE annotations DROP CONSTRAINT refused');
  expect((await site.call('POST', samples)).status).toBe(201);
  expect([await db.budget.count(), await db.dashboard.count(), await db.annotation.count()]).toEqual([1, 1, 2]);
});

it('keeps a changed dashboard of an earlier sample', async () => {
  const site = await anOrganization();
  const widgets = [{ query: {}, chart: 'number', title: 'Total', x: 0, y: 0, w: 4, h: 2 }];
  const mine = { name: 'aws sample', visibility: 'organization', widgets };
  expect((await site.call('POST', '/dashboards', mine)).status).toBe(201);
  expect((await site.call('POST', samples)).status).toBe(201);
  expect(await site.deps.db.dashboard.findMany({ select: { name: true } })).toEqual([{ name: 'aws sample' }]);
});

it(
  'reads only the current month again on the next day, and all months after a change of the currency',
  { timeout: 180_000 },
  async () => {
    const site = await anOrganization();
    await site.call('POST', samples);
    const id = (await accountsOf(site)).find(({ sampleOf }) => sampleOf === 'azure')?.id ?? '';
    const sync = async () => {
      await site.deps.queue.add('sync', {
        organizationId: (await site.deps.db.organization.findFirstOrThrow()).id,
        accountId: id,
      });
      await runJobs(site.deps, site.jobs);
    };
    site.jobs.splice(0);
    await sync();
    expect(await monthsOf(site, id, '2026-08-10')).toHaveLength(13);
    site.setNow('2026-08-11T12:00:00Z');
    await sync();
    expect(await monthsOf(site, id, '2026-08-11')).toEqual(['2026-08']);
    site.setNow('2026-09-05T12:00:00Z');
    await site.deps.db.organization.updateMany({ data: { currency: 'EUR' } });
    await sync();
    expect(await monthsOf(site, id, '2025-01-01')).toHaveLength(13);
    expect(await monthsOf(site, id, '2026-09-05')).toHaveLength(13);
    const account = await site.deps.db.account.findUniqueOrThrow({ where: { id } });
    expect([account.currency, account.dataFrom]).toEqual(['EUR', new Date('2025-09-01')]);
  },
);

it('is removed with all its data, and leaves a real account unchanged', { timeout: 180_000 }, async () => {
  const site = await anOrganization();
  await writeFocus(path.join(site.root, 'real/a.csv'), [
    aLine({ day: '2026-08-03', cost: '7', BillingCurrency: 'EUR' }),
  ]);
  await site.call('POST', samples);
  const azure = (await accountsOf(site)).find(({ sampleOf }) => sampleOf === 'azure')?.id ?? '';
  // The syncs of the others stay queued.
  site.jobs.splice(0, 3, ...site.jobs.filter(({ payload }) => payload['accountId'] === azure));
  await runJobs(site.deps, site.jobs);
  const real = await site.call<AccountBody>('POST', '/accounts', {
    name: 'Real',
    provider: 'focus',
    settings: { path: 'real' },
  });
  expect(real.status).toBe(201);
  await runJobs(site.deps, site.jobs);
  expect((await site.deps.db.organization.findFirstOrThrow()).currency).toBe('EUR');
  expect((await site.call<{ sample_data: boolean }>('GET', '/org')).body.sample_data).toBe(true);
  const changed = await site.call<ErrorBody>('PATCH', `/accounts/${azure}`, { settings: { path: 'real' } });
  expect([changed.status, changed.body.error.message]).toEqual([
    409,
    `Account "${azure}" has sample data, which has no source to change; connect another account`,
  ]);
  expect((await site.call('PATCH', `/accounts/${azure}`, { name: 'Example' })).status).toBe(200);

  for (const _ of ['once', 'twice']) expect((await site.call('DELETE', samples)).status).toBe(204);
  await runJobs(site.deps, site.jobs);
  expect(await accountsOf(site)).toEqual([{ id: real.body.id, name: 'Real', sampleOf: null }]);
  for (const model of ['budget', 'dashboard', 'annotation'] as const) {
    const counted: { count(): Promise<number> } = site.deps.db[model];
    expect([model, await counted.count()]).toEqual([model, 0]);
  }
  const { body } = await site.call<{ total_cost: number }>('GET', '/costs/summary');
  expect(body.total_cost).toBe(7);
  const periods = await site.deps.db.billingPeriod.findMany({ select: { accountId: true } });
  expect(periods).toEqual([{ accountId: real.body.id }]);
  expect((await site.call<{ sample_data: boolean }>('GET', '/org')).body.sample_data).toBe(false);
  const entries = await site.deps.db.auditEntry.findMany({
    where: { resourceType: 'account', resourceId: azure },
    orderBy: { id: 'asc' },
    select: { action: true, details: true },
  });
  expect(entries).toEqual([
    { action: 'account_connected', details: { name: 'Azure sample', provider: 'focus', sample: true } },
    expect.objectContaining({ action: 'account_updated' }),
    { action: 'account_disconnected', details: { name: 'Example', purge: true } },
  ]);
  expect((await site.call('POST', samples)).status).toBe(201);
});
