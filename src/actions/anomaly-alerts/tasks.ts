import { defineTask } from '../../jobs/task.ts';
import { orgScope } from '../../tenancy/auth/scope.ts';
import { notifyOfAnomaly } from './notify.ts';

/** Tells who wants to know of an anomaly that was just found (`analysis/anomalies` queues it, by name). */
export const notifyOfAnomalyTask = defineTask('tell_anomaly', (deps, { organizationId, anomalyId }) =>
  notifyOfAnomaly(deps, orgScope(organizationId, null), anomalyId),
);
