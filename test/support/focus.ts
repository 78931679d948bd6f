import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import { zipOf } from './zip.ts';

/** One line item by FOCUS column; null for columns without a value. */
export type FocusRow = Readonly<Record<string, string | null>>;

/** The format options of a file. */
export interface FocusStyle {
  readonly columns?: readonly string[];
  readonly delimiter?: string;
  readonly newline?: string;
  /** Starts with a byte order mark. */
  readonly bom?: boolean;
  /** Quotes every value, including empty ones. */
  readonly quoteAll?: boolean;
}

const columnsOf1 = [
  'AvailabilityZone',
  'BilledCost',
  'BillingAccountId',
  'BillingAccountName',
  'BillingCurrency',
  'BillingPeriodEnd',
  'BillingPeriodStart',
  'ChargeCategory',
  'ChargeClass',
  'ChargeDescription',
  'ChargeFrequency',
  'ChargePeriodEnd',
  'ChargePeriodStart',
  'CommitmentDiscountCategory',
  'CommitmentDiscountId',
  'CommitmentDiscountName',
  'CommitmentDiscountStatus',
  'CommitmentDiscountType',
  'ConsumedQuantity',
  'ConsumedUnit',
  'ContractedCost',
  'ContractedUnitPrice',
  'EffectiveCost',
  'InvoiceIssuerName',
  'ListCost',
  'ListUnitPrice',
  'PricingCategory',
  'PricingQuantity',
  'PricingUnit',
  'ProviderName',
  'PublisherName',
  'RegionId',
  'RegionName',
  'ResourceId',
  'ResourceName',
  'ResourceType',
  'ServiceCategory',
  'ServiceName',
  'SkuId',
  'SkuPriceId',
  'SubAccountId',
  'SubAccountName',
  'Tags',
] as const;
const columnsOf11 = [
  ...columnsOf1,
  'CapacityReservationId',
  'CapacityReservationStatus',
  'CommitmentDiscountQuantity',
  'CommitmentDiscountUnit',
  'ServiceSubcategory',
  'SkuMeter',
  'SkuPriceDetails',
];
const columnsOf12 = [
  ...columnsOf11,
  'BillingAccountType',
  'InvoiceId',
  'PricingCurrency',
  'PricingCurrencyContractedUnitPrice',
  'PricingCurrencyEffectiveCost',
  'PricingCurrencyListUnitPrice',
  'SubAccountType',
];
const columnsOf13 = [
  ...columnsOf12,
  'AllocatedMethodDetails',
  'AllocatedMethodId',
  'AllocatedResourceId',
  'AllocatedResourceName',
  'AllocatedTags',
  'ContractApplied',
  'HostProviderName',
  'ServiceProviderName',
];

/** The columns of each version of FOCUS; 1.4 no longer has `ProviderName` and `PublisherName`. */
export const focusColumns = {
  '1.0': columnsOf1,
  '1.1': columnsOf11,
  '1.2': columnsOf12,
  '1.3': columnsOf13,
  '1.4': columnsOf13.filter((name) => name !== 'ProviderName' && name !== 'PublisherName'),
} as const satisfies Record<string, readonly string[]>;

const plain: FocusRow = {
  BilledCost: '1',
  EffectiveCost: '1',
  ListCost: '1',
  ContractedCost: '1',
  BillingAccountId: 'payer',
  BillingCurrency: 'USD',
  BillingPeriodStart: '2026-05-01T00:00:00Z',
  BillingPeriodEnd: '2026-06-01T00:00:00Z',
  ChargePeriodStart: '2026-05-01T00:00:00Z',
  ChargePeriodEnd: '2026-05-02T00:00:00Z',
  ChargeCategory: 'Usage',
  PricingCategory: 'Standard',
  ProviderName: 'AWS',
  ServiceProviderName: 'AWS',
  HostProviderName: 'AWS',
  InvoiceIssuerName: 'AWS',
  ServiceCategory: 'Compute',
  ServiceName: 'Virtual Machines',
  RegionId: 'us-east-1',
  SubAccountId: '111',
  ResourceId: 'vm-1',
};

/** A line item of one dollar for a machine on May 1, 2026, with the given changes. `day` sets the charge and billing
 *  periods, `cost` all four costs. */
export function aLine(given: FocusRow & { day?: string; cost?: string } = {}): FocusRow {
  const { day, cost, ...columns } = given;
  const line: FocusRow = {
    ...plain,
    ...(day ? { ChargePeriodStart: `${day}T00:00:00Z`, BillingPeriodStart: `${day.slice(0, 7)}-01T00:00:00Z` } : {}),
    ...(cost ? { BilledCost: cost, EffectiveCost: cost, ListCost: cost, ContractedCost: cost } : {}),
    ...columns,
  };
  return 'ChargePeriodEnd' in columns ? line : { ...line, ChargePeriodEnd: dayAfter(line['ChargePeriodStart'] ?? '') };
}

/** 24 hours after a time; empty if the time is unreadable. */
function dayAfter(time: string): string {
  const start = Date.parse(time);
  return Number.isNaN(start) ? '' : `${new Date(start + 86_400_000).toISOString().slice(0, 19)}Z`;
}

/** Line items as CSV text. */
export function csvOf(rows: readonly FocusRow[], style: FocusStyle = {}): string {
  const { columns = focusColumns['1.0'], delimiter = ',', newline = '\n', bom = false, quoteAll = false } = style;
  const cell = (value: string) =>
    quoteAll || /["\r\n]/.test(value) || value.includes(delimiter) ? `"${value.replaceAll('"', '""')}"` : value;
  const lines = [columns, ...rows.map((row) => columns.map((name) => row[name] ?? ''))];
  return `${bom ? '\uFEFF' : ''}${lines.map((line) => line.map(cell).join(delimiter) + newline).join('')}`;
}

/** Writes a file of line items in the format of its extension: `.parquet`, or text, also as `.gz`, `.zst` or `.zip`. */
export async function writeFocus(file: string, rows: readonly FocusRow[], style: FocusStyle = {}): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  if (file.endsWith('.parquet')) return writeParquet(file, rows, style.columns ?? focusColumns['1.0']);
  const text = csvOf(rows, style);
  await writeFile(file, await packed(file, text));
}

async function packed(file: string, text: string): Promise<string | Uint8Array> {
  switch (path.extname(file)) {
    case '.gz':
      return gzipSync(text);
    case '.zst':
      return zstdCompressSync(text);
    case '.zip':
      return zipOf({ [path.basename(file, '.zip')]: text });
    default:
      return text;
  }
}

const amounts = /^(BilledCost|EffectiveCost|ListCost|ContractedCost|PricingQuantity|ConsumedQuantity)$/;

/** Parquet as written by providers: decimals, timestamps, and tags as a map. */
async function writeParquet(file: string, rows: readonly FocusRow[], columns: readonly string[]): Promise<void> {
  const typed = columns.map((name) => {
    const cell = `row->>'${name}'`;
    if (amounts.test(name)) return `(${cell})::DECIMAL(30,15) AS "${name}"`;
    if (/Period(Start|End)$/.test(name)) return `(${cell})::TIMESTAMP AS "${name}"`;
    if (name === 'Tags') return `from_json(${cell}, '"MAP(VARCHAR,VARCHAR)"') AS "Tags"`;
    return `${cell} AS "${name}"`;
  });
  const list = rows.map((row) => `('${JSON.stringify(row).replaceAll("'", "''")}'::JSON)`).join(',');
  await runDuck(`COPY (SELECT ${typed.join(', ')} FROM (VALUES ${list}) t(row)) TO '${file}' (FORMAT parquet)`);
}

/** Runs one statement in a new DuckDB. */
export async function runDuck(sql: string): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  try {
    await connection.run(sql);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
