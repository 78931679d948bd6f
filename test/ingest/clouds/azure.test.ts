import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { performSync } from '../../../src/ingest/sync/perform.ts';
import { readConfig } from '../../../src/kit/config/config.ts';
import { orgScope, type OrgScope } from '../../../src/tenancy/auth/scope.ts';
import { startAzurite, uploadFolder } from '../../support/clouds/azure/azurite.ts';
import { caPath } from '../../support/clouds/azure/certificates.ts';
import { startFakeAzure } from '../../support/clouds/azure/cloud.ts';
import { decimal } from '../../support/cube.ts';
import { aLine, csvOf } from '../../support/focus.ts';
import { readCsv } from '../../support/rfc4180.ts';
import { worldOfFile } from '../../support/world.ts';
import type { AccountBody, ErrorBody } from '../accounts/world.ts';
import { plain, readFacts } from '../../support/read-facts.ts';
import { monthsOf } from '../world.ts';

// Full syncs with their processes, from the API to the facts.

const [azure, blob] = await Promise.all([startFakeAzure(), startAzurite()]);
const clouds = {
  ...readConfig({}).clouds,
  azureLoginEndpoint: azure.url,
  azureManagementEndpoint: azure.url,
  azureBlobEndpoint: blob.endpoint,
};
const connectorEnvironment = { NODE_EXTRA_CA_CERTS: caPath };
const world = worldOfFile({ config: { clouds, connectorEnvironment, syncCron: null } });
afterAll(() => Promise.all([azure.stop(), blob.stop()]));

const graph = 'post /providers/microsoft.resourcegraph/resources';
const credentials = { tenant_id: azure.tenantId, client_id: azure.clientId, client_secret: azure.clientSecret };

let token = '';
let scope: OrgScope;
let subscriptions = 0;
beforeAll(async () => {
  ({ token } = await world().register());
  const { id } = await world().deps.db.organization.findFirstOrThrow();
  scope = orgScope(id, null);
});
beforeEach(() => {
  azure.calls.length = 0;
  azure.signIns.length = 0;
  azure.routes.clear();
  const none = { status: 200, body: { value: [] } };
  azure.routes.set('get /providers/microsoft.capacity/reservations', () => none);
  azure.routes.set('get /providers/microsoft.billingbenefits/savingsplans', () => none);
  azure.routes.set(graph, () => ({ status: 200, body: { data: [], resultTruncated: 'false' } }));
});

/** A subscription that is visible to the service principal, with an id used only once. */
function aSubscription(): string {
  const id = `cfbbd179-59d2-4052-aa06-${String(++subscriptions).padStart(12, '0')}`;
  azure.routes.set('get /subscriptions', () => ({
    status: 200,
    body: { value: [{ subscriptionId: id, displayName: 'Shop' }] },
  }));
  return id;
}

async function connect<Body = AccountBody>(settings: object, over: object = {}) {
  const body = { name: 'Bills', provider: 'azure', credentials: { ...credentials, ...over }, settings };
  return world().rest<Body>('POST', '/accounts', { token, body });
}

async function sync(accountId: string) {
  const { deps } = world();
  await deps.db.accountSync.updateMany({ where: { accountId }, data: { status: 'queued', cancelRequested: false } });
  await performSync(deps, scope, accountId, new AbortController().signal);
  const { body } = await world().rest<AccountBody & { sync_warnings: string[] }>('GET', `/accounts/${accountId}`, {
    token,
  });
  return {
    status: body.sync_status,
    error: body.last_sync_error,
    warnings: body.sync_warnings,
    months: await monthsOf({ deps: deps, accountId }),
  };
}

const only = async (wanted: 'billed' | 'effective', accountId: string) => {
  const cost = wanted === 'billed' ? 'BilledCost' : 'EffectiveCost';
  const sql = `SELECT ${plain(`sum(${cost})`)} AS sum FROM facts`;
  return (await readFacts<{ sum: string }>(world().deps, accountId, sql))[0]?.sum;
};

/** Delivers the costs of one day as an export does. */
async function deliver(container: string, at: string, { type = 'FocusCost', csv }: { type?: string; csv: string }) {
  const client = await blob.container(container);
  const blobName = `${at}/part_0_0001.csv`;
  await client.getBlockBlobClient(blobName).uploadData(Buffer.from(csv));
  const manifest = {
    exportConfig: { resourceId: '/subscriptions/s1/providers/Microsoft.CostManagement/exports/e', type },
    runInfo: {
      submittedTime: '2026-06-02T00:00:00Z',
      startDate: '2026-05-01T00:00:00',
      endDate: '2026-05-31T00:00:00',
    },
    blobs: [{ blobName, byteCount: Buffer.byteLength(csv) }],
  };
  await client.getBlockBlobClient(`${at}/manifest.json`).uploadData(Buffer.from(JSON.stringify(manifest)));
}

describe('FOCUS export', () => {
  it('connects with valid settings, syncs with its inventory, and checks for changes in two calls', async () => {
    const subscription = aSubscription();
    const disk = `/subscriptions/${subscription}/resourceGroups/rg/providers/Microsoft.Compute/disks/old-data`;
    const row = {
      id: disk,
      name: 'old-data',
      type: 'microsoft.compute/disks',
      location: 'westeurope',
      tags: { team: 'shop' },
    };
    azure.routes.set(graph, () => ({
      status: 200,
      body: { data: [{ ...row, state: 'Unattached', managedBy: '', sizeGib: 128 }], resultTruncated: 'false' },
    }));
    const line = aLine({ day: '2026-05-03', cost: '7', ProviderName: 'Microsoft', ResourceId: disk.toLowerCase() });
    await deliver('focus', 'acme/daily/20260501-20260531/run', { csv: csvOf([line]) });
    const settings = {
      subscription_ids: [subscription],
      storage_account: blob.account,
      container: 'focus',
      prefix: 'acme',
    };

    const refused = async (over: object, other: object = {}) => {
      const { status, text, body } = await connect<ErrorBody>({ ...settings, ...over }, other);
      expect(text).not.toContain('S3cret');
      return `${status} ${body.error.message}`;
    };
    expect(await refused({}, { client_secret: 'S3cret-but-wrong' })).toMatch(
      /^400 credentials\.client_secret is wrong/,
    );
    expect(await refused({}, { tenant_id: subscription })).toMatch(/^400 credentials\.tenant_id ".*" does not exist/);
    expect(await refused({ container: 'focsu' })).toMatch(
      /^400 settings\.container "focsu" does not exist .*; correct it/,
    );
    expect(await refused({ prefix: 'amce' })).toMatch(
      /^400 settings\.prefix matches no bills in Blob container "focus"/,
    );

    const { status, body } = await connect(settings);
    expect([status, body.external_id]).toEqual([201, subscription]);
    expect(await sync(body.id)).toEqual({ status: 'succeeded', error: null, warnings: [], months: { '2026-05': '7' } });
    const { rows: listed } = await world().deps.pool.query(
      'SELECT native_id, name, region, tags, metadata FROM inventory_listings WHERE account_id = $1',
      [body.id],
    );
    expect(listed).toEqual([
      {
        native_id: disk.toLowerCase(),
        name: 'old-data',
        region: 'westeurope',
        tags: { team: 'shop' },
        metadata: { state: 'unattached', attachedTo: null, sizeGib: 128 },
      },
    ]);

    await blob.requests();
    azure.calls.length = 0;
    azure.signIns.length = 0;
    expect(await sync(body.id)).toMatchObject({ status: 'succeeded', months: { '2026-05': '7' } });
    expect(await blob.requests()).toEqual([expect.stringMatching(/^GET \/devaccount\/focus\?.*comp=list/)]);
    expect([azure.signIns, azure.calls]).toEqual([['https://storage.azure.com/.default'], []]);
  });

  it('fails with an explanation when the secret has expired, and keeps the last good load', async () => {
    const { id } = await world().deps.db.account.findFirstOrThrow({ where: { name: 'Bills' } });
    azure.refuseSignIn = {
      status: 401,
      body: { error: 'invalid_client', error_description: 'AADSTS7000222: expired' },
    };
    const stand = await sync(id);
    azure.refuseSignIn = null;
    expect(stand).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(
        /^credentials\.client_secret .* has expired \(AADSTS7000222\); create a new one and send its value$/,
      ),
      months: { '2026-05': '7' },
    });
  });
});

describe('exports of actual and amortized costs', () => {
  it('form one bill: billed cost from one, effective cost from the other', async () => {
    const subscription = aSubscription();
    const header =
      'SubscriptionId,SubscriptionName,BillingPeriodStartDate,BillingPeriodEndDate,BillingAccountId,Date,MeterCategory,MeterName,Quantity,CostInBillingCurrency,BillingCurrencyCode,ResourceLocation,ResourceId,Tags,ChargeType,PricingModel,ReservationId,PublisherType';
    const charge = (cost: string, type: string, model: string) =>
      `${subscription},Shop,05/01/2026,05/31/2026,8611537,05/03/2026,Virtual Machines,D2 v5,1,${cost},USD,westeurope,,,${type},${model},,Azure`;
    await deliver('legacy', 'actual', {
      type: 'ActualCost',
      csv: [header, charge('100', 'Purchase', 'Reservation'), charge('4', 'Usage', 'OnDemand')].join('\n'),
    });
    await deliver('legacy', 'amortized', {
      type: 'AmortizedCost',
      csv: [header, charge('3.5', 'Usage', 'Reservation'), charge('4', 'Usage', 'OnDemand')].join('\n'),
    });
    const { body } = await connect({
      subscription_ids: [subscription],
      storage_account: blob.account,
      container: 'legacy',
    });
    expect(await sync(body.id)).toMatchObject({ status: 'succeeded', months: { '2026-05': '104' } });
    expect([await only('billed', body.id), await only('effective', body.id)]).toEqual(['104', '7.5']);
  });
});

describe('Query API', () => {
  it('loads costs by day, subscription and service, warns about missing details, and skips repeats', async () => {
    const subscription = aSubscription();
    const month = new Date().toISOString().slice(0, 7);
    const columns = ['Cost', 'UsageDate', 'ServiceName', 'ChargeType', 'Currency'].map((name, at) => ({
      name,
      type: at < 2 ? 'Number' : 'String',
    }));
    azure.routes.set(`post /subscriptions/${subscription}/providers/microsoft.costmanagement/query`, ({ body }) => {
      const { type, timePeriod } = body as { type: string; timePeriod: { from: string } };
      if (!timePeriod.from.startsWith(month)) return { status: 204 };
      const rows = [
        [
          type === 'ActualCost' ? 876 : 12,
          Number(`${month.replace('-', '')}01`),
          'Virtual Machines',
          'Purchase',
          'EUR',
        ],
      ];
      return { status: 200, body: { properties: { columns, rows, nextLink: null } } };
    });
    const { body } = await connect({ subscription_ids: [subscription] });
    const stand = await sync(body.id);
    expect(stand).toMatchObject({ error: null, status: 'succeeded', months: { [month]: '876' } });
    expect(stand.warnings).toEqual([expect.stringMatching(/^No resources, tags or commitments/)]);
    azure.calls.length = 0;
    expect(await sync(body.id)).toMatchObject({ status: 'succeeded', months: { [month]: '876' } });
    expect(azure.calls).toEqual([]);
  });
});

const trees = path.resolve(import.meta.dirname, '../../../../shared/data/costroid/testdata/azure-focus');

/** Billed cost per month, summed from the files. */
async function controlTotals(tree: string, without = 'no such folder'): Promise<Record<string, string>> {
  const sums = new Map<string, bigint>();
  for (const entry of await readdir(tree, { recursive: true, withFileTypes: true })) {
    if (!entry.name.endsWith('.csv.gz') || entry.parentPath.includes(without)) continue;
    const text = gunzipSync(await readFile(path.join(entry.parentPath, entry.name))).toString('utf8');
    for (const { BilledCost, BillingPeriodStart } of readCsv(text)) {
      const month = (BillingPeriodStart ?? '').slice(0, 7);
      const [, sign, whole = '', cents = ''] = /^(-?)(\d+)\.?(\d*)$/.exec(BilledCost ?? '') ?? [];
      sums.set(month, (sums.get(month) ?? 0n) + BigInt(`${sign}${whole}${cents.padEnd(12, '0')}`));
    }
  }
  return Object.fromEntries([...sums].sort().map(([month, sum]) => [month, decimal(sum).replace(/\.?0+$/, '')]));
}

describe.skipIf(!existsSync(trees))('trees of another project (skipped without ../shared/data)', () => {
  it('match the sums of their files, before and after months are restated', async () => {
    const subscription = aSubscription();
    const container = await blob.container('demo');
    await uploadFolder(container, path.join(trees, 'fixture/devaccount/exports'));
    const { body } = await connect({
      subscription_ids: [subscription],
      storage_account: blob.account,
      container: 'demo',
      prefix: 'costroid-demo',
    });
    // The newer of two runs over June replaced the older one.
    const first = await controlTotals(path.join(trees, 'fixture'), '8f7e6d5c');
    expect((await sync(body.id)).months).toEqual(first);
    await uploadFolder(container, path.join(trees, 'restated/devaccount/exports'));
    const restated = await controlTotals(path.join(trees, 'restated'));
    expect(Object.keys(restated)).toEqual(['2026-05']);
    expect((await sync(body.id)).months).toEqual({ ...first, ...restated });
    expect(restated['2026-05']).not.toBe(first['2026-05']);
  });
});
