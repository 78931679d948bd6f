import { z } from 'zod';
import { emptyHint } from '../../empty.ts';
import { fit, trimRow } from '../../fit.ts';
import { pageInput } from '../../input/filters.ts';
import { asOf, hint, pageOf, pagination } from '../../output.ts';
import { defineTool } from '../tool.ts';
import { pending, recommendation, recommendationFilters } from './recommendation.ts';

const row = recommendation.omit({ status_changed_at: true });

const nothing =
  'No matching recommendation: use fewer filters, set include_snoozed, or add applied and archived to ' +
  'status; list_accounts shows which days have data';

/** What could be saved, one by one. */
export const listRecommendations = defineTool({
  name: 'list_recommendations',
  title: 'List savings recommendations',
  description:
    'Waste (idle, unattached, oversized or outdated resources) and other savings, largest first. For totals ' +
    'use get_recommendations_summary, for scripts and evidence get_recommendation, for commitments ' +
    'get_commitment_plan.',
  effect: 'read',
  input: z.strictObject({
    ...recommendationFilters,
    min_savings: z.number().min(0).optional().describe("Per month, in the organization's currency"),
    sort_by: z
      .enum(['-estimated_monthly_savings', '-created_at', '-status_changed_at', '-realized_monthly_savings'])
      .optional()
      .describe('Default -estimated_monthly_savings: largest first'),
    ...pageInput,
  }),
  output: z.object({ as_of: asOf, data: z.array(row), pagination, truncated: z.boolean().optional(), hint }),
  async run({ api, now }, args) {
    const query = { sort_by: '-estimated_monthly_savings', ...args, status: args.status ?? pending };
    const { data, pagination: page } = await api.get('/recommendations', query, pageOf(row));
    return {
      as_of: now.toISOString(),
      ...fit((limits) => ({ data: data.map((each) => trimRow(each, limits)) })),
      pagination: page,
      ...emptyHint(page, data, nothing),
    };
  },
});
