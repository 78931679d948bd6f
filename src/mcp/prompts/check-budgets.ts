import type { Prompt } from './prompt.ts';

/** Whether the month will end within its budgets. */
export const checkBudgets: Prompt = {
  name: 'check_budgets',
  title: 'Check the budgets',
  description: 'Lists budgets that are or will be exceeded this month, with reasons and possible actions.',
  args: {},
  message: () => `Will we stay within our budgets this month?

1. list_budgets: spend, forecast and thresholds reached. Note complete_through: spend of later days is not included yet.
2. For each budget that is exceeded, or whose forecast is above its amount: get_cost_breakdown of this_month with sort_by increase and the account, provider or service of the budget as filters: the largest costs and increases.
3. get_forecast: the projected spend of the whole organization for this month and the next.
4. list_recommendations and list_anomalies for the accounts concerned: possible savings before the month ends, and temporary spikes.

Then list the budgets, those at risk first: amount, spend, forecast, drivers, actions. If there is no budget, propose amounts from get_cost_trend and ask before you call create_budget.`,
};
