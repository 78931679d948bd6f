import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costColumns } from '../../../../src/engine/codebook.ts';
import { aLine, csvOf, focusColumns, type FocusRow, type FocusStyle, runDuck } from '../../../support/focus.ts';
import { selectFacts } from '../../../support/read-facts.ts';
import { readCsv } from '../../../support/rfc4180.ts';
import { zipOf } from '../../../support/zip.ts';
import { billOf, readBills, type BillFile, type Fact } from './reading.ts';

// Whatever the order, quoting, compression and number of its files, a bill has the same costs, and is refused if delivered twice.

/** A bill, as the rows of one file. */
interface Sample {
  readonly columns: readonly string[];
  readonly rows: readonly FocusRow[];
}

/** A way to write a sample. */
interface Variant {
  readonly order: readonly number[];
  readonly style: FocusStyle;
  readonly format: Format;
  /** Number of files. */
  readonly parts: number;
}

const formats = ['csv', 'csv.gz', 'csv.zst', 'zip', 'parquet'] as const;
type Format = (typeof formats)[number];

const variantOf = ({ rows }: Sample, among: readonly Format[]): fc.Arbitrary<Variant> =>
  fc.record({
    order: fc.shuffledSubarray([...rows.keys()], { minLength: rows.length }),
    style: fc.record({
      delimiter: fc.constantFrom(',', ';', '\t', '|'),
      newline: fc.constantFrom('\n', '\r\n'),
      bom: fc.boolean(),
      quoteAll: fc.boolean(),
    }),
    format: fc.constantFrom(...among),
    parts: fc.integer({ min: 2, max: 5 }),
  });

async function write(name: string, { columns, rows }: Sample, { style, format }: Variant): Promise<BillFile> {
  const text = csvOf(rows, { ...style, columns });
  return { name: `${name}.${format}`, content: await packed(format, { name, text, columns, rows }) };
}

async function packed(
  format: Format,
  { name, text, ...sample }: Sample & { readonly name: string; readonly text: string },
) {
  switch (format) {
    case 'csv':
      return text;
    case 'csv.gz':
      return gzipSync(text);
    case 'csv.zst':
      return zstdCompressSync(text);
    case 'zip':
      return zipOf({ [`${name}.csv`]: text });
    case 'parquet':
      return parquetOf(sample);
  }
}

/** Every column as text. */
async function parquetOf({ columns, rows }: Sample): Promise<Buffer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'costkeep-variants-'));
  try {
    writeFileSync(path.join(folder, 'a.csv'), csvOf(rows, { columns, quoteAll: true }));
    const text = `read_csv('${folder}/a.csv', all_varchar=true, header=true, delim=',', quote='"', escape='"', nullstr='', allow_quoted_nulls=true)`;
    await runDuck(`COPY (FROM ${text}) TO '${folder}/a.parquet' (FORMAT parquet)`);
    return readFileSync(path.join(folder, 'a.parquet'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const shuffled = ({ columns, rows }: Sample, { order }: Variant): Sample => ({
  columns,
  rows: order.flatMap((at) => rows.slice(at, at + 1)),
});

/** Splits a sample by its rows; equal ones stay together, as they count as a copy if they are all that a file has. */
function split(sample: Sample, { parts }: Variant): Sample[] {
  const partOf = new Map<string, number>();
  const groups = Map.groupBy(sample.rows, (row) => {
    const text = JSON.stringify(row);
    const part = partOf.get(text) ?? partOf.size % parts;
    partOf.set(text, part);
    return part;
  });
  return [...groups.values()].map((rows) => ({ columns: sample.columns, rows }));
}

/** Costs on four bases, by service, region, account, tags and day. */
async function costsOf(...files: readonly BillFile[]): Promise<readonly Fact[]> {
  const reading = await readBills(...files);
  const paths: string[] = [];
  for (const month of new Set(reading.parts.map((part) => part.month))) {
    const { facts } = await reading.export(month);
    paths.push(...facts.filter(({ grain }) => grain === 'day').map((file) => file.path));
  }
  const sums = ['x_LineItems', ...Object.values(costColumns)].map((name) => `sum(${name}) AS ${name}`);
  return reading.query(`SELECT BillingPeriodStart, x_Provider, BillingCurrency, ServiceName, RegionId, SubAccountId, Tags,
    ChargePeriodStart, ${sums.join(', ')} FROM (${selectFacts(paths)}) GROUP BY ALL ORDER BY ALL`);
}

/** Checks that each month of two files is refused. */
async function expectRefusals(...files: readonly BillFile[]): Promise<void> {
  const { parts, export: exported } = await readBills(...files);
  for (const month of new Set(parts.map((part) => part.month)))
    await expect(exported(month)).rejects.toThrow(/contain the same charges of .*; remove one of them/);
}

async function expectSameCosts(sample: Sample, among: readonly Format[] = formats): Promise<void> {
  const original: BillFile = { name: 'original.csv', content: csvOf(sample.rows, { columns: sample.columns }) };
  const expected = await costsOf(original);
  await fc.assert(
    fc.asyncProperty(variantOf(sample, among), async (variant) => {
      const other = shuffled(sample, variant);
      const files = await Promise.all(split(other, variant).map((part, at) => write(`part ${at}`, part, variant)));
      expect(await costsOf(...files)).toEqual(expected);
      await expectRefusals(original, await write('variant', other, variant));
    }),
    { numRuns: 1, endOnFailure: true },
  );
}

const tagged = [null, '{"env":"prod"}', '{"env":"prod","team":"a, b; \\"c\\""}', '{"note":"x\\ny"}'];
const focus: Sample = {
  columns: focusColumns['1.2'],
  rows: Array.from({ length: 60 }, (_, index) =>
    aLine({
      day: `2026-0${5 + (index % 2)}-${String(10 + (index % 7)).padStart(2, '0')}`,
      BilledCost: `${index}.1`,
      EffectiveCost: `0.${index + 1}`,
      ListCost: String(index * 2),
      ContractedCost: `-${index}`,
      BillingCurrency: index % 5 === 0 ? 'EUR' : 'USD',
      ProviderName: ['AWS', 'Oracle', 'Plum; "Cloud"'][index % 3] ?? null,
      ChargeCategory: index % 11 === 0 ? 'Tax' : 'Usage',
      ServiceName: `Service ${index % 4}`,
      RegionId: index % 6 === 0 ? null : `region-${index % 3}`,
      SubAccountId: String(100 + (index % 3)),
      ResourceId: index % 4 === 0 ? null : `vm-${index % 8}`,
      Tags: tagged[index % tagged.length] ?? null,
      ...(index % 13 === 0 ? { ChargePeriodEnd: '2026-07-01T00:00:00Z' } : {}),
    }),
  ),
};

describe('bill in other files', () => {
  it.each(formats)('has the same costs, and is refused if delivered twice: %s', { timeout: 60_000 }, async (format) => {
    await expectSameCosts(focus, [format]);
  });

  it('has the same costs as Parquet with types', async () => {
    const parquet = await billOf('a.parquet', focus.rows);
    const original = { name: 'a.csv', content: csvOf(focus.rows) };
    expect(await costsOf(parquet)).toEqual(await costsOf(original));
    await expectRefusals(parquet, original);
  });
});

const shared = path.resolve(import.meta.dirname, '../../../../../shared/data');

/** Bills of providers beside the repository that are valid and have at most 1,500 rows. */
const samples = (existsSync(shared) ? readdirSync(shared, { recursive: true, encoding: 'utf8' }) : [])
  .filter((name) => /^(costroid|finops-toolkit|focus_converters|focus-sample).*\.csv(\.gz)?$/.test(name))
  .filter((name) => !/negative|invalid|_mapping|open-data/.test(name))
  .toSorted();

function readSample(name: string): Sample {
  const bytes = readFileSync(path.join(shared, name));
  const rows = readCsv((name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8'));
  return { columns: Object.keys(rows[0] ?? {}), rows };
}

describe.skipIf(samples.length === 0)('bill of a provider in other files (skipped without ../shared/data)', () => {
  it.each(samples)('has the same costs, and is refused if delivered twice: %s', { timeout: 60_000 }, async (name) => {
    await expectSameCosts(readSample(name));
  });
});
