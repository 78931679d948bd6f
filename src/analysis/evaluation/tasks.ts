import { z } from 'zod';
import { queueChecks } from '../../jobs/evaluation.ts';
import { defineTask } from '../../jobs/task.ts';
import { orgScope } from '../../tenancy/auth/scope.ts';
import { evaluateAccount, queueEvaluations } from './run.ts';

/** Evaluates one account: after a sync that loaded something, and once a day. Then the organization's budgets and alert rules
 *  are held against what is known now. */
export const evaluateTask = defineTask({
  name: 'evaluate',
  input: z.object({ organizationId: z.string(), accountId: z.string() }),
  async run(deps, { organizationId, accountId }) {
    await evaluateAccount(deps, orgScope(organizationId, null), accountId);
    await queueChecks(deps, organizationId);
  },
});

/** Queues the evaluation of every account. */
export const evaluateAllTask = defineTask({
  name: 'evaluate_all',
  input: z.object({}).loose(),
  run: (deps) => queueEvaluations(deps),
});
