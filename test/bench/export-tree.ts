import { link, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { addMonths } from '../../src/kit/time/period.ts';
import { firstMonth } from './focus-files.ts';

/** Months of an export. */
export const exportMonths = 12;

/** Arranges month files (`month-<n>.parquet` in `files`) as an AWS Data Export that keeps every execution ("create
 *  new") in a new `folder`: for each month the current execution and a stale one, which would be counted twice if it
 *  were read. Copies nothing. */
export async function layExport(files: string, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  for (let month = 0; month < exportMonths; month++) {
    const part = `billing_period=${addMonths(firstMonth, month)}`;
    const data = ['20260101T000000Z-stale', '20260901T000000Z-current'].map(
      (execution) => `bench/data/${part}/${execution}/bench-00001.snappy.parquet`,
    );
    for (const name of data) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await link(join(files, `month-${month}.parquet`), join(folder, name));
    }
    const manifest = { executionId: '20260901T000000Z-current', dataFiles: [`s3://bills/${data[1]}`] };
    await mkdir(join(folder, `bench/metadata/${part}`), { recursive: true });
    await writeFile(join(folder, `bench/metadata/${part}/bench-Manifest.json`), JSON.stringify(manifest));
  }
}
