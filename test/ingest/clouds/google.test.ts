import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { tasks } from '../../../src/tasks.ts';
import { startWorker } from '../../../src/jobs/worker.ts';
import { readConfig } from '../../../src/kit/config/config.ts';
import { addDays, dayOf, type Day } from '../../../src/kit/time/period.ts';
import { startFakeGoogle, type FakeGoogle } from '../../support/clouds/google/cloud.ts';
import { detailedFields } from '../../support/clouds/google/tables.ts';
import { aWorld } from '../../support/world.ts';
import type { AccountBody, ErrorBody } from '../accounts/world.ts';
import { monthsOf } from '../world.ts';

const table = 'billing-123.billing.gcp_billing_export_resource_v1_010101_F0FFF0_61C528';
const base = '//compute.googleapis.com/projects/shop-prod/zones/europe-west1-b';
const links = 'https://www.googleapis.com/compute/v1/projects/shop-prod/zones/europe-west1-b';
const settings = { billing_project: 'billing-123', dataset: 'billing', location: 'EU', scopes: ['projects/shop-prod'] };

/** A disk, identified by its number on the bill. */
function aDiskOn(day: Day): Record<string, unknown> {
  return {
    billing_account_id: '010101-F0FFF0-61C528',
    service: { description: 'Compute Engine' },
    sku: { id: 'SSD', description: 'SSD backed PD Capacity in Belgium' },
    usage_start_time: `${day}T10:00:00`,
    project: { id: 'shop-prod', name: 'Shop', labels: [{ key: 'unit', value: 'retail' }] },
    labels: [{ key: 'team', value: 'web' }],
    location: { location: 'europe-west1', region: 'europe-west1' },
    export_time: `${addDays(day, 1)}T01:00:00`,
    cost: 3,
    currency: 'EUR',
    usage: { amount_in_pricing_units: 1, pricing_unit: 'gibibyte month' },
    credits: [{ type: 'PROMOTION', amount: -0.5 }],
    invoice: { month: day.slice(0, 7).replace('-', '') },
    cost_type: 'regular',
    cost_at_list: 4,
    resource: { name: 'lost', global_name: `${base}/disks/42` },
    _PARTITIONTIME: `${addDays(day, 1)}T00:00:00`,
  };
}

async function aShop(days: readonly Day[]): Promise<FakeGoogle> {
  const google = await startFakeGoogle();
  onTestFinished(() => google.stop());
  await google.bigQuery.put({ name: table, fields: detailedFields, rows: days.map(aDiskOn), isPartitioned: true });
  const asset = { name: `${base}/disks/lost`, assetType: 'compute.googleapis.com/Disk', project: 'projects/777' };
  google.inventory.assets.set('projects/shop-prod', [
    { ...asset, location: 'europe-west1-b', displayName: 'lost', labels: { team: 'web' } },
  ]);
  google.inventory.compute.set('shop-prod/disks', [
    { id: '42', selfLink: `${links}/disks/lost`, sizeGb: '50', lastDetachTimestamp: '2026-01-01T00:00:00Z' },
  ]);
  return google;
}

interface Page<T> {
  data: T[];
}

interface Resource {
  native_id: string;
  resource_type: string;
  tags: Record<string, string>;
  metadata: Record<string, unknown>;
  cost_last_30_days: number;
}

/** A signed-in organization on a server that uses the fake Google. */
async function aServer(google: FakeGoogle) {
  const clouds = { ...readConfig({}).clouds, googleEndpoint: google.url };
  const world = await aWorld({ config: { clouds, syncCron: null }, hasQueue: true });
  const { token } = await world.register();
  const worker = await startWorker(world.deps, tasks);
  onTestFinished(() => worker.stop());
  const call = <Body>(method: string, path: string, body?: object) =>
    world.rest<Body>(method, path, { token, ...(body && { body }) });
  /** Waits for the sync after the one that ended at that time. */
  const synced = (id: string, before: string | null): Promise<AccountBody> =>
    vi.waitFor(
      async () => {
        const { body } = await call<AccountBody>('GET', `/accounts/${id}`);
        expect(body).toMatchObject({ sync_status: 'succeeded', last_sync_error: null });
        expect(body.last_synced_at).not.toBe(before);
        return body;
      },
      { timeout: 60_000, interval: 50 },
    );
  return { world, call, synced };
}

describe('Google Cloud billing export', () => {
  it('is connected, aggregated in BigQuery, checked in two calls, and read again where it changed', async () => {
    const today = dayOf(new Date());
    const days = Array.from({ length: 40 }, (_, index) => addDays(today, index - 41));
    const google = await aShop(days);
    const { world, call, synced } = await aServer(google);
    const key = google.tokens.account();
    const file = {
      type: 'service_account',
      client_email: key.clientEmail,
      private_key: key.privateKey,
      project_id: 'billing-123',
    };
    const credentials = { service_account_json: file };
    const body = { name: 'Shop', provider: 'gcp', credentials, settings };

    const refused = await call<ErrorBody>('POST', '/accounts', { ...body, settings: { ...settings, location: 'US' } });
    expect(refused).toMatchObject({
      status: 400,
      body: {
        error: {
          message: expect.stringMatching(/^settings\.location "US" is not the location of .*, which is in EU: /),
        },
      },
    });
    const connected = await call<AccountBody>('POST', '/accounts', body);
    expect(connected).toMatchObject({ status: 201, body: { external_id: '010101-F0FFF0-61C528' } });
    const { id } = connected.body;
    const first = await synced(id, null);
    const sums = Object.fromEntries(
      [...Map.groupBy(days, (day) => day.slice(0, 7))].map(([month, own]) => [month, String(own.length * 2.5)]),
    );
    expect(await monthsOf({ deps: world.deps, accountId: id })).toEqual(sums);

    // Only the inventory shows that no machine uses the disk.
    await vi.waitFor(
      async () => {
        const { body: found } = await call<Page<{ type: string }>>('GET', '/recommendations');
        expect(found.data.map(({ type }) => type)).toEqual(['gcp_disk_unattached']);
      },
      { timeout: 60_000, interval: 100 },
    );

    const { body: inventory } = await call<Page<Resource>>('GET', '/inventory');
    expect(inventory.data).toEqual([
      expect.objectContaining({
        native_id: `${base}/disks/42`,
        resource_type: 'compute.googleapis.com/Disk',
        tags: { team: 'web' },
        metadata: expect.objectContaining({ attachedTo: null, sizeGib: 50 }),
      }),
    ]);
    google.asked();
    await call('POST', `/accounts/${id}/sync`);
    const second = await synced(id, first.last_synced_at);
    expect(google.asked()).toEqual([
      'POST /token',
      expect.stringMatching(/^GET .*\/tables\/gcp_billing_export_resource_v1/),
    ]);

    const [oldest = today] = days;
    const late = { ...aDiskOn(oldest), cost: 100, credits: [], _PARTITIONTIME: `${today}T00:00:00` };
    await google.bigQuery.add(table, [{ ...late, export_time: `${today}T01:00:00` }]);
    await call('POST', `/accounts/${id}/sync`);
    await synced(id, second.last_synced_at);
    const month = oldest.slice(0, 7);
    const restated = { ...sums, [month]: String(Number(sums[month]) + 100) };
    expect(await monthsOf({ deps: world.deps, accountId: id })).toEqual(restated);
    expect(google.bigQuery.queries.filter((sql) => sql.startsWith('WITH charges'))).toHaveLength(
      Object.keys(sums).length + 1,
    );

    const writes = google.log.filter(({ method, path }) => method !== 'GET' && !/^\/token$|\/jobs$/.test(path));
    expect(writes).toEqual([]);
    expect(google.bigQuery.queries.every((sql) => /^(SELECT|WITH)\s/.test(sql))).toBe(true);
  });
});
