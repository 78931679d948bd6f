import { describe, expect, it } from 'vitest';
import { pricingKinds, type PricingKind } from '../../../../src/engine/codebook.ts';
import { Refusal } from '../../../../src/ingest/sync/loader/refusal.ts';
import { aLine, csvOf, type FocusRow } from '../../../support/focus.ts';
import { detailCharges, sumsOfCharges } from './control.ts';
import { readBills, tagsOf, type BillFile, type Fact } from './reading.ts';

const columns = `BillingAccountId BillingAccountName BillingPeriodStartDate SubscriptionId SubscriptionName Date Product
  PartNumber MeterId MeterCategory MeterSubCategory MeterName Quantity Cost UnitPrice BillingCurrency
  ResourceLocation ConsumedService ResourceId ResourceName Tags UnitOfMeasure ReservationId ProductOrderId
  PublisherName ChargeType PayGPrice PricingModel benefitId benefitName`.split(/\s+/);
const machine = '/subscriptions/AAA/resourceGroups/Shop/providers/Microsoft.Compute/virtualMachines/Web';
const reservation = '/providers/Microsoft.Capacity/reservationOrders/o1/reservations/r1';
const plan = '/providers/Microsoft.BillingBenefits/savingsPlanOrders/o2/savingsPlans/p1';

/** An hour of a machine for one dollar on September 4, 2023, with the given changes. */
function line(given: FocusRow = {}): FocusRow {
  return {
    BillingAccountId: '8611537',
    BillingAccountName: 'Trey',
    BillingPeriodStartDate: '09/01/2023',
    SubscriptionId: 'AAA',
    SubscriptionName: 'Research',
    Date: '09/04/2023',
    Product: 'Virtual Machines BS Series - B1s',
    PartNumber: 'P-1',
    MeterId: 'm-1',
    MeterCategory: 'Virtual Machines',
    MeterName: 'B1s',
    Quantity: '4',
    Cost: '1',
    UnitPrice: '0.25',
    PayGPrice: '0.5',
    BillingCurrency: 'USD',
    ResourceLocation: 'US East 2',
    ConsumedService: 'Microsoft.Compute',
    ResourceId: machine,
    Tags: '"env": "prod","org": "trey"',
    UnitOfMeasure: '1 Hour',
    ChargeType: 'Usage',
    PricingModel: 'OnDemand',
    ...given,
  };
}

const onDemand = line();
const spot = line({ MeterName: 'B1s Spot', PricingModel: 'Spot', Cost: '0.2', UnitPrice: '0.05' });
const covered = { PricingModel: 'Reservation', benefitId: reservation, benefitName: 'Machines' };
const coveredByPlan = { PricingModel: 'SavingsPlan', benefitId: plan, MeterName: 'B2s' };
const purchase = line({
  ...covered,
  ChargeType: 'Purchase',
  ResourceId: reservation,
  benefitId: `${reservation.slice(0, -2)}`,
  Cost: '30',
  Quantity: '1',
  UnitPrice: '30',
  PayGPrice: '0',
});
const market = line({
  MeterCategory: null,
  PublisherName: 'Contoso',
  ChargeType: 'Purchase',
  Cost: '5',
  Quantity: '1',
  UnitPrice: '5',
});

/** One bill, delivered twice. */
const actual = [
  onDemand,
  spot,
  line({ ...covered, Cost: '0', UnitPrice: '0', MeterName: 'B1ms' }),
  line({ ...coveredByPlan, Cost: '0' }),
  purchase,
  market,
];
const amortized = [
  onDemand,
  spot,
  line({ ...covered, Cost: '0.6', UnitPrice: '0.25', MeterName: 'B1ms' }),
  line({ ...coveredByPlan, Cost: '0.7' }),
  line({
    ...covered,
    ChargeType: 'UnusedReservation',
    ResourceId: null,
    Cost: '0.4',
    Quantity: '1',
    UnitPrice: '0',
    PayGPrice: '0',
  }),
  line({
    ...coveredByPlan,
    ChargeType: 'UnusedSavingsPlan',
    ResourceId: null,
    Cost: '0.3',
    Quantity: '1',
    PayGPrice: '0',
  }),
  market,
];

function costsOf(fact: Fact | undefined): string {
  const names = ['BilledCost', 'EffectiveCost', 'ListCost', 'ContractedCost'];
  return names.map((name) => String(Number(fact?.[name]))).join(' ');
}

describe('cost details', () => {
  it('have the names, kinds and tags of FOCUS', async () => {
    const reading = await readBills({
      name: 'amortized.csv',
      content: csvOf(amortized, { columns, bom: true }),
    });
    const facts = await reading.facts();
    const of = (kind: PricingKind) =>
      facts.find((fact) => fact['x_PricingKind'] === kind && fact['ServiceName'] !== 'Contoso');
    expect(of('on_demand')).toMatchObject({
      BillingPeriodStart: '2023-09-01 00:00:00',
      ChargePeriodStart: '2023-09-04 00:00:00',
      ProviderName: 'Microsoft',
      ChargeCategory: 'Usage',
      ServiceName: 'Virtual Machines',
      ServiceCategory: 'Compute',
      RegionId: 'eastus2',
      SubAccountId: 'aaa',
      ResourceId: machine.toLowerCase(),
      ResourceName: 'Web',
      ResourceType: 'microsoft.compute/virtualmachines',
      SkuId: 'P-1',
      SkuMeter: 'B1s',
      PricingQuantity: '4.000000000000',
    });
    expect(tagsOf(of('on_demand'))).toEqual({ env: 'prod', org: 'trey' });
    expect(pricingKinds.filter(of).map((kind) => `${kind}: ${costsOf(of(kind))}`)).toEqual([
      'on_demand: 1 1 2 1',
      'spot: 0.2 0.2 2 0.2',
      'reserved: 0.6 0.6 2 1',
      'savings_plan: 0.7 0.7 2 1',
      'unused_reservation: 0.4 0.4 0.4 0.4',
      'unused_savings_plan: 0.3 0.3 0.3 0.3',
    ]);
    expect(of('reserved')).toMatchObject({
      CommitmentDiscountId: reservation.toLowerCase(),
      CommitmentDiscountCategory: 'Usage',
      CommitmentDiscountName: 'Machines',
    });
    expect(of('unused_savings_plan')).toMatchObject({
      CommitmentDiscountId: plan.toLowerCase(),
      CommitmentDiscountCategory: 'Spend',
    });
    expect(facts.find((fact) => fact['ServiceName'] === 'Contoso')).toMatchObject({ ChargeCategory: 'Purchase' });
  });

  it('are read with any spelling of their column names', async () => {
    const others: Readonly<Record<string, string>> = {
      Cost: 'costInBillingCurrency',
      BillingCurrency: 'Billing Currency Code',
      Date: 'date',
      BillingPeriodStartDate: 'billingPeriodStartDate',
      MeterCategory: 'METERCATEGORY',
      ChargeType: 'chargeType',
      ResourceId: 'InstanceId',
      SubscriptionId: 'SubscriptionGuid',
    };
    const renamed = amortized.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [others[name] ?? name, value])),
    );
    const { facts } = await readBills({
      name: 'other.csv',
      content: csvOf(renamed, { columns: columns.map((name) => others[name] ?? name), delimiter: ';' }),
    });
    const { facts: usual } = await readBills({ name: 'usual.csv', content: csvOf(amortized, { columns }) });
    expect(await facts()).toEqual(await usual());
  });

  it.each([
    ['9/4/2023', '2023-09-04'],
    ['2023-09-04', '2023-09-04'],
    ['2023-09-04T00:00:00Z', '2023-09-04'],
    ['20230904', '2023-09-04'],
    ['09/04/2023 00:00:00', '2023-09-04'],
  ])('accept the day format %s', async (written, day) => {
    const { facts } = await readBills({ name: 'a.csv', content: csvOf([line({ Date: written })], { columns }) });
    expect((await facts())[0]).toMatchObject({
      ChargePeriodStart: `${day} 00:00:00`,
      BillingPeriodStart: '2023-09-01 00:00:00',
    });
  });

  it('treat an id of zeros as no commitment', async () => {
    const none = '00000000-0000-0000-0000-000000000000';
    const rows = [line({ ReservationId: none }), line({ benefitId: none, Date: '09/05/2023' })];
    const { facts } = await readBills({ name: 'a.csv', content: csvOf(rows, { columns }) });
    for (const fact of await facts())
      expect(fact).toMatchObject({
        CommitmentDiscountId: null,
        CommitmentDiscountType: null,
        x_PricingKind: 'on_demand',
      });
  });

  it('build the id of a reservation from its parts', async () => {
    const row = line({ PricingModel: 'Reservation', ReservationId: 'R1', ProductOrderId: 'O1' });
    const { facts } = await readBills({ name: 'a.csv', content: csvOf([row], { columns }) });
    expect((await facts())[0]).toMatchObject({
      CommitmentDiscountId: '/providers/microsoft.capacity/reservationorders/o1/reservations/r1',
      x_PricingKind: 'reserved',
    });
  });
});

describe('cost details of a Microsoft Customer Agreement', () => {
  const mca = [...columns, 'PricingCurrency', 'ExchangeRatePricingToBilling', 'PaygCostInBillingCurrency'];
  const priced = { BillingCurrency: 'EUR', PricingCurrency: 'USD', Quantity: '1', UnitPrice: '100', PayGPrice: '110' };
  const of = async (given: FocusRow) => {
    const content = csvOf([line({ ...priced, Cost: '60', ExchangeRatePricingToBilling: '0.75', ...given })], {
      columns: mca,
    });
    const [fact] = await (await readBills({ name: 'mca.csv', content })).facts();
    return costsOf(fact);
  };

  it.each<[string, FocusRow, string]>([
    ["convert prices at the row's own exchange rate", {}, '60 60 82.5 75'],
    ['keep every digit', { Quantity: '0.123456', UnitPrice: '812.3456789' }, '60 60 75.216711100709 75.216711100709'],
    ['prefer the retail cost of the bill', { PaygCostInBillingCurrency: '82.51' }, '60 60 82.51 75'],
    ['fall back to the cost without an exchange rate', { ExchangeRatePricingToBilling: null }, '60 60 60 60'],
    ['use no rate in one currency', { PricingCurrency: 'eur' }, '60 60 110 100'],
    ['use no price for taxes', { ChargeType: 'Tax' }, '60 60 60 60'],
  ])('%s', async (_what, given, costs) => {
    expect(await of(given)).toBe(costs);
  });

  it('reject a rate that is not a number', async () => {
    await expect(of({ ExchangeRatePricingToBilling: 'n/a' })).rejects.toThrow(
      'mca.csv, row 2, column ExchangeRatePricingToBilling: "n/a" is not a decimal number',
    );
  });
});

describe('bill of actual and amortized cost files', () => {
  const files = [
    { name: 'actual.csv', content: csvOf(actual, { columns }), speaksFor: 'billed' },
    { name: 'amortized.csv', content: csvOf(amortized, { columns }), speaksFor: 'effective' },
  ] as const;

  it('counts each cost once', async () => {
    const { export: write } = await readBills(...files);
    const { totals, lineItems } = await write('2023-09');
    // Billed: 1 + 0.2 + 30 + 5. Effective: 1 + 0.2 + 0.6 + 0.7 + 0.4 + 0.3 + 5. Only the actual costs contain the
    // purchase.
    expect(totals).toMatchObject([
      {
        billed: '36.200000000000',
        effective: '8.200000000000',
        list: '43.700000000000',
        contracted: '38.900000000000',
      },
    ]);
    expect(lineItems).toBe(8);
    const control = sumsOfCharges(files.flatMap((file) => detailCharges(file.content, file.speaksFor)));
    const [total] = totals;
    const lines = Object.values(control).map((sum) => Number(sum.split(':')[0]));
    expect(lines.reduce((sum, each) => sum + each, 0)).toBe(total?.lineItems);
  });

  it('merges lines that are in both files into one fact', async () => {
    const { facts } = await readBills(...files);
    const both = (await facts()).filter(
      (fact) =>
        fact['SkuMeter'] === 'B1s' && fact['ChargeCategory'] === 'Usage' && fact['CommitmentDiscountId'] === null,
    );
    expect(both.map(costsOf)).toEqual(['1 1 2 1']);
    expect(both[0]).toMatchObject({ x_LineItems: '1', PricingQuantity: '4.000000000000' });
  });

  it.each(files)('uses only $name for all costs', async ({ name, content }) => {
    const { parts } = await readBills({ name, content });
    expect(parts[0]?.billed).toBe(parts[0]?.effective);
  });
});

describe('actual and amortized cost files without a manifest', () => {
  const of = (name: string, rows: readonly FocusRow[]) => ({ name, content: csvOf(rows, { columns }) });
  const pair = [of('a.csv', amortized), of('b.csv', actual)];
  const refusal = async (...files: readonly BillFile[]) => {
    const { export: write } = await readBills(...files);
    return write('2023-09').then(
      () => 'accepted',
      (error: unknown) => (error instanceof Refusal ? error.message : Promise.reject(error)),
    );
  };

  it('count each cost once, like those of a manifest', async () => {
    const { export: write } = await readBills(...pair);
    const { totals, lineItems } = await write('2023-09');
    const { export: known } = await readBills(
      { ...of('a.csv', amortized), speaksFor: 'effective' },
      { ...of('b.csv', actual), speaksFor: 'billed' },
    );
    const expected = await known('2023-09');
    expect([totals, lineItems]).toEqual([expected.totals, expected.lineItems]);
    expect(totals).toMatchObject([{ billed: '36.200000000000', effective: '8.200000000000' }]);
  });

  it('have the same facts as those of a manifest', async () => {
    const plain = await readBills(...pair);
    const known = await readBills(
      { ...of('a.csv', amortized), speaksFor: 'effective' },
      { ...of('b.csv', actual), speaksFor: 'billed' },
    );
    expect(await plain.facts()).toEqual(await known.facts());
  });

  it('are distinguished without purchases, and without uncovered usage', async () => {
    const covers = (cost: string) => line({ ...covered, Cost: cost, MeterName: 'B1ms' });
    const { export: write } = await readBills(
      of('1.csv', [onDemand, covers('0')]),
      of('2.csv', [onDemand, covers('3')]),
    );
    expect((await write('2023-09')).totals).toMatchObject([{ billed: '1.000000000000', effective: '4.000000000000' }]);
    const alone = await readBills(of('1.csv', [covers('0'), purchase]), of('2.csv', [covers('3')]));
    expect((await alone.export('2023-09')).totals).toMatchObject([
      { billed: '30.000000000000', effective: '3.000000000000' },
    ]);
  });

  it('are read as they are for different subscriptions', async () => {
    const other = amortized.map((row) => ({ ...row, SubscriptionId: 'BBB' }));
    const { export: write } = await readBills(of('1.csv', actual), of('2.csv', other));
    expect((await write('2023-09')).totals).toMatchObject([
      { billed: '44.400000000000', effective: '44.400000000000' },
    ]);
  });

  it('are rejected when they do not have the same usage or days', async () => {
    const uncertain =
      '"b.csv" has actual and "a.csv" amortized costs of the same subscriptions for 2023-09, but not of the same usage; export both for the same days and subscriptions, or remove one of them';
    const later = [...amortized, line({ Date: '09/05/2023' })];
    expect(await refusal(of('a.csv', later), of('b.csv', actual))).toBe(uncertain);
    expect(await refusal(of('a.csv', amortized.slice(2)), of('b.csv', actual))).toBe(uncertain);
  });

  it('are rejected when they have no commitment, because they are the same', async () => {
    expect(await refusal(of('a.csv', [onDemand, spot]), of('b.csv', [spot, onDemand]))).toMatch(
      /^"a\.csv" and "b\.csv" contain the same charges of 2023-09; remove one of them/,
    );
  });

  it('are rejected beside a copy of one, and beside FOCUS', async () => {
    expect(await refusal(...pair, of('c.csv', actual))).toMatch(/^"b\.csv" and "c\.csv" contain the same charges/);
    const focus = {
      name: 'focus.csv',
      content: csvOf([aLine({ day: '2023-09-04', ProviderName: 'Microsoft', SubAccountId: 'aaa' })]),
    };
    expect(await refusal(...pair, focus)).toMatch(
      /^"focus\.csv" \(FOCUS\) and "a\.csv" \(Azure cost details\) are both bills of sub-account "aaa" for 2023-09; remove "a\.csv"/,
    );
  });
});

describe('error in cost details', () => {
  it.each([
    [{ Cost: 'free' }, 'row 2, column Cost: "free" is not a decimal number'],
    [{ Date: '30/09/2023' }, 'row 2, column Date: "30/09/2023" is not a day as MM/DD/YYYY or YYYY-MM-DD'],
    [
      { BillingPeriodStartDate: 'soon' },
      'row 2, column BillingPeriodStartDate: "soon" is not a day as MM/DD/YYYY or YYYY-MM-DD',
    ],
    [
      { BillingCurrency: null },
      'row 2, column BillingCurrency: no value; expected an ISO 4217 currency code of three letters',
    ],
    [
      { ChargeType: 'Verbrauch' },
      'row 2, column ChargeType: "Verbrauch" is not Usage, Purchase, Refund, UnusedReservation, UnusedSavingsPlan, Tax, Credit or RoundAdjustment',
    ],
  ])('uses the column names of the file: %o', async (given: FocusRow, said) => {
    const error: unknown = await readBills({
      name: 'bad.csv',
      content: csvOf([line(given), line()], { columns }),
    }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Refusal);
    expect(error).toHaveProperty('message', `bad.csv, ${said}`);
  });
});
