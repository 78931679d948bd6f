import { describe, expect, it } from 'vitest';
import { aLine, csvOf, type FocusRow } from '../../support/focus.ts';
import { billsOfFile, factsOf, type Bills } from '../world.ts';

const connect = billsOfFile();

/** An account whose warnings are kept. */
async function bills(): Promise<Bills> {
  const account = await connect();
  const { accountId, scope, deps } = account;
  await deps.db.accountSync.create({ data: { accountId, organizationId: scope.organizationId } });
  return account;
}

const azure: FocusRow = { ProviderName: 'Microsoft', SubAccountId: 's-1' };
const purchase: FocusRow = { ChargeCategory: 'Purchase', CommitmentDiscountId: 'r-1', ServiceName: 'Reservations' };
const missing: FocusRow = { ListCost: null, ContractedCost: null };

async function warningsOf({ pool, accountId }: Bills): Promise<string[]> {
  const { rows } = await pool.query<{ warnings: string[] }>(
    'SELECT warnings FROM account_syncs WHERE account_id = $1',
    [accountId],
  );
  return rows[0]?.warnings ?? [];
}

/** Costs of the charge, and the warnings of its account. */
async function read(row: FocusRow): Promise<{ costs: string; warnings: string[] }> {
  const account = await bills();
  await account.put('a.csv', [aLine(row)]);
  await account.sync();
  const [fact] = await factsOf(account);
  const costs = [fact?.['billed'], fact?.['effective'], fact?.['contracted'], fact?.['list']].join(' ');
  return { costs, warnings: await warningsOf(account) };
}

const noList = '2026-05: 1 charge has no ListCost, which FOCUS requires; ContractedCost is used instead';
const noContracted =
  '2026-05: 1 charge has no ContractedCost, which FOCUS requires; EffectiveCost (usage) or BilledCost (other charges) is used instead';
const both = (amount: string) => [`${noList} ($${amount})`, `${noContracted} ($${amount})`];

describe('costs that a bill lacks', () => {
  it.each<[string, FocusRow, string, string[]]>([
    ['usage', { EffectiveCost: '2.5', ...missing }, '1 2.5 2.5 2.5', both('2.50')],
    ['a tax', { ChargeCategory: 'Tax', EffectiveCost: '2.5', ...missing }, '1 2.5 1 1', both('1.00')],
    ['a list cost alone', { ContractedCost: '3', ListCost: null }, '1 1 3 3', [`${noList} ($3.00)`]],
    ['free usage', { BilledCost: '0', EffectiveCost: '0', ...missing }, '0 0 0 0', []],
    ['a list cost of 0', { ListCost: '0' }, '1 1 1 0', []],
    ["Azure's list cost of 0", { ...azure, ListCost: '0' }, '1 1 1 1', [`${noList} ($1.00)`]],
    ["Azure's tax", { ...azure, ChargeCategory: 'Tax', ListCost: '0', ContractedCost: '0' }, '1 1 0 0', []],
    ["Azure's price below the cost", { ...azure, ListCost: '0.5', ContractedCost: '0.25' }, '1 1 0.25 0.5', []],
  ])('are completed and reported, or stay as they are: %s', async (_what, row, costs, warnings) => {
    expect(await read(row)).toEqual({ costs, warnings });
  });

  it('are completed per line item, however the bill is split', async () => {
    const rows = [aLine({ ContractedCost: null }), aLine({ ContractedCost: '5' }), aLine({ ...azure, ListCost: '0' })];
    const [one, several] = [await bills(), await bills()];
    await one.put('a.parquet', rows);
    for (const [index, row] of rows.entries()) await several.put(`${index}.csv`, [row]);
    await Promise.all([one.sync(), several.sync()]);
    expect(await factsOf(several)).toEqual(await factsOf(one));
    expect(await warningsOf(several)).toEqual(await warningsOf(one));
    expect(await warningsOf(one)).toHaveLength(2);
  });
});

describe('prices in Azure cost details', () => {
  const detail: FocusRow = {
    BillingPeriodStartDate: '05/01/2026',
    SubscriptionId: 's-1',
    Date: '05/03/2026',
    MeterCategory: 'Virtual Machines',
    MeterId: 'm-1',
    Quantity: '4',
    Cost: '1',
    UnitPrice: '0.25',
    PayGPrice: '0.5',
    PricingCurrency: 'USD',
    ExchangeRatePricingToBilling: null,
    BillingCurrency: 'USD',
    ChargeType: 'Usage',
  };
  const contracted = 'no unit price, or one below the cost; the cost is used as ContractedCost instead';
  const list = 'no list price, or one below the ContractedCost, which is used as ListCost instead';

  it.each<[string, FocusRow, string, string[]]>([
    ['prices', {}, '1 1 1 2', []],
    ['no unit price', { UnitPrice: null }, '1 1 1 2', [`2026-05: 1 charge has ${contracted} ($1.00)`]],
    ['a unit price below the cost', { UnitPrice: '0.1' }, '1 1 1 2', [`2026-05: 1 charge has ${contracted} ($0.60)`]],
    ['a retail price of 0', { PayGPrice: '0' }, '1 1 1 1', [`2026-05: 1 charge has ${list} ($1.00)`]],
    [
      'another currency without a rate',
      { PricingCurrency: 'EUR' },
      '1 1 1 1',
      [`2026-05: 1 charge has ${contracted} ($1.00)`, `2026-05: 1 charge has ${list} ($1.00)`],
    ],
    ['a tax', { ChargeType: 'Tax', UnitPrice: null, PayGPrice: null }, '1 1 1 1', []],
  ])('are replaced by the cost and reported, or kept: %s', async (_what, given, costs, warnings) => {
    const account = await bills();
    await account.putRaw('a.csv', csvOf([{ ...detail, ...given }], { columns: Object.keys(detail) }));
    await account.sync();
    const [fact] = await factsOf(account);
    expect([fact?.['billed'], fact?.['effective'], fact?.['contracted'], fact?.['list']].join(' ')).toBe(costs);
    expect(await warningsOf(account)).toEqual(warnings);
  });
});

describe('the effective cost of a purchase of a commitment', () => {
  it('does not count in bills of Azure, which repeat it in the usage', async () => {
    expect(await read({ ...azure, ...purchase, cost: '730' })).toEqual({
      costs: '730 0 730 730',
      warnings: [
        '2026-05: 1 purchase of a commitment has an EffectiveCost that is not counted, because the usage includes it; FOCUS requires 0 ($730.00)',
      ],
    });
  });

  it('counts in other bills, with a warning', async () => {
    expect(await read({ ...purchase, cost: '730' })).toEqual({
      costs: '730 730 730 730',
      warnings: [
        '2026-05: 1 purchase of a commitment has an EffectiveCost, where FOCUS requires 0; if the usage includes it, it is counted twice; correct the export ($730.00)',
      ],
    });
  });

  it.each([
    ['that is 0', { EffectiveCost: '0' }],
    ['of another kind', { CommitmentDiscountId: null }],
    ['with the id of zeros', { CommitmentDiscountId: '00000000-0000-0000-0000-000000000000' }],
  ])('is not reported for one %s', async (_what, row) => {
    expect((await read({ ...azure, ...purchase, ...row })).warnings).toEqual([]);
  });
});

it('reports repairs of all months as long as they are loaded', async () => {
  const account = await bills();
  await account.put('may.csv', [aLine(missing), aLine({ ...missing, BillingCurrency: 'EUR' })]);
  await account.put('june.csv', [aLine({ day: '2026-06-02', ListCost: null, cost: '0.000000000001' })]);
  await account.sync();
  const reported = [
    '2026-05 to 2026-06: 3 charges have no ListCost, which FOCUS requires; ContractedCost is used instead ($1.00, €1.00)',
    '2026-05: 2 charges have no ContractedCost, which FOCUS requires; EffectiveCost (usage) or BilledCost (other charges) is used instead ($1.00, €1.00)',
  ];
  expect(await warningsOf(account)).toEqual(reported);
  await account.sync();
  expect(await warningsOf(account)).toEqual(reported);
  await account.put('may.csv', [aLine(), aLine({ BillingCurrency: 'EUR' })]);
  await account.put('june.csv', [aLine({ day: '2026-06-02', cost: '0.000000000001' })]);
  await account.sync();
  expect(await warningsOf(account)).toEqual([]);
});
