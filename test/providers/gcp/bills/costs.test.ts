import fs from 'node:fs';
import { expect, it } from 'vitest';
import { amountText, parseAmount, sumAmounts } from '../../../../src/kit/money.ts';
import { detailedFields } from '../../../support/clouds/google/tables.ts';
import { aGoogleCloud, aLine, detailedTable, signal, type GoogleWorld } from '../world.ts';

async function putLines(world: GoogleWorld, rows: readonly object[]): Promise<void> {
  await world.google.bigQuery.put({ name: detailedTable, fields: detailedFields, rows, isPartitioned: true });
}

it('sums lines per day with credits, and prefers labels to tags to project labels', async () => {
  const world = await aGoogleCloud();
  const labels = [
    { key: 'env', value: 'prod' },
    { key: 'odd', value: 'a "b", c' },
  ];
  const more = {
    labels,
    tags: [
      { key: 'env', value: 'test', inherited: true, namespace: '1' },
      { key: 'team', value: 'web' },
    ],
    project: {
      id: 'shop',
      name: 'Shop',
      labels: [
        { key: 'team', value: 'all' },
        { key: 'unit', value: 'u' },
      ],
    },
  };
  await putLines(world, [
    aLine({ ...more, cost: 0.1, credits: [{ type: 'PROMOTION', amount: -0.05 }] }),
    aLine({ ...more, cost: 0.2, usage_start_time: '2026-05-03T23:59:00' }),
    aLine({ ...more, cost: 7, cost_type: 'tax', project: null, resource: null, labels: [], usage: null }),
  ]);
  const rows = await world.rowsOf(await world.connect(), '2026-05');
  expect(rows).toHaveLength(2);
  const usage = rows.find((row) => row['ChargeCategory'] === 'Usage');
  expect(usage).toMatchObject({
    ProviderName: 'Google Cloud',
    BillingPeriodStart: '2026-05-01T00:00:00Z',
    BillingPeriodEnd: '2026-06-01T00:00:00Z',
    ChargePeriodStart: '2026-05-03T00:00:00Z',
    BillingAccountId: '010101-F0FFF0-61C528',
    SubAccountId: 'shop',
    SubAccountName: 'Shop',
    BillingCurrency: 'EUR',
    BilledCost: '0.25',
    EffectiveCost: '0.25',
    ContractedCost: '0.3',
    ListCost: '4',
    PricingCategory: 'Standard',
    PricingQuantity: '2',
    PricingUnit: 'hour',
    ServiceName: 'Compute Engine',
    SkuMeter: 'N1 Predefined Instance Core running in EMEA',
    RegionId: 'europe-west1',
    ResourceId: '//compute.googleapis.com/projects/shop/zones/europe-west1-b/instances/4711',
    ResourceType: 'compute.googleapis.com/Instance',
    Tags: '{"env":"prod","odd":"a \\"b\\", c","team":"web","unit":"u"}',
  });
  expect(rows.find((row) => row['ChargeCategory'] === 'Tax')).toMatchObject({
    SubAccountId: 'unassigned',
    BilledCost: '7',
  });
});

it('maps cost types, corrections and spot prices to FOCUS', async () => {
  const world = await aGoogleCloud();
  const sku = (description: string) => ({ sku: { id: description, description } });
  await putLines(world, [
    aLine({ ...sku('adjusted'), cost_type: 'adjustment', adjustment_info: { id: 'a-1' } }),
    aLine({ ...sku('rounded'), cost_type: 'rounding_error' }),
    aLine(sku('Spot Preemptible N2 Instance Core running in EMEA')),
    aLine({ ...sku('late'), usage_start_time: '2026-04-30T23:30:00' }),
  ]);
  const rows = await world.rowsOf(await world.connect(), '2026-05');
  const bySku = Object.fromEntries(rows.map((row) => [row['SkuId'], row]));
  expect(bySku['adjusted']).toMatchObject({
    ChargeCategory: 'Adjustment',
    ChargeClass: 'Correction',
    PricingCategory: null,
  });
  expect(bySku['rounded']).toMatchObject({ ChargeCategory: 'Adjustment', ChargeClass: null });
  expect(bySku['Spot Preemptible N2 Instance Core running in EMEA']).toMatchObject({ PricingCategory: 'Dynamic' });
  expect(bySku['late']).toMatchObject({
    ChargePeriodStart: '2026-04-30T00:00:00Z',
    BillingPeriodStart: '2026-05-01T00:00:00Z',
  });
});

it('separates usage covered by committed use discounts, and their fees from unused parts', async () => {
  const world = await aGoogleCloud();
  const sku = (description: string) => ({ sku: { id: description, description } });
  const credit = (type: string, amount: number) => ({ credits: [{ type, amount }] });
  await putLines(world, [
    aLine({ ...sku('partly'), cost: 10, cost_at_list: 20, ...credit('COMMITTED_USAGE_DISCOUNT', -6) }),
    aLine({ ...sku('legacy spend'), cost: 4, ...credit('COMMITTED_USAGE_DISCOUNT_DOLLAR_BASE', -4) }),
    aLine({ ...sku('sustained'), cost: 4, ...credit('SUSTAINED_USAGE_DISCOUNT', -1) }),
    aLine({ ...sku('priced'), cost: 8, consumption_model: { description: 'Compute Flexible CUD - 1 Year' } }),
    aLine({ ...sku('plain'), cost: 3, consumption_model: { description: 'Default' } }),
    aLine({ ...sku('Commitment v1: Cpu in Americas for 1 Year'), cost: 5, subscription: { instance_id: '900' } }),
    aLine({
      ...sku('Commitment - dollar based v1: GCE for 1 year'),
      cost: 10,
      subscription: { instance_id: '901' },
      ...credit('FEE_UTILIZATION_OFFSET', -8),
    }),
    // A day without covered usage.
    aLine({
      ...sku('Commitment - dollar based v1: GCE for 1 year'),
      cost: 10,
      usage_start_time: '2026-05-05T10:00:00',
      subscription: { instance_id: '901' },
    }),
  ]);
  const rows = await world.rowsOf(await world.connect(), '2026-05');
  const found = rows.map((row) => [
    `${row['SkuId']} ${row['ChargePeriodStart']?.slice(8, 10)}`,
    row['ChargeCategory'],
    row['PricingCategory'],
    [row['CommitmentDiscountCategory'], row['CommitmentDiscountStatus'], row['CommitmentDiscountId']].join(' '),
    [row['EffectiveCost'], row['ContractedCost'], row['ListCost'], row['PricingQuantity']].join(' '),
  ]);
  expect(found.sort((a, b) => String(a).localeCompare(String(b)))).toEqual([
    ['Commitment - dollar based v1: GCE for 1 year 03', 'Usage', 'Committed', 'Spend Unused 901', '2 2 2 1'],
    ['Commitment - dollar based v1: GCE for 1 year 05', 'Usage', 'Committed', 'Spend Unused 901', '10 10 10 1'],
    ['Commitment v1: Cpu in Americas for 1 Year 03', 'Purchase', null, 'Usage  900', '0 5 2 1'],
    ['legacy spend 03', 'Usage', 'Committed', 'Spend Used ', '0 4 2 1'],
    ['partly 03', 'Usage', 'Committed', 'Usage Used ', '5 6 12 0.6'],
    ['partly 03', 'Usage', 'Standard', '  ', '4 4 8 0.4'],
    ['plain 03', 'Usage', 'Standard', '  ', '3 3 2 1'],
    ['priced 03', 'Usage', 'Committed', 'Spend Used ', '8 8 2 1'],
    ['sustained 03', 'Usage', 'Standard', '  ', '3 4 2 1'],
  ]);
});

it('allocates a fee to usage covered on its day, in its region first; the rest is unused', async () => {
  const world = await aGoogleCloud();
  const off = (cost: number) => ({ cost, credits: [{ type: 'COMMITTED_USAGE_DISCOUNT', amount: -cost }] });
  const at = (region: string, day: number) => ({
    location: { location: region, region },
    usage_start_time: `2026-05-0${day}T10:00:00`,
  });
  const fee = { sku: { id: 'fee', description: 'Commitment v1: Ram in Americas for 1 Year' } };
  await putLines(world, [
    ...[1, 2, 3].map((n) =>
      aLine({ ...off(3), ...at('us-east1', 3), resource: { name: `vm${n}`, global_name: null } }),
    ),
    aLine({ ...off(20), ...at('us-west1', 3), resource: { name: 'vm4', global_name: null } }),
    aLine({ ...fee, cost: 1, ...at('us-east1', 3) }),
    aLine({ ...off(2), ...at('us-east1', 4), resource: { name: 'vm1', global_name: null } }),
    aLine({ ...fee, cost: 5, ...at('us', 4) }),
    aLine({ ...fee, cost: 7, ...at('us-east1', 5) }),
  ]);
  const rows = await world.rowsOf(await world.connect(), '2026-05');
  const found = rows.map(
    (row) =>
      `${row['ChargePeriodStart']?.slice(8, 10)} ${row['ResourceName'] ?? ''} ${row['ChargeCategory']} ${row['CommitmentDiscountStatus'] ?? ''} ${row['BilledCost']} ${row['EffectiveCost']}`,
  );
  expect(found.filter((each) => !each.includes('Purchase')).sort()).toEqual([
    '03 vm1 Usage Used 0 0.333333333333',
    '03 vm2 Usage Used 0 0.333333333333',
    '03 vm3 Usage Used 0 0.333333333334',
    '03 vm4 Usage Used 0 0',
    '04 vm1 Usage Used 0 2',
    '04 web-1 Usage Unused 0 3',
    '05 web-1 Usage Unused 0 7',
  ]);
  const total = (name: string) => amountText(sumAmounts(rows.map((row) => parseAmount(row[name] ?? ''))));
  expect([total('BilledCost'), total('EffectiveCost')]).toEqual(['13', '13']);
  expect(fs.readdirSync(world.folder)).toHaveLength(1);
});

it('needs one call plus sign-in for an unchanged table, and reloads only months with new lines', async () => {
  const world = await aGoogleCloud();
  const { google } = world;
  const june = {
    invoice: { month: '202606' },
    usage_start_time: '2026-06-02T00:00:00',
    _PARTITIONTIME: '2026-06-03T00:00:00',
  };
  await putLines(world, [aLine(), aLine(june)]);
  const first = await (await world.connect()).costs.list(null, signal);
  expect(first.files.map((file) => file.month)).toEqual(['2026-05', '2026-06']);
  google.asked();
  const memo: unknown = JSON.parse(JSON.stringify(first.memo));
  const second = await (await world.connect()).costs.list(memo, signal);
  expect(second).toEqual(first);
  expect(google.asked()).toEqual([
    'POST /token',
    'GET /bigquery/v2/projects/billing-123/datasets/billing/tables/gcp_billing_export_resource_v1_010101_F0FFF0_61C528',
  ]);
  const today = `${new Date().toISOString().slice(0, 10)}T00:00:00`;
  await google.bigQuery.add(detailedTable, [aLine({ cost: -0.5, _PARTITIONTIME: today })]);
  const third = await (await world.connect()).costs.list(memo, signal);
  expect(third.files[0]?.token).not.toBe(first.files[0]?.token);
  expect(third.files[1]).toEqual(first.files[1]);
  expect(google.bigQuery.queries.at(-1)).toContain('WHERE (DATE(_PARTITIONTIME) >= CAST(@since AS DATE)');
  const whole = await (await world.connect()).costs.list(null, signal);
  expect(third.files).toEqual(whole.files);
});

it('always filters a table that requires it by partition', async () => {
  const world = await aGoogleCloud();
  await putLines(world, [aLine()]);
  const connection = await world.connect();
  await connection.check(signal);
  await world.rowsOf(connection, '2026-05');
  expect(world.google.bigQuery.queries).toHaveLength(2);
  for (const query of world.google.bigQuery.queries) expect(query).toMatch(/ (WHERE|AND) \(DATE\(_PARTITIONTIME\) /);
});

it('rejects a month that changes while it is read, and reads it completely next time', async () => {
  const world = await aGoogleCloud();
  await putLines(world, [aLine()]);
  const connection = await world.connect();
  const { files, memo } = await connection.costs.list(null, signal);
  const [file] = files;
  if (!file) throw new Error('no month');
  // A later line is excluded, because it was not in the listing.
  await world.google.bigQuery.add(detailedTable, [aLine({ cost: 100, export_time: '2026-05-20T00:00:00' })]);
  await expect(connection.costs.fetch(file, world.folder, signal)).resolves.toContain('/bigquery-2026-05-');
  // A line without an export time cannot be distinguished from the listed ones.
  await world.google.bigQuery.add(detailedTable, [aLine({ export_time: null })]);
  await expect(connection.costs.fetch(file, world.folder, signal)).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    message: `BigQuery table ${detailedTable}: invoice month 2026-05 changed while it was read; the next sync reads it again`,
  });
  const again = await connection.costs.list(memo, signal);
  expect(again.files[0]?.token).not.toBe(file.token);
});

it('reads long months page by page', async () => {
  const world = await aGoogleCloud();
  world.google.bigQuery.pageRows = 7;
  await putLines(
    world,
    Array.from({ length: 50 }, (_, index) => aLine({ resource: { name: `r${index}`, global_name: `r${index}` } })),
  );
  const rows = await world.rowsOf(await world.connect(), '2026-05');
  expect(rows).toHaveLength(50);
  expect(world.google.asked().filter((each) => each.includes('/queries/')).length).toBeGreaterThanOrEqual(8);
});

it('waits for a running query, and rejects endless pages', async () => {
  const world = await aGoogleCloud();
  await putLines(world, [aLine()]);
  const running = { json: { jobComplete: false, jobReference: { jobId: 'j' } } };
  world.google.failNext(/\/queries\//, running);
  world.google.failNext(/\/queries\//, running);
  expect(await world.rowsOf(await world.connect(), '2026-05')).toHaveLength(1);
  const again = { json: { jobComplete: true, schema: { fields: [] }, rows: [], pageToken: 'again' } };
  for (let page = 0; page < 3; page++) world.google.failNext(/\/queries\//, again);
  await expect((await world.connect()).costs.list(null, signal)).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    message: 'BigQuery did not complete the result of a query (endless paging); sync again',
  });
});

it('uses the short name of a resource without a full name', async () => {
  const world = await aGoogleCloud();
  await putLines(world, [aLine({ resource: { name: 'projects/777/locations/eu/x', global_name: null } })]);
  const [row] = await world.rowsOf(await world.connect(), '2026-05');
  expect(row).toMatchObject({ ResourceId: 'projects/777/locations/eu/x', ResourceType: null });
});

it('names missing columns, and warns about new columns and the limits of the standard export', async () => {
  const world = await aGoogleCloud();
  const { bigQuery } = world.google;
  const without = detailedFields.filter(({ name }) => name !== 'cost_type' && name !== 'cost');
  await bigQuery.put({ name: detailedTable, fields: without, rows: [] });
  await expect((await world.connect()).costs.list(null, signal)).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    message: `BigQuery table ${detailedTable} has no column cost, cost_type; connect the export that Cloud Billing writes, or a view with all of its columns`,
  });
  const standard = 'billing-123.standard.gcp_billing_export_v1_010101_F0FFF0_61C528';
  const fields = detailedFields.filter(({ name }) => name !== 'resource' && name !== 'tags');
  await bigQuery.put({ name: standard, fields: [...fields, { name: 'brand_new', type: 'STRING' }], rows: [aLine()] });
  const connection = await world.connect({ dataset: 'standard' });
  const { warnings, files } = await connection.costs.list(null, signal);
  expect(warnings).toEqual([
    `No resources: ${standard} is the standard export. Turn on the detailed usage cost export to have them`,
    `${standard} has unknown columns, which are ignored: brand_new`,
  ]);
  expect(files).toHaveLength(1);
});
