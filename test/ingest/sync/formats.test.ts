import { readFile } from 'node:fs/promises';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { aLine, csvOf, focusColumns, runDuck } from '../../support/focus.ts';
import { zipOf } from '../../support/zip.ts';
import { billsOfFile, factsOf, type Fact } from '../world.ts';

const bills = billsOfFile();

/** Two months, two providers, two currencies, two sub-accounts, and text of every kind. */
const lines = [
  aLine({
    day: '2026-05-03',
    BilledCost: '0.000000000001',
    EffectiveCost: '12.5',
    ListCost: '20',
    ContractedCost: '15',
    BillingCurrency: 'EUR',
    ServiceName: 'Storage, "cold" \\N',
    ServiceCategory: 'Storage',
    RegionId: 'eu-central-1',
    RegionName: 'Europe (Frankfurt)',
    ResourceId: 'arn:aws:s3:::plum',
    ResourceName: 'line one\nline two',
    ResourceType: 'Bucket',
    SkuId: 'S1',
    SkuPriceId: 'S1.P',
    PricingUnit: 'GB',
    PricingQuantity: '3.5',
    ConsumedUnit: 'GB',
    ConsumedQuantity: '3.25',
    SubAccountName: '😀 team; a\tb',
    Tags: '{"env":"prod","note":"a,b;c"}',
  }),
  aLine({
    day: '2026-06-30',
    cost: '-3',
    ChargeCategory: 'Credit',
    ChargeClass: 'Correction',
    ProviderName: 'Microsoft',
    ServiceProviderName: 'Microsoft',
    HostProviderName: 'Microsoft',
    ResourceId: '/SUBSCRIPTIONS/A/VM',
    SubAccountId: null,
    RegionId: null,
    CommitmentDiscountId: 'SP-1',
    CommitmentDiscountCategory: 'Spend',
    CommitmentDiscountType: 'Savings Plan',
  }),
];

const azure: Fact = {
  month: '2026-06',
  day: '2026-06-30',
  provider: 'azure',
  currency: 'USD',
  category: 'credit',
  class: 'Correction',
  pricing: 'other',
  service: 'Virtual Machines',
  service_category: 'Compute',
  region: 'global',
  region_name: null,
  // Azure omits it for a charge without a subscription.
  sub_account: 'unassigned',
  sub_account_name: null,
  payer: 'payer',
  resource: '/subscriptions/a/vm',
  resource_name: null,
  resource_type: null,
  sku: '||||',
  commitment: 'sp-1',
  tags: null,
  lines: '1',
  billed: '-3',
  effective: '-3',
  list: '-3',
  contracted: '-3',
  pricing_quantity: null,
  consumed_quantity: null,
};

const aws: Fact = {
  month: '2026-05',
  day: '2026-05-03',
  provider: 'aws',
  currency: 'EUR',
  category: 'usage',
  class: null,
  pricing: 'on_demand',
  service: 'Storage, "cold" \\N',
  service_category: 'Storage',
  region: 'eu-central-1',
  region_name: 'Europe (Frankfurt)',
  sub_account: '111',
  sub_account_name: '😀 team; a\tb',
  payer: 'payer',
  resource: 'arn:aws:s3:::plum',
  resource_name: 'line one\nline two',
  resource_type: 'Bucket',
  sku: 'S1|S1.P||GB|GB',
  commitment: null,
  tags: '{"env":"prod","note":"a,b;c"}',
  lines: '1',
  billed: '0.000000000001',
  effective: '12.5',
  list: '20',
  contracted: '15',
  pricing_quantity: '3.5',
  consumed_quantity: '3.25',
};

describe('facts', () => {
  it.each([
    ['a.csv', {}],
    ['a.CSV', {}],
    ['a.csv.gz', {}],
    ['a.parquet', {}],
    ['deep/er/a.csv', { delimiter: ';' }],
    ['BillingCurrency=GBP/ServiceName=Everything/BilledCost=7/a.csv', {}],
    ['BillingCurrency=GBP/ServiceName=Everything/BilledCost=7/a.parquet', {}],
    ['a.csv', { delimiter: '\t' }],
    ['a.csv', { delimiter: '|' }],
    ['a.csv', { newline: '\r\n' }],
    ['a.csv', { bom: true }],
    ['a.csv', { quoteAll: true }],
    ['a.csv.gz', { bom: true, newline: '\r\n', quoteAll: true, delimiter: ';' }],
    ['a.csv.zst', { newline: '\r\n' }],
    ['a.csv.zip', { bom: true }],
    ['a.tsv', { delimiter: '\t' }],
    ['a.txt.gz', { delimiter: '\t' }],
    ['a.csv', { columns: focusColumns['1.1'] }],
    ['a.parquet', { columns: focusColumns['1.1'] }],
    ['a.csv', { columns: focusColumns['1.2'] }],
    ['a.csv', { columns: focusColumns['1.3'] }],
    ['a.csv', { columns: focusColumns['1.4'] }],
    ['a.parquet', { columns: focusColumns['1.4'] }],
    ['a.csv', { columns: [...focusColumns['1.0'].toReversed(), 'x_Extra', 'x_"quoted", column'] }],
  ])('are the same from %s written as %j', async (name, style) => {
    const account = await bills();
    await account.put(name, lines, style);
    const result = await account.sync();
    expect(result.lineItems).toBe(2);
    expect(result.months.map((month) => month.month)).toEqual(['2026-06', '2026-05']);
    expect(await factsOf(account)).toEqual(
      [aws, azure].toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
    );
  });
});

describe('variations between exports', () => {
  it.each([
    ['2026-05-01T00:00:00Z', '2026-05-01'],
    ['2026-05-01T00:00:00.000Z', '2026-05-01'],
    ['2026-05-01T00:00Z', '2026-05-01'],
    ['2026-05-01 00:00:00', '2026-05-01'],
    ['2026-05-01 00:00:00 UTC', '2026-05-01'],
    ['2026-05-01', '2026-05-01'],
    ['2026-05-01T01:00:00+02:00', '2026-04-30'],
    ['2026-05-01T00:00:00+0000', '2026-05-01'],
    ['2026-05-01T20:00-05:00', '2026-05-02'],
    ['2026-05-01 00:30:00+02', '2026-04-30'],
    ['2026-04-30T22:00-05', '2026-05-01'],
    ['2026-05-01T00:00:00.123+00', '2026-05-01'],
    ['2026-05-01T23:59:59.999999Z', '2026-05-01'],
  ])('reads the time %s as a charge of %s', async (text, day) => {
    const account = await bills();
    await account.put('a.csv', [aLine({ ChargePeriodStart: text })]);
    await account.sync();
    expect((await factsOf(account)).map((fact) => fact['day'])).toEqual([day]);
  });

  it.each([
    ['1.23e1', '12.3'],
    ['1.5E-3', '0.0015'],
    ['-0', '0'],
    ['+7', '7'],
    ['.5', '0.5'],
    ['0.1234567890125', '0.123456789013'],
    ['99999999999999999999999999', '99999999999999999999999999'],
  ])('reads the amount %s as %s', async (text, billed) => {
    const account = await bills();
    await account.put('a.csv', [aLine({ BilledCost: text })]);
    await account.sync();
    expect((await factsOf(account)).map((fact) => fact['billed'])).toEqual([billed]);
  });

  it('sums line items that share all dimensions, and keeps others separate', async () => {
    const account = await bills();
    const same = { day: '2026-05-02', cost: '0.1' };
    await account.put('a.csv', [aLine(same), aLine(same), aLine(same), aLine({ ...same, ResourceId: 'vm-2' })]);
    await account.sync();
    const facts = await factsOf(account);
    expect(facts.map((fact) => [fact['resource'], fact['lines'], fact['billed']])).toEqual([
      ['vm-1', '3', '0.3'],
      ['vm-2', '1', '0.1'],
    ]);
  });

  it('reads floating-point amounts, times with a zone, and tags as text from Parquet', async () => {
    const account = await bills();
    await runDuck(`COPY (SELECT 0.1::DOUBLE AS BilledCost, 1234.2::FLOAT AS EffectiveCost, 3::INT AS ListCost, 4::DECIMAL(9,2) AS ContractedCost,
      'USD' AS BillingCurrency, TIMESTAMPTZ '2026-05-01 00:00:00+00' AS BillingPeriodStart, DATE '2026-05-31' AS ChargePeriodStart,
      'usage' AS ChargeCategory, 'S' AS ServiceName, 'AWS' AS ProviderName, '{"user:a":"1"}' AS Tags) TO '${account.folder}/a.parquet'`);
    await account.sync();
    const facts = await factsOf(account);
    expect(
      facts.map(({ day, billed, effective, list, contracted, tags }) => [
        day,
        billed,
        effective,
        list,
        contracted,
        tags,
      ]),
    ).toEqual([['2026-05-31', '0.1', '1234.2', '3', '4', '{"a":"1"}']]);
  });

  it('reads files of one month in different formats together', async () => {
    const account = await bills();
    const tagged = (name: string) => aLine({ ResourceId: name, Tags: '{"env":"prod"}' });
    await account.put('a.csv', [tagged('1')]);
    await account.put('b.csv.gz', [tagged('2')], { columns: focusColumns['1.3'] });
    await account.put('c.parquet', [tagged('3')], { columns: focusColumns['1.4'] });
    await account.put('d.csv', [tagged('4')], { delimiter: ';' });
    await account.sync();
    const facts = await factsOf(account);
    expect(facts.map((fact) => [fact['resource'], fact['tags']])).toEqual(
      ['1', '2', '3', '4'].map((resource) => [resource, '{"env":"prod"}']),
    );
  });

  it.each(['a.csv', 'a.parquet', 'a.csv.gz', 'a.zip'])(
    'reads a file by its content, whatever %s says',
    async (name) => {
      const account = await bills();
      const text = csvOf([aLine({ cost: '2' })]);
      await account.put('b.parquet', [aLine({ cost: '2' })]);
      const parquet = await readFile(`${account.folder}/b.parquet`);
      await account.remove('b.parquet');
      for (const content of [gzipSync(text), zstdCompressSync(text), await zipOf({ 'x.csv': text }), parquet]) {
        await account.putRaw(name, content);
        expect((await account.sync()).lineItems).toBe(1);
        expect((await factsOf(account)).map(({ billed }) => billed)).toEqual(['2']);
      }
    },
  );

  it('reads all files of an archive, and names them in messages', async () => {
    const account = await bills();
    await account.put('x.parquet', [aLine({ cost: '3' })]);
    const parquet = await readFile(`${account.folder}/x.parquet`);
    await account.remove('x.parquet');
    const parts = {
      'bills/1.csv': csvOf([aLine({ cost: '1' })]),
      'bills/2.csv.gz': gzipSync(csvOf([aLine({ cost: '2', day: '2026-06-01' })], { delimiter: ';' })),
      'bills/3.parquet': parquet,
      'bills/manifest.json': '{}',
      '__MACOSX/bills/1.csv': 'x',
    };
    await account.putRaw('all.zip', await zipOf(parts));
    await account.put('other.csv', [aLine({ cost: '4' })]);
    expect((await account.sync()).lineItems).toBe(4);
    expect((await factsOf(account)).map(({ month, billed }) => [month, billed])).toEqual([
      ['2026-05', '8'],
      ['2026-06', '2'],
    ]);
    await account.putRaw('all.zip', await zipOf({ ...parts, '4.csv': csvOf([aLine(), aLine({ ListCost: 'x' })]) }));
    expect(await account.refusal()).toMatch(/^all\.zip\/4\.csv, row 3, column ListCost: "x"/);
    await account.putRaw('all.zip', await zipOf({ '1.csv': parts['bills/1.csv'], '2.csv': parts['bills/1.csv'] }));
    expect(await account.refusal()).toMatch(/^"all\.zip\/1\.csv" and "all\.zip\/2\.csv" contain the same charges/);
  });

  it.each<[string, string[]]>([
    ['one LF among CRLF', ['\r\n', '\r\n', '\n', '\r\n']],
    ['one CRLF among LF', ['\n', '\n', '\r\n', '\n']],
    ['one CR among LF', ['\n', '\r', '\n', '\n']],
    ['one LF among CR', ['\r', '\r', '\n', '\r']],
    ['another one after the header', ['\r\n', '\n', '\n', '\n']],
    ['CR at the end', ['\n', '\n', '\n', '\r']],
  ])('reads mixed line endings exactly: %s', async (_what, ends) => {
    const account = await bills();
    const named = (name: string) => aLine({ ResourceName: `${name}\r\n"\r"\n`, ResourceId: name, Tags: '{"a":"b"}' });
    const rows = [csvOf([]), ...['1', '2', '3'].map((name) => csvOf([named(name)]).slice(csvOf([]).length))];
    const text = (style: string[]) => rows.map((row, at) => row.slice(0, -1) + style[at]).join('');
    await account.putRaw('a.csv.gz', gzipSync(text(ends)));
    await account.put('b.csv', [aLine({ ResourceId: '4' })]);
    expect((await account.sync()).lineItems).toBe(4);
    expect((await factsOf(account)).map(({ resource, resource_name }) => [resource, resource_name])).toEqual([
      ...['1', '2', '3'].map((name) => [name, `${name}\r\n"\r"\n`]),
      ['4', null],
    ]);
    await account.putRaw('a.csv.gz', gzipSync(text(ends) + csvOf([aLine({ ListCost: 'x' })]).slice(csvOf([]).length)));
    expect(await account.refusal()).toMatch(/^a\.csv\.gz, row 5, column ListCost: "x"/);
  });

  it('reads a gzip file with several members', async () => {
    const account = await bills();
    const [head = '', ...rest] = csvOf([aLine(), aLine({ ResourceId: 'vm-2' })]).split(/(?<=\n)/);
    await account.putRaw('a.csv.gz', Buffer.concat([head, ...rest].map((line) => gzipSync(line))));
    expect((await account.sync()).lineItems).toBe(2);
  });

  it.each(['\n', '\r\n'])('reads past the row in which Excel names the delimiter (line end %j)', async (newline) => {
    const account = await bills();
    const csv = csvOf([aLine({ cost: '2' })], { delimiter: ';', newline });
    for (const mark of ['sep=;', '\uFEFF"sep=;"']) {
      await account.putRaw('a.csv', `${mark}${newline}${csv}`);
      await account.sync();
      expect((await factsOf(account)).map(({ billed }) => billed)).toEqual(['2']);
    }
    await account.putRaw('a.csv', `sep=;${newline}${csvOf([aLine({ BilledCost: 'x' })], { delimiter: ';', newline })}`);
    expect(await account.refusal()).toMatch(/^a\.csv, row 3, column BilledCost: "x"/);
  });

  it('keeps long values', async () => {
    const account = await bills();
    const long = 'x'.repeat(100_000);
    const note = 'x'.repeat(65_000);
    await account.put('a.csv', [aLine({ ResourceName: long, Tags: `{"note":"${note}"}` })]);
    await account.sync();
    const [fact] = await factsOf(account);
    expect([fact?.['resource_name']?.length, fact?.['tags']?.length]).toEqual([100_000, 65_011]);
  });
});
