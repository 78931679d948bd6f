import { describe, expect, it } from 'vitest';
import { addDays, daysIn } from '../../src/kit/time/period.ts';
import { clipDays } from '../../src/mcp/tools/coverage/get-coverage.ts';
import { poolsOf } from '../../src/mcp/tools/coverage/get-commitment-plan.ts';
import { bill, type Charge } from '../support/bills.ts';
import { mcpWorld, type McpWorld } from './world.ts';

const range = { start: '2026-09-01', end: '2026-11-20' } as const;
const lambda = { service: 'AWS Lambda', meter: 'Lambda-GB-Second', region: 'us-east-1' };
const dollars = (amount: bigint) => amount * 10n ** 12n;

/** Per day: EC2 on demand 240, Lambda on demand 48, reserved EC2 7 with a list price of 10, and tax 2; from November 10 also
 *  spot 3. */
function charges({ prod, lab }: McpWorld['accounts']): Charge[] {
  const reserved = { effective: dollars(7n), list: dollars(10n), contracted: dollars(10n) };
  return daysIn(range).flatMap((date): Charge[] => [
    { account: prod, date, cost: '240', meter: 'EU-BoxUsage:m5.large', hours: 24 },
    { account: prod, date, cost: '48', hours: 24, ...lambda },
    {
      account: prod,
      date,
      cost: '0',
      meter: 'EU-BoxUsage:m5.large',
      hours: 24,
      ...reserved,
      pricingKind: 3,
      commitment: 'ri',
    },
    { account: lab, date, cost: '2', category: 'tax', service: 'Tax', pricingKind: 5 },
    ...(date >= '2026-11-10' ? [{ account: prod, date, cost: '3', pricingKind: 2 }] : []),
  ]);
}

const world = mcpWorld(async ({ deps, organizationId, accounts }) => {
  const last = addDays(range.end, -1);
  const completeThrough = { [accounts.prod]: last, [accounts.lab]: last };
  await bill(deps, organizationId, { charges: charges(accounts), completeThrough });
});

const parts = (reserved: number, spot: number, onDemand: number, other: number) => [
  expect.objectContaining({ kind: 'reserved', cost: reserved }),
  expect.objectContaining({ kind: 'savings_plan', cost: 0 }),
  expect.objectContaining({ kind: 'spot', cost: spot }),
  expect.objectContaining({ kind: 'on_demand', cost: onDemand }),
  expect.objectContaining({ kind: 'other', cost: other }),
];

describe('get_coverage', () => {
  it('covers the last 30 complete days by default', async () => {
    expect(await world().callTool('get_coverage')).toMatchObject({
      start_date: '2026-10-21',
      end_date: '2026-11-19',
      currency: 'USD',
      cost_metric: 'effective',
      total_cost: 8940,
      eligible_cost: 8940,
      covered_cost: 300,
      coverage_percent: 3.36,
      utilization_percent: 100,
      unused_commitment_cost: 0,
      split: parts(210, 30, 8640, 60),
    });
  });

  it('supports dates and filters', async () => {
    const args = { period: 'last_month', service: ['AWS Lambda', 'Tax'] };
    expect(await world().callTool('get_coverage', args)).toMatchObject({
      start_date: '2026-10-01',
      end_date: '2026-10-31',
      total_cost: 1550,
      split: parts(0, 0, 1488, 62),
    });
  });

  it('returns daily figures that add up', async () => {
    const answer = await world().callTool<{ days: object[] }>('get_coverage', {
      daily: true,
      start_date: '2026-11-09',
      end_date: '2026-11-10',
    });
    const day = { reserved: 7, savings_plan: 0, on_demand: 288, other: 2, coverage_percent: 3.36 };
    expect(answer).toMatchObject({
      start_date: '2026-11-09',
      end_date: '2026-11-10',
      total_cost: 597,
      days: [
        { ...day, date: '2026-11-09', spot: 0 },
        { ...day, date: '2026-11-10', spot: 3 },
      ],
    });
    expect(answer).not.toHaveProperty('truncated');
    const whole = await world().callTool<{ days: object[] }>('get_coverage', { daily: true });
    expect(whole).toMatchObject({ start_date: '2026-08-22', end_date: '2026-11-19' });
    expect(whole.days).toHaveLength(90);
  });

  it('states the available days when others were requested', async () => {
    const running = await world().callTool('get_coverage', { daily: true, period: 'this_month' });
    expect(running).toMatchObject({ start_date: '2026-11-01', end_date: '2026-11-19', truncated: true });
    const past = { daily: true, start_date: '2025-01-01', end_date: '2025-01-31' };
    expect(await world().tryTool('get_coverage', past)).toMatchObject({
      isError: true,
      text: expect.stringContaining('daily supports 2026-08-22 to 2026-11-19'),
    });
  });

  it('gives a hint when there are no costs, or none that can be covered', async () => {
    const none = await world().callTool('get_coverage', { account_id: ['nobody'] });
    expect(none).toMatchObject({ total_cost: 0, hint: expect.stringContaining('list_accounts') });
    const tax = await world().callTool('get_coverage', { service: ['Tax'] });
    expect(tax).toMatchObject({ total_cost: 60, hint: expect.stringContaining('can be covered') });
  });
});

interface Plan {
  readonly pools: { product: string; services: string[]; options: Record<string, number | string>[] }[];
  readonly pool_count: number;
  readonly highest_monthly_savings: number;
  readonly gaps: { readonly service: string; readonly estimated_monthly_savings: number }[];
}

describe('get_commitment_plan', () => {
  it('lists options for each pool of usage, and coverage gaps', async () => {
    const plan = await world().callTool<Plan>('get_commitment_plan');
    expect(plan).toMatchObject({
      start_date: '2026-09-21',
      end_date: '2026-11-19',
      currency: 'USD',
      pool_count: 2,
      gap_count: 2,
      gaps: [
        { service: 'Amazon Elastic Compute Cloud', on_demand_cost: 7200, covered_cost: 300, coverage_percent: 4 },
        { service: 'AWS Lambda', on_demand_cost: 1440, covered_cost: 0, coverage_percent: 0 },
      ],
    });
    expect(plan.pools.map(({ services }) => services)).toEqual([['Amazon Elastic Compute Cloud'], ['AWS Lambda']]);
    for (const { options } of plan.pools)
      expect(new Set(options.map((option) => `${option['term_months']} ${option['payment']}`)).size).toBe(6);
    const best = plan.pools.map(({ options }) =>
      Math.max(...options.map((option) => Number(option['estimated_monthly_savings']))),
    );
    expect(plan.highest_monthly_savings).toBeCloseTo(
      best.reduce((sum, each) => sum + each, 0),
      6,
    );
    expect(plan).not.toHaveProperty('truncated');
  });

  it('filters by term and payment, and limits the number of pools', async () => {
    const plan = await world().callTool<Plan>('get_commitment_plan', {
      term_months: 12,
      payment: ['no_upfront'],
      top: 1,
    });
    expect(plan).toMatchObject({ truncated: true, pool_count: 2, gap_count: 2, other_gaps: { count: 1 } });
    expect(plan.pools).toHaveLength(1);
    expect(plan.pools[0]?.options).toMatchObject([{ term_months: 12, payment: 'no_upfront', upfront_payment: 0 }]);
    expect(plan.gaps).toHaveLength(1);
  });

  it('gives a hint when there is nothing to plan', async () => {
    const none = await world().callTool('get_commitment_plan', { service: ['Tax'] });
    expect(none).toMatchObject({ pools: [], pool_count: 0, highest_monthly_savings: 0, gaps: [] });
    expect(none).toMatchObject({ hint: expect.stringContaining('No commitment would save money') });
    const paid = await world().callTool('get_commitment_plan', { payment: ['upfront'] });
    expect(paid).toMatchObject({ pools: [], hint: expect.stringContaining('omit term_months and payment') });
  });

  it('separates pools with the same name', () => {
    const option = {
      term_months: 12,
      payment: 'no_upfront',
      hourly_commitment: 1,
      upfront_payment: 0,
      monthly_payment: 730.5,
      estimated_monthly_savings: 100,
      savings_percent: 10,
      expected_utilization_percent: 99,
      coverage_after_percent: 80,
      break_even_months: 10,
    };
    const pool = {
      account_id: 'a',
      account_name: 'A',
      provider: 'aws',
      product: 'Compute Savings Plans',
      services: ['EC2'],
      region: null,
      family: null,
      on_demand_cost_per_hour: 2,
    };
    const other = { ...pool, services: ['Lambda'] };
    const found = poolsOf([
      { ...pool, ...option },
      { ...pool, ...option, term_months: 36 },
      { ...other, ...option },
    ]);
    expect(found.map(({ services, options }) => [services, options.length])).toEqual([
      [['EC2'], 2],
      [['Lambda'], 1],
    ]);
  });
});

it('clips the requested days to those available', () => {
  const day = (date: string) => ({
    date,
    reserved: 0.1,
    savings_plan: 0.2,
    spot: 0,
    on_demand: 1,
    other: -0.3,
    coverage_percent: null,
  });
  const answer = {
    start_date: '2026-11-01',
    end_date: '2026-11-02',
    currency: 'USD',
    complete_through: null,
    unconverted: [],
    provisional_rates: [],
    missing_bills: [],
    days: [day('2026-11-01'), day('2026-11-02')],
  };
  expect(clipDays(answer, null)).toMatchObject({ total_cost: 2, days: answer.days });
  expect(clipDays(answer, { start_date: '2026-11-02', end_date: '2026-11-03' })).toMatchObject({
    start_date: '2026-11-02',
    end_date: '2026-11-02',
    total_cost: 1,
    truncated: true,
  });
  expect(clipDays(answer, { start_date: '2026-11-03', end_date: '2026-11-03' })).toBeNull();
});
