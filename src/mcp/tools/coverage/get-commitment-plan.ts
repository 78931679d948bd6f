import { z } from 'zod';
import * as shapes from '../../../../schema/rest.ts';
import { fit, trimRow, trimText, type Limits } from '../../fit.ts';
import { costFilters } from '../../input.ts';
import { hint, pageOf, rateHint, sumOf, unconverted, unconvertedOf } from '../../output.ts';
import { defineTool } from '../tool.ts';

/** From `/coverage/gaps`. */
const gapShape = shapes.CoverageGap.omit({ currency: true });

/** Usage that one commitment could cover. */
const poolShape = shapes.PlannedCommitment.pick({
  account_id: true,
  account_name: true,
  provider: true,
  product: true,
  services: true,
  region: true,
  family: true,
  on_demand_cost_per_hour: true,
});

/** An option to buy a commitment. */
const offerShape = shapes.PlannedCommitment.pick({
  term_months: true,
  payment: true,
  hourly_commitment: true,
  upfront_payment: true,
  monthly_payment: true,
  estimated_monthly_savings: true,
  savings_percent: true,
  expected_utilization_percent: true,
  coverage_after_percent: true,
  break_even_months: true,
});

/** From `/coverage/planner`. */
const plannerShape = shapes.CoveragePlanner.omit({ parameters: true }).extend({
  recommendations: z.array(poolShape.extend(offerShape.shape)),
});

const defaultTop = 5;

const input = z.strictObject({
  ...costFilters,
  term_months: z.literal([12, 36]).optional(),
  payment: z
    .array(shapes.CommitmentPayment)
    .min(1)
    .optional()
    .describe('monthly and upfront: Azure (Google: monthly); the others: AWS'),
  top: z.int().min(1).max(10).optional().describe('Number of pools and gaps. Default 5'),
});

const rest = z.object({ count: z.int(), estimated_monthly_savings: z.number() }).optional();

const output = z.object({
  start_date: z.string(),
  end_date: z.string(),
  currency: z.string(),
  complete_through: z.string().nullable(),
  pools: z.array(z.object({ ...poolShape.shape, options: z.array(offerShape) })),
  pool_count: z.int(),
  highest_monthly_savings: z.number(),
  gaps: z.array(gapShape),
  gap_count: z.int(),
  other_gaps: rest,
  truncated: z.boolean().optional(),
  unconverted,
  hint,
});

type Arguments = z.output<typeof input>;
type Planner = z.output<typeof plannerShape>;

export const getCommitmentPlan = defineTool({
  name: 'get_commitment_plan',
  title: 'Plan commitments',
  description:
    'Reservations and savings plans with the largest savings, by term and payment (options of a pool are ' +
    'alternatives: their savings do not add up), and services and regions without coverage. Nothing is ' +
    'bought; for current coverage use get_coverage.',
  effect: 'read',
  input,
  output,
  run: async ({ api }, args) => {
    const { account_id, provider, service, region, top = defaultTop } = args;
    const filters = { account_id, provider, service, region };
    const [planner, gaps] = await Promise.all([
      api.get('/coverage/planner', filters, plannerShape),
      api.get('/coverage/gaps', { ...filters, per_page: 100 }, pageOf(gapShape)),
    ]);
    const pools = poolsOf(planner.recommendations.filter((plan) => fits(plan, args)));
    const { start_date, end_date, currency, complete_through } = planner;
    const isCut = pools.length > top || gaps.pagination.total > top;
    return {
      start_date,
      end_date,
      currency,
      complete_through,
      pool_count: pools.length,
      highest_monthly_savings: sumOf(pools.map(bestOf)),
      gap_count: gaps.pagination.total,
      ...othersOf(gaps.data.slice(top), gaps.pagination.total - top),
      ...(isCut ? { truncated: true } : {}),
      ...fit((limits) => ({
        pools: pools.slice(0, top).map((pool) => shownPool(pool, limits)),
        gaps: gaps.data.slice(0, top).map((gap) => trimRow(gap, limits)),
      })),
      ...unconvertedOf(planner.unconverted),
      ...rateHint(planner, hintFor(planner, pools)),
    };
  },
});

function fits(plan: { term_months: number; payment: string }, { term_months, payment }: Arguments): boolean {
  const isPaidSo = payment === undefined || payment.some((each) => each === plan.payment);
  return isPaidSo && (term_months === undefined || term_months === plan.term_months);
}

function bestOf({ options }: Pool): number {
  return Math.max(...options.map((option) => option.estimated_monthly_savings));
}

/** Total of the gaps not listed. Unknown beyond one page of the API.
 *  @param count their number */
function othersOf(others: readonly Gap[], count: number) {
  const isKnown = count > 0 && others.length === count;
  return isKnown ? { other_gaps: { count, estimated_monthly_savings: savingsOf(others) } } : {};
}

function savingsOf(gaps: readonly Gap[]): number {
  return sumOf(gaps.map((gap) => gap.estimated_monthly_savings));
}

function hintFor({ recommendations }: Planner, pools: readonly Pool[]): { hint?: string } {
  if (pools.length > 0) return {};
  if (recommendations.length > 0)
    return { hint: 'No option with this term and payment: omit term_months and payment to see all options' };
  return {
    hint: 'No commitment would save money: eligible usage is already covered, or accounts have less than 14 days of usage',
  };
}

type Planned = Planner['recommendations'][number];
type Gap = z.output<typeof gapShape>;

/** Usage that a commitment could cover, with purchase options, which are mutually exclusive. */
type Pool = z.output<typeof poolShape> & { readonly options: z.output<typeof offerShape>[] };

/** Groups the options for the same usage, keeping their order. */
export function poolsOf(planned: readonly Planned[]): Pool[] {
  const pools = Map.groupBy(planned, (plan) => JSON.stringify(poolShape.parse(plan)));
  return [...pools.values()].flatMap((plans) => {
    const [first] = plans;
    return first ? [{ ...poolShape.parse(first), options: plans.map((plan) => offerShape.parse(plan)) }] : [];
  });
}

/** A truncated pool. */
function shownPool(pool: Pool, limits: Limits): Pool {
  return {
    ...trimRow(pool, limits),
    services: pool.services.slice(0, limits.entries).map((service) => trimText(service, limits)),
  };
}
