import { z } from 'zod';
import { asOf, hint } from '../../output.ts';
import { defineTool } from '../tool.ts';
import { budgetOutput, budgetShape, budgetView } from './budget.ts';

const input = z.strictObject({
  name: z.string().min(1).max(100),
  amount: z.number().positive().describe('Per calendar month'),
  currency: z.string().length(3).optional().describe('Default: the organization’s'),
  account_id: z.string().min(1).optional().describe('Id from list_accounts. Default: all accounts'),
  provider: z.string().min(1).optional().describe('Such as aws, azure, gcp'),
  service: z.string().min(1).optional().describe('Name from get_cost_breakdown by service'),
  alert_thresholds: z
    .array(z.number().positive().max(1000))
    .min(1)
    .max(10)
    .optional()
    .describe('Percent. Default 80, 100'),
  emails: z.array(z.email()).max(20).optional().describe('Emails to notify besides the caller'),
  slack: z.boolean().optional().describe('Also notify the caller’s webhook'),
  cost_metric: z.enum(['effective', 'billed', 'list', 'contracted']).optional().describe('Default: effective'),
});

/** What was asked for is known already. */
const made = budgetOutput.omit({ account_id: true, provider: true, service: true, cost_metric: true, remaining: true });

export const createBudget = defineTool({
  name: 'create_budget',
  title: 'Create a budget',
  description:
    'Creates a monthly budget with alert thresholds and returns its status. Each call creates another one: ' +
    'check list_budgets first, and ask the user for the amount instead of choosing it.',
  effect: 'create',
  input,
  output: z.object({ as_of: asOf, budget: made, hint }),
  run: async ({ api, now }, args) => {
    const budget = await api.send('POST', '/budgets', args, budgetShape);
    return { as_of: now.toISOString(), budget: budgetView(budget), ...hintFor(budget) };
  },
});

/** A budget on a name that no bill has, or in a currency that costs cannot be converted to, would never alert. */
function hintFor(budget: z.output<typeof budgetShape>) {
  const { current_spend: spend, forecasted_spend: forecast, service, provider, currency, unconverted } = budget;
  if (unconverted.length > 0) {
    const others = unconverted.map((one) => one.currency).join(', ');
    return {
      hint: `The budget is created; costs in ${others} are included once an Admin sets their exchange rate to ${currency}`,
    };
  }
  if (spend !== 0 || (forecast ?? 0) !== 0 || (service ?? provider) === null) return {};
  return {
    hint: 'The budget is created, but no costs match it yet: check its service and provider against get_cost_breakdown',
  };
}
