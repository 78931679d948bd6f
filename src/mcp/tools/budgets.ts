import { z } from 'zod';
import * as shapes from '../../../schema/rest.ts';
import { cut, fit, type Limits, unlimited } from '../fit.ts';
import {
  hint,
  joined,
  missingHint,
  pageOf,
  pagination,
  percentOf,
  provisionalHint,
  rateIsMissing,
  unconverted,
  unconvertedOf,
} from '../output.ts';
import { apiPath } from '../api/client.ts';
import { costFilters, idInput, pageInput } from '../input.ts';
import { BadArguments } from '../api/failure.ts';
import { type Caller, defineTool } from './tool.ts';

/** A budget as the API returns it. */
const budgetShape = shapes.Budget.omit({
  converted: true,
  emails: true,
  slack: true,
  channel_ids: true,
  alerts: true,
  created_by: true,
  created_at: true,
  updated_at: true,
}).extend({
  status: z.string().nullable(),
  projected_status: z.string().nullable(),
  period: shapes.BudgetPeriod,
});

/** A budget as tools return it. */
const budgetOutput = z.object({
  ...budgetShape.omit({ provisional_rates: true, missing_bills: true }).shape,
  forecasted_percent: z.number().nullable(),
  reached_thresholds: z.array(z.number()),
  unconverted,
});

/** A budget with its projected status at the end of its period and the thresholds that the spend has reached.
 *  @param limits truncation limits */
function budgetView(
  budget: z.output<typeof budgetShape>,
  { text, entries }: Limits = unlimited,
): z.input<typeof budgetOutput> {
  const { unconverted: lacking, provisional_rates: _rates, missing_bills: _missing, ...rest } = budget;
  const { amount, forecasted_spend: forecast, percent_used: used } = budget;
  return {
    ...rest,
    name: cut(budget.name, text),
    provider: cutOrNull(budget.provider, text),
    service: cutOrNull(budget.service, text),
    sub_account_id: cutOrNull(budget.sub_account_id, text),
    tag_key: cutOrNull(budget.tag_key, text),
    tag_value: cutOrNull(budget.tag_value, text),
    forecasted_percent: forecast === null ? null : percentOf(forecast, amount),
    reached_thresholds: budget.alert_thresholds.filter((threshold) => used !== null && threshold <= used),
    ...unconvertedOf(lacking.slice(0, entries)),
  };
}

function cutOrNull(value: string | null, most: number): string | null {
  return value === null ? null : cut(value, most);
}

const perPage = 20;

const listInput = z.strictObject({
  budget_id: idInput.optional().describe('Only this budget'),
  projected_status: z.array(shapes.ProjectedBudgetStatus).min(1).optional(),
  account_id: costFilters.account_id,
  provider: costFilters.provider,
  service: costFilters.service,
  tag_key: z.string().min(1).optional(),
  sort_by: z
    .enum(['-percent_used', '-forecasted_spend', 'remaining', '-amount', 'name', '-created_at'])
    .optional()
    .describe('Default -percent_used'),
  ...pageInput,
});

const output = z.object({
  data: z.array(budgetOutput),
  pagination,
  truncated: z.boolean().optional(),
  hint,
});

type Arguments = z.output<typeof listInput>;

export const listBudgets = defineTool({
  name: 'list_budgets',
  title: 'List budgets',
  description:
    'Budgets with spend and forecast of their current month, quarter or year, and the thresholds reached. ' +
    'Without a budget use get_cost_summary or get_forecast.',
  effect: 'read',
  input: listInput,
  output,
  run: async (caller, args) => {
    const page = args.budget_id === undefined ? await list(caller, args) : await single(caller, args.budget_id, args);
    return {
      ...fit((limits) => ({ data: page.data.map((budget) => budgetView(budget, limits)) })),
      pagination: page.pagination,
      ...joined(
        missingHint(page.data.flatMap((budget) => budget.missing_bills)),
        provisionalHint(page.data.flatMap((budget) => budget.provisional_rates)),
        page.data.some((budget) => budget.unconverted.length > 0) && rateIsMissing,
        page.data.length === 0 && emptyHintFor(page.pagination.total),
      ),
    };
  },
});

function list({ api }: Caller, { sort_by, ...filters }: Arguments) {
  return api.get(
    '/budgets',
    { per_page: perPage, ...filters, sort_by: sort_by ?? '-percent_used' },
    pageOf(budgetShape),
  );
}

async function single({ api }: Caller, id: string, args: Arguments) {
  const beside = Object.entries(args).filter(([name, value]) => name !== 'budget_id' && value !== undefined);
  if (beside.length > 0)
    throw new BadArguments(
      `budget_id selects one budget: omit ${beside.map(([name]) => name).join(', ')}`,
      'budget_id',
    );
  const budget = await api.get(apiPath`/budgets/${id}`, {}, budgetShape);
  return { data: [budget], pagination: { page: 1, per_page: perPage, total: 1, total_pages: 1 } };
}

function emptyHintFor(total: number): string {
  if (total > 0) return 'This page is after the last one: see total_pages';
  return 'No matching budget. Omit filters to list all; create_budget creates one';
}

const createInput = z.strictObject({
  name: z.string().min(1).max(100),
  amount: z.number().positive(),
  period: shapes.BudgetPeriod.optional().describe('Default monthly'),
  currency: z.string().length(3).optional().describe('Default: the organization’s'),
  account_id: z.string().min(1).optional().describe('Id from list_accounts. Default: all accounts'),
  provider: z.string().min(1).optional().describe('Such as aws, azure, gcp'),
  service: z.string().min(1).optional().describe('Name from get_cost_breakdown by service'),
  sub_account_id: z.string().min(1).optional(),
  tag_key: z.string().min(1).optional().describe('Or virtual:KEY'),
  tag_value: z.string().optional().describe('Default: any'),
  alert_thresholds: z
    .array(z.number().positive().max(1000))
    .min(1)
    .max(10)
    .optional()
    .describe('Percent. Default 80, 100'),
  emails: z.array(z.email()).max(20).optional().describe('To notify besides the caller'),
  slack: z.boolean().optional().describe('Also notify the caller’s webhook'),
  cost_metric: z.enum(['effective', 'billed', 'list', 'contracted']).optional().describe('Default: effective'),
});

/** Omits what the caller has just sent. */
const made = budgetOutput.omit({
  account_id: true,
  provider: true,
  service: true,
  sub_account_id: true,
  tag_key: true,
  tag_value: true,
  alert_thresholds: true,
  period: true,
  period_start: true,
  period_end: true,
  cost_metric: true,
  remaining: true,
});

export const createBudget = defineTool({
  name: 'create_budget',
  title: 'Create a budget',
  description:
    'Creates a budget with alert thresholds and returns its status. Each call creates another one: ' +
    'check list_budgets first, and ask the user for the amount instead of choosing it.',
  effect: 'create',
  input: createInput,
  output: z.object({ budget: made, hint }),
  run: async ({ api }, args) => {
    const budget = await api.send('POST', '/budgets', args, budgetShape);
    return { budget: budgetView(budget), ...createdHintFor(budget) };
  },
});

/** A budget on a name that no bill contains, or in a currency that costs cannot be converted to, would never alert. */
function createdHintFor(budget: z.output<typeof budgetShape>) {
  const {
    current_spend: spend,
    forecasted_spend: forecast,
    service,
    provider,
    currency,
    unconverted: lacking,
  } = budget;
  if (lacking.length > 0) {
    const others = lacking.map((one) => one.currency).join(', ');
    return {
      hint: `The budget is created; costs in ${others} are included once an Admin sets their exchange rate to ${currency}`,
    };
  }
  const scope = service ?? provider ?? budget.sub_account_id ?? budget.tag_key;
  if (spend !== 0 || (forecast ?? 0) !== 0 || scope === null) return {};
  return {
    hint: 'The budget is created, but no costs match it yet: check its scope against get_cost_breakdown',
  };
}
