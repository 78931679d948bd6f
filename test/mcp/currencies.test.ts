import { expect, it } from 'vitest';
import type { Api } from '../../src/mcp/api/client.ts';
import { getCommitmentPlan } from '../../src/mcp/tools/coverage/get-commitment-plan.ts';
import { getRecommendationsSummary } from '../../src/mcp/tools/recommendations.ts';
import { mcpWorld, now } from './world.ts';

// No cost can be converted to the organization's currency.

const world = mcpWorld(async ({ rest, accessToken: token }) => {
  await rest('PATCH', '/org', { token, body: { currency: 'GBP' } });
  await rest('POST', '/budgets', { token, body: { name: 'All', amount: 4000 } });
});

it.each([
  ['get_cost_summary', {}],
  ['get_cost_trend', {}],
  ['get_forecast', {}],
  ['get_coverage', {}],
  ['get_coverage', { daily: true }],
])('reports unconverted costs in %s with %j, instead of no costs', async (name, args) => {
  const { hint, unconverted } = await world().callTool(name, args);
  expect(unconverted).toMatchObject([{ currency: 'USD' }]);
  expect(hint).toContain('an exchange rate is missing');
  expect(hint).not.toMatch(/No costs|Nothing/);
});

it('reports unconverted costs beside the status of budgets', async () => {
  expect(await world().callTool('list_budgets', {})).toMatchObject({
    data: [{ status: 'ok', unconverted: [{ currency: 'USD' }] }],
    hint: expect.stringContaining('an exchange rate is missing'),
  });
});

/** An API with the same answer to every request. */
const apiOf = (answer: object): Api => ({
  get: (_, __, shape) => Promise.resolve(shape.parse(answer)),
  send: () => Promise.reject(new Error('Nothing is written')),
});

it('reports unconverted costs in a plan, instead of no savings', async () => {
  const days = { start_date: '2026-09-21', end_date: '2026-11-19', complete_through: '2026-11-19' };
  const pagination = { page: 1, per_page: 100, total: 0, total_pages: 0 };
  const unconverted = [{ currency: 'USD', cost: 33_718.5 }];
  const api = apiOf({
    ...days,
    currency: 'GBP',
    recommendations: [],
    unconverted,
    provisional_rates: [],
    missing_bills: [],
    data: [],
    pagination,
  });
  expect(await getCommitmentPlan.run({ api, now }, {})).toMatchObject({
    unconverted,
    hint: 'The unconverted costs are excluded from all amounts: an exchange rate is missing.',
  });
});

it('reports unconverted savings, instead of no savings', async () => {
  const worth = { count: 80, estimated_monthly_savings: 0 };
  const answer = {
    total_count: 80,
    total_estimated_monthly_savings: 0,
    currency: 'GBP',
    by_type: [{ type: 'aws_ebs_unattached', ...worth }],
    by_status: [{ status: 'open', ...worth }],
    unconverted: [{ currency: 'USD', estimated_monthly_savings: 8253.5 }],
    provisional_rates: [],
  };
  const api = apiOf(answer);
  expect(await getRecommendationsSummary.run({ api, now }, {})).toMatchObject({
    unconverted: answer.unconverted,
    hint: expect.stringContaining('an exchange rate is missing'),
  });
});

it('names the currencies with provisional exchange rates in the hint', async () => {
  const provisional_rates = [
    { currency: 'EUR', month: '2026-10', rate_month: '2026-09' },
    { currency: 'EUR', month: '2026-11', rate_month: '2026-09' },
    { currency: 'JPY', month: '2026-11', rate_month: '2026-11' },
  ];
  const hint = 'Amounts converted from EUR, JPY are provisional: some months have no final exchange rate.';
  const answer = {
    total_count: 1,
    total_estimated_monthly_savings: 3,
    currency: 'GBP',
    by_type: [],
    by_status: [],
    unconverted: [],
    provisional_rates,
  };
  const summary = await getRecommendationsSummary.run({ api: apiOf(answer), now }, {});
  expect(summary).toMatchObject({ hint });
  expect(summary).not.toHaveProperty('provisional_rates');
  const days = { start_date: '2026-09-21', end_date: '2026-11-19', complete_through: '2026-11-19' };
  const pagination = { page: 1, per_page: 100, total: 0, total_pages: 0 };
  const planner = {
    ...days,
    currency: 'GBP',
    recommendations: [],
    unconverted: [],
    provisional_rates,
    missing_bills: [],
  };
  expect(await getCommitmentPlan.run({ api: apiOf({ ...planner, data: [], pagination }), now }, {})).toMatchObject({
    hint: expect.stringMatching(new RegExp(`^${hint} No commitment would save money`)),
  });
});
