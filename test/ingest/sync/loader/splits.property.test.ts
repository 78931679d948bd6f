import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decimal } from '../../../support/cube.ts';
import type { FocusRow } from '../../../support/focus.ts';
import type { Fact } from './reading.ts';
import { instance, loadMay, pod, reportOf } from './split-report.ts';

const plan = 'arn:aws:savingsplans::111:savingsplan/sp-1';
const day = fc.constantFrom('2026-05-03', '2026-05-04');
const machine = fc.constantFrom('i-1', 'i-2', 'i-3', 'vol-1');
const cost = fc.oneof(fc.constant(0n), fc.bigInt(-(10n ** 15n), 10n ** 15n), fc.bigInt(-9n, 9n)).map(decimal);
const share = fc.oneof(fc.constant(0n), fc.bigInt(0n, 10n ** 13n), fc.bigInt(0n, 9n)).map(decimal);

const at = (date: string, hour: number): FocusRow => ({
  line_item_usage_start_date: `${date}T${String(hour).padStart(2, '0')}:00:00Z`,
  line_item_usage_end_date: `${date}T${String(hour).padStart(2, '0')}:59:59Z`,
});

const charge = fc
  .record({
    day,
    hour: fc.integer({ min: 0, max: 23 }),
    machine,
    account: fc.constantFrom('111', '222'),
    region: fc.constantFrom('eu-west-1', 'us-east-1'),
    team: fc.constantFrom('a', 'b'),
    meter: fc.constantFrom('EUW1-BoxUsage:m5.large', 'SpotUsage:m5.large', 'DataTransfer-Out-Bytes'),
    type: fc.constantFrom('Usage', 'SavingsPlanCoveredUsage', 'SavingsPlanNegation', 'EdpDiscount'),
    billed: cost,
    effective: cost,
    list: cost,
  })
  .map((given): FocusRow =>
    instance({
      ...at(given.day, given.hour),
      line_item_resource_id: given.machine,
      line_item_usage_account_id: given.account,
      line_item_line_item_type: given.type,
      line_item_usage_type: given.meter,
      product_region_code: given.region,
      resource_tags: JSON.stringify({ user_team: given.team }),
      line_item_unblended_cost: given.billed,
      pricing_public_on_demand_cost: given.list,
      ...(given.type.startsWith('SavingsPlan') && {
        savings_plan_savings_plan_a_r_n: plan,
        savings_plan_savings_plan_effective_cost: given.effective,
      }),
    }),
  );

const part = fc
  .record({
    day,
    hour: fc.integer({ min: 0, max: 23 }),
    machine: fc.constantFrom('i-1', 'i-2', 'i-9'),
    container: fc.tuple(fc.constantFrom('web', 'jobs'), fc.constantFrom('x', 'y', 'z')),
    costs: fc.tuple(share, share),
  })
  .map((given) =>
    pod(given.container, given.costs, {
      ...at(given.day, given.hour),
      split_line_item_parent_resource_id: given.machine,
    }),
  );

const measures = ['BilledCost', 'EffectiveCost', 'ListCost', 'ContractedCost', 'ConsumedQuantity', 'x_LineItems'];
const units = (text: string | null | undefined) => BigInt((text ?? '0').replace('.', ''));

/** Exact sums by the values of columns. */
function sumsBy(columns: readonly string[], facts: readonly Fact[]): Record<string, string> {
  const groups = Map.groupBy(facts, (fact) => columns.map((name) => fact[name] ?? '-').join(' | '));
  const sums = [...groups].map(([key, own]) => [
    key,
    measures.map((name) => own.reduce((sum, fact) => sum + units(fact[name]), 0n)).join(' '),
  ]);
  return Object.fromEntries(sums.toSorted());
}

const everything = [
  'ChargePeriodStart',
  'ServiceName',
  'RegionId',
  'SubAccountId',
  'ResourceId',
  'SkuMeter',
  'ChargeCategory',
  'x_PricingKind',
  'Tags',
];

it('adds up to the bill without split rows on every basis, by everything but containers', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(charge, { minLength: 1, maxLength: 12 }),
      fc.array(part, { minLength: 1, maxLength: 12 }),
      async (charges, parts) => {
        const plain = await loadMay(reportOf(charges));
        const split = await loadMay(reportOf([...charges, ...parts]));
        expect(sumsBy(everything, split.facts)).toEqual(sumsBy(everything, plain.facts));
        expect(split.totals).toEqual(plain.totals);
        const keys = [...everything, 'x_Cluster', 'x_Namespace', 'x_Workload', 'CommitmentDiscountId'];
        expect(Object.keys(sumsBy(keys, split.facts))).toHaveLength(split.facts.length);
      },
    ),
    { numRuns: 12 },
  );
});
