import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { aLine, csvOf, runDuck } from '../../../support/focus.ts';
import { monthsOfFile, readBills, type BillFile } from './reading.ts';

async function parquetOf(select: string): Promise<BillFile> {
  const folder = await mkdtemp(path.join(tmpdir(), 'costkeep-parquet-'));
  const file = path.join(folder, 'a.parquet');
  await runDuck(`COPY (${select}) TO '${file}' (FORMAT parquet, COMPRESSION zstd)`);
  const content = await readFile(file);
  await rm(folder, { recursive: true });
  return { name: 'a.parquet', content };
}

/** One row of one column, whose row group the footer lists twice. */
const repeated = `UEFSMRUAFRQVFCwVAhUAFQYVBhwAAAACAAAAAgEBAAAAFQQZLDUAGAZzY2hlbWEVAgAVAiUCGAFhABYEGfwCGRwmABwVAhklBgAZGAFhFQAWAhY6FjomCEkc
FQAVABUCADwpBhkmAAIAAAAWOhYCJggWOgAZHCYAHBUCGSUGABkYAWEVABYCFjoWOiYISRwVABUAFQIAPCkGGSYAAgAAABY6FgImCBY6ACggcGFycXVldC1jcHAtYXJyb3cgdmVy
c2lvbiAyNS4wLjEZHBwAAACwAAAAUEFSMQ==`;

describe('a Parquet file', () => {
  const refusal = async (bill: BillFile) => {
    const error = await readBills(bill).catch((thrown: Error) => thrown);
    expect(await monthsOfFile(bill).catch((thrown: Error) => thrown)).toEqual(error);
    return error instanceof Error ? error.message : 'accepted';
  };

  it('is rejected if row groups share their data', async () => {
    expect(await refusal({ name: 'a.parquet', content: Buffer.from(repeated, 'base64') })).toBe(
      'a.parquet: row groups share their data, so the same rows would count several times; export the bill again',
    );
  });

  it('is rejected if it has more than 2,000,000 rows and more than one per byte', async () => {
    const bill = await parquetOf('SELECT 1 AS BilledCost FROM range(2000001)');
    expect(await refusal(bill)).toBe(
      `a.parquet: 2000001 rows in ${bill.content.length} bytes; above 2000000 rows, a file needs at least a byte per row: it is not a billing export; export the bill again`,
    );
    expect(await refusal(await parquetOf('SELECT 1 AS BilledCost FROM range(2000000)'))).toMatch(/not a bill/);
  });

  it('is rejected if it inflates to more than 256 MiB and 200 times its size', async () => {
    expect(await refusal(await parquetOf(`SELECT repeat('x', 1000000) || range AS a FROM range(300)`))).toBe(
      'a.parquet: inflates to more than 200 times its size; it is not a billing export',
    );
  });
});

describe('a zstd file', () => {
  const text = csvOf([aLine(), aLine({ ResourceId: 'vm-2', ResourceName: 'x'.repeat(200_000) }), aLine()]);
  const empty = zstdCompressSync('');
  const skippable = Buffer.from('502a4d180400000061626364', 'hex');

  it('is read whole if it has many frames', async () => {
    const lines = text.split(/(?<=\n)/).map((line) => zstdCompressSync(line));
    const content = Buffer.concat([
      skippable,
      empty,
      ...lines,
      ...Array.from({ length: 5000 }, () => empty),
      skippable,
    ]);
    const { parts } = await readBills({ name: 'a.csv.zst', content });
    expect(parts.map(({ lineItems }) => lineItems)).toEqual([3]);
  });

  it.each([
    ['empty', empty],
    ['skippable', skippable],
  ])('is rejected if it has more than 10,000 small frames: %s', async (_what, frame) => {
    const content = Buffer.concat([zstdCompressSync(text), ...Array.from({ length: 10_001 }, () => frame)]);
    await expect(readBills({ name: 'a.csv.zst', content })).rejects.toThrow(
      'a.csv.zst: more than 10000 zstd frames of less than 1024 bytes on average; compress the file again as a whole',
    );
  });
});
