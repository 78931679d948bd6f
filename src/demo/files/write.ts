import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Day, type Month, addDays, addMonths, firstDay, lastDay } from '../../kit/time/period.ts';
import { aws } from '../../sample/aws/cloud.ts';
import { azure } from '../../sample/azure/cloud.ts';
import { deliveredOn, sampleMonths } from '../../sample/bill/bill.ts';
import { awsColumns, azureColumns } from '../../sample/files/columns.ts';
import { csvOf } from '../../sample/files/csv.ts';
import { focusRows } from '../../sample/files/focus-row.ts';
import { GeneratedFolder } from './folder.ts';
import { gcp } from '../../sample/gcp/cloud.ts';
import { ParquetWriter } from './parquet.ts';
import { guidOf } from '../../sample/random.ts';

/** The folders of the sample's accounts, under the folder passed to `writeDemo`. */
export const demoFolders = { aws: 'aws', azure: 'azure', gcp: 'gcp' } as const;

const exportName = 'costkeep-focus';

/** Writes the sample organization's exports: thirteen months up to today, in the layout of the three clouds. Files
 *  of closed months are byte-for-byte identical on every later day, and then left untouched.
 *  @param folder absolute path; its `aws`, `azure` and `gcp` subfolders are generated and contain nothing else
 *  @param onProgress called after each month with the completed share, 0 to 1
 *  @returns the number of line items */
export async function writeDemo(
  folder: string,
  today: Day,
  onProgress: (done: number) => void = () => {},
): Promise<number> {
  const months = sampleMonths(today);
  const folders = Object.values(demoFolders).map((name) => path.join(folder, name));
  for (const each of folders) await mkdir(each, { recursive: true });
  const [toAws, toAzure, toGcp] = folders.map((each) => new GeneratedFolder(each));
  if (!toAws || !toAzure || !toGcp) throw new Error('A folder of the three clouds is missing');
  const parquet = await ParquetWriter.open();
  let lineItems = 0;
  try {
    for (const [done, month] of months.entries()) {
      lineItems += await writeAws(toAws, month, today);
      lineItems += await writeAzure(toAzure, month, today);
      lineItems += await writeGcp(toGcp, month, today, parquet);
      onProgress((done + 1) / months.length);
    }
  } finally {
    parquet.close();
  }
  for (const each of [toAws, toAzure, toGcp]) await each.removeOthers();
  return lineItems;
}

/** AWS Data Exports, CSV gzip, overwriting: data and manifest per billing period. */
async function writeAws(folder: GeneratedFolder, month: Month, today: Day): Promise<number> {
  const rows = focusRows(aws, month, today, (day) => `${day}T00:00:00.000Z`);
  const part = `BILLING_PERIOD=${month}`;
  const data = `${exportName}/data/${part}/${exportName}-00001.csv.gz`;
  await folder.put(data, gzipSync(csvOf(awsColumns, rows), { level: 4 }));
  const manifest = {
    executionId: guidOf(`aws ${month} ${deliveredOn(month, today)}`),
    exportArn: `arn:aws:bcm-data-exports:us-east-1:${aws.billingAccount.id}:export/${exportName}-${guidOf(exportName)}`,
    columns: awsColumns.map((name) => ({ name, type: 'string' })),
    dataFiles: [`s3://brightwater-billing/${data}`],
    additionalOutputFiles: [],
  };
  await folder.put(`${exportName}/metadata/${part}/${exportName}-Manifest.json`, JSON.stringify(manifest, null, 2));
  return rows.length;
}

/** An Azure FOCUS 1.0 export, CSV in two parts, overwriting, one run folder per month. */
async function writeAzure(folder: GeneratedFolder, month: Month, today: Day): Promise<number> {
  const rows = focusRows(azure, month, today, (day) => `${day}T00:00:00Z`);
  const runId = guidOf(`azure ${month}`);
  const span = `${firstDay(month)}-${lastDay(month)}`.replace(/(\d{4})-(\d{2})-(\d{2})/g, '$1$2$3');
  const run = `${exportName}/${span}/${runId}`;
  const half = Math.ceil(rows.length / 2);
  const parts = [rows.slice(0, half), rows.slice(half)].map((part, at) => {
    const content = csvOf(azureColumns, part);
    return {
      name: `${run}/part_${at}_0001.csv`,
      content,
      blob: { byteCount: Buffer.byteLength(content), dataRowCount: part.length },
    };
  });
  for (const { name, content } of parts) await folder.put(name, content);
  const blobs = parts.map(({ name, blob }) => ({ blobName: name, ...blob }));
  await folder.put(`${run}/manifest.json`, JSON.stringify(azureManifest(month, today, { runId, blobs }), null, 2));
  return rows.length;
}

interface AzureParts {
  readonly runId: string;
  readonly blobs: readonly { readonly blobName: string; readonly byteCount: number; readonly dataRowCount: number }[];
}

function azureManifest(month: Month, today: Day, { runId, blobs }: AzureParts): object {
  const sum = (pick: (blob: AzureParts['blobs'][number]) => number): number =>
    blobs.reduce((total, blob) => total + pick(blob), 0);
  return {
    manifestVersion: '2024-04-01',
    byteCount: sum((blob) => blob.byteCount),
    blobCount: blobs.length,
    dataRowCount: sum((blob) => blob.dataRowCount),
    exportConfig: {
      exportName,
      resourceId: `${azure.billingAccount.id}/providers/Microsoft.CostManagement/exports/${exportName}`,
      dataVersion: '1.0',
      type: 'FocusCost',
      timeFrame: 'Custom',
      granularity: 'Daily',
    },
    deliveryConfig: {
      partitionData: true,
      dataOverwriteBehavior: 'OverwritePreviousReport',
      fileFormat: 'Csv',
      compressionMode: 'None',
      rootFolderPath: exportName,
    },
    runInfo: {
      executionType: 'Scheduled',
      submittedTime: `${deliveredOn(month, today)}T00:04:11.0000000Z`,
      runId,
      startDate: `${firstDay(month)}T00:00:00`,
      endDate: `${addDays(firstDay(addMonths(month, 1)), -1)}T00:00:00`,
    },
    blobs,
  };
}

/** Google's FOCUS table as Parquet, one file per billing month. */
async function writeGcp(folder: GeneratedFolder, month: Month, today: Day, parquet: ParquetWriter): Promise<number> {
  const rows = focusRows(gcp, month, today, (day) => `${day}T00:00:00Z`);
  await folder.putBy(`billing_period=${month}/focus-000000000000.parquet`, (target) => parquet.write(rows, target));
  return rows.length;
}
