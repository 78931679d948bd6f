import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { azureInventory } from '../../../src/providers/azure/inventory/list.ts';
import { resourceQuery } from '../../../src/providers/azure/inventory/resource-graph.ts';
import { azureManagement } from '../../../src/providers/azure/request.ts';
import { servicePrincipal } from '../../../src/providers/azure/sign-in.ts';
import type { InventoryItem } from '../../../src/providers/contract.ts';
import { type AzureCall, type AzureReply, type FakeAzure, startFakeAzure } from '../../support/clouds/azure/cloud.ts';
import { endpointsOf, hasContracts, idle, published, subscription } from './world.ts';

const graph = 'post /providers/microsoft.resourcegraph/resources';
const reservationsRoute = 'get /providers/microsoft.capacity/reservations';
const plansRoute = 'get /providers/microsoft.billingbenefits/savingsplans';
const group = `/subscriptions/${subscription}/resourceGroups/RG1/providers`;
const denied: AzureReply = { status: 403, body: { error: { code: 'AuthorizationFailed' } } };

let fake: FakeAzure;
beforeAll(async () => {
  fake = await startFakeAzure();
});
afterAll(async () => {
  await fake.stop();
});
beforeEach(() => {
  fake.routes.clear();
  fake.calls.length = 0;
  const subscriptions = { value: [{ subscriptionId: subscription, displayName: 'Shop' }] };
  fake.routes.set('get /subscriptions', () => ({ status: 200, body: subscriptions }));
  fake.routes.set(graph, () => page([]));
  fake.routes.set(reservationsRoute, () => ({ status: 200, body: { value: [] } }));
  fake.routes.set(plansRoute, () => ({ status: 200, body: { value: [] } }));
});

function page(data: object[], $skipToken?: string): AzureReply {
  return {
    status: 200,
    body: { data, count: data.length, resultTruncated: 'false', ...($skipToken ? { $skipToken } : {}) },
  };
}

async function list(subscriptions: readonly string[] = [subscription]) {
  const endpoints = endpointsOf(fake);
  const management = azureManagement(servicePrincipal(fake, endpoints), endpoints);
  const items: InventoryItem[] = [];
  const lists: string[] = [];
  const end = await azureInventory(management, subscriptions).list(async (some, named) => {
    items.push(...some);
    lists.push(named);
  }, idle);
  return { items, lists, ...end };
}

/** A row with the columns of the query. */
function row(type: string, name: string, over: object = {}) {
  return {
    id: `${group}/${type}/${name}`,
    name,
    type: type.toLowerCase(),
    location: 'westeurope',
    tags: null,
    ...over,
  };
}

async function metadataOf(...rows: ReturnType<typeof row>[]) {
  fake.routes.set(graph, () => page(rows));
  const { items } = await list();
  return Object.fromEntries(items.map(({ name, metadata }) => [name, metadata]));
}

describe('resources', () => {
  it.skipIf(!hasContracts)("are read page by page, from Microsoft's published example", async () => {
    const first = published('resourcegraph-2024-04-01-ResourcesFirstPageQuery') as { $skipToken: string };
    const { $skipToken: _, ...last } = published('resourcegraph-2024-04-01-ResourcesNextPageQuery') as {
      $skipToken: string;
    };
    const token = (call: AzureCall) => (call.body as { options: { $skipToken?: string } }).options.$skipToken;
    fake.routes.set(graph, (call) => ({ status: 200, body: token(call) === first.$skipToken ? last : first }));
    const { items, warnings } = await list();
    expect(items.map(({ nativeId, resourceType, region }) => [nativeId, resourceType, region])).toEqual([
      [
        '/subscriptions/cfbbd179-59d2-4052-aa06-9270a38aa9d6/resourcegroups/rg1/providers/microsoft.compute/disks/yetanothertest_osdisk_1_f396cbcb625a457bb69fe2abf5975820',
        'microsoft.compute/disks',
        'eastus',
      ],
      [expect.stringContaining('/testaa'), 'microsoft.automation/automationaccounts', 'westcentralus'],
      [expect.stringContaining('/testrb'), 'microsoft.automation/automationaccounts/runbooks', 'westcentralus'],
      [expect.stringContaining('/second_osdisk_'), 'microsoft.compute/disks', 'eastus'],
      [expect.stringContaining('/aatest'), 'microsoft.automation/automationaccounts', 'westcentralus'],
      [expect.stringContaining('/rbtest'), 'microsoft.automation/automationaccounts/runbooks', 'westcentralus'],
    ]);
    expect(warnings).toEqual([]);
    const asked = fake.calls.filter(({ method }) => method === 'POST').map(({ body, query }) => ({ body, query }));
    expect(asked).toEqual([
      {
        body: {
          subscriptions: [subscription],
          query: resourceQuery,
          options: { resultFormat: 'objectArray', $top: 1000 },
        },
        query: { 'api-version': '2024-04-01' },
      },
      {
        body: expect.objectContaining({
          options: { resultFormat: 'objectArray', $top: 1000, $skipToken: first.$skipToken },
        }),
        query: { 'api-version': '2024-04-01' },
      },
    ]);
  });

  it('are queried field by field, because whole properties contain configuration and secrets', () => {
    expect(resourceQuery).toMatch(/\| order by id asc$/);
    // Every reference to the properties is to a single field.
    expect(resourceQuery.replaceAll(/\bp\.[A-Za-z]/g, '').replace('p = properties', '')).not.toMatch(
      /\bp\b|properties/,
    );
    expect(resourceQuery).not.toMatch(/appSettings|osProfile|customData|connectionString|siteConfig|template/i);
  });

  it('cause an error for endless paging or a truncated result', async () => {
    fake.routes.set(graph, () => page([], 'again'));
    await expect(list()).rejects.toThrow(/endless paging/);
    fake.routes.set(graph, () => ({ status: 200, body: { data: [], resultTruncated: 'true' } }));
    await expect(list()).rejects.toThrow(/truncated its result/);
  });

  it('have tags as text, and service and region as on bills', async () => {
    const tags = { env: 'prod', 'hidden-link:x': { a: 1 }, empty: '' };
    fake.routes.set(graph, () =>
      page([
        row('Microsoft.Network/natGateways', 'n', { tags, location: 'West Europe' }),
        row('Contoso.Things/boxes', 'b', { location: '' }),
      ]),
    );
    const { items } = await list();
    expect(items).toMatchObject([
      {
        service: 'Azure NAT Gateway',
        region: 'westeurope',
        tags: { env: 'prod', 'hidden-link:x': '{"a":1}', empty: '' },
      },
      { service: 'contoso.things', region: 'global', tags: {} },
    ]);
  });
});

describe('metadata for detectors', () => {
  it('includes states of disks and machines', async () => {
    const vm = `${group}/Microsoft.Compute/virtualMachines/off`;
    const disk = (name: string, state: string, managedBy: string | null) =>
      row('Microsoft.Compute/disks', name, {
        state,
        managedBy,
        stateSince: '2026-09-01T08:00:00Z',
        createdAt: '2025-01-02T00:00:00.1Z',
        sizeGib: 128,
        iops: 500,
        throughput: 100,
        sku: { name: 'Premium_LRS' },
      });
    const words = {
      createdAt: '2025-01-02T00:00:00.1Z',
      sizeGib: 128,
      iops: 500,
      throughputMibps: 100,
      sku: 'Premium_LRS',
    };
    const off = { vmSize: 'Standard_D4s_v5', osType: 'Windows', state: 'PowerState/deallocated', licenseType: '' };
    expect(
      await metadataOf(
        disk('free', 'Unattached', ''),
        disk('held', 'Attached', vm),
        disk('parked', 'Reserved', vm),
        row('Microsoft.Compute/virtualMachines', 'off', off),
      ),
    ).toEqual({
      free: { ...words, state: 'unattached', stateSince: '2026-09-01T08:00:00Z', attachedTo: null },
      held: { ...words, state: 'attached', attachedTo: vm },
      parked: {
        ...words,
        state: 'reserved',
        attachedTo: vm,
        attachedToState: 'deallocated',
        attachedToStateSince: '2026-09-01T08:00:00Z',
      },
      off: {
        instanceType: 'Standard_D4s_v5',
        platform: 'windows',
        state: 'deallocated',
        licenseType: null,
        scalingGroup: null,
      },
    });
  });

  it('shows whether the source disk of a snapshot exists, if known', async () => {
    const of = (name: string, sourceId: string) => row('Microsoft.Compute/snapshots', name, { sourceId });
    const elsewhere =
      '/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/r/providers/Microsoft.Compute/disks/d';
    const found = await metadataOf(
      of('kept', `${group}/microsoft.compute/DISKS/d1`),
      of('orphan', `${group}/Microsoft.Compute/disks/gone`),
      of('foreign', elsewhere),
      of('copy', `${group}/Microsoft.Compute/snapshots/kept`),
      row('Microsoft.Compute/disks', 'd1'),
    );
    expect(
      Object.fromEntries(Object.entries(found).map(([name, words]) => [name, words['sourceExists']])),
    ).toMatchObject({
      kept: true,
      orphan: false,
      foreign: undefined,
      copy: undefined,
    });
  });

  it('includes the use of IP addresses, load balancers, gateways, pools and plans', async () => {
    const gateway = `${group}/Microsoft.Network/virtualNetworkGateways/busy`;
    const pool = `${group}/Microsoft.Sql/servers/s/elasticPools/full`;
    const found = await metadataOf(
      row('Microsoft.Network/publicIPAddresses', 'free-ip', { usedBy: '' }),
      row('Microsoft.Network/publicIPAddresses', 'used-ip', { usedBy: '/x/ipConfigurations/y' }),
      row('Microsoft.Network/loadBalancers', 'idle-lb', { pools: [{ name: 'p', properties: {} }], rules: [] }),
      row('Microsoft.Network/loadBalancers', 'lb', {
        pools: [{ properties: { backendIPConfigurations: [{}, {}], loadBalancerBackendAddresses: [{}, {}] } }],
      }),
      row('Microsoft.Network/loadBalancers', 'nat-lb', {
        rules: [{ properties: { backendIPConfiguration: { id: 'x' } } }, { properties: {} }],
      }),
      row('Microsoft.Network/applicationGateways', 'gw', {
        pools: [{ properties: { backendAddresses: [{ fqdn: 'a' }] } }],
      }),
      row('Microsoft.Network/natGateways', 'idle-nat', { children: null }),
      row('Microsoft.Network/natGateways', 'nat', { children: [{ id: 'subnet' }] }),
      row('Microsoft.Network/natGateways', 'net-nat', { usedBy: '/x/virtualNetworks/y' }),
      row('Microsoft.Network/virtualNetworkGateways', 'busy'),
      row('Microsoft.Network/virtualNetworkGateways', 'idle'),
      row('Microsoft.Network/connections', 'c', { parentId: gateway.toUpperCase() }),
      row('Microsoft.Sql/servers/elasticPools', 'empty'),
      { ...row('Microsoft.Sql/servers/elasticPools', 'full'), id: pool },
      row('Microsoft.Sql/servers/databases', 'db', { parentId: pool }),
      row('Microsoft.Web/serverfarms', 'plan', { siteCount: 0 }),
      row('Microsoft.Network/ddosProtectionPlans', 'ddos', { children: [] }),
      row('Microsoft.Network/expressRouteCircuits', 'line', { state: 'NotProvisioned' }),
    );
    const words = Object.entries(found).map(([name, each]) => [
      name,
      each['attachedTo'] ?? each['usedByCount'] ?? each['provisioningState'] ?? null,
    ]);
    expect(Object.fromEntries(words)).toMatchObject({
      'free-ip': null,
      'used-ip': '/x/ipConfigurations/y',
      'idle-lb': 0,
      lb: 2,
      'nat-lb': 1,
      gw: 1,
      'idle-nat': 0,
      nat: 1,
      busy: 1,
      idle: 0,
      empty: 0,
      full: 1,
      plan: 0,
      ddos: 0,
      line: 'NotProvisioned',
    });
    expect(found['free-ip']).toEqual({ attachedTo: null });
  });
});

describe('commitments', () => {
  it.skipIf(!hasContracts)("are reservations and savings plans, from Microsoft's published examples", async () => {
    fake.routes.set(reservationsRoute, () => ({
      status: 200,
      body: published('reservations-2022-11-01-GetReservations'),
    }));
    fake.routes.set(plansRoute, () => ({
      status: 200,
      body: published('billingbenefits-2025-12-01-preview-SavingsPlansList'),
    }));
    const { items } = await list();
    expect(items).toEqual([
      {
        provider: 'azure',
        nativeId:
          '/providers/microsoft.capacity/reservationorders/00000000-0000-0000-0000-000000000001/reservations/00000000-0000-0000-0000-000000000000',
        aliases: [
          '00000000-0000-0000-0000-000000000000',
          '/providers/microsoft.capacity/reservationorders/00000000-0000-0000-0000-000000000001',
        ],
        name: 'VM_RI_07-21-2020_12-06',
        resourceType: 'microsoft.capacity/reservationorders/reservations',
        service: 'Virtual Machines',
        region: 'westus',
        tags: {},
        metadata: {
          kind: 'reservation',
          state: 'succeeded',
          createdAt: '2017-09-22T22:46:32.7632798Z',
          endsAt: '2023-07-21T22:46:32.7632798Z',
          termMonths: 36,
          scope: 'shared',
          renews: false,
          utilizationPercent30Days: 0.05,
          instanceType: 'Standard_D1',
          count: 2,
        },
      },
      {
        provider: 'azure',
        nativeId:
          '/providers/microsoft.billingbenefits/savingsplanorders/20000000-0000-0000-0000-000000000000/savingsplans/30000000-0000-0000-0000-000000000000',
        aliases: [
          '30000000-0000-0000-0000-000000000000',
          '/providers/microsoft.billingbenefits/savingsplanorders/20000000-0000-0000-0000-000000000000',
        ],
        name: 'Compute_SavingsPlan_10-19-2022_11-03',
        resourceType: 'microsoft.billingbenefits/savingsplanorders/savingsplans',
        service: 'Virtual Machines',
        region: 'global',
        tags: {},
        metadata: {
          kind: 'savings_plan',
          state: 'succeeded',
          createdAt: '2022-10-19T18:05:37.1034288Z',
          endsAt: '2023-10-19T18:05:36.5252231Z',
          termMonths: 12,
          scope: 'single',
          renews: false,
          utilizationPercent30Days: 78.12,
          sku: 'Compute_Savings_Plan',
          hourlyCommitment: 0.001,
          currency: 'USD',
        },
      },
    ]);
  });

  it('exclude cancelled and expired ones', async () => {
    const value = ['Cancelled', 'Expired', 'Succeeded'].map((provisioningState) => ({
      id: `/providers/microsoft.capacity/reservationOrders/o/reservations/${provisioningState}`,
      properties: { provisioningState },
    }));
    fake.routes.set(reservationsRoute, () => ({ status: 200, body: { value } }));
    expect((await list()).items.map(({ nativeId }) => nativeId)).toEqual([
      '/providers/microsoft.capacity/reservationorders/o/reservations/succeeded',
    ]);
  });
});

describe('order of two reservations', () => {
  it('is not an alias of either reservation', async () => {
    const id = (name: string) => `/providers/microsoft.capacity/reservationOrders/o/reservations/${name}`;
    const value = ['a', 'b'].map((name) => ({ id: id(name), properties: {} }));
    fake.routes.set(reservationsRoute, () => ({ status: 200, body: { value } }));
    expect((await list()).items.map(({ aliases }) => aliases)).toEqual([['a'], ['b']]);
  });
});

describe('missing permission', () => {
  it('omits the list, and names the missing role', async () => {
    fake.routes.set(graph, () => page([row('Microsoft.Compute/disks', 'd')]));
    fake.routes.set(plansRoute, () => denied);
    const hidden = '00000000-1111-2222-3333-444444444444';
    const { items, warnings, unread, lists } = await list([subscription, hidden]);
    expect(items.map(({ name }) => name)).toEqual(['d']);
    expect(lists).toEqual([`subscriptions/${subscription}`]);
    expect(unread).toEqual([`^subscriptions/${hidden}$`, '^savingsPlans$']);
    expect(warnings).toEqual([
      expect.stringContaining(`Subscription "${hidden}" cannot be read`),
      expect.stringMatching(
        /savingsPlans\/read" on "\/providers\/Microsoft\.BillingBenefits".*role "Savings plan Reader"/,
      ),
    ]);
    expect(fake.calls.find(({ method }) => method === 'POST')?.body).toMatchObject({ subscriptions: [subscription] });
  });

  it('is an error if it applies to everything', async () => {
    for (const route of [graph, reservationsRoute, plansRoute]) fake.routes.set(route, () => denied);
    await expect(list()).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining('Reader'),
    });
  });

  it('that may be temporary delays the whole listing, so that no resources seem deleted', async () => {
    fake.routes.set(plansRoute, () => ({ status: 429, headers: { 'retry-after': '300' } }));
    await expect(list()).rejects.toMatchObject({ name: 'TryLater', retryAfterMs: 300_000 });
  });
});
