import { z } from 'zod';
import { idInput } from '../../input/id.ts';

// What the tools about anomalies have in common.

export const anomalyStatus = z.enum(['open', 'acknowledged', 'resolved']);

export const anomalyId = idInput.describe('Id from list_anomalies');

/** An anomaly without what explains it. */
export const anomaly = z.object({
  id: z.string(),
  service: z.string(),
  region: z.string().nullable(),
  provider: z.string(),
  account_id: z.string(),
  kind: z.string(),
  severity: z.string(),
  status: z.string(),
  status_reason: z.string().nullable(),
  start_date: z.string(),
  end_date: z.string(),
  expected_cost: z.number(),
  actual_cost: z.number(),
  impact: z.number(),
  impact_percent: z.number().nullable(),
  currency: z.string(),
  detected_at: z.string(),
});
