import { z } from 'zod';
import { apiPath } from '../../api/api.ts';
import { asOf } from '../../output.ts';
import { BadArguments } from '../../bad-arguments.ts';
import { defineTool } from '../tool.ts';
import { anomaly, anomalyId, anomalyStatus } from './anomaly.ts';

const standing = anomaly
  .pick({ id: true, service: true, start_date: true, end_date: true, status: true, status_reason: true })
  .extend({ status_changed_at: z.string().nullable() });

/** Says how an anomaly stands. */
export const updateAnomaly = defineTool({
  name: 'update_anomaly',
  title: 'Update an anomaly',
  description:
    'Acknowledges, resolves or reopens a cost anomaly, or sets the reason. Changes only its status in Costkeep, nothing in the cloud.',
  effect: 'update',
  input: z.strictObject({
    anomaly_id: anomalyId,
    status: anomalyStatus.optional(),
    reason: z.string().max(500).optional().describe('Reason of the status; empty removes it'),
  }),
  output: z.object({ as_of: asOf, ...standing.shape }),
  async run({ api, now }, { anomaly_id: id, status, reason }) {
    if (status === undefined && reason === undefined) throw new BadArguments('Nothing to change: set status or reason');
    return {
      as_of: now.toISOString(),
      ...(await api.send('PATCH', apiPath`/anomalies/${id}`, { status, status_reason: reason }, standing)),
    };
  },
});
