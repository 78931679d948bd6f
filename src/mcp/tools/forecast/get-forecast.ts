import { z } from 'zod';
import { dayOf } from '../../../kit/period.ts';
import { costFilters } from '../../input/filters.ts';
import { asOf, hint, rateIsMissing, unconverted, unconvertedOf } from '../../output.ts';
import { defineTool } from '../tool.ts';
import { accuracyShape, daysShape, forecastPoint, forecastShape, forecastTotal } from './shapes.ts';
import { billedDays, monthSums } from './sums.ts';

const input = z.strictObject({
  account_id: costFilters.account_id,
  provider: costFilters.provider,
  service: costFilters.service,
  model: z.enum(['seasonal', 'linear']).optional().describe('Default seasonal; linear uses the trend only'),
  daily: z.boolean().optional().describe('Includes each of the 60 days'),
  include_accuracy: z.boolean().optional().describe('Includes the accuracy over the past six months'),
});

const output = z.object({
  as_of: asOf,
  start_date: z.string().nullable(),
  end_date: z.string().nullable(),
  currency: z.string(),
  cost_metric: z.string(),
  complete_through: z.string().nullable(),
  model: z.string(),
  history_to: z.string().nullable(),
  low_history: z.boolean().describe('Too few days of history for a reliable forecast'),
  total: forecastTotal,
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
    'Projected cost of this month (cost so far plus the expected rest), of the next month, and of the 60 days ' +
    'after the last complete one. For past costs use get_cost_summary; for budgets list_budgets.',
  effect: 'read',
  input,
  output,
  run: async ({ api, now }, { daily: isDaily, include_accuracy: isJudged, model, ...filters }) => {
    const known = billedDays(dayOf(now));
    const [forecast, billed, accuracy] = await Promise.all([
      api.get('/forecast', { ...filters, model }, forecastShape),
      api.get('/costs/daily', { ...filters, ...known, cost_metric: 'effective' }, daysShape),
      isJudged ? api.get('/forecast/accuracy', { ...filters, model }, accuracyShape) : undefined,
    ]);
    const { points, unconverted: lacking, ...rest } = forecast;
    return {
      as_of: now.toISOString(),
      start_date: points[0]?.date ?? null,
      end_date: points.at(-1)?.date ?? null,
      cost_metric: 'effective',
      ...rest,
      months: monthSums(points, billed.days, known.start_date),
      ...(isDaily ? { days: points } : {}),
      ...(accuracy ? { accuracy } : {}),
      ...unconvertedOf(lacking),
      ...hintFor(forecast, dayOf(now)),
    };
  },
});

function hintFor(
  { points, total, unconverted: lacking }: z.output<typeof forecastShape>,
  today: string,
): { hint?: string } {
  if (lacking.length > 0) return { hint: rateIsMissing };
  const last = points.at(-1);
  if (!last)
    return {
      hint: 'No forecast: no costs match, or none are complete yet. Use fewer filters, or check list_accounts',
    };
  if (total.cost === 0) return { hint: 'No matching costs: get_cost_breakdown lists the names of services' };
  if (last.date < today) return { hint: 'The forecast ends in the past: check list_accounts for outdated bills' };
  return {};
}
