import type { Prompt } from './prompt.ts';

/** Whether the month will end within its budgets. */
export const checkBudgets: Prompt = {
  name: 'check_budgets',
  title: 'Check the budgets',
  description: 'Tells which budgets are or will be exceeded this month, why, and what could still be done.',
  args: {},
  message: () => `Will we stay within our budgets this month?

1. list_budgets: spend, forecast and thresholds reached. Note complete_through: spend of later days is still to come.
2. For each budget that is exceeded, or whose forecast is above its amount: get_cost_breakdown of this_month with sort_by increase and the account, provider or service of the budget as filters: what it is spent on and what grew.
3. get_forecast: what the whole organization will spend this month and the next.
4. list_recommendations and list_anomalies for the accounts concerned: what could still be saved before the month ends, and what is only a spike.

Then list the budgets, those in danger first: amount, spent, forecast, what drives it, what to do. If there is no budget, propose amounts from get_cost_trend and ask before you call create_budget.`,
};
