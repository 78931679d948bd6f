import { z } from 'zod';
import { defineTask } from '../../jobs/task.ts';
import { orgScope } from '../../tenancy/auth/scope.ts';
import { evaluateAccount, queueEvaluations } from './run.ts';

/** Evaluates one account: after a sync that loaded something, and once a day. */
export const evaluateTask = defineTask({
  name: 'evaluate',
  input: z.object({ organizationId: z.string(), accountId: z.string() }),
  run: (deps, { organizationId, accountId }) => evaluateAccount(deps, orgScope(organizationId, null), accountId),
});

/** Queues the evaluation of every account, and the checks of every organization. */
export const evaluateAllTask = defineTask({
  name: 'evaluate_all',
  input: z.object({}).loose(),
  run: (deps) => queueEvaluations(deps),
});
