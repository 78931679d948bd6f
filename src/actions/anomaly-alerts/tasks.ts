import { z } from 'zod';
import { defineTask } from '../../jobs/task.ts';
import { orgScope } from '../../tenancy/auth/scope.ts';
import { tellAnomaly } from './tell.ts';

/** Tells who wants to know of an anomaly that was just found (`analysis/anomalies` queues it, by name). */
export const tellAnomalyTask = defineTask({
  name: 'tell_anomaly',
  input: z.object({ organizationId: z.string(), anomalyId: z.string() }),
  run: (deps, { organizationId, anomalyId }) => tellAnomaly(deps, orgScope(organizationId, null), anomalyId),
});
