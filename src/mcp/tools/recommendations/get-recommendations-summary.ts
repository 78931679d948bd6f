import { z } from 'zod';
import { sumOf } from '../../micros.ts';
import { asOf, hint } from '../../output.ts';
import { defineTool } from '../tool.ts';
import { pending, recommendationFilters } from './recommendation.ts';

const worth = { count: z.number(), estimated_monthly_savings: z.number() };

const byType = z.object({ type: z.string(), ...worth });
const byStatus = z.object({ status: z.string(), ...worth });
const unconverted = z.array(z.object({ currency: z.string(), estimated_monthly_savings: z.number() }));

const summary = z.object({
  total_count: z.number(),
  total_estimated_monthly_savings: z.number(),
  currency: z.string(),
  by_type: z.array(byType),
  by_status: z.array(byStatus),
  unconverted,
});

/** What could be saved, in all. */
export const getRecommendationsSummary = defineTool({
  name: 'get_recommendations_summary',
  title: 'Summarize savings recommendations',
  description:
    'Possible savings per month, in total, by type and by status. For single recommendations use list_recommendations.',
  effect: 'read',
  input: z.strictObject({
    ...recommendationFilters,
    limit: z.int().min(1).max(100).optional().describe('Number of types, default 20'),
  }),
  output: z.object({
    as_of: asOf,
    status: z.array(z.string()).describe('Included statuses'),
    total_count: z.number(),
    total_estimated_monthly_savings: z.number(),
    currency: z.string(),
    by_type: z.array(byType),
    other_types: z.object({ types: z.number(), ...worth }).nullable(),
    by_status: z.array(byStatus),
    unconverted: unconverted.optional(),
    hint,
  }),
  async run({ api, now }, { limit = 20, ...query }) {
    const wanted = [...new Set(query.status ?? pending)];
    const {
      by_type: types,
      unconverted: none,
      ...sums
    } = await api.get('/recommendations/summary', { ...query, status: wanted }, summary);
    return {
      as_of: now.toISOString(),
      status: wanted,
      ...sums,
      by_type: types.slice(0, limit),
      other_types: otherOf(types.slice(limit)),
      ...(none.length > 0 && { unconverted: none }),
      ...(none.length > 0 && {
        hint: 'The unconverted savings are excluded from all amounts: an exchange rate is missing.',
      }),
      ...(sums.total_count === 0 && {
        hint: 'No match: use fewer filters, set include_snoozed, or add applied and archived to status',
      }),
    };
  },
});

function otherOf(rest: readonly z.output<typeof byType>[]) {
  if (rest.length === 0) return null;
  return {
    types: rest.length,
    count: rest.reduce((so, { count }) => so + count, 0),
    estimated_monthly_savings: sumOf(rest.map((each) => each.estimated_monthly_savings)),
  };
}
