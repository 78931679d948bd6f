import { defineTask } from '../../jobs/task.ts';
import { AppError, message } from '../../kit/errors/errors.ts';
import { orgScope } from '../../tenancy/auth/scope.ts';
import { explainAnomaly } from './explanation/explain.ts';

/** Has the configured model explain an anomaly. Retried if the model fails to answer, but not if its answer is rejected. */
export const explainAnomalyTask = defineTask(
  'explain_anomaly',
  async (deps, { organizationId, anomalyId }, { signal, attempt, maxAttempts }) => {
    const outcome = await explainAnomaly(deps, orgScope(organizationId, null), anomalyId, signal);
    if (outcome === 'failed' && attempt < maxAttempts)
      throw new AppError(
        'SERVICE_UNAVAILABLE',
        message`The model did not answer; using a composed explanation until it does`,
      );
  },
);
