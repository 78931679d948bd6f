import { z } from 'zod';
import { costFilters, several } from '../../input/filters.ts';
import { idInput } from '../../input/id.ts';

// What the tools about savings have in common.

/** How a recommendation may stand. */
export const status = z.enum(['open', 'in_progress', 'applied', 'archived']);

type Status = z.output<typeof status>;

/** What can still be saved: what is counted and listed unless others are asked for. */
export const pending: readonly Status[] = ['open', 'in_progress'];

export const recommendationId = idInput.describe('Id from list_recommendations');

/** Which recommendations are meant. */
export const recommendationFilters = {
  status: z.array(status).min(1).optional().describe('Default open, in_progress'),
  type: several.describe('From get_recommendations_summary'),
  account_id: costFilters.account_id,
  provider: costFilters.provider,
  include_snoozed: z.boolean().optional(),
};

/** How a recommendation stands, and what it is worth. */
export const standing = z.object({
  id: z.string(),
  title: z.string(),
  type: z.string(),
  status: z.string(),
  status_reason: z.string().nullable(),
  status_changed_at: z.string().nullable(),
  snoozed_until: z.string().nullable(),
  estimated_monthly_savings: z.number(),
  realized_monthly_savings: z.number().nullable(),
  currency: z.string(),
});

/** A recommendation without what proves it. */
export const recommendation = z.object({
  ...standing.shape,
  description: z.string(),
  confidence: z.string(),
  provider: z.string(),
  account_id: z.string(),
  resource: z.object({ id: z.string().nullable(), native_id: z.string(), name: z.string() }).nullable(),
  created_at: z.string(),
});
