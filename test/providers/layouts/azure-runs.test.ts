import { describe, expect, it } from 'vitest';
import { planAzureExports } from '../../../src/providers/layouts/azure-export.ts';
import type { ListedFile } from '../../../src/providers/layouts/listing.ts';

const scope = '/subscriptions/0aaaaaaa-1111-2222-3333-444444444444';

interface Run {
  type?: string | null;
  from?: string;
  to?: string;
  submitted?: string;
  resourceId?: string | null;
}

/** A run in a folder, with one part. */
function run(folder: string, { type = 'FocusCost', from = '2026-05-01', to = '2026-05-31', ...more }: Run = {}) {
  const { submitted = '2026-06-02T00:00:00Z', resourceId = `${scope}/providers/Microsoft.CostManagement/exports/e` } =
    more;
  return {
    [`${folder}/manifest.json`]: {
      exportConfig: { type, resourceId },
      runInfo: { submittedTime: submitted, startDate: `${from}T00:00:00`, endDate: `${to}T00:00:00` },
      blobs: [{ blobName: `${folder}/part_0_0001.csv`, byteCount: 3 }],
    },
    [`${folder}/part_0_0001.csv`]: null,
  };
}

async function plan(tree: Record<string, object | null>, unfinished?: 'wait') {
  const listing = Object.keys(tree).map((key): ListedFile => ({
    key,
    token: key,
    sizeBytes: 3,
    modifiedAt: new Date('2026-06-02'),
  }));
  return planAzureExports(listing, (key) => Promise.resolve(JSON.stringify(tree[key])), unfinished);
}

async function spoken(tree: Record<string, object | null>) {
  const { files } = await plan(tree);
  return Object.fromEntries(files.map(({ key, speaksFor }) => [key.split('/')[0], speaksFor]));
}

describe('exports of actual and amortized costs', () => {
  it('are used for billed and effective costs if both cover a scope and month', async () => {
    const tree = { ...run('a', { type: 'ActualCost' }), ...run('m', { type: 'AmortizedCost', to: '2026-05-30' }) };
    expect(await spoken(tree)).toEqual({ a: 'billed', m: 'effective' });
  });

  it.each(['ActualCost', 'AmortizedCost', 'Usage'])('are used for all costs if there is only %s', async (type) => {
    expect(await spoken(run('a', { type }))).toEqual({ a: 'all' });
  });

  it('are used for all costs in months with only one of them, and in other scopes', async () => {
    const april = { from: '2026-04-01', to: '2026-04-30' };
    const other = { resourceId: '/subscriptions/1bbbbbbb-1111-2222-3333-444444444444' };
    const tree = {
      ...run('a', { type: 'ActualCost' }),
      ...run('m', { type: 'AmortizedCost' }),
      ...run('april', { type: 'ActualCost', ...april }),
      ...run('other', { type: 'AmortizedCost', ...other }),
    };
    expect(await spoken(tree)).toEqual({ a: 'billed', m: 'effective', april: 'all', other: 'all' });
  });

  it('are replaced by a FOCUS export, day by day', async () => {
    const april = { from: '2026-04-01', to: '2026-04-30' };
    const tree = { ...run('f'), ...run('a', { type: 'ActualCost' }), ...run('old', { type: 'ActualCost', ...april }) };
    expect(await spoken(tree)).toEqual({ f: 'all', old: 'all' });
  });

  it('are rejected if they cover different periods', async () => {
    const tree = { ...run('a', { type: 'ActualCost' }), ...run('m', { type: 'AmortizedCost', to: '2026-06-30' }) };
    await expect(plan(tree)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining('"a/manifest.json" (2026-05-01 to 2026-05-31)'),
    });
  });

  it('are distinguished by their folders if old manifests have no type', async () => {
    const old = (name: string) => ({
      [`bills/${name}/20260501-20260531/r/manifest.json`]: {
        blobs: [{ blobName: `bills/${name}/20260501-20260531/r/000001.csv` }],
      },
      [`bills/${name}/20260501-20260531/r/000001.csv`]: null,
    });
    const { files } = await plan({ ...old('ActualCost'), ...old('AmortizedCost') });
    expect(files.map(({ speaksFor, month }) => [speaksFor, month])).toEqual([
      ['billed', '2026-05'],
      ['effective', '2026-05'],
    ]);
  });
});

describe('run in delivery', () => {
  const tree = { ...run('e/20260501-20260531/r1'), 'e/20260601-20260630/r2/part_0_0001.csv': null };

  it('is waited for in a container', async () => {
    const { files, warnings } = await plan(tree, 'wait');
    expect(files.map(({ key }) => key)).toEqual(['e/20260501-20260531/r1/part_0_0001.csv']);
    expect(warnings).toEqual([
      'Run "e/20260601-20260630/" has no manifest.json yet: Azure writes it last, and the next sync reads it',
    ]);
  });

  it('is rejected in a copy', async () => {
    await expect(plan(tree)).rejects.toThrow(/without a manifest\.json/);
  });
});
