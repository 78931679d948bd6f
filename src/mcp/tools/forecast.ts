import { z } from 'zod';
import * as shapes from '../../../schema/rest.ts';
import { hint, rateHint, sumOf, unconverted, unconvertedOf } from '../output.ts';
import { addDays, addMonths, type Day, dayOf, firstDay, lastDay, type Month, monthOf } from '../../kit/time/period.ts';
import { type Costs, expectedDays } from '../../kit/expected-cost.ts';
import { costFilters } from '../input.ts';
import { defineTool } from './tool.ts';

/** One of the 60 forecast days. */
const forecastPoint = shapes.ForecastPoint.omit({ lower_95: true, upper_95: true });

/** From `/forecast`. */
const forecastShape = shapes.Forecast.omit({
  horizon_days: true,
  history_from: true,
  services: true,
  commitment_ends: true,
}).extend({
  points: z.array(forecastPoint),
});

/** From `/forecast/accuracy`. */
const accuracyShape = shapes.ForecastAccuracy.omit({ model: true, currency: true, complete_through: true });

const input = z.strictObject({
  account_id: costFilters.account_id,
  provider: costFilters.provider,
  service: costFilters.service,
  model: shapes.ForecastModel.optional().describe('Default seasonal; linear uses the trend only'),
  daily: z.boolean().optional().describe('Includes each of the 60 days'),
  include_accuracy: z.boolean().optional().describe('Includes the accuracy over the past six months'),
});

const output = z.object({
  start_date: z.string().nullable(),
  end_date: z.string().nullable(),
  currency: z.string(),
  cost_metric: z.string(),
  complete_through: z.string().nullable(),
  model: z.string(),
  history_to: z.string().nullable(),
  low_history: z.boolean().describe('Too few days of history for a reliable forecast'),
  total: shapes.ForecastTotal,
  months: z.array(
    z.object({
      month: z.string(),
      cost_so_far: z.number(),
      still_expected_cost: z.number(),
      projected_cost: z.number().describe('cost_so_far + still_expected_cost'),
      whole_month: z.boolean().describe('false: the forecast ends inside it'),
    }),
  ),
  days: z.array(forecastPoint).optional(),
  accuracy: accuracyShape.optional(),
  unconverted,
  hint,
});

export const getForecast = defineTool({
  name: 'get_forecast',
  title: 'Get cost forecast',
  description:
    'Projected cost of this month (with that of its complete days), next month and 60 days after the last complete ' +
    'one. For past costs use get_cost_summary; for budgets list_budgets.',
  effect: 'read',
  input,
  output,
  run: async ({ api, now }, { daily: isDaily, include_accuracy: hasAccuracy, model, ...filters }) => {
    const known = billedDays(dayOf(now));
    const [forecast, billed, accuracy] = await Promise.all([
      api.get('/forecast', { ...filters, model }, forecastShape),
      api.get('/costs/daily', { ...filters, ...known, cost_metric: 'effective' }, shapes.CostsDaily),
      hasAccuracy ? api.get('/forecast/accuracy', { ...filters, model }, accuracyShape) : undefined,
    ]);
    const { points, unconverted: lacking, provisional_rates, ...rest } = forecast;
    return {
      start_date: points[0]?.date ?? null,
      end_date: points.at(-1)?.date ?? null,
      cost_metric: 'effective',
      ...rest,
      months: monthSums({ days: billed.days, points, completeTo: forecast.history_to ?? '' }, known.start_date),
      ...(isDaily ? { days: points } : {}),
      ...(accuracy ? { accuracy } : {}),
      ...unconvertedOf(lacking),
      ...rateHint({ unconverted: lacking, provisional_rates }, hintFor(forecast, dayOf(now))),
    };
  },
});

function hintFor({ points, total }: z.output<typeof forecastShape>, today: string): { hint?: string } {
  const last = points.at(-1);
  if (!last)
    return {
      hint: 'No forecast: no costs match, or none are complete yet. Use fewer filters, or check list_accounts',
    };
  if (total.cost === 0) return { hint: 'No matching costs: get_cost_breakdown lists the names of services' };
  if (last.date < today) return { hint: 'The forecast ends in the past: check list_accounts for outdated bills' };
  return {};
}

/** A calendar month: actual and still expected costs. */
interface MonthSum {
  readonly month: Month;
  readonly cost_so_far: number;
  readonly still_expected_cost: number;
  readonly projected_cost: number;
  /** Whether the forecast covers the month up to its last day. */
  readonly whole_month: boolean;
}

/** Sums a forecast by month.
 *  @param known first day of the actual costs; months that begin earlier are left out */
export function monthSums(costs: Costs, known: Day): MonthSum[] {
  const ends = costs.points.at(-1)?.date ?? '';
  const byMonth = Map.groupBy(expectedDays(costs), ({ date }) => monthIn(date));
  const months = [...new Set(costs.points.map(({ date }) => monthIn(date)))];
  return months
    .filter((month) => firstDay(month) >= known)
    .map((month) => {
      const days = byMonth.get(month) ?? [];
      const spent = sumOf(days.map(({ actual }) => actual));
      const expected = sumOf(days.map(({ forecast }) => forecast));
      return {
        month,
        cost_so_far: spent,
        still_expected_cost: expected,
        projected_cost: sumOf([spent, expected]),
        whole_month: ends >= lastDay(month),
      };
    });
}

function monthIn(date: string): Month {
  return date.slice(0, 7) as Month;
}

/** The days whose billed costs a forecast's months need: from the first of the last month to the end of any forecast
 *  that starts by now. */
export function billedDays(today: Day): { readonly start_date: Day; readonly end_date: Day } {
  return { start_date: firstDay(addMonths(monthOf(today), -1)), end_date: addDays(today, 60) };
}
