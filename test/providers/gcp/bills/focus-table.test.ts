import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { amountText, parseAmount, sumAmounts } from '../../../../src/kit/money.ts';
import { column, record, repeated, rowOf, type Field } from '../../../support/clouds/google/tables.ts';
import { aGoogleCloud, signal, type GoogleWorld } from '../world.ts';

const focusTable = 'billing-123.billing.gcp_billing_export_focus_010101_F0FFF0_61C528';
const published = path.resolve(import.meta.dirname, '../../../../../shared/data/costroid/testdata/gcp-focus-bq');

interface Envelope {
  schema: { fields: Field[] };
  rows: { f: { v: unknown }[] }[];
}

const pairs = [column('Key'), column('Value')];

/** The columns of the FOCUS table that costs need. */
const fields: readonly Field[] = [
  column('BilledCost', 'NUMERIC'),
  column('EffectiveCost', 'NUMERIC'),
  column('ContractedCost', 'NUMERIC'),
  column('ListCost', 'NUMERIC'),
  column('BillingAccountId'),
  column('BillingCurrency'),
  column('BillingPeriodStart', 'TIMESTAMP'),
  column('ChargeCategory'),
  column('ChargeClass'),
  column('ChargeDescription'),
  column('ChargePeriodStart', 'TIMESTAMP'),
  column('PricingQuantity', 'NUMERIC'),
  column('PricingUnit'),
  column('RegionId'),
  column('ResourceId'),
  column('ServiceName'),
  column('SubAccountId'),
  column('x_CostType'),
  repeated('x_Credits', [column('Type'), column('Amount', 'NUMERIC')]),
  column('x_ExportTime', 'TIMESTAMP'),
  repeated('x_Labels', pairs),
  record('x_Project', [column('Id'), column('Name')]),
];

function aCharge(more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    BilledCost: '4',
    EffectiveCost: '4',
    ContractedCost: '4',
    ListCost: '5',
    BillingAccountId: '010101-F0FFF0-61C528',
    BillingCurrency: 'USD',
    // Midnight in Los Angeles.
    BillingPeriodStart: '2026-05-01T07:00:00',
    ChargeCategory: 'Usage',
    ChargeDescription: 'Analysis',
    ChargePeriodStart: '2026-05-02T10:00:00',
    PricingQuantity: '1',
    PricingUnit: 'GiB',
    ServiceName: 'BigQuery',
    SubAccountId: 'demo',
    x_Credits: [],
    x_ExportTime: '2026-05-03T00:00:00',
    x_Labels: [],
    x_Project: null,
    ...more,
  };
}

async function put(world: GoogleWorld, rows: readonly object[], columns = fields): Promise<void> {
  await world.google.bigQuery.put({ name: focusTable, fields: columns, rows });
}

it('sums the floating-point numbers of a view exactly, and reads it again each time', async () => {
  const world = await aGoogleCloud();
  const columns = fields.map((each) =>
    /Cost$|Quantity$/.test(each.name) && each.type === 'NUMERIC' ? { ...each, type: 'FLOAT' } : each,
  );
  const rows = [0.1, 0.2, 0.00000001].map((cost) => aCharge({ BilledCost: cost, PricingQuantity: 1e-8 }));
  await world.google.bigQuery.put({ name: focusTable, fields: columns, rows, type: 'MATERIALIZED_VIEW' });
  const connection = await world.connect();
  const [row] = await world.rowsOf(connection, '2026-05');
  expect(row).toMatchObject({ BilledCost: '0.30000001', PricingQuantity: '0.00000003' });
  const { memo } = await connection.costs.list(null, signal);
  const asked = world.google.bigQuery.queries.length;
  await connection.costs.list(memo, signal);
  expect(world.google.bigQuery.queries.length).toBeGreaterThan(asked);
});

it('detects from the sums whether costs include credits, stores the result, and warns if it adds them', async () => {
  const world = await aGoogleCloud();
  const credits = [{ Type: 'PROMOTION', Amount: '-1' }];
  await put(world, [aCharge({ x_Credits: credits }), aCharge()]);
  const connection = await world.connect();
  const [row] = await world.rowsOf(connection, '2026-05');
  expect(row).toMatchObject({ BilledCost: '7', EffectiveCost: '7', ContractedCost: '8' });
  const { warnings, memo } = await connection.costs.list(null, signal);
  expect(warnings[1]).toBe(
    'The FOCUS table leaves credits (-1 in all) out of BilledCost and EffectiveCost: they are added here. Compare a month with its invoice',
  );
  world.google.asked();
  const again = await (await world.connect()).costs.list(memo, signal);
  expect(again.warnings).toEqual(warnings);
  expect(world.google.asked()).toHaveLength(2);
  await put(world, [aCharge({ x_Credits: credits, BilledCost: '3', EffectiveCost: '3' })]);
  const inside = await world.connect();
  expect((await world.rowsOf(inside, '2026-05'))[0]).toMatchObject({ BilledCost: '3', EffectiveCost: '3' });
});

it('reads the older view: lowercase values, `error`, billing accounts as sub-accounts, lists of tags', async () => {
  const world = await aGoogleCloud();
  const old = [
    ...fields.filter(({ name }) => name !== 'x_Labels'),
    repeated('Tags', [column('name'), column('value')]),
  ];
  const account = '010101-F0FFF0-61C528';
  await world.google.bigQuery.put({
    name: 'billing-123.views.focus_view',
    type: 'VIEW',
    fields: old,
    rows: [
      aCharge({
        ChargeCategory: 'usage',
        SubAccountId: account,
        x_Project: { Id: 'shop', Name: 'Shop' },
        Tags: [{ name: 'env', value: 'prod' }],
      }),
      aCharge({
        ChargeCategory: 'error',
        x_CostType: 'rounding_error',
        ChargeClass: 'correction',
        SubAccountId: account,
      }),
    ],
  });
  const connection = await world.connect({ dataset: 'views', table: 'focus_view' });
  const rows = await world.rowsOf(connection, '2026-05');
  expect(rows.find((row) => row['ChargeCategory'] === 'Usage')).toMatchObject({
    SubAccountId: 'shop',
    Tags: '{"env":"prod"}',
  });
  expect(rows.find((row) => row['ChargeCategory'] === 'Adjustment')).toMatchObject({
    SubAccountId: 'unassigned',
    ChargeClass: 'Correction',
  });
  // A view has no modification time, so it is queried.
  const { memo } = await connection.costs.list(null, signal);
  world.google.asked();
  await connection.costs.list(memo, signal);
  expect(world.google.asked().some((each) => each.startsWith('POST'))).toBe(true);
});

it('keeps months that Google deletes after two years', async () => {
  const world = await aGoogleCloud();
  const old = { BillingPeriodStart: '2024-01-01T08:00:00', ChargePeriodStart: '2024-01-05T00:00:00' };
  await put(world, [aCharge(), aCharge(old)]);
  const first = await (await world.connect()).costs.list(null, signal);
  const memo: { months: { createdAt: string } } = JSON.parse(JSON.stringify(first.memo));
  await put(world, [aCharge(), aCharge()]);
  memo.months.createdAt = await createdAt(world);
  const second = await (await world.connect()).costs.list(memo, signal);
  expect(second.files.map(({ month }) => month)).toEqual(['2024-01', '2026-05']);
  expect(second.files[0]).toEqual(first.files[0]);
  expect(second.files[1]?.token).not.toBe(first.files[1]?.token);
});

/** The creation time of the table. */
async function createdAt(world: GoogleWorld): Promise<string> {
  const { memo } = await (await world.connect()).costs.list(null, signal);
  const { months }: { months: { createdAt: string } } = JSON.parse(JSON.stringify(memo));
  return months.createdAt;
}

// From Costroid (Apache-2.0), with the totals in its README.
it.skipIf(!fs.existsSync(published))(
  'reads the published rows: totals, a restated month and an invalid month',
  async () => {
    const world = await aGoogleCloud();
    const read = (name: string): Envelope => JSON.parse(fs.readFileSync(path.join(published, name), 'utf8'));
    const rowsIn = ({ schema, rows }: Envelope) => rows.map(({ f }) => rowOf(schema.fields, f));
    const may = read('fixture/2026-05.json');
    const columns = may.schema.fields;
    const load = async (june: string) => put(world, [...rowsIn(may), ...rowsIn(read(june))], columns);
    const total = (rows: readonly Record<string, string | null>[]) =>
      amountText(sumAmounts(rows.map((row) => parseAmount(row['BilledCost'] ?? ''))));
    await load('fixture/2026-06.json');
    const connection = await world.connect();
    expect(total(await world.rowsOf(connection, '2026-05'))).toBe('3.123456789012345678');
    const june = await world.rowsOf(connection, '2026-06');
    expect(total(june)).toBe('15');
    expect(june.map((row) => row['Tags']).sort()).toEqual([null, '{"env":"prod"}', '{"team":"finance"}']);
    const first = await connection.costs.list(null, signal);
    await load('restated/2026-06.json');
    const restated = await connection.costs.list(null, signal);
    expect(restated.files.map(({ token }, index) => token === first.files[index]?.token)).toEqual([true, false]);
    expect(total(await world.rowsOf(connection, '2026-06'))).toBe('13');
    await load('reject/2026-06.json');
    await expect(world.rowsOf(connection, '2026-06')).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringMatching(/^Invoice month 2026-06: 1 line has no cost, currency, category or time \(/),
    });
  },
);
