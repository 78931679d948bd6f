import { z } from 'zod';
import { defineTask } from '../../jobs/task.ts';
import { orgScope } from '../../tenancy/auth/scope.ts';
import { notifyOfAnomaly } from './notify.ts';

/** Tells who wants to know of an anomaly that was just found (`analysis/anomalies` queues it, by name). */
export const notifyOfAnomalyTask = defineTask({
  name: 'tell_anomaly',
  input: z.object({ organizationId: z.string(), anomalyId: z.string() }),
  run: (deps, { organizationId, anomalyId }) => notifyOfAnomaly(deps, orgScope(organizationId, null), anomalyId),
});
