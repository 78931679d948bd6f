import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readOnlyContainer } from '../../../src/providers/azure/export.ts';
import { openAzure } from '../../../src/providers/azure/open.ts';
import { servicePrincipal } from '../../../src/providers/azure/sign-in.ts';
import type { SourceListing } from '../../../src/providers/contract.ts';
import { type Azurite, startAzurite, uploadFolder } from '../../support/clouds/azure/azurite.ts';
import { type FakeAzure, startFakeAzure } from '../../support/clouds/azure/cloud.ts';
import { endpointsOf, idle, settings } from './world.ts';

const trees = path.resolve(import.meta.dirname, '../../../../shared/data/costroid/testdata/azure-focus');
const storage = 'https://storage.azure.com/.default';

let fake: FakeAzure;
let azurite: Azurite;
let folder: string;
let counter = 0;
beforeAll(async () => {
  [fake, azurite] = await Promise.all([startFakeAzure(), startAzurite()]);
  folder = await mkdtemp(path.join(os.tmpdir(), 'costkeep-azure-'));
});
afterAll(async () => {
  await Promise.all([fake.stop(), azurite.stop(), rm(folder, { recursive: true })]);
});
beforeEach(() => {
  fake.calls.length = 0;
  fake.signIns.length = 0;
  fake.routes.clear();
  for (const route of ['microsoft.capacity/reservations', 'microsoft.billingbenefits/savingsplans'])
    fake.routes.set(`get /providers/${route}`, () => ({ status: 200, body: { value: [] } }));
  fake.routes.set('get /subscriptions', () => ({ status: 200, body: { value: [] } }));
  fake.routes.set('post /providers/microsoft.resourcegraph/resources', () => ({ status: 200, body: { data: [] } }));
});

function open(container: string, prefix = '') {
  const place = { storageAccount: azurite.account, container, prefix };
  const spec = { provider: 'azure', credentials: fake, settings: settings(place) } as const;
  return openAzure(spec, endpointsOf(fake, azurite.endpoint));
}

/** A new container for the test. */
async function fresh() {
  const name = `exports-${counter++}`;
  return { name, client: await azurite.container(name) };
}

interface RunOptions {
  readonly scope?: string;
  readonly submitted?: string;
  readonly rows?: number;
  readonly bytes?: number;
}

/** Delivers a run like Azure: its part, then its manifest. */
async function deliver(
  client: Awaited<ReturnType<typeof fresh>>['client'],
  at: string,
  { scope = '/subscriptions/s1', submitted = '2026-06-02T00:00:00Z', rows = 1, bytes }: RunOptions = {},
) {
  const content = Buffer.from(`BilledCost\n${'1\n'.repeat(rows)}`);
  const blobName = `${at}/part_0_0001.csv`;
  await client.getBlockBlobClient(blobName).uploadData(content);
  const manifest = {
    manifestVersion: '2024-04-01',
    blobCount: 1,
    exportConfig: {
      exportName: 'e',
      resourceId: `${scope}/providers/Microsoft.CostManagement/exports/e`,
      type: 'FocusCost',
    },
    runInfo: { submittedTime: submitted, startDate: '2026-05-01T00:00:00', endDate: '2026-05-31T00:00:00' },
    blobs: [{ blobName, byteCount: bytes ?? content.length, dataRowCount: rows }],
  };
  await client.getBlockBlobClient(`${at}/manifest.json`).uploadData(Buffer.from(`\uFEFF${JSON.stringify(manifest)}`));
}

const short = ({ files }: SourceListing) =>
  files.map(({ key, month, expectedRows }) => `${month} ${key} ${expectedRows}`);

describe('Cost Management export in a container', () => {
  it.each([
    ['one folder per run', 'root/e/20260501-20260531/1a2b3c4d-5e6f-7089-9abc-def012345678'],
    [
      'with a parent folder of the run time',
      'root/e/20260501-20260531/202606020000/1a2b3c4d-5e6f-7089-9abc-def012345678',
    ],
    ['without a folder of the period', 'root/e/mtd/current'],
    ['without a parent folder', 'run'],
  ])('is found in any folder: %s', async (_, at) => {
    const { name, client } = await fresh();
    await deliver(client, at, { rows: 3 });
    expect(short(await open(name).costs.list(null, idle))).toEqual([`2026-05 ${at}/part_0_0001.csv 3`]);
  });

  it('needs one sign-in and one request without changes, and only reads', async () => {
    const { name, client } = await fresh();
    await deliver(client, 'e/a');
    await deliver(client, 'e/b', { scope: '/subscriptions/s2' });
    await azurite.requests();
    const first = await open(name, 'e').costs.list(null, idle);
    expect(await azurite.requests()).toHaveLength(3);
    const memo: unknown = JSON.parse(JSON.stringify(first.memo));
    const again = await open(name, 'e').costs.list(memo, idle);
    expect(again).toEqual(first);
    expect(await azurite.requests()).toEqual([
      expect.stringMatching(new RegExp(`^GET /devaccount/${name}\\?.*prefix=e%2F`)),
    ]);
    expect(fake.signIns).toEqual([storage, storage]);
    expect(fake.calls).toEqual([]);
  });

  it('uses the newest run, also after a restatement', async () => {
    const { name, client } = await fresh();
    await deliver(client, 'e/old', { rows: 2 });
    const before = await open(name).costs.list(null, idle);
    await deliver(client, 'e/new', { rows: 5, submitted: '2026-06-03T00:00:00Z' });
    const after = await open(name).costs.list(before.memo, idle);
    expect([short(before), short(after)]).toEqual([
      ['2026-05 e/old/part_0_0001.csv 2'],
      ['2026-05 e/new/part_0_0001.csv 5'],
    ]);
  });

  it('is downloaded exactly as listed, or rejected', async () => {
    const { name, client } = await fresh();
    await deliver(client, 'e/a', { rows: 4 });
    const { costs } = open(name);
    const [file] = (await costs.list(null, idle)).files;
    if (!file) throw new Error('nothing is listed');
    const local = await costs.fetch(file, folder, idle);
    expect(await readFile(local, 'utf8')).toBe('BilledCost\n1\n1\n1\n1\n');
    await deliver(client, 'e/a', { rows: 5 });
    await expect(costs.fetch(file, folder, idle)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it.each([
    ['nothing has been delivered yet', null, /settings\.prefix matches no bills in Blob container/],
    ['the size of a part differs from its manifest', { bytes: 99 }, /has 13 bytes.*lists 99/],
  ])('is rejected with an explanation if %s', async (_, run, message) => {
    const { name, client } = await fresh();
    if (run) await deliver(client, 'e/a', run);
    await expect(open(name).costs.list(null, idle)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringMatching(message),
    });
  });

  it('is rejected if the container has bills without manifests', async () => {
    const { name, client } = await fresh();
    await client.getBlockBlobClient('e/export_123.csv').uploadData(Buffer.from('a'));
    await expect(open(name).costs.list(null, idle)).rejects.toThrow(/turn on its file partitioning/);
    await expect(open(name).check(idle)).rejects.toThrow(/turn on its file partitioning/);
  });
});

describe('check before connecting', () => {
  it('names a missing container', async () => {
    await expect(open('no-such-container').check(idle)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: 'settings.container "no-such-container" does not exist in storage account "devaccount"; correct it',
    });
  });

  it('warns about missing inventory permissions', async () => {
    const { name, client } = await fresh();
    await deliver(client, 'e/a');
    await azurite.requests();
    const { externalId, warnings } = await open(name).check(idle);
    expect(externalId).toBe(settings().subscriptionIds[0]);
    expect(warnings).toEqual([expect.stringMatching(/^Subscription ".*" cannot be read/)]);
    expect((await azurite.requests()).map((request) => request.split(' ')[0])).toEqual([
      'GET',
      expect.stringMatching(/GET|HEAD/),
      'GET',
    ]);
  });
});

describe('container client', () => {
  const client = () =>
    readOnlyContainer(servicePrincipal(fake, endpointsOf(fake)), endpointsOf(fake, azurite.endpoint), {
      storageAccount: azurite.account,
      container: 'exports-0',
    });

  it.each([
    ['write', () => client().getBlockBlobClient('x').uploadData(Buffer.from('x'))],
    ['delete', () => client().getBlobClient('x').delete()],
    ['delete the container', () => client().delete()],
    ['set metadata', () => client().getBlobClient('x').setMetadata({ a: 'b' })],
  ])('cannot %s: rejects it before the network', async (_, work) => {
    await azurite.requests();
    fake.signIns.length = 0;
    await expect(work()).rejects.toThrow(/Costkeep only reads its container/);
    expect([await azurite.requests(), fake.signIns]).toEqual([[], []]);
  });

  it.each(['evil.example/x', 'a@b', 'UPPER', 'acc?sv=2024&sig=abc', 'ab', '..'])(
    'rejects storage account "%s"',
    (storageAccount) => {
      const endpoints = endpointsOf(fake);
      const make = () =>
        readOnlyContainer(servicePrincipal(fake, endpoints), endpoints, { storageAccount, container: 'c' });
      expect(make).toThrow(/settings\.storage_account must be the name/);
    },
  );
});

describe.skipIf(!existsSync(trees))("Costroid's trees (skipped without ../shared/data)", () => {
  it('are read by manifest, and replaced by a restated one', async () => {
    const { name, client } = await fresh();
    const root = (tree: string) => path.join(trees, tree, 'devaccount/exports');
    await uploadFolder(client, root('fixture'));
    const { costs } = open(name, 'costroid-demo');
    const first = await costs.list(null, idle);
    expect(short(first)).toEqual([
      '2026-06 20260601-20260630/1a2b3c4d-5e6f-7089-9abc-def012345678/part_0_0001.csv.gz 5',
      '2026-05 mtd-snapshot/current/part_0_0001.csv.gz 3',
      '2026-05 mtd-snapshot/current/part_1_0001.csv.gz 2',
    ]);
    await uploadFolder(client, root('restated'));
    const second = await costs.list(first.memo, idle);
    expect(short(second).slice(1)).toEqual([
      '2026-05 mtd-snapshot/regen-42/part_0_0001.csv.gz 3',
      '2026-05 mtd-snapshot/regen-42/part_1_0001.csv.gz 2',
    ]);
    const [file] = second.files;
    const source = path.join(root('fixture'), 'costroid-demo', file?.key ?? '');
    const local = file ? await costs.fetch(file, folder, idle) : '';
    expect(sha(await readFile(local))).toBe(sha(await readFile(source)));
  });
});

function sha(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
