import { describe, expect, it } from 'vitest';
import { planFiles, planLiveFiles } from '../../../src/providers/layouts/layout.ts';
import type { ListedFile } from '../../../src/providers/layouts/listing.ts';

const [old, newer] = ['0a5c7c2e-1111-4222-8333-944445555666', '1b5c7c2e-1111-4222-8333-944445555666'];
const may = 'cur/20260501-20260601';

/** A file, or the manifest of a run with these files; modified on a day of May 2026. */
function aFile(key: string, { names, day = 1 }: { names?: string[]; day?: number } = {}): [ListedFile, string] {
  const text = names
    ? JSON.stringify({
        reportKeys: names.map((name) => `bucket-prefix/${name}`),
        billingPeriod: { start: '20260501T000000.000Z' },
      })
    : 'x';
  const modifiedAt = new Date(Date.UTC(2026, 4, day));
  return [{ key, token: key, sizeBytes: text.length, modifiedAt }, text];
}

const runOf = (assembly: string | undefined, day: number) => {
  const key = `${may}/${assembly}/cur-1.csv.gz`;
  return [aFile(key, { day }), aFile(`${may}/${assembly}/cur-Manifest.json`, { names: [key], day })];
};

async function keysOf(
  files: [ListedFile, string][],
  plan: typeof planFiles = planFiles,
): Promise<[string, string | null][]> {
  const texts = new Map(files.map(([{ key }, text]) => [key, text]));
  const planned = await plan(
    files.map(([file]) => file),
    async (key) => texts.get(key) ?? '',
  );
  expect(planned.warnings).toEqual([]);
  return planned.files.map(({ key, month }) => [key, month]);
}

describe('legacy Cost and Usage Report', () => {
  it('is read by the manifest of its period, whatever the times of its runs', async () => {
    const latest = aFile(`${may}/cur-Manifest.json`, { names: [`${may}/${old}/cur-1.csv.gz`] });
    const files = [...runOf(old, 2), ...runOf(newer, 9), latest];
    for (const plan of [planFiles, planLiveFiles])
      expect(await keysOf(files, plan)).toEqual([[`${may}/${old}/cur-1.csv.gz`, '2026-05']]);
  });

  it('is read by the newest manifest of a run if the period has none', async () => {
    expect(await keysOf([...runOf(old, 2), ...runOf(newer, 9)])).toEqual([[`${may}/${newer}/cur-1.csv.gz`, '2026-05']]);
    await expect(keysOf([...runOf(old, 2), ...runOf(newer, 2)])).rejects.toThrow(
      /contains several runs of one report, and their times do not show which is the newest; copy the manifest/,
    );
  });

  it('is read by its manifests if the folders of its runs are named by time', async () => {
    const [first, second] = ['20260503T040211Z', '20260509T040211Z'];
    const runs = [...runOf(first, 2), ...runOf(second, 9)];
    const latest = aFile(`${may}/cur-Manifest.json`, { names: [`${may}/${first}/cur-1.csv.gz`] });
    for (const plan of [planFiles, planLiveFiles]) {
      expect(await keysOf([...runs, latest], plan)).toEqual([[`${may}/${first}/cur-1.csv.gz`, '2026-05']]);
      expect(await keysOf(runs, plan)).toEqual([[`${may}/${second}/cur-1.csv.gz`, '2026-05']]);
    }
    const withoutManifests = runs.filter(([{ key }]) => key.endsWith('.gz'));
    await expect(keysOf(withoutManifests)).rejects.toThrow(
      /contains several runs of one export .* and no manifest shows/,
    );
  });

  it('in Parquet is read from its own folder, without the table of the delivery status', async () => {
    const data = 'cur/cur/year=2026/month=5/cur-00001.snappy.parquet';
    const files = [
      aFile(`${may}/cur-Manifest.json`, { names: [data] }),
      aFile(data),
      aFile('cur/cur/year=2026/month=5/cur-00002.snappy.parquet'),
      aFile('cur/cur/cost_and_usage_data_status/cost_and_usage_data_status.parquet'),
    ];
    expect(await keysOf(files)).toEqual([[data, '2026-05']]);
  });

  it('is rejected if a file of its manifest is missing', async () => {
    await expect(keysOf(runOf(old, 2).slice(1))).rejects.toThrow(/named by manifest .* is missing; copy the run again/);
  });

  it('waits for the manifest of a run in delivery', async () => {
    const next = 'cur/20260601-20260701';
    const files = [...runOf(old, 2), aFile(`${next}/${newer}/cur-1.csv.gz`)];
    const texts = new Map(files.map(([{ key }, text]) => [key, text]));
    const planned = await planLiveFiles(
      files.map(([file]) => file),
      async (key) => texts.get(key) ?? '',
    );
    expect(planned.files).toHaveLength(1);
    expect(planned.warnings).toEqual([
      `Run "${next}/${newer}/" has no manifest yet: AWS writes it last, and the next sync reads it`,
    ]);
  });
});
