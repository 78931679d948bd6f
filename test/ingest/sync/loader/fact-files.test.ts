import { expect, it } from 'vitest';
import { factColumns } from '../../../../src/engine/codebook.ts';
import { aLine, csvOf, focusColumns, type FocusRow } from '../../../support/focus.ts';
import { billOf, readBills, type Fact } from './reading.ts';
import { selectFacts } from '../../../support/read-facts.ts';

const rich: FocusRow = {
  BillingAccountName: 'Payer',
  PublisherName: 'Contoso',
  InvoiceIssuerName: 'Reseller',
  InvoiceId: 'I-1',
  ServiceSubcategory: 'Virtual Machines',
  AvailabilityZone: 'us-east-1a',
  PricingCategory: 'Committed',
  CommitmentDiscountId: 'sp-1',
  CommitmentDiscountCategory: 'Spend',
  CommitmentDiscountStatus: 'Used',
  CommitmentDiscountQuantity: '1.5',
  CommitmentDiscountUnit: 'USD',
  CapacityReservationId: 'cr-1',
  CapacityReservationStatus: 'Used',
  AllocatedMethodId: 'split',
  AllocatedMethodDetails: '{"Elements":[]}',
  AllocatedResourceId: 'pod-1',
  AllocatedResourceName: 'Pod',
  AllocatedTags: '{"team":"a"}',
};
const columns = [...new Set([...focusColumns['1.3'], ...Object.keys(rich), 'AllocatedTags'])];

it('writes the documented columns, in their order and with their types', async () => {
  const { export: write, query } = await readBills({ name: 'a.csv', content: csvOf([aLine()]) });
  for (const { path } of (await write('2026-05')).facts) {
    const found = await query(
      `SELECT column_name AS name, column_type AS type FROM (DESCRIBE FROM read_parquet('${path}'))`,
    );
    const types = factColumns.map(({ name, type }) => ({
      name,
      type: type === 'DECIMAL(38,12)' ? 'DECIMAL(18,8)' : type,
    }));
    expect(found).toEqual(types);
  }
});

it('keeps publishers, invoices, zones, capacity reservations and allocation', async () => {
  const { facts } = await readBills({ name: 'a.csv', content: csvOf([aLine(rich)], { columns }) });
  expect(await facts()).toMatchObject([
    { ...rich, CommitmentDiscountQuantity: '1.500000000000', x_PricingKind: 'savings_plan', x_Provider: 'aws' },
  ]);
});

it('writes null for values that a bill does not have', async () => {
  const [fact] = await (await readBills({ name: 'a.csv', content: csvOf([aLine()]) })).facts();
  expect(fact).toMatchObject({
    InvoiceId: null,
    ChargeClass: null,
    Tags: null,
    CommitmentDiscountId: null,
    SkuId: null,
  });
});

it('writes no quantity if no line item has one, and 0 if the quantities add up to 0', async () => {
  const lines = [
    aLine({ ResourceId: 'a', ConsumedQuantity: '' }),
    aLine({ ResourceId: 'b', ConsumedQuantity: '2' }),
    aLine({ ResourceId: 'b', ConsumedQuantity: '-2' }),
  ];
  const facts = await (await readBills({ name: 'a.csv', content: csvOf(lines) })).facts();
  const quantities = Object.fromEntries(facts.map((fact) => [fact['ResourceId'], fact['ConsumedQuantity']]));
  expect(quantities).toEqual({ a: null, b: '0.000000000000' });
});

it('sums each charge per calendar month in the month file', async () => {
  const day = (date: string, resource: string) =>
    aLine({ ChargePeriodStart: `${date}T03:00:00Z`, ResourceId: resource, BilledCost: '0.1' });
  const lines = [
    day('2026-05-30', 'a'),
    day('2026-05-03', 'a'),
    day('2026-05-03', 'a'),
    day('2026-06-01', 'a'),
    day('2026-05-09', 'b'),
  ];
  const { export: write, query } = await readBills({ name: 'a.csv', content: csvOf(lines) });
  const { facts } = await write('2026-05');
  const month = facts.find(({ grain }) => grain === 'month');
  expect(facts.map(({ grain, rows }) => `${grain} ${rows}`)).toEqual(['day 4', 'month 3']);
  expect(
    await query(`SELECT ResourceId AS r, ChargePeriodStart::DATE AS first, ChargePeriodEnd::DATE AS last, BilledCost AS cost, x_LineItems AS lines
      FROM (${selectFacts([month?.path ?? ''])})`),
  ).toEqual([
    { r: 'a', first: '2026-05-03', last: '2026-05-31', cost: '0.300000000000', lines: '3' },
    { r: 'a', first: '2026-06-01', last: '2026-06-02', cost: '0.100000000000', lines: '1' },
    { r: 'b', first: '2026-05-09', last: '2026-05-10', cost: '0.100000000000', lines: '1' },
  ]);
});

it('sorts by service, region, sub-account, resource and meter', async () => {
  const lines = ['a', 'b', 'c'].flatMap((ServiceName) =>
    ['y', 'x'].flatMap((RegionId) =>
      ['2', '1', '10'].map((ResourceId) => aLine({ ServiceName, RegionId, ResourceId })),
    ),
  );
  const { export: write, query } = await readBills({ name: 'a.csv', content: csvOf(lines.toReversed()) });
  for (const { path } of (await write('2026-05')).facts) {
    const rows = await query(`SELECT ServiceName, RegionId, ResourceId FROM read_parquet('${path}')`);
    expect(rows).toEqual(rows.toSorted((a, b) => (Object.values(a).join(' ') < Object.values(b).join(' ') ? -1 : 1)));
  }
});

it('writes every spelling of a tag key as a PostgreSQL array', async () => {
  const lines = ['{"Team":"a"}', '{"team":"b"}', '{"quo\\"te":"c"}'].map((Tags, at) =>
    aLine({ Tags, ResourceId: String(at) }),
  );
  const { export: write, query } = await readBills({ name: 'a.csv', content: csvOf(lines) });
  const { files } = await write('2026-05');
  const found = await query(`SELECT column4 AS key, column5 AS spellings, column6 AS count, column7 AS rolled
    FROM read_csv('${files.tag_keys}', header=false, all_varchar=true) ORDER BY key`);
  expect(found).toEqual([
    { key: 'Team', spellings: '{"Team","team"}', count: '2', rolled: 'true' },
    { key: 'quo"te', spellings: '{"quo\\"te"}', count: '1', rolled: 'true' },
  ]);
});

it('converts day rows to the same files as a load of the bill', async () => {
  const lines = ['vm-1', 'vm-2', 'say "hi", both'].flatMap((ResourceId, at) =>
    ['2026-05-02', '2026-05-09', '2026-06-01'].map((day) =>
      aLine({
        ...rich,
        ChargePeriodStart: `${day}T07:00:00Z`,
        ResourceId,
        Tags: `{"n":"${at}","m":"x"}`,
        BilledCost: '0.25',
      }),
    ),
  );
  const { export: write, query, convert, folder } = await readBills(await billOf('a.csv', lines));
  const loaded = await write('2026-05');
  const rowsOf = async (grain: string, files: typeof loaded.facts): Promise<Fact[]> => {
    return query(selectFacts(files.filter((file) => file.grain === grain).map(({ path }) => path)));
  };
  const before = [await rowsOf('day', loaded.facts), await rowsOf('month', loaded.facts)];
  const csv = `${folder}/2026-05.csv`;
  await query(
    `COPY (FROM read_parquet('${loaded.facts[0]?.path}') ORDER BY BilledCost, ChargePeriodStart) TO '${csv}' (HEADER)`,
  );
  const converted = await convert(csv, '2026-05');
  expect(converted.totals).toEqual(loaded.totals);
  expect([await rowsOf('day', converted.facts), await rowsOf('month', converted.facts)]).toEqual(before);
});

it('uses as few digits in a decimal column as hold all its values exactly', async () => {
  const costs = {
    BilledCost: '0.00000001',
    EffectiveCost: '0.000000001',
    ListCost: '999999.999999999999',
    ContractedCost: '1000000.000000000001',
  };
  const { export: write, query } = await readBills({ name: 'a.csv', content: csvOf([aLine(costs)]) });
  const [file] = (await write('2026-05')).facts;
  const [types] = await query(
    `SELECT ${Object.keys(costs)
      .map((name) => `typeof(${name}) AS ${name}`)
      .join(', ')} FROM read_parquet('${file?.path}')`,
  );
  expect(types).toEqual({
    BilledCost: 'DECIMAL(18,8)',
    EffectiveCost: 'DECIMAL(18,12)',
    ListCost: 'DECIMAL(18,12)',
    ContractedCost: 'DECIMAL(38,12)',
  });
  expect(await query(selectFacts([file?.path ?? '']))).toMatchObject([
    {
      BilledCost: '0.000000010000',
      EffectiveCost: '0.000000001000',
      ListCost: costs.ListCost,
      ContractedCost: costs.ContractedCost,
    },
  ]);
});
