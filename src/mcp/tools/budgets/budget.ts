import { z } from 'zod';
import { cut } from '../../cut.ts';
import { unlimited, type Limits } from '../../fit.ts';
import { percentOf } from '../../micros.ts';
import { unconverted, unconvertedCosts, unconvertedOf } from '../../output.ts';

export const budgetStatuses = ['ok', 'warning', 'exceeded'] as const;

const figures = {
  id: z.string(),
  name: z.string(),
  amount: z.number(),
  currency: z.string(),
  account_id: z.string().nullable(),
  provider: z.string().nullable(),
  service: z.string().nullable(),
  cost_metric: z.string(),
  current_spend: z.number(),
  forecasted_spend: z.number().nullable(),
  percent_used: z.number(),
  remaining: z.number(),
  status: z.enum(budgetStatuses),
  alert_thresholds: z.array(z.number()),
  complete_through: z.string().nullable(),
};

/** A budget as the API answers it. */
export const budgetShape = z.object({
  ...figures,
  unconverted: unconvertedCosts,
});

/** A budget as tools answer it. */
export const budgetOutput = z.object({
  ...figures,
  forecasted_percent: z.number().nullable(),
  reached_thresholds: z.array(z.number()),
  unconverted,
});

/** A budget with how it will stand at the end of the month, and which of its thresholds this month's spend has reached.
 *  @param limits how much of it is shown */
export function budgetView(
  budget: z.output<typeof budgetShape>,
  { text, entries }: Limits = unlimited,
): z.input<typeof budgetOutput> {
  const { unconverted: lacking, ...rest } = budget;
  const { amount, forecasted_spend: forecast, percent_used: used } = budget;
  return {
    ...rest,
    name: cut(budget.name, text),
    provider: budget.provider === null ? null : cut(budget.provider, text),
    service: budget.service === null ? null : cut(budget.service, text),
    forecasted_percent: forecast === null ? null : percentOf(forecast, amount),
    reached_thresholds: budget.alert_thresholds.filter((threshold) => threshold <= used),
    ...unconvertedOf(lacking.slice(0, entries)),
  };
}
