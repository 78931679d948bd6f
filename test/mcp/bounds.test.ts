import { expect, it } from 'vitest';
import type { Api } from '../../src/mcp/api/client.ts';
import { listBudgets } from '../../src/mcp/tools/budgets.ts';
import { getCommitmentPlan } from '../../src/mcp/tools/coverage/get-commitment-plan.ts';
import { getTagCompliance } from '../../src/mcp/tools/tags.ts';

const now = new Date('2026-11-21T10:00:00Z');
const long = 'x "é" '.repeat(400);
const id = '0192f0a1-0000-7000-8000-00000000000a';
const money = -123_456.123456;
const times = <Row>(count: number, row: (at: number) => Row) => Array.from({ length: count }, (_, at) => row(at));

/** An API that answers with the given objects, with texts far longer than those of any cloud. */
function apiOf(answers: Readonly<Record<string, object>>): Api {
  return {
    get: async (path, _query, shape) => shape.parse(answers[path]),
    send: () => Promise.reject(new Error('Nothing is written')),
  };
}

function pageOf(data: readonly object[]) {
  return { data, pagination: { page: 1, per_page: 100, total: data.length, total_pages: 1 } };
}

const unconverted = times(20, () => ({ currency: 'EUR', cost: money }));

const budget = {
  id,
  name: long,
  amount: money,
  currency: 'USD',
  account_id: id,
  provider: long,
  service: long,
  sub_account_id: long,
  tag_key: long,
  tag_value: long,
  period: 'quarterly',
  period_start: '2026-10-01',
  period_end: '2026-12-31',
  cost_metric: 'effective',
  current_spend: money,
  forecasted_spend: money,
  percent_used: 90_000,
  remaining: money,
  status: 'exceeded',
  projected_status: 'exceeded',
  alert_thresholds: times(10, (at) => 100 + at),
  complete_through: '2026-11-19',
  unconverted,
  provisional_rates: [],
  missing_bills: [],
};

const policy = {
  id,
  name: long,
  enabled: true,
  violation_count: 10_000,
  evaluating: false,
  provider: long,
  account_id: id,
  resource_types: times(200, () => long.slice(0, 200)),
  rules: times(20, () => ({
    key: long,
    required: true,
    pattern: long,
    case_sensitive: true,
    allowed_values: times(20, () => long.slice(0, 500)),
  })),
};

const violation = {
  policy_name: long,
  key: long,
  problem: 'value_not_allowed',
  value: long,
  cost_last_30_days: money,
  resource: { id, name: long, native_id: long, resource_type: long, account_id: id },
  currency: 'USD',
  other_costs: [{ currency: 'EUR', cost_last_30_days: money }],
};

const tagKey = { key: long, value_count: 9, resource_count: 9, cost_last_30_days: money, currency: 'USD' };

const planned = (at: number) => ({
  account_id: `${id}${Math.floor(at / 6)}`,
  account_name: long,
  provider: long,
  product: long,
  services: times(50, () => long),
  region: long,
  family: long,
  on_demand_cost_per_hour: money,
  term_months: 12,
  payment: 'partial_upfront',
  hourly_commitment: money,
  upfront_payment: money,
  monthly_payment: money,
  estimated_monthly_savings: money,
  savings_percent: 12.34,
  expected_utilization_percent: 12.34,
  coverage_after_percent: 12.34,
  break_even_months: 12.3,
});

const gap = {
  provider: long,
  service: long,
  region: long,
  on_demand_cost: money,
  covered_cost: money,
  coverage_percent: 12.34,
  estimated_monthly_savings: money,
};

const planner = {
  start_date: '2026-09-21',
  end_date: '2026-11-19',
  currency: 'USD',
  complete_through: '2026-11-19',
  unconverted,
  provisional_rates: [],
  missing_bills: [],
  recommendations: times(600, planned),
};

const api = apiOf({
  '/budgets': pageOf(times(50, () => budget)),
  '/tags': pageOf(times(25, () => ({ ...tagKey, coverage_percent: 12.34 }))),
  '/tag-policies': pageOf(times(25, () => policy)),
  '/tags/violations': pageOf(times(25, () => violation)),
  '/coverage/planner': planner,
  '/coverage/gaps': pageOf(times(100, () => gap)),
});

it.each([
  ['list_budgets', () => listBudgets.run({ api, now }, { per_page: 50 })],
  ['get_tag_compliance', () => getTagCompliance.run({ api, now }, { per_page: 25 })],
  ['get_commitment_plan', () => getCommitmentPlan.run({ api, now }, { top: 10 })],
])('limits the answer of %s and marks it as truncated', async (_name, run) => {
  const answer = await run();
  expect(JSON.stringify(answer).length).toBeLessThan(60_000);
  expect(answer.truncated).toBe(true);
});
