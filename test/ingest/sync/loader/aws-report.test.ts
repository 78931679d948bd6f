import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { chargeCategories, pricingKinds } from '../../../../src/engine/codebook.ts';
import { Refusal } from '../../../../src/ingest/sync/loader/refusal.ts';
import { csvOf, runDuck, type FocusRow } from '../../../support/focus.ts';
import { reportCharges, sumsOfCharges } from './control.ts';
import { monthsOfFile, readBills, tagsOf, type Fact } from './reading.ts';

const plan = 'arn:aws:savingsplans::111:savingsplan/sp-1';
const reservation = 'arn:aws:ec2:eu-west-1:111:reserved-instances/ri-1';

/** Columns of a Cost and Usage Report 2.0, as written by Data Exports. */
const columns = `bill_billing_period_start_date bill_payer_account_id bill_payer_account_name line_item_usage_account_id
  line_item_usage_account_name line_item_line_item_type line_item_usage_start_date line_item_product_code
  line_item_usage_type line_item_operation line_item_resource_id line_item_usage_amount line_item_currency_code
  line_item_unblended_cost line_item_line_item_description product product_region_code product_sku pricing_unit
  pricing_public_on_demand_cost pricing_rate_code reservation_reservation_a_r_n reservation_effective_cost
  reservation_unused_recurring_fee reservation_unused_amortized_upfront_fee_for_billing_period
  savings_plan_savings_plan_a_r_n savings_plan_savings_plan_effective_cost savings_plan_total_commitment_to_date
  savings_plan_used_commitment resource_tags cost_category`.split(/\s+/);

/** A line item of a machine on May 3, 2026 for one dollar, with the given changes. */
function line(type: string, given: FocusRow = {}): FocusRow {
  return {
    bill_billing_period_start_date: '2026-05-01T00:00:00.000Z',
    bill_payer_account_id: '999',
    bill_payer_account_name: 'Payer',
    line_item_usage_account_id: '111',
    line_item_usage_account_name: 'Production',
    line_item_line_item_type: type,
    line_item_usage_start_date: '2026-05-03T04:00:00.000Z',
    line_item_product_code: 'AmazonEC2',
    line_item_usage_type: 'EUW1-BoxUsage:m5.large',
    line_item_operation: 'RunInstances',
    line_item_resource_id: 'i-1',
    line_item_usage_amount: '2',
    line_item_currency_code: 'USD',
    line_item_unblended_cost: '1',
    line_item_line_item_description: `A line of ${type}`,
    product: '{"product_name":"Amazon Elastic Compute Cloud","region":"eu-west-1"}',
    product_region_code: 'eu-west-1',
    product_sku: 'SKU3',
    pricing_unit: 'Hrs',
    resource_tags: '{"user_team":"core","aws_created_by":"someone"}',
    cost_category: '{"Unit":"Shop"}',
    ...given,
  };
}

/** One line item of every type, with its category, pricing kind, and billed, effective, list and contracted cost,
 *  calculated by hand. */
const everyType: readonly (readonly [FocusRow, ...(readonly (readonly string[])[])])[] = [
  [
    line('Usage', { line_item_unblended_cost: '1', pricing_public_on_demand_cost: '1.25' }),
    ['1', '1', '1', '1', '1.25', '1'],
  ],
  [
    line('Usage', {
      line_item_usage_type: 'EUW1-SpotUsage:m5.large',
      line_item_unblended_cost: '0.3',
      pricing_public_on_demand_cost: '0',
    }),
    ['1', '2', '0.3', '0.3', '0.3', '0.3'],
  ],
  [line('FlatRateSubscription', { line_item_unblended_cost: '15' }), ['1', '1', '15', '15', '15', '15']],
  [
    line('SavingsPlanCoveredUsage', {
      line_item_unblended_cost: '2',
      pricing_public_on_demand_cost: '2.5',
      savings_plan_savings_plan_a_r_n: plan,
      savings_plan_savings_plan_effective_cost: '1.4',
    }),
    ['1', '4', '2', '1.4', '2.5', '2'],
  ],
  [
    line('SavingsPlanNegation', { line_item_unblended_cost: '-2', savings_plan_savings_plan_a_r_n: plan }),
    ['5', '5', '-2', '0', '0', '0'],
  ],
  [
    line('SavingsPlanRecurringFee', {
      line_item_unblended_cost: '5',
      savings_plan_savings_plan_a_r_n: plan,
      savings_plan_total_commitment_to_date: '5.5',
      savings_plan_used_commitment: '4.1',
    }),
    ['2', '5', '5', '0', '5', '5'],
    ['1', '7', '0', '1.4', '1.4', '1.4'],
  ],
  [
    line('SavingsPlanUpfrontFee', { line_item_unblended_cost: '100', savings_plan_savings_plan_a_r_n: plan }),
    ['2', '5', '100', '0', '100', '100'],
  ],
  [
    line('DiscountedUsage', {
      line_item_unblended_cost: '0',
      pricing_public_on_demand_cost: '3',
      reservation_reservation_a_r_n: reservation,
      reservation_effective_cost: '1.9',
    }),
    ['1', '3', '0', '1.9', '3', '3'],
  ],
  [
    line('RIFee', {
      line_item_unblended_cost: '7',
      reservation_reservation_a_r_n: reservation,
      reservation_unused_recurring_fee: '0.7',
      reservation_unused_amortized_upfront_fee_for_billing_period: '0.05',
    }),
    ['2', '5', '7', '0', '7', '7'],
    ['1', '6', '0', '0.75', '0.75', '0.75'],
  ],
  [
    line('RIFee', { line_item_unblended_cost: '8', reservation_reservation_a_r_n: reservation }),
    ['2', '5', '8', '0', '8', '8'],
  ],
  [
    line('Fee', { line_item_unblended_cost: '50', reservation_reservation_a_r_n: reservation }),
    ['2', '5', '50', '0', '50', '50'],
  ],
  [line('Fee', { line_item_unblended_cost: '9' }), ['2', '5', '9', '9', '9', '9']],
  [
    line('Tax', { line_item_unblended_cost: '0.19', pricing_public_on_demand_cost: '0' }),
    ['3', '5', '0.19', '0.19', '0.19', '0.19'],
  ],
  [line('Credit', { line_item_unblended_cost: '-4' }), ['4', '5', '-4', '-4', '-4', '-4']],
  [line('Refund', { line_item_unblended_cost: '-3' }), ['4', '5', '-3', '-3', '-3', '-3']],
  [
    line('Refund', { line_item_unblended_cost: '-60', savings_plan_savings_plan_a_r_n: plan }),
    ['4', '5', '-60', '0', '-60', '-60'],
  ],
  ...['EdpDiscount', 'PrivateRateDiscount', 'BundledDiscount', 'Discount'].map(
    (type) => [line(type, { line_item_unblended_cost: '-0.5' }), ['5', '5', '-0.5', '-0.5', '0', '-0.5']] as const,
  ),
];

const dropped = [
  line('Usage', { line_item_operation: 'EKSPod-EC2', line_item_unblended_cost: '77' }),
  line('Usage', { line_item_operation: 'ECSTask-EC2', line_item_unblended_cost: '88' }),
];

function figures(fact: Fact): string[] {
  const plainly = (text: string | null | undefined) => (text ?? '').replace(/\.?0+$/, '');
  const costs = ['BilledCost', 'EffectiveCost', 'ListCost', 'ContractedCost'].map((name) => plainly(fact[name]) || '0');
  const code = (names: readonly string[], name: string | null | undefined) => String(names.indexOf(name ?? '') + 1);
  return [code(chargeCategories, fact['ChargeCategory']), code(pricingKinds, fact['x_PricingKind']), ...costs];
}

/** Parquet as written by Data Exports: maps, doubles and timestamps. */
async function parquet(rows: readonly FocusRow[]): Promise<Uint8Array> {
  const folder = await mkdtemp(path.join(tmpdir(), 'costkeep-report-'));
  const file = path.join(folder, 'report.parquet');
  const typed = columns.map((name) => {
    const cell = `row->>'${name}'`;
    if (/_cost$|_amount$|_fee$|_commitment$|_date$|_period$/.test(name) && !name.endsWith('_date'))
      return `(${cell})::DOUBLE AS ${name}`;
    if (name.endsWith('_start_date')) return `(${cell})::TIMESTAMP AS ${name}`;
    if (['product', 'resource_tags', 'cost_category'].includes(name))
      return `from_json(${cell}, '"MAP(VARCHAR,VARCHAR)"') AS ${name}`;
    return `${cell} AS ${name}`;
  });
  const list = rows.map((row) => `('${JSON.stringify(row).replaceAll("'", "''")}'::JSON)`).join(',');
  await runDuck(`COPY (SELECT ${typed.join(', ')} FROM (VALUES ${list}) t(row)) TO '${file}' (FORMAT parquet)`);
  const content = await readFile(file);
  await rm(folder, { recursive: true });
  return content;
}

const rows = [...everyType.map(([row], at) => ({ ...row, product_sku: `SKU${at}` })), ...dropped];
const text = csvOf(rows, { columns });

const formats: readonly (readonly [string, () => Promise<string | Uint8Array>])[] = [
  ['report.csv', async () => text],
  ['report.csv.gz', async () => gzipSync(text)],
  ['report.snappy.parquet', () => parquet(rows)],
];

describe.each(formats)('Cost and Usage Report 2.0 as %s', (name, content) => {
  it('provides the costs of every line item type, with the unused part of fees separate', async () => {
    const { facts, parts } = await readBills({ name, content: await content() });
    const expected = everyType.flatMap(([row, ...each]) =>
      each.map((all) => `${row['line_item_line_item_description']}: ${all.join(' ')}`),
    );
    const found = (await facts()).map((fact) => `${fact['ChargeDescription']}: ${figures(fact).join(' ')}`);
    expect(found.toSorted()).toEqual(expected.toSorted());
    const control = sumsOfCharges(reportCharges(rows, nameOf));
    const [total] = parts;
    expect(parts).toHaveLength(1);
    expect(`${total?.lineItems}: ${total?.billed} ${total?.effective} ${total?.list} ${total?.contracted}`).toBe(
      Object.values(control)[0],
    );
  });

  it('counts its line items', async () => {
    const reading = await readBills({ name, content: await content() });
    const { lineItems } = await reading.export('2026-05');
    expect(lineItems).toBe(everyType.flatMap(([, ...each]) => each).length);
  });

  it('provides names, commitments, quantities and tags', async () => {
    const reading = await readBills({ name, content: await content() });
    const facts = await reading.facts();
    const covered = facts.find((fact) => fact['x_PricingKind'] === 'savings_plan');
    expect(covered).toMatchObject({
      BillingPeriodStart: '2026-05-01 00:00:00',
      ChargePeriodStart: '2026-05-03 00:00:00',
      ServiceName: 'Amazon Elastic Compute Cloud',
      ServiceCategory: 'Compute',
      RegionId: 'eu-west-1',
      BillingAccountId: '999',
      SubAccountId: '111',
      SubAccountName: 'Production',
      ResourceId: 'i-1',
      ResourceType: 'instance',
      SkuId: 'SKU3',
      SkuMeter: 'EUW1-BoxUsage:m5.large',
      PricingUnit: 'Hrs',
      CommitmentDiscountId: plan,
      CommitmentDiscountCategory: 'Spend',
      PricingQuantity: '2.000000000000',
      x_StartHours: String(1 << 4),
    });
    expect(tagsOf(covered)).toEqual({ team: 'core', aws_created_by: 'someone', 'cost_category:Unit': 'Shop' });
    const unused = facts.find((fact) => fact['x_PricingKind'] === 'unused_reservation');
    expect(unused).toMatchObject({
      CommitmentDiscountId: reservation,
      CommitmentDiscountCategory: 'Usage',
      PricingQuantity: null,
    });
  });

  it('provides its months', async () => {
    expect(await monthsOfFile({ name, content: await content() })).toEqual(['2026-05']);
  });
});

function nameOf(row: FocusRow, name: string): string | null {
  if (name === 'product_product_name') return 'Amazon Elastic Compute Cloud';
  return row[name] ?? null;
}

/** The same report in the older format. */
function older(row: FocusRow): FocusRow {
  const { product: _product, resource_tags: _tags, cost_category: _category, ...rest } = row;
  const renamed = Object.entries(rest).map(([name, value]) => [slashed(name), value]);
  return {
    ...Object.fromEntries(renamed),
    'product/ProductName': 'Amazon Elastic Compute Cloud',
    'resourceTags/user:team': 'core',
    'resourceTags/aws:createdBy': null,
    'costCategory/Unit': 'Shop',
  };
}

function slashed(name: string): string {
  const [, group = '', rest = ''] = /^(bill|line_item|product|pricing|reservation|savings_plan)_(.*)$/.exec(name) ?? [];
  const camel = (words: string) => words.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());
  const field = camel(`_${rest}`);
  // AWS starts some with a lowercase letter.
  const isSmall = ['PublicOnDemandCost', 'Unit', 'RegionCode', 'Sku'].includes(field);
  return `${camel(group)}/${isSmall ? field.charAt(0).toLowerCase() + field.slice(1) : field}`;
}

describe('older Cost and Usage Report', () => {
  it('is read by its own column names', async () => {
    const old = rows.map(older);
    const { facts } = await readBills({
      name: 'old.csv',
      content: csvOf(old, { columns: Object.keys(old[0] ?? {}).concat(missingIn(old)) }),
    });
    const { facts: modern } = await readBills({ name: 'new.csv', content: text });
    const costs = (list: readonly Fact[]) => list.map((fact) => figures(fact).join(' ')).toSorted();
    const found = await facts();
    expect(costs(found)).toEqual(costs(await modern()));
    expect(tagsOf(found[0])).toEqual({ team: 'core', 'cost_category:Unit': 'Shop' });
  });
});

function missingIn(old: readonly FocusRow[]): string[] {
  const known = new Set(Object.keys(old[0] ?? {}));
  return [...new Set(old.flatMap((row) => Object.keys(row)))].filter((name) => !known.has(name));
}

describe('error in a report', () => {
  const refusalOf = async (name: string, content: string) => {
    const error: unknown = await readBills({ name, content }).catch((reason: unknown) => reason);
    if (error instanceof Refusal) return error.message;
    throw new Error('The report was read');
  };

  it.each([
    [{ line_item_unblended_cost: 'free' }, 'row 2, column line_item_unblended_cost: "free" is not a decimal number'],
    [
      { line_item_usage_start_date: 'May' },
      'row 2, column line_item_usage_start_date: "May" is not a date and time in ISO 8601, such as 2026-05-01T00:00:00Z',
    ],
    [
      { line_item_line_item_type: 'Consumption' },
      'row 2, column line_item_line_item_type: "Consumption" is not a known type of line item, such as Usage, Fee or SavingsPlanCoveredUsage',
    ],
    [
      { line_item_currency_code: 'US' },
      'row 2, column line_item_currency_code: "US" is not an ISO 4217 currency code of three letters',
    ],
    [
      { line_item_line_item_type: 'DiscountedUsage', reservation_effective_cost: '1_0' },
      'row 2, column reservation_effective_cost: "1_0" is not a decimal number',
    ],
    [{ resource_tags: '{"user_a"}' }, 'row 2, column resource_tags or cost_category: '],
  ])('uses the column names of the report: %o', async (given, said) => {
    const bad = [line('Usage', given), line('Usage')];
    if ('resource_tags' in given) {
      const { export: write } = await readBills({ name: 'bad.csv', content: csvOf(bad, { columns }) });
      await expect(write('2026-05')).rejects.toThrow(`bad.csv, ${said}`);
    } else expect(await refusalOf('bad.csv', csvOf(bad, { columns }))).toBe(`bad.csv, ${said}`);
  });

  it('names missing columns as in the report', async () => {
    const without = (name: string) => columns.filter((column) => column !== name);
    expect(await refusalOf('short.csv', csvOf(rows, { columns: without('line_item_currency_code') }))).toMatch(
      /^short\.csv: column "line_item_currency_code" missing, required to read a Cost and Usage Report/,
    );
    const old = rows.map(older);
    const oldColumns = Object.keys(old[0] ?? {}).filter((name) => name !== 'lineItem/UsageStartDate');
    expect(await refusalOf('old.csv', csvOf(old, { columns: oldColumns }))).toMatch(
      /^old\.csv: column "lineItem\/UsageStartDate" missing/,
    );
  });

  it.each([
    ['SavingsPlanCoveredUsage', 'savings_plan_savings_plan_effective_cost'],
    ['SavingsPlanRecurringFee', 'savings_plan_used_commitment'],
    ['DiscountedUsage', 'reservation_effective_cost'],
  ])('rejects %s without %s instead of falling back to the billed cost', async (type, column) => {
    const short = columns.filter((name) => name !== column);
    expect(await refusalOf('short.csv', csvOf([line('Usage'), line(type)], { columns: short }))).toBe(
      `short.csv, row 3, column line_item_line_item_type: "${type}" is not a type that can be read without ${column}; export the report with all its columns`,
    );
    await readBills({ name: 'without.csv', content: csvOf([line('Usage')], { columns: short }) });
  });
});
