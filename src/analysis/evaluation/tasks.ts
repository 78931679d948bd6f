import { defineTask } from '../../jobs/task.ts';
import { orgScope } from '../../tenancy/auth/scope.ts';
import { evaluateAccount, queueEvaluations } from './run.ts';

/** Evaluates one account: after each sync that loaded data, and once a day. */
export const evaluateTask = defineTask('evaluate', (deps, { organizationId, accountId }) =>
  evaluateAccount(deps, orgScope(organizationId, null), accountId),
);

/** Queues the evaluation of every account, and the checks of every organization. */
export const evaluateAllTask = defineTask('evaluate_all', (deps) => queueEvaluations(deps));
