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
    const it = await anOrganization();
    const loaded = await it.call<{ accounts: SampleAccount[] }>('POST', samples);
    expect(loaded.status).toBe(201);
    expect(loaded.body.accounts).toMatchObject(
      [
        ['AWS sample', 'sample://aws'],
        ['Azure sample', 'sample://azure'],
        ['Google Cloud sample', 'sample://gcp'],
      ].map(([name, externalId]) => ({ name, external_id: externalId, sample: true, sync_status: 'queued' })),
    );
    const again = await it.call<ErrorBody>('POST', samples);
    expect([again.status, again.body.error.message]).toEqual([
      409,
      'The organization has sample data already; remove it with DELETE /accounts/sample before you load it again',
    ]);
    await runJobs(it.deps, it.jobs);
    const { body: listed } = await it.call<{ data: SampleAccount[] }>('GET', '/accounts');
    expect(
      listed.data.map(({ data_from: from, data_to: to, complete_through: complete, currency }) => [
        from,
        to,
        complete,
        currency,
      ]),
    ).toEqual(listed.data.map(() => [expect.stringMatching(/^2025-0[78]/), '2026-08-10', '2026-08-08', 'USD']));
    const { body: costs } = await it.call<{ total_cost: number; unconverted: unknown[] }>('GET', '/costs/summary');
    expect(costs.total_cost).toBeGreaterThan(100_000);
    expect(costs.unconverted).toEqual([]);
    for (const list of ['/anomalies', '/recommendations', '/inventory', '/tags', '/invoices', '/coverage/gaps']) {
      const { body } = await it.call<{ data?: unknown[]; gaps?: unknown[] }>('GET', list);
      expect((body.data ?? body.gaps ?? []).length, list).toBeGreaterThan(0);
    }
    // The sample leaves the choice of the currency to the first real bill.
    const organization = await it.deps.db.organization.findFirstOrThrow();
    expect([organization.currency, organization.isCurrencyChosen]).toEqual(['USD', false]);
  },
);

it(
  'reads only the running month again on the next day, and all months after a change of the currency',
  { timeout: 180_000 },
  async () => {
    const it = await anOrganization();
    await it.call('POST', samples);
    const id = (await accountsOf(it)).find(({ sampleOf }) => sampleOf === 'azure')?.id ?? '';
    const sync = async () => {
      await it.deps.queue.add('sync', {
        organizationId: (await it.deps.db.organization.findFirstOrThrow()).id,
        accountId: id,
      });
      await runJobs(it.deps, it.jobs);
    };
    it.jobs.splice(0);
    await sync();
    expect(await monthsOf(it, id, '2026-08-10')).toHaveLength(13);
    it.setNow('2026-08-11T12:00:00Z');
    await sync();
    expect(await monthsOf(it, id, '2026-08-11')).toEqual(['2026-08']);
    it.setNow('2026-09-05T12:00:00Z');
    await it.deps.db.organization.updateMany({ data: { currency: 'EUR' } });
    await sync();
    expect(await monthsOf(it, id, '2025-01-01')).toHaveLength(13);
    expect(await monthsOf(it, id, '2026-09-05')).toHaveLength(13);
    const account = await it.deps.db.account.findUniqueOrThrow({ where: { id } });
    expect([account.currency, account.dataFrom]).toEqual(['EUR', new Date('2025-09-01')]);
  },
);

it('is removed with everything of it, beside a real account', { timeout: 180_000 }, async () => {
  const it = await anOrganization();
  await writeFocus(path.join(it.root, 'real/a.csv'), [aLine({ day: '2026-08-03', cost: '7', BillingCurrency: 'EUR' })]);
  await it.call('POST', samples);
  const azure = (await accountsOf(it)).find(({ sampleOf }) => sampleOf === 'azure')?.id ?? '';
  // The syncs of the others stay queued.
  it.jobs.splice(0, 3, ...it.jobs.filter(({ payload }) => payload['accountId'] === azure));
  await runJobs(it.deps, it.jobs);
  const real = await it.call<AccountBody>('POST', '/accounts', {
    name: 'Real',
    provider: 'focus',
    settings: { path: 'real' },
  });
  expect(real.status).toBe(201);
  await runJobs(it.deps, it.jobs);
  expect((await it.deps.db.organization.findFirstOrThrow()).currency).toBe('EUR');
  expect((await it.call<{ sample_data: boolean }>('GET', '/org')).body.sample_data).toBe(true);
  const changed = await it.call<ErrorBody>('PATCH', `/accounts/${azure}`, { settings: { path: 'real' } });
  expect([changed.status, changed.body.error.message]).toEqual([
    409,
    `Account "${azure}" has sample data, which has no source to change; connect another account`,
  ]);
  expect((await it.call('PATCH', `/accounts/${azure}`, { name: 'Example' })).status).toBe(200);

  for (const _ of ['once', 'twice']) expect((await it.call('DELETE', samples)).status).toBe(204);
  await runJobs(it.deps, it.jobs);
  expect(await accountsOf(it)).toEqual([{ id: real.body.id, name: 'Real', sampleOf: null }]);
  const { body } = await it.call<{ total_cost: number }>('GET', '/costs/summary');
  expect(body.total_cost).toBe(7);
  const periods = await it.deps.db.billingPeriod.findMany({ select: { accountId: true } });
  expect(periods).toEqual([{ accountId: real.body.id }]);
  expect((await it.call<{ sample_data: boolean }>('GET', '/org')).body.sample_data).toBe(false);
  const entries = await it.deps.db.auditEntry.findMany({
    where: { resourceType: 'account', resourceId: azure },
    orderBy: { id: 'asc' },
    select: { action: true, details: true },
  });
  expect(entries).toEqual([
    { action: 'account_connected', details: { name: 'Azure sample', provider: 'focus', sample: true } },
    expect.objectContaining({ action: 'account_updated' }),
    { action: 'account_disconnected', details: { name: 'Example', purge: true } },
  ]);
  expect((await it.call('POST', samples)).status).toBe(201);
});
