import { describe, expect, it } from 'vitest';
import { billedDays, monthSums } from '../../src/mcp/tools/forecast.ts';
import { mcpWorld } from './world.ts';

interface Answer {
  readonly total: { readonly cost: number };
  readonly months: { month: string; cost_so_far: number; still_expected_cost: number; projected_cost: number }[];
  readonly days: { readonly date: string; readonly cost: number }[];
}

describe('months of a forecast', () => {
  const points = [
    { date: '2026-11-30', cost: 10 },
    { date: '2026-12-01', cost: 10.1 },
    { date: '2026-12-02', cost: 10.2 },
  ];

  it('add the larger of actual and forecast cost of incomplete days, like the forecast page', () => {
    const days = [
      { date: '2026-11-01', cost: 100.5 },
      // Half of the day's cost is billed, and an annual fee is billed in advance.
      { date: '2026-11-30', cost: 4 },
      { date: '2026-12-01', cost: 500 },
    ];
    expect(monthSums({ days, points, completeTo: '2026-11-29' }, '2026-11-01')).toEqual([
      { month: '2026-11', cost_so_far: 100.5, still_expected_cost: 10, projected_cost: 110.5, whole_month: true },
      { month: '2026-12', cost_so_far: 500, still_expected_cost: 10.2, projected_cost: 510.2, whole_month: false },
    ]);
  });

  it('exclude months whose first days are unknown', () => {
    expect(monthSums({ days: [], points, completeTo: '' }, '2026-12-01').map(({ month }) => month)).toEqual([
      '2026-12',
    ]);
  });

  it('need billed costs from the previous month on', () => {
    expect(billedDays('2026-01-31')).toEqual({ start_date: '2025-12-01', end_date: '2026-04-01' });
  });
});

describe('get_forecast', () => {
  const world = mcpWorld();

  it('forecasts the current and next months', async () => {
    const answer = await world().callTool<Answer>('get_forecast', { provider: ['azure'] });
    // 20 per day.
    expect(answer).toMatchObject({
      start_date: '2026-11-20',
      end_date: '2027-01-18',
      currency: 'USD',
      cost_metric: 'effective',
      model: 'seasonal',
      complete_through: '2026-11-19',
      history_to: '2026-11-19',
      low_history: false,
      total: { cost: 1200 },
      months: [
        { month: '2026-11', cost_so_far: 380, still_expected_cost: 220, projected_cost: 600, whole_month: true },
        { month: '2026-12', cost_so_far: 0, still_expected_cost: 620, projected_cost: 620, whole_month: true },
        { month: '2027-01', cost_so_far: 0, still_expected_cost: 360, projected_cost: 360, whole_month: false },
      ],
    });
    expect(answer).not.toHaveProperty('days');
    expect(answer).not.toHaveProperty('accuracy');
  });

  it('forecasts the month like budgets', async () => {
    const { accessToken: token } = world();
    const made = await world().rest<{ id: string; forecasted_spend: number }>('POST', '/budgets', {
      token,
      body: { name: 'All', amount: 1 },
    });
    const { months } = await world().callTool<Answer>('get_forecast');
    expect(months[0]?.projected_cost).toBeCloseTo(made.body.forecasted_spend, 5);
    expect(months[0]?.cost_so_far).toBe(2731.083327);
  });

  it('lists days that add up to the total', async () => {
    const { days, total } = await world().callTool<Answer>('get_forecast', { daily: true, model: 'linear' });
    expect(days).toHaveLength(60);
    expect(Object.keys(days[0] ?? {})).toEqual(['date', 'cost', 'lower_80', 'upper_80']);
    expect(days.reduce((micros, { cost }) => micros + Math.round(cost * 1e6), 0)).toBe(Math.round(total.cost * 1e6));
  });

  it('includes past accuracy', async () => {
    const answer = await world().callTool('get_forecast', { include_accuracy: true, service: ['Amazon S3'] });
    expect(answer).toMatchObject({
      accuracy: {
        mape: 0,
        months: expect.arrayContaining([{ month: '2026-10', forecast: 317.75, actual: 317.75, error_percent: 0 }]),
      },
    });
  });

  it('gives a hint when there is no history', async () => {
    const answer = await world().callTool('get_forecast', { service: ['Nothing'], account_id: ['nobody'] });
    expect(answer).toMatchObject({
      start_date: null,
      total: { cost: null },
      months: [],
      hint: expect.stringContaining('list_accounts'),
    });
    const misspelt = await world().callTool('get_forecast', { service: ['EC2'] });
    expect(misspelt).toMatchObject({ total: { cost: 0 }, hint: expect.stringContaining('get_cost_breakdown') });
  });
});
