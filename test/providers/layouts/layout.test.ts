import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/kit/errors/errors.ts';
import { planFiles, planLiveFiles } from '../../../src/providers/layouts/layout.ts';
import type { ListedFile } from '../../../src/providers/layouts/listing.ts';
import { readManifest } from '../../../src/providers/layouts/manifest.ts';

const at = new Date('2026-07-01T00:00:00Z');

/** A listing from `{key: content}`: an object is a manifest, a number the size of a bill file. */
function plan(
  tree: Record<string, number | object>,
): Promise<{ key: string; month: string | null; snapshotAt: string | null; expectedRows: number | null }[]> {
  const text = (content: number | object): string =>
    typeof content === 'number' ? 'x'.repeat(content) : JSON.stringify(content);
  const listing: ListedFile[] = Object.entries(tree).map(([key, content]) => ({
    key,
    token: key,
    sizeBytes: text(content).length,
    modifiedAt: at,
  }));
  return planFiles(listing, async (key) => text(tree[key] ?? 0)).then(({ files }) =>
    files.map(({ key, month, snapshotAt, expectedRows }) => ({
      key,
      month,
      snapshotAt: snapshotAt?.toISOString() ?? null,
      expectedRows,
    })),
  );
}

async function keys(tree: Record<string, number | object>): Promise<string[]> {
  return (await plan(tree)).map((file) => file.key);
}

describe('AWS Data Export', () => {
  it('reads only the files in the latest manifest, with the partition in either case', async () => {
    expect(
      await plan({
        'x/data/billing_period=2026-06/20260702T120000Z-a1/x-00001.csv.gz': 5,
        'x/data/billing_period=2026-06/20260715T120000Z-b2/x-00001.csv.gz': 5,
        'x/metadata/billing_period=2026-06/20260702T120000Z-a1/x-Manifest.json': {
          dataFiles: ['s3://b/p/x/data/billing_period=2026-06/20260702T120000Z-a1/x-00001.csv.gz'],
        },
        'x/metadata/billing_period=2026-06/x-Manifest.json': {
          dataFiles: ['s3://b/p/x/data/billing_period=2026-06/20260715T120000Z-b2/x-00001.csv.gz'],
        },
      }),
    ).toEqual([
      {
        key: 'x/data/billing_period=2026-06/20260715T120000Z-b2/x-00001.csv.gz',
        month: '2026-06',
        snapshotAt: '2026-07-15T12:00:00.000Z',
        expectedRows: null,
      },
    ]);
  });

  it('accepts URIs, keys, {s3Uri} and {key}, and ignores data without a manifest', async () => {
    const data = 'data/BILLING_PERIOD=2026-05';
    expect(
      await keys({
        [`${data}/a.parquet`]: 1,
        [`${data}/b.parquet`]: 1,
        [`${data}/c.parquet`]: 1,
        [`${data}/d.parquet`]: 4,
        [`${data}/stale.parquet`]: 1,
        'metadata/BILLING_PERIOD=2026-05/x-Manifest.json': {
          dataFiles: [
            `s3://b/p/x/${data}/a.parquet`,
            `p/x/${data}/b.parquet`,
            { key: `p/x/${data}/c.parquet` },
            { s3Uri: `s3://b/p/x/${data}/d.parquet`, size: 4 },
          ],
        },
      }),
    ).toEqual(['a', 'b', 'c', 'd'].map((name) => `${data}/${name}.parquet`));
  });

  it.each([
    ['a missing data file', { dataFiles: ['s3://b/x/data/BILLING_PERIOD=2026-05/gone.csv'] }, /gone\.csv.* is missing/],
    [
      'a data file of another month',
      { dataFiles: ['s3://b/x/data/BILLING_PERIOD=2026-04/x.csv'] },
      /names .* of month 2026-04/,
    ],
    [
      'a truncated data file',
      { dataFiles: [{ s3Uri: 's3://b/x/data/BILLING_PERIOD=2026-05/x.csv', size: 9 }] },
      /has 3 bytes.*lists 9/,
    ],
    [
      'the same file twice',
      { dataFiles: ['data/BILLING_PERIOD=2026-05/x.csv', 's3://b/data/BILLING_PERIOD=2026-05/x.csv'] },
      /twice/,
    ],
    ['a manifest without files', {}, /no usable "dataFiles"/],
  ])('rejects %s', async (_, manifest, message) => {
    const tree = {
      'data/BILLING_PERIOD=2026-05/x.csv': 3,
      'metadata/BILLING_PERIOD=2026-05/x-Manifest.json': manifest,
    };
    await expect(plan(tree)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringMatching(message),
    });
  });

  it('rejects a month without a manifest, and several executions without one', async () => {
    await expect(
      plan({
        'data/BILLING_PERIOD=2026-06/x.csv': 1,
        'metadata/BILLING_PERIOD=2026-05/x-Manifest.json': { dataFiles: [] },
      }),
    ).rejects.toThrow(/month 2026-06, which has no manifest/);
    await expect(
      plan({
        'data/BILLING_PERIOD=2026-06/20260702T120000Z-a1/x.csv': 1,
        'data/BILLING_PERIOD=2026-06/20260703T120000Z-b2/x.csv': 1,
      }),
    ).rejects.toThrow(/several runs of one export/);
  });
});

interface Run {
  start?: string;
  end?: string;
  submitted: string;
  name?: string;
  type?: string;
  blobs?: { blobName: string; byteCount?: number; dataRowCount?: number }[];
  blobCount?: number;
}

function run({
  start = '2026-06-01',
  end = '2026-06-30',
  submitted,
  name = 'daily',
  type = 'FocusCost',
  blobs = [],
  blobCount = blobs.length,
}: Run): object {
  return {
    blobCount,
    blobs,
    exportConfig: {
      exportName: name,
      resourceId: `/subscriptions/S1/providers/Microsoft.CostManagement/exports/${name}`,
      type,
    },
    runInfo: { submittedTime: submitted, startDate: `${start}T00:00:00`, endDate: `${end}T00:00:00Z` },
  };
}

const part = (folder: string, dataRowCount = 2): { blobName: string; byteCount: number; dataRowCount: number } => ({
  blobName: `root/e/${folder}/part_0_0001.csv`,
  byteCount: 3,
  dataRowCount,
});

describe('Azure exports', () => {
  it('use the newest run of each month, and the row count of its parts', async () => {
    expect(
      await plan({
        'e/20260601-20260630/r1/manifest.json': run({
          submitted: '2026-07-01T07:00:12.1234567Z',
          blobs: [part('20260601-20260630/r1')],
        }),
        'e/20260601-20260630/r1/part_0_0001.csv': 3,
        'e/20260601-20260630/r2/manifest.json': run({
          submitted: '2026-07-02T07:02:45.9876543',
          blobs: [part('20260601-20260630/r2', 5)],
        }),
        'e/20260601-20260630/r2/part_0_0001.csv': 3,
        'e/20260601-20260630/running/part_0_0001.csv': 3,
      }),
    ).toEqual([
      {
        key: 'e/20260601-20260630/r2/part_0_0001.csv',
        month: '2026-06',
        snapshotAt: '2026-07-02T07:02:45.987Z',
        expectedRows: 5,
      },
    ]);
  });

  it('do not add a month-to-date export to the export of the closed month in the same scope', async () => {
    expect(
      await keys({
        'mtd/manifest.json': run({ submitted: '2026-06-30T08:00:00Z', blobs: [part('mtd')] }),
        'mtd/part_0_0001.csv': 3,
        'closed/manifest.json': run({ submitted: '2026-07-05T08:00:00Z', name: 'monthly', blobs: [part('closed')] }),
        'closed/part_0_0001.csv': 3,
      }),
    ).toEqual(['closed/part_0_0001.csv']);
  });

  it('keep runs over different days of a month, and reject partial overlaps', async () => {
    const first = {
      'a/manifest.json': run({ end: '2026-06-15', submitted: '2026-06-16T00:00:00Z', blobs: [part('a')] }),
      'a/part_0_0001.csv': 3,
    };
    const second = (start: string): Record<string, number | object> => ({
      'b/manifest.json': run({ start, submitted: '2026-07-01T00:00:00Z', blobs: [part('b')] }),
      'b/part_0_0001.csv': 3,
    });
    expect(await keys({ ...first, ...second('2026-06-16') })).toEqual(['a/part_0_0001.csv', 'b/part_0_0001.csv']);
    await expect(plan({ ...first, ...second('2026-06-15') })).rejects.toThrow(/overlap without one covering the other/);
  });

  it('treat a run without files as an empty month', async () => {
    expect(
      await keys({
        'a/manifest.json': run({ submitted: '2026-07-01T00:00:00Z', blobs: [part('a')] }),
        'a/part_0_0001.csv': 3,
        'b/manifest.json': run({ submitted: '2026-07-02T00:00:00Z' }),
      }),
    ).toEqual([]);
  });

  it('read old manifests by their path, and ignore exports of other types', async () => {
    const old = { blobs: [{ blobName: 'root/e/20260501-20260531/000001.csv' }] };
    const tree = { 'e/20260501-20260531/manifest.json': old, 'e/20260501-20260531/000001.csv': 3 };
    const actual = {
      'actual/manifest.json': run({ submitted: '2026-07-01T00:00:00Z', type: 'PriceSheet', blobs: [part('actual')] }),
      'actual/part_0_0001.csv': 3,
    };
    expect(await plan({ ...tree, ...actual })).toEqual([
      { key: 'e/20260501-20260531/000001.csv', month: '2026-05', snapshotAt: at.toISOString(), expectedRows: null },
    ]);
    await expect(plan(actual)).rejects.toThrow(/of type PriceSheet/);
  });

  it.each([
    [
      'a missing part',
      { 'a/manifest.json': run({ submitted: '2026-07-01', blobs: [part('a')] }) },
      /part_0_0001\.csv.* is missing/,
    ],
    [
      'a truncated part',
      { 'a/manifest.json': run({ submitted: '2026-07-01', blobs: [part('a')] }), 'a/part_0_0001.csv': 2 },
      /has 2 bytes.*lists 3/,
    ],
    [
      'fewer parts than their blob count',
      { 'a/manifest.json': run({ submitted: '2026-07-01', blobCount: 2 }) },
      /lists 0 files, but its blob count is 2/,
    ],
  ])('reject %s', async (_, tree, message) => {
    await expect(plan(tree)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringMatching(message),
    });
  });
});

describe('classic Azure exports', () => {
  const month = 'exp/20260401-20260430';
  const daily = (day: number, sizeBytes: number, name = 'exp'): ListedFile => ({
    key: `${month}/${name}_0000000${day % 10}-0000-4000-8000-00000000000${day % 10}.csv`,
    token: `${day}`,
    sizeBytes,
    modifiedAt: new Date(Date.UTC(2026, 3, day)),
  });
  const none = async () => '';

  it('count only the newest month-to-date file of each export', async () => {
    const listing = [daily(1, 10), daily(3, 30), daily(2, 20), daily(2, 5, 'other')];
    const expected = [daily(3, 30).key, daily(2, 5, 'other').key];
    expect((await planFiles(listing, none)).files.map(({ key }) => key)).toEqual(expected);
    expect((await planLiveFiles(listing, none)).files.map(({ key }) => key)).toEqual(expected);
  });

  it('accept a newest file that is smaller from a live container, and reject it in a copied folder', async () => {
    const listing = [daily(1, 10), daily(2, 9)];
    expect((await planLiveFiles(listing, none)).files.map(({ key }) => key)).toEqual([daily(2, 9).key]);
    const { files, conflicts } = await planFiles(listing, none);
    expect(files).toEqual([]);
    expect(conflicts).toMatchObject([{ keys: [daily(1, 10).key, daily(2, 9).key], months: ['2026-04'] }]);
    const [{ statement } = { statement: '' }] = conflicts ?? [];
    expect(new AppError('VALIDATION_ERROR', statement).message).toBe(
      `Files "${daily(2, 9).key}" and "${daily(1, 10).key}" are runs of one Azure export, and their times do not show which is newer; keep the newest run only, or copy the files with their modification times`,
    );
  });

  it('leave out two files of the same time, and no other', async () => {
    const twin = { ...daily(2, 20), modifiedAt: daily(1, 0).modifiedAt };
    const may = { ...daily(2, 20), key: daily(2, 20).key.replace('20260401-20260430', '20260501-20260531') };
    const { files, conflicts } = await planLiveFiles([daily(1, 10), twin, may], none);
    expect(files.map(({ key }) => key)).toEqual([may.key]);
    expect(conflicts?.map(({ months }) => months)).toEqual([['2026-04']]);
  });

  it('name each month of a billing period that does not start on the first', async () => {
    const move = (file: ListedFile) => ({ ...file, key: file.key.replace('20260401-20260430', '20260416-20260515') });
    const { conflicts } = await planFiles([daily(1, 10), daily(2, 9)].map(move), none);
    expect(conflicts?.map(({ months }) => months)).toEqual([['2026-04', '2026-05']]);
  });
});

describe('files without manifests', () => {
  it('are all read, with the month of a path as a hint only, ignoring other manifests', async () => {
    expect(
      await plan({
        'billing_period=2026-05/a.PARQUET': 1,
        'billing_period=2026-06/a.csv.gz': 1,
        'b.CSV': 1,
        'manifest.json': { name: 'app' },
      }),
    ).toEqual(
      ['b.CSV', 'billing_period=2026-05/a.PARQUET', 'billing_period=2026-06/a.csv.gz'].map((key) => ({
        key,
        month: null,
        snapshotAt: null,
        expectedRows: null,
      })),
    );
  });

  it('are rejected if the same bill is in two formats', async () => {
    await expect(plan({ 'a.csv': 1, 'a.csv.gz': 1 })).rejects.toThrow(
      /"a\.csv" and "a\.csv\.gz" differ only in their format/,
    );
  });

  it('can be next to exports with manifests', async () => {
    expect(
      await keys({
        'aws/data/BILLING_PERIOD=2026-05/x.csv': 3,
        'aws/metadata/BILLING_PERIOD=2026-05/x-Manifest.json': {
          dataFiles: ['s3://b/x/data/BILLING_PERIOD=2026-05/x.csv'],
        },
        'azure/manifest.json': run({ submitted: '2026-07-01', blobs: [part('azure')] }),
        'azure/part_0_0001.csv': 3,
        'plain.csv': 3,
      }),
    ).toEqual(['aws/data/BILLING_PERIOD=2026-05/x.csv', 'azure/part_0_0001.csv', 'plain.csv']);
  });
});

describe('manifest', () => {
  const listed = (sizeBytes: number): ListedFile => ({ key: 'manifest.json', token: '', sizeBytes, modifiedAt: at });

  it('is not read if larger than 16 MiB', async () => {
    expect(await readManifest(listed(16_777_216), async () => '{}')).toEqual({});
    const read = () => Promise.reject(new Error('was read'));
    await expect(readManifest(listed(16_777_217), read)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message:
        'Manifest "manifest.json" has 16777217 bytes, more than 16777216: it is not an export manifest; move it elsewhere',
    });
  });
});

describe('delivery', () => {
  const deliveries = async (tree: Record<string, object | number>) => {
    const text = (key: string) => (typeof tree[key] === 'number' ? 'x' : JSON.stringify(tree[key]));
    const listing = Object.keys(tree).map((key) => ({ key, token: key, sizeBytes: text(key).length, modifiedAt: at }));
    return (await planFiles(listing, async (key) => text(key))).files.map(({ delivery }) => delivery);
  };

  it('is named by the manifest of its files, or by the folder of a run', async () => {
    const manifest = 'x/metadata/BILLING_PERIOD=2026-05/x-Manifest.json';
    const files = ['1', '2'].map((no) => `x/data/BILLING_PERIOD=2026-05/x-${no}.csv`);
    expect(await deliveries({ [manifest]: { dataFiles: files }, [files[0] ?? '']: 1, [files[1] ?? '']: 1 })).toEqual([
      manifest,
      manifest,
    ]);
    const azure = 'y/20260501-20260531/manifest.json';
    const blobs = [{ blobName: 'y/20260501-20260531/part_0_0001.csv' }];
    expect(await deliveries({ [azure]: { blobs }, 'y/20260501-20260531/part_0_0001.csv': 1 })).toEqual([azure]);
    expect(await deliveries({ 'z/part_0_0001.csv': 1, 'z/part_1_0001.csv': 1, 'z/bill.csv': 1 })).toEqual([
      undefined,
      'z/',
      'z/',
    ]);
  });
});
