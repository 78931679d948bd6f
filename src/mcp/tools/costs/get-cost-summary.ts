import { z } from 'zod';
import * as shapes from '../../../../schema/rest.ts';
import { daysBetween } from '../../../kit/time/period.ts';
import type { Days } from '../../input.ts';
import { BadArguments } from '../../api/failure.ts';
import { defineTool } from '../tool.ts';
import { basisOf, costAnswer, costDaysOf, costInput, costQuery } from './question.ts';
import { comparableDays, compare, comparison, unknownChange, previousDays } from './comparison.ts';

const mostDays = 400;

/** The response of the API, without the unconverted costs of each period: `unconverted` has their sums. */
const summary = shapes.CostsSummary.extend({ periods: z.array(shapes.PeriodCost.omit({ unconverted: true })) });

export const getCostSummary = defineTool({
  name: 'get_cost_summary',
  title: 'Cost summary',
  description:
    'Total spend in a period, per month or day, and the change from the previous period over comparable days. ' +
    'For a split by service or account use get_cost_breakdown; for changes over months use get_cost_trend.',
  effect: 'read',
  input: z.strictObject({
    ...costInput,
    granularity: z.enum(['monthly', 'daily']).optional().describe(`Default monthly; daily: at most ${mostDays} days`),
  }),
  output: z.object({
    ...costAnswer,
    periods: summary.shape.periods,
    comparison: comparison.optional().describe('Only days with complete costs, compared with the same earlier days'),
  }),
  run: async (caller, args) => {
    const asked = await costDaysOf(args, caller);
    const granularity = args.granularity ?? 'monthly';
    if (granularity === 'daily' && daysBetween(asked.start_date, asked.end_date) >= mostDays)
      throw new BadArguments(
        `granularity daily supports at most ${mostDays} days: use fewer days, or monthly`,
        'granularity',
      );
    const read = (days: Days) => caller.api.get('/costs/summary', { ...costQuery(args, days), granularity }, summary);
    const answer = await read(asked);
    const days = comparableDays(asked, answer.last_complete_day, caller.now);
    const isEmpty = answer.total_cost === 0;
    // Compared with complete days, the first hours of an incomplete one would look like savings.
    if (!days) return { ...basisOf(answer, { isEmpty }), periods: answer.periods };
    const [current, previous] = await Promise.all([
      days.end_date === asked.end_date ? answer : read(days),
      read(previousDays(days, asked, args)),
    ]);
    return {
      ...basisOf(
        {
          ...answer,
          provisional_rates: [...answer.provisional_rates, ...previous.provisional_rates],
          missing_bills: [...previous.missing_bills, ...answer.missing_bills],
        },
        { isEmpty, note: isEmpty ? null : unknownChange(current, previous) },
      ),
      periods: answer.periods,
      comparison: compare(current, previous),
    };
  },
});
