import { z } from 'zod';
import { defineTask } from '../../jobs/task.ts';
import { orgScope } from '../../tenancy/auth/scope.ts';
import { evaluateTags } from './evaluate.ts';

/** Judges an account's resources anew, after a policy has changed. */
export const evaluateTagsTask = defineTask({
  name: 'evaluate_tags',
  input: z.object({ organizationId: z.string(), accountId: z.string() }),
  run: (deps, { organizationId, accountId }) => evaluateTags(deps, orgScope(organizationId, null), accountId, false),
});
