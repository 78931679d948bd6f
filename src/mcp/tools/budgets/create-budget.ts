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
  service: z.string().min(1).optional().describe('Name as get_cost_breakdown by service gives it'),
  alert_thresholds: z
    .array(z.number().positive().max(1000))
    .min(1)
    .max(10)
    .optional()
    .describe('Percent. Default 80, 100'),
  emails: z.array(z.email()).max(20).optional().describe('Told beside the caller'),
  slack: z.boolean().optional().describe('Also through the caller’s webhook'),
  cost_metric: z.enum(['effective', 'billed', 'list', 'contracted']).optional().describe('Default: effective'),
});

/** What was asked for is known already. */
const made = budgetOutput.omit({ account_id: true, provider: true, service: true, cost_metric: true, remaining: true });

export const createBudget = defineTool({
  name: 'create_budget',
  title: 'Create a budget',
  description:
    'Adds a monthly budget with alert thresholds and answers how it stands. Each call adds another one: look at ' +
    'list_budgets first, and ask the user for the amount rather than choosing it.',
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
      hint: `It is made; costs in ${others} count towards it once an Admin enters their exchange rate to ${currency}`,
    };
  }
  if (spend !== 0 || (forecast ?? 0) !== 0 || (service ?? provider) === null) return {};
  return {
    hint: 'It is made, and nothing counts towards it yet: is its service or provider named as in get_cost_breakdown?',
  };
}
