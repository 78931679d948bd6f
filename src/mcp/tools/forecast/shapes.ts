import { z } from 'zod';
import { unconvertedCosts } from '../../output.ts';

const money = z.number();

/** The interval that holds four of five cases. */
const interval = { lower_80: money.nullable(), upper_80: money.nullable() };

/** All 60 days. */
export const forecastTotal = z.object({
  cost: money.nullable(),
  ...interval,
  lower_95: money.nullable(),
  upper_95: money.nullable(),
});

/** One of them. */
export const forecastPoint = z.object({ date: z.string(), cost: money, ...interval });

/** Of `/forecast`. */
export const forecastShape = z.object({
  model: z.string(),
  currency: z.string(),
  history_to: z.string().nullable(),
  complete_through: z.string().nullable(),
  low_history: z.boolean(),
  total: forecastTotal,
  points: z.array(forecastPoint),
  unconverted: unconvertedCosts,
});

/** Of `/forecast/accuracy`. */
export const accuracyShape = z.object({
  mape: z.number().nullable(),
  coverage_80: z.number().nullable(),
  coverage_95: z.number().nullable(),
  months: z.array(
    z.object({
      month: z.string(),
      forecast: money.nullable(),
      actual: money.nullable(),
      error_percent: z.number().nullable(),
    }),
  ),
});

/** Of `/costs/daily`. */
export const daysShape = z.object({ days: z.array(z.object({ date: z.string(), cost: money })) });
