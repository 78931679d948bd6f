import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { aLine, csvOf, focusColumns, type FocusRow } from '../../../support/focus.ts';
import { billOf, readBills, tagsOf, type Fact } from './reading.ts';

async function factsOf(version: keyof typeof focusColumns, ...rows: FocusRow[]): Promise<readonly Fact[]> {
  const { facts } = await readBills({ name: 'bill.csv', content: csvOf(rows, { columns: focusColumns[version] }) });
  return facts();
}

describe('columns of FOCUS 1.2', () => {
  it('keeps the pricing currency and the cost in it', async () => {
    const row = aLine({ BillingCurrency: 'EUR', PricingCurrency: 'USD', PricingCurrencyEffectiveCost: '1.1' });
    const other = aLine({ PricingCurrency: 'TOKENS', PricingCurrencyEffectiveCost: '', ResourceId: 'vm-2' });
    const [tokens, dollars] = (await factsOf('1.2', row, row, other)).toSorted((a, b) =>
      (b['ResourceId'] ?? '').localeCompare(a['ResourceId'] ?? ''),
    );
    expect(dollars).toMatchObject({ PricingCurrency: 'USD', PricingCurrencyEffectiveCost: '2.200000000000' });
    expect(tokens).toMatchObject({ PricingCurrency: 'TOKENS', PricingCurrencyEffectiveCost: null });
  });

  it('names the row of a pricing cost that is not a number', async () => {
    await expect(factsOf('1.2', aLine(), aLine({ PricingCurrencyEffectiveCost: 'n/a' }))).rejects.toThrow(
      'bill.csv, row 3, column PricingCurrencyEffectiveCost: "n/a" is not a decimal number',
    );
  });
});

describe('unit prices', () => {
  const price = {
    PricingCurrency: 'USD',
    BillingCurrency: 'EUR',
    PricingCurrencyListUnitPrice: '0.000000000012345678',
    PricingCurrencyContractedUnitPrice: '1200',
  };

  it('are kept with all their digits, and distinguish charges by value, not by spelling', async () => {
    const spelled = ['0.10', '1e-1', '.1', '0.2'].map((ListUnitPrice) => aLine({ ...price, ListUnitPrice }));
    const facts = await factsOf('1.2', ...spelled, aLine({ ...price, ListUnitPrice: '', ContractedUnitPrice: '-3.0' }));
    const found = facts.map((row) => [row['ListUnitPrice'], row['ContractedUnitPrice'], row['x_LineItems']]);
    expect(found.toSorted()).toEqual([
      [null, '-3', '1'],
      ['0.1', null, '3'],
      ['0.2', null, '1'],
    ]);
    expect(facts[0]).toMatchObject({
      PricingCurrencyListUnitPrice: '0.000000000012345678',
      PricingCurrencyContractedUnitPrice: '1200',
    });
  });

  it('are rejected with their row if they are not numbers', async () => {
    await expect(factsOf('1.2', aLine(), aLine({ ...price, ListUnitPrice: '1_0' }))).rejects.toThrow(
      'bill.csv, row 3, column ListUnitPrice: "1_0" is not a decimal number',
    );
  });
});

describe('providers of FOCUS 1.3 and 1.4', () => {
  const line = aLine({
    ProviderName: '',
    PublisherName: '',
    ServiceProviderName: 'Databricks',
    HostProviderName: 'AWS',
  });

  it.each(['1.3', '1.4'] as const)('are read where %s has no provider and publisher', async (version) => {
    const [fact] = await factsOf(version, line);
    expect(fact).toMatchObject({
      x_Provider: 'databricks',
      ProviderName: 'Databricks',
      PublisherName: 'Databricks',
      ServiceProviderName: 'Databricks',
      HostProviderName: 'AWS',
    });
  });

  it('leave the names of FOCUS 1.2 as they are', async () => {
    const [fact] = await factsOf('1.3', aLine({ PublisherName: 'Datadog', ServiceProviderName: 'Datadog, Inc.' }));
    expect(fact).toMatchObject({ x_Provider: 'aws', PublisherName: 'Datadog', ServiceProviderName: 'Datadog, Inc.' });
  });
});

describe('an allocated charge of FOCUS 1.3', () => {
  const split = aLine({
    ResourceId: 'node-1',
    Tags: '{"Team":"platform","env":"prod"}',
    AllocatedMethodId: 'cpu-and-memory',
    AllocatedMethodDetails: '{"Elements":[{"AllocatedRatio":0.25,"UsageUnit":"vCPU-Hours","UsageQuantity":2}]}',
    AllocatedResourceId: 'pod/shop-web',
    AllocatedResourceName: 'shop-web',
    AllocatedTags: '{"team":"shop","app":"web"}',
  });

  it('has the tags of its workload, and those of the shared resource that the workload lacks', async () => {
    const [fact] = await factsOf('1.3', split);
    expect(tagsOf(fact)).toEqual({ app: 'web', env: 'prod', team: 'shop' });
    expect(fact).toMatchObject({
      ResourceId: 'node-1',
      AllocatedResourceId: 'pod/shop-web',
      AllocatedResourceName: 'shop-web',
      AllocatedTags: '{"team":"shop","app":"web"}',
    });
  });

  it('has the tags of the shared resource if it is allocated to no workload', async () => {
    const idle = { ...split, AllocatedResourceId: '', AllocatedResourceName: '', AllocatedTags: '' };
    const [fact] = await factsOf('1.3', idle);
    expect(tagsOf(fact)).toEqual({ Team: 'platform', env: 'prod' });
  });

  it('has only the tags of its workload if the shared resource has none', async () => {
    const [fact] = await factsOf('1.3', { ...split, Tags: '' });
    expect(tagsOf(fact)).toEqual({ team: 'shop', app: 'web' });
  });

  it('reads the same from maps in Parquet', async () => {
    const { name, content } = await billOf('rows.parquet', [aLine()]);
    const { folder, query } = await readBills({ name, content });
    const rows = `SELECT * REPLACE (MAP {'team': 'platform', 'env': 'prod'} AS Tags), 'pod/shop-web' AS AllocatedResourceId,
      MAP {'team': 'shop'} AS AllocatedTags FROM read_parquet('${folder}/../rows.parquet')`;
    await query(`COPY (${rows}) TO '${folder}/split.parquet' (FORMAT parquet)`);
    const bill = { name: 'split.parquet', content: await readFile(`${folder}/split.parquet`) };
    const [fact] = await (await readBills(bill)).facts();
    expect(tagsOf(fact)).toEqual({ env: 'prod', team: 'shop' });
  });

  it('names the row of tags that are not JSON', async () => {
    const { export: write } = await readBills({
      name: 'bill.csv',
      content: csvOf([split, { ...split, AllocatedTags: '{team' }], { columns: focusColumns['1.3'] }),
    });
    await expect(write('2026-05')).rejects.toThrow('bill.csv, row 3, column Tags or AllocatedTags: ');
  });
});
