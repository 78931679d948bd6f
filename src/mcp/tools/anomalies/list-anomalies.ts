import { z } from 'zod';
import { emptyHint } from '../../empty.ts';
import { fit, trimRow } from '../../fit.ts';
import { costFilters, pageInput, several } from '../../input/filters.ts';
import { daysOf, periodInput } from '../../input/period.ts';
import { asOf, hint, pageOf, pagination } from '../../output.ts';
import { defineTool } from '../tool.ts';
import { anomaly, anomalyStatus } from './anomaly.ts';

const input = z.strictObject({
  ...periodInput,
  period: periodInput.period.describe('Instead of start_date and end_date. Default: about six months'),
  status: z.array(anomalyStatus).min(1).optional(),
  severity: z
    .array(z.enum(['low', 'medium', 'high', 'critical']))
    .min(1)
    .optional(),
  account_id: costFilters.account_id,
  provider: costFilters.provider,
  service: several,
  sort_by: z
    .enum(['-start_date', '-impact', '-impact_percent', '-severity'])
    .optional()
    .describe('Default -start_date: newest first'),
  ...pageInput,
});

const nothing = 'No matching anomaly: use fewer filters or a longer period; list_accounts shows which days have data';

/** Unusual costs, one by one. */
export const listAnomalies = defineTool({
  name: 'list_anomalies',
  title: 'List cost anomalies',
  description:
    'Days on which a service cost more than expected (spikes, steps, leaks, new services). For an explanation ' +
    'use get_anomaly; for ordinary changes between months get_cost_trend.',
  effect: 'read',
  input,
  output: z.object({
    as_of: asOf,
    start_date: z.string().nullable(),
    end_date: z.string().nullable(),
    data: z.array(anomaly),
    pagination,
    truncated: z.boolean().optional(),
    hint,
  }),
  async run({ api, now }, { period, start_date: start, end_date: end, ...filters }) {
    const isAsked = [period, start, end].some((given) => given !== undefined);
    const days = isAsked ? daysOf({ period, start_date: start, end_date: end }, now) : null;
    const query = { sort_by: '-start_date', ...filters, ...days };
    const { data, pagination: page } = await api.get('/anomalies', query, pageOf(anomaly));
    return {
      as_of: now.toISOString(),
      ...(days ?? { start_date: null, end_date: null }),
      ...fit((limits) => ({ data: data.map((each) => trimRow(each, limits)) })),
      pagination: page,
      ...emptyHint(page, data, nothing),
    };
  },
});
