import { z } from 'zod';
import * as shapes from '../../../../schema/rest.ts';
import { hint, rateHint, sumOf, unconverted, unconvertedOf } from '../../output.ts';
import { costFilters, type Days, periodInput } from '../../input.ts';
import { BadArguments } from '../../api/failure.ts';
import { completeDaysOf } from '../costs/question.ts';
import { type Caller, defineTool } from '../tool.ts';

/** Costs by pricing kind. */
const splitParts = z.array(shapes.CoveragePart.extend({ kind: shapes.CoverageKind }));
const coverageDaily = shapes.CoverageDaily.omit({ total_cost: true });

const input = z.strictObject({
  ...periodInput,
  period: periodInput.period.describe('Or start_date and end_date. Default: the last 30 complete days'),
  daily: z.boolean().optional().describe('Each day instead of the total; only for the last 90 complete days'),
  ...costFilters,
});

const output = z.object({
  start_date: z.string(),
  end_date: z.string(),
  currency: z.string(),
  cost_metric: z.string(),
  complete_through: z.string().nullable(),
  total_cost: z.number(),
  eligible_cost: z.number().optional(),
  covered_cost: z.number().optional(),
  unrecognized_cost: z.number().optional().describe('Part of eligible_cost with unknown meters'),
  coverage_percent: z.number().nullable().optional(),
  utilization_percent: z.number().nullable().optional(),
  unused_commitment_cost: z.number().optional(),
  split: splitParts.optional(),
  days: z.array(shapes.CoverageDay).optional(),
  truncated: z.boolean().optional(),
  unconverted,
  hint,
});

type Arguments = z.output<typeof input>;

export const getCoverage = defineTool({
  name: 'get_coverage',
  title: 'Get commitment coverage',
  description:
    'Cost by pricing model (reserved, savings plan, spot, on demand), with the coverage and utilization of ' +
    'commitments. For new commitments use get_commitment_plan.',
  effect: 'read',
  input,
  output,
  run: (caller, args) => (args.daily ? daily(caller, args) : summed(caller, args)),
});

/** The requested days; null if none, so that the API chooses complete ones. */
async function daysAsked(args: Arguments, caller: Caller): Promise<Days | null> {
  const isAsked = [args.period, args.start_date, args.end_date].some((each) => each !== undefined);
  return isAsked ? completeDaysOf(args, caller, args.account_id) : null;
}

function filtersOf({ account_id, provider, service, region }: Arguments) {
  return { account_id, provider, service, region };
}

async function summed(caller: Caller, args: Arguments): Promise<z.input<typeof output>> {
  const { api } = caller;
  const query = { ...filtersOf(args), ...(await daysAsked(args, caller)) };
  const {
    unconverted: lacking,
    provisional_rates,
    missing_bills,
    ...figures
  } = await api.get('/coverage', query, shapes.Coverage.extend({ split: splitParts }));
  return {
    cost_metric: 'effective',
    ...figures,
    ...unconvertedOf(lacking),
    ...rateHint({ unconverted: lacking, provisional_rates, missing_bills }, hintFor(figures)),
  };
}

async function daily(caller: Caller, args: Arguments): Promise<z.input<typeof output>> {
  const { api } = caller;
  const asked = await daysAsked(args, caller);
  const answer = await api.get('/coverage/daily', filtersOf(args), coverageDaily);
  const clipped = clipDays(answer, asked);
  if (clipped === null)
    throw new BadArguments(
      `daily supports ${answer.start_date} to ${answer.end_date}: use these days, or omit daily`,
      'daily',
    );
  const { currency, complete_through } = answer;
  return {
    cost_metric: 'effective',
    currency,
    complete_through,
    ...clipped,
    ...unconvertedOf(answer.unconverted),
    ...rateHint(answer, hintFor(clipped)),
  };
}

function hintFor({ total_cost, eligible_cost }: { total_cost: number; eligible_cost?: number }): { hint?: string } {
  if (total_cost === 0) return { hint: 'No costs: try other days or fewer filters, or check list_accounts for data' };
  if (eligible_cost === 0) return { hint: 'None of these costs can be covered by a commitment' };
  return {};
}

type DaySplit = z.output<typeof shapes.CoverageDay>;

/** The days of a response and their total. */
interface ClippedDays {
  readonly start_date: string;
  readonly end_date: string;
  readonly total_cost: number;
  readonly days: DaySplit[];
  /** Set only if requested days are missing. */
  readonly truncated?: true;
}

/** Clips a response to the requested days; null if it has none of them.
 *  @param asked null: all days */
export function clipDays(answer: z.output<typeof coverageDaily>, asked: Days | null): ClippedDays | null {
  const start = asked && asked.start_date > answer.start_date ? asked.start_date : answer.start_date;
  const end = asked && asked.end_date < answer.end_date ? asked.end_date : answer.end_date;
  if (start > end) return null;
  const days = answer.days.filter(({ date }) => start <= date && date <= end);
  const isCut = asked !== null && (asked.start_date < start || asked.end_date > end);
  return {
    start_date: start,
    end_date: end,
    total_cost: sumOf(days.flatMap((day) => [day.reserved, day.savings_plan, day.spot, day.on_demand, day.other])),
    days,
    ...(isCut ? { truncated: true } : {}),
  };
}
