import { z } from 'zod';
import { costFilters } from '../../input/filters.ts';
import { periodInput, type Days } from '../../input/period.ts';
import { asOf, hint, unconverted, rateIsMissing, unconvertedOf } from '../../output.ts';
import { BadArguments } from '../../bad-arguments.ts';
import { completeDaysOf } from '../costs/question.ts';
import { defineTool, type Caller } from '../tool.ts';
import { clipDays } from './clip-days.ts';
import { coverageDailyShape, coverageShape, daySplit, splitParts } from './shapes.ts';

const input = z.strictObject({
  ...periodInput,
  period: periodInput.period.describe('Or start_date and end_date. Default: the last 30 complete days'),
  daily: z.boolean().optional().describe('Each day instead of the total; only for the last 90 complete days'),
  ...costFilters,
});

const output = z.object({
  as_of: asOf,
  start_date: z.string(),
  end_date: z.string(),
  currency: z.string(),
  cost_metric: z.string(),
  complete_through: z.string().nullable(),
  total_cost: z.number(),
  eligible_cost: z.number().optional(),
  covered_cost: z.number().optional(),
  coverage_percent: z.number().nullable().optional(),
  utilization_percent: z.number().nullable().optional(),
  unused_commitment_cost: z.number().optional(),
  split: splitParts.optional(),
  days: z.array(daySplit).optional(),
  truncated: z.boolean().optional(),
  unconverted,
  hint,
});

type Arguments = z.output<typeof input>;

export const getCoverage = defineTool({
  name: 'get_coverage',
  title: 'Get commitment coverage',
  description:
    'Spend by pricing (reserved, savings plan, spot, on demand), with the coverage and utilization of ' +
    'commitments. For new commitments use get_commitment_plan.',
  effect: 'read',
  input,
  output,
  run: (caller, args) => (args.daily ? daily(caller, args) : summed(caller, args)),
});

/** The days that were asked for; null where none were, so that the API chooses complete ones. */
async function daysAsked(args: Arguments, caller: Caller): Promise<Days | null> {
  const isAsked = [args.period, args.start_date, args.end_date].some((each) => each !== undefined);
  return isAsked ? completeDaysOf(args, caller, args.account_id) : null;
}

function filtersOf({ account_id, provider, service, region }: Arguments) {
  return { account_id, provider, service, region };
}

async function summed(caller: Caller, args: Arguments): Promise<z.input<typeof output>> {
  const { api, now } = caller;
  const query = { ...filtersOf(args), ...(await daysAsked(args, caller)) };
  const { unconverted: lacking, ...figures } = await api.get('/coverage', query, coverageShape);
  return {
    as_of: now.toISOString(),
    cost_metric: 'effective',
    ...figures,
    ...unconvertedOf(lacking),
    ...(lacking.length > 0 ? { hint: rateIsMissing } : hintFor(figures)),
  };
}

async function daily(caller: Caller, args: Arguments): Promise<z.input<typeof output>> {
  const { api, now } = caller;
  const asked = await daysAsked(args, caller);
  const answer = await api.get('/coverage/daily', filtersOf(args), coverageDailyShape);
  const clipped = clipDays(answer, asked);
  if (clipped === null)
    throw new BadArguments(
      `daily supports ${answer.start_date} to ${answer.end_date}: use these days, or omit daily`,
      'daily',
    );
  const { currency, complete_through } = answer;
  return {
    as_of: now.toISOString(),
    cost_metric: 'effective',
    currency,
    complete_through,
    ...clipped,
    ...unconvertedOf(answer.unconverted),
    ...(answer.unconverted.length > 0 ? { hint: rateIsMissing } : hintFor(clipped)),
  };
}

function hintFor({ total_cost, eligible_cost }: { total_cost: number; eligible_cost?: number }): { hint?: string } {
  if (total_cost === 0) return { hint: 'No costs: try other days or fewer filters, or check list_accounts for data' };
  if (eligible_cost === 0) return { hint: 'None of these costs can be covered by a commitment' };
  return {};
}
