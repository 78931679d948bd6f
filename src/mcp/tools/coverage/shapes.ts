import { z } from 'zod';
import { unconvertedCosts } from '../../output.ts';

const money = z.number();
const percent = z.number().nullable();

/** What of the costs is paid for how. */
export const splitParts = z.array(
  z.object({
    kind: z.enum(['reserved', 'savings_plan', 'spot', 'on_demand', 'other']),
    cost: money,
    percentage: percent,
  }),
);

/** How the costs of one day are paid for. */
export const daySplit = z.object({
  date: z.string(),
  reserved: money,
  savings_plan: money,
  spot: money,
  on_demand: money,
  other: money,
  coverage_percent: percent,
});

const head = {
  start_date: z.string(),
  end_date: z.string(),
  currency: z.string(),
  complete_through: z.string().nullable(),
  unconverted: unconvertedCosts,
};

/** Of `/coverage`. */
export const coverageShape = z.object({
  ...head,
  total_cost: money,
  eligible_cost: money,
  covered_cost: money,
  coverage_percent: percent,
  utilization_percent: percent,
  unused_commitment_cost: money,
  split: splitParts,
});

/** Of `/coverage/daily`. */
export const coverageDailyShape = z.object({ ...head, days: z.array(daySplit) });

/** Of `/coverage/gaps`. */
export const gapShape = z.object({
  provider: z.string(),
  service: z.string(),
  region: z.string(),
  on_demand_cost: money,
  covered_cost: money,
  coverage_percent: percent,
  estimated_monthly_savings: money,
});

/** A way to buy a commitment. */
export const offerShape = z.object({
  term_months: z.int(),
  payment: z.string(),
  hourly_commitment: money,
  upfront_payment: money,
  monthly_payment: money,
  estimated_monthly_savings: money,
  savings_percent: z.number(),
  expected_utilization_percent: z.number(),
  coverage_after_percent: z.number(),
  break_even_months: z.number(),
});

/** Usage that one commitment could cover. */
export const poolShape = z.object({
  account_id: z.string(),
  account_name: z.string(),
  provider: z.string(),
  product: z.string(),
  services: z.array(z.string()),
  region: z.string().nullable(),
  family: z.string().nullable(),
  on_demand_cost_per_hour: money,
});

/** Of `/coverage/planner`. */
export const plannerShape = z.object({
  ...head,
  recommendations: z.array(z.object({ ...poolShape.shape, ...offerShape.shape })),
});
