import { defineTask } from '../../jobs/task.ts';
import { orgScope } from '../../tenancy/auth/scope.ts';
import { evaluateTags } from './evaluation/evaluate.ts';

/** Judges an account's resources anew, after a policy has changed. */
export const evaluateTagsTask = defineTask('evaluate_tags', (deps, { organizationId, accountId }) =>
  evaluateTags(deps, orgScope(organizationId, null), accountId, false),
);
