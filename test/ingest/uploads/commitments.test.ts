import { expect, it, vi } from 'vitest';
import { addDays, dayOf, daysIn, type Day } from '../../../src/kit/time/period.ts';
import { aLine, csvOf, focusColumns, type FocusRow } from '../../support/focus.ts';
import { someUploads, type Uploads } from './world.ts';

const today = dayOf(new Date());
const plan = 'arn:aws:savingsplans::111:savingsplan/plan-1';
const committed: FocusRow = {
  ServiceName: 'Amazon Elastic Compute Cloud',
  RegionId: 'eu-west-1',
  SkuMeter: 'EU-BoxUsage:m5.large',
  ConsumedUnit: 'Hrs',
  PricingCategory: 'Committed',
  CommitmentDiscountId: plan,
  CommitmentDiscountCategory: 'Spend',
  CommitmentDiscountType: 'ComputeSavingsPlans',
  BilledCost: '0',
};
const used: FocusRow = { ...committed, CommitmentDiscountStatus: 'Used', EffectiveCost: '72', ListCost: '96' };
const unused: FocusRow = { ...committed, CommitmentDiscountStatus: 'Unused', EffectiveCost: '24', ResourceId: null };

/** Forty days of EC2 under a savings plan, a quarter of which is unused. */
function bill(): string {
  const days = daysIn({ start: addDays(today, -40), end: today });
  return csvOf(
    days.flatMap((day) => [used, unused].map((row) => aLine({ day, ...row, ContractedCost: row['ListCost'] ?? '0' }))),
    { columns: focusColumns['1.3'] },
  );
}

/** A FOCUS 1.3 Contract Commitment file. The case of the id differs from that on the bill. */
function contractUntil(end: Day): string {
  return [
    'ContractCommitmentId,ContractCommitmentPeriodStart,ContractCommitmentPeriodEnd,ContractCommitmentType',
    `${plan.toUpperCase()},${addDays(today, -300)}T00:00:00Z,${end}T00:00:00Z,Savings Plan`,
  ].join('\n');
}

interface Answers {
  readonly coverage: { coverage_percent: number; utilization_percent: number };
  readonly planner: { recommendations: { expiring_cost_per_hour: number }[] };
  readonly recommendations: { data: { type: string; evidence: { ends_at: string | null } }[] };
}

interface Forecast {
  readonly points: { date: Day; cost: number }[];
  readonly total: { cost: number };
  readonly services: { cost: number }[];
  readonly commitment_ends: object[];
}

/** The plan according to the API: the cost per hour that the planner takes as expiring (null: it plans nothing), and the end in its
 *  recommendation. */
async function answersOf({ call }: Uploads) {
  const { body: planner } = await call<Answers['planner']>('GET', '/coverage/planner');
  const { body } = await call<Answers['recommendations']>('GET', '/recommendations?status=open');
  return {
    expiring: planner.recommendations[0]?.expiring_cost_per_hour ?? null,
    ends: body.data.map(({ type, evidence }) => `${type} ${evidence.ends_at}`),
  };
}

/** Waits for the syncs and evaluations. */
async function expectAnswers(site: Uploads, expected: Awaited<ReturnType<typeof answersOf>>): Promise<void> {
  await site.months();
  await vi.waitFor(async () => expect(await answersOf(site)).toEqual(expected), { timeout: 60_000, interval: 100 });
}

it('reads the end of a commitment from a Contract Commitment file or from a cloud', { timeout: 240_000 }, async () => {
  const site = await someUploads();
  // The file comes before the bill: then the commitment is not on the bill yet.
  const soon = addDays(today, 30);
  await site.upload('contract_commitment.csv', contractUntil(soon));
  await site.months();
  await site.upload('costs.csv', bill());
  await expectAnswers(site, { expiring: 4, ends: [`savings_plan_unused ${soon}T00:00:00Z`] });
  const { body: coverage } = await site.call<Answers['coverage']>('GET', '/coverage');
  expect(coverage).toMatchObject({ coverage_percent: 100, utilization_percent: 75 });

  const later = addDays(today, 200);
  await site.upload('contract_commitment.csv', contractUntil(later));
  await expectAnswers(site, { expiring: null, ends: [`savings_plan_unused ${later}T00:00:00Z`] });

  const ended = addDays(today, -10);
  await site.upload('contract_commitment.csv', contractUntil(ended));
  await expectAnswers(site, { expiring: 4, ends: [] });
});

it('forecasts on-demand prices from the end of a commitment on', async () => {
  const site = await someUploads();
  const days = daysIn({ start: addDays(today, -60), end: today });
  const rows = days.flatMap((day) => [
    aLine({ day, ...used, ContractedCost: '120' }),
    aLine({ day, ...unused, ContractedCost: '0' }),
    aLine({ day, ServiceName: 'Amazon Simple Storage Service', EffectiveCost: '7' }),
  ]);
  await site.upload('bill.csv', csvOf(rows, { columns: focusColumns['1.3'] }));
  await site.upload('contract.csv', contractUntil(addDays(today, 10)));
  await site.months();
  const forecast = async (query = '') => (await site.call<Forecast>('GET', `/forecast${query}`)).body;
  const end = addDays(today, 10);
  const service = 'Amazon Elastic Compute Cloud';
  await vi.waitFor(
    async () =>
      expect((await forecast()).commitment_ends).toEqual([
        {
          date: end,
          commitment_id: plan,
          name: null,
          resource_type: 'Savings Plan',
          region: null,
          term_months: null,
          service,
          daily_change: 24,
        },
      ]),
    { timeout: 60_000, interval: 100 },
  );
  const { points, services, total } = await forecast();
  const costOn = (date: Day) => points.find((point) => point.date === date)?.cost;
  expect([costOn(addDays(end, -1)), costOn(end), points.at(-1)?.cost]).toEqual(
    [103, 127, 127].map((cost) => expect.closeTo(cost, 3)),
  );
  expect(services.reduce((sum, { cost }) => sum + cost, 0)).toBeCloseTo(total.cost, 5);
  expect(await forecast('?service=Amazon%20Simple%20Storage%20Service')).toMatchObject({ commitment_ends: [] });
});
