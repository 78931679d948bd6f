import { expect, it } from 'vitest';
import { parseMetadata } from '../../../../src/facts/inventory/metadata.ts';
import type { InventoryItem } from '../../../../src/providers/contract.ts';
import { refusal } from '../../../support/clouds/google/call.ts';
import { aGoogleCloud, signal, type GoogleWorld } from '../world.ts';

const scope = 'projects/shop-prod';
const base = '//compute.googleapis.com/projects/shop-prod/zones/europe-west1-b';
const link = (path: string) => `https://www.googleapis.com/compute/v1/projects/shop-prod/zones/europe-west1-b/${path}`;

function anAsset(name: string, assetType: string, more: object = {}): object {
  return {
    name,
    assetType,
    project: 'projects/777',
    location: 'europe-west1-b',
    displayName: name.split('/').at(-1),
    ...more,
  };
}

async function listed(
  world: GoogleWorld,
  scopes = [scope],
): Promise<{ items: InventoryItem[]; warnings: readonly string[]; unread: readonly string[] }> {
  const { inventory } = await world.connect({ scopes });
  const items: InventoryItem[] = [];
  const end = await inventory?.list(async (page) => void items.push(...page), signal);
  return { items, warnings: [], unread: [], ...end };
}

async function aShop(): Promise<GoogleWorld> {
  const world = await aGoogleCloud();
  const { assets, compute } = world.google.inventory;
  assets.set(scope, [
    anAsset(`${base}/instances/web-1`, 'compute.googleapis.com/Instance', { labels: { env: 'dev' }, state: 'RUNNING' }),
    anAsset(`${base}/instances/pool-x7f2`, 'compute.googleapis.com/Instance'),
    anAsset(`${base}/disks/web-1`, 'compute.googleapis.com/Disk'),
    anAsset(`${base}/disks/lost`, 'compute.googleapis.com/Disk', { createTime: '2026-01-01T00:00:00Z' }),
    anAsset('//compute.googleapis.com/projects/shop-prod/global/snapshots/old', 'compute.googleapis.com/Snapshot'),
    anAsset('//compute.googleapis.com/projects/shop-prod/global/firewalls/f', 'compute.googleapis.com/Firewall'),
    anAsset(
      '//compute.googleapis.com/projects/shop-prod/regions/europe-west1/commitments/year',
      'compute.googleapis.com/Commitment',
    ),
    anAsset('//storage.googleapis.com/pictures', 'storage.googleapis.com/Bucket', {
      location: 'EU',
      tags: [{ tagKey: '123/team', tagValue: '123/team/web' }],
      versionedResources: [{ resource: { secret: 'configuration' } }],
    }),
  ]);
  const secret = { key: 'startup-script', value: 'export PASSWORD=hunter2' };
  compute.set('shop-prod/instances', [
    {
      id: '4711',
      name: 'web-1',
      selfLink: link('instances/web-1'),
      status: 'TERMINATED',
      machineType: link('machineTypes/n1-standard-4'),
      lastStartTimestamp: '2026-05-01T00:00:00Z',
      lastStopTimestamp: '2026-08-01T00:00:00Z',
      metadata: { items: [secret] },
    },
    {
      id: '4712',
      name: 'pool-x7f2',
      selfLink: link('instances/pool-x7f2'),
      status: 'RUNNING',
      metadata: { items: [{ key: 'created-by', value: 'projects/777/…/pool' }, secret] },
    },
  ]);
  compute.set('shop-prod/disks', [
    {
      id: '1',
      selfLink: link('disks/web-1'),
      status: 'READY',
      sizeGb: '100',
      type: link('diskTypes/pd-ssd'),
      users: [link('instances/web-1')],
    },
    {
      id: '2',
      selfLink: link('disks/lost'),
      status: 'READY',
      sizeGb: '50',
      lastDetachTimestamp: '2026-06-01T00:00:00Z',
    },
  ]);
  compute.set('shop-prod/snapshots', [
    {
      id: '3',
      selfLink: 'https://www.googleapis.com/compute/v1/projects/shop-prod/global/snapshots/old',
      diskSizeGb: '50',
      sourceDisk: link('disks/deleted'),
    },
  ]);
  compute.set('shop-prod/commitments', [
    {
      id: '900',
      name: 'year',
      selfLink: 'https://www.googleapis.com/compute/v1/projects/shop-prod/regions/europe-west1/commitments/year',
      region: 'https://www.googleapis.com/compute/v1/projects/shop-prod/regions/europe-west1',
      status: 'ACTIVE',
      plan: 'TWELVE_MONTH',
      endTimestamp: '2027-02-01T00:00:00Z',
      resources: [{ type: 'VCPU', amount: '8' }],
    },
  ]);
  return world;
}

it('lists resources with labels, regions as on bills, and Compute Engine details', async () => {
  const world = await aShop();
  world.google.inventory.pageItems = 2;
  const { items, warnings } = await listed(world);
  expect(warnings).toEqual([]);
  const byName = new Map(items.map((item) => [item.nativeId, item]));
  expect([...byName.keys()].sort()).toEqual([
    '//compute.googleapis.com/projects/shop-prod/global/snapshots/old',
    `${base}/disks/lost`,
    `${base}/disks/web-1`,
    `${base}/instances/pool-x7f2`,
    `${base}/instances/web-1`,
    '//storage.googleapis.com/pictures',
    '900',
  ]);
  expect(byName.get(`${base}/instances/web-1`)).toEqual({
    provider: 'gcp',
    nativeId: `${base}/instances/web-1`,
    aliases: [
      `${base}/instances/4711`,
      '//compute.googleapis.com/projects/777/zones/europe-west1-b/instances/web-1',
      '//compute.googleapis.com/projects/777/zones/europe-west1-b/instances/4711',
    ],
    name: 'web-1',
    resourceType: 'compute.googleapis.com/Instance',
    service: 'Compute Engine',
    region: 'europe-west1',
    tags: { env: 'dev' },
    metadata: {
      state: 'terminated',
      stateSince: '2026-08-01T00:00:00Z',
      instanceType: 'n1-standard-4',
      scalingGroup: null,
    },
  });
  const metadata = (name: string) => parseMetadata(byName.get(name)?.metadata);
  expect(metadata(`${base}/instances/pool-x7f2`)).toMatchObject({ scalingGroup: 'pool', state: 'running' });
  expect(metadata(`${base}/disks/web-1`)).toEqual({
    state: 'ready',
    attachedTo: `${base}/instances/web-1`,
    attachedToState: 'terminated',
    attachedToStateSince: '2026-08-01T00:00:00Z',
    sizeGib: 100,
    sku: 'pd-ssd',
  });
  expect(metadata(`${base}/disks/lost`)).toMatchObject({ attachedTo: null, stateSince: '2026-06-01T00:00:00Z' });
  expect(metadata('//compute.googleapis.com/projects/shop-prod/global/snapshots/old')).toMatchObject({
    sourceExists: false,
  });
  expect(byName.get('900')).toMatchObject({
    metadata: { endsAt: '2027-02-01T00:00:00Z', termMonths: 12, state: 'active' },
  });
  expect(byName.get('//storage.googleapis.com/pictures')).toMatchObject({
    service: 'Cloud Storage',
    region: 'eu',
    tags: { team: 'web' },
  });
});

it('requests only named fields and states, no scripts or configuration', async () => {
  const world = await aShop();
  const { items } = await listed(world);
  expect(JSON.stringify(items)).not.toMatch(/hunter2|startup-script|configuration/);
  for (const { query, path, method } of world.google.log.filter((call) => call.path !== '/token')) {
    expect(method).toBe('GET');
    if (path.startsWith('/compute/')) expect(query.get('fields')).toMatch(/^nextPageToken,items/);
    else expect(query.get('readMask')).toBe('name,assetType,project,displayName,location,labels,tags,createTime,state');
  }
});

it('warns once about a missing permission, and omits the unknown details', async () => {
  const world = await aShop();
  for (const kind of ['disks', 'commitments']) world.google.denied.add(`compute.${kind}.list`);
  const { items, warnings } = await listed(world);
  expect(warnings).toEqual([
    'Service account costkeep@billing-123.iam.gserviceaccount.com lacks compute.commitments.list in shop-prod: the inventory has less detail',
    'Service account costkeep@billing-123.iam.gserviceaccount.com lacks compute.disks.list in shop-prod: the inventory has less detail',
  ]);
  const disk = items.find(({ nativeId }) => nativeId === `${base}/disks/lost`);
  expect(disk?.metadata).toEqual({ createdAt: '2026-01-01T00:00:00Z' });
  const snapshot = items.find(({ nativeId }) => nativeId.endsWith('/snapshots/old'));
  expect(snapshot?.metadata).not.toHaveProperty('sourceExists');
  // Named by the search if the commitment list is denied.
  expect(items.some(({ nativeId }) => nativeId.endsWith('/commitments/year'))).toBe(true);
});

it('fails without any readable scope, warns about one of two, and postpones an interrupted list', async () => {
  const world = await aShop();
  world.google.denied.add('cloudasset.assets.searchAllResources');
  await expect(listed(world)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  world.google.denied.clear();
  world.google.failNext(/folders\/9:/, refusal(403, 'forbidden', 'The caller does not have permission'));
  const { items, warnings, unread } = await listed(world, [scope, 'folders/9']);
  expect(unread).toEqual(['^folders/9$']);
  expect(items).toHaveLength(7);
  expect(warnings[0]).toContain('No inventory of folders/9: service account');
  world.google.inventory.pageItems = 1;
  let pages = 0;
  const { inventory } = await world.connect({ scopes: [scope] });
  const broken = inventory?.list(async () => {
    if (++pages === 2) world.google.failNext(/searchAllResources/, refusal(403, 'forbidden', 'gone'));
  }, signal);
  await expect(broken).rejects.toMatchObject({ name: 'TryLater' });
});
