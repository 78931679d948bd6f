import { z } from 'zod';
import { apiPath } from '../../api/api.ts';
import { fit } from '../../fit.ts';
import { costFilters, pageInput } from '../../input/filters.ts';
import { idInput } from '../../input/id.ts';
import { asOf, hint, pageOf, pagination } from '../../output.ts';
import { BadArguments } from '../../bad-arguments.ts';
import { defineTool, type Caller } from '../tool.ts';
import { budgetOutput, budgetShape, budgetStatuses, budgetView } from './budget.ts';

const perPage = 20;

const input = z.strictObject({
  budget_id: idInput.optional().describe('Only this budget'),
  status: z
    .array(z.enum(budgetStatuses))
    .min(1)
    .optional()
    .describe('warning: a threshold is reached; exceeded: 100% is reached'),
  account_id: costFilters.account_id,
  provider: costFilters.provider,
  service: costFilters.service,
  sort_by: z
    .enum(['-percent_used', '-forecasted_spend', 'remaining', '-amount', 'name', '-created_at'])
    .optional()
    .describe('Default -percent_used'),
  ...pageInput,
});

const output = z.object({
  as_of: asOf,
  month: z.string(),
  data: z.array(budgetOutput),
  pagination,
  truncated: z.boolean().optional(),
  hint,
});

type Arguments = z.output<typeof input>;

export const listBudgets = defineTool({
  name: 'list_budgets',
  title: 'List budgets',
  description:
    'Monthly budgets with this month’s spend, the spend forecast for its end, and which alert thresholds are ' +
    'reached: which budgets are or will be exceeded. For spend without a budget use get_cost_summary or ' +
    'get_forecast.',
  effect: 'read',
  input,
  output,
  run: async (caller, args) => {
    const page = args.budget_id === undefined ? await list(caller, args) : await single(caller, args.budget_id, args);
    return {
      as_of: caller.now.toISOString(),
      month: caller.now.toISOString().slice(0, 7),
      ...fit((limits) => ({ data: page.data.map((budget) => budgetView(budget, limits)) })),
      pagination: page.pagination,
      ...(page.data.length === 0 ? { hint: hintFor(page.pagination.total) } : {}),
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

function hintFor(total: number): string {
  if (total > 0) return 'This page is after the last one: see total_pages';
  return 'No matching budget. Omit filters to list all; create_budget creates one';
}
