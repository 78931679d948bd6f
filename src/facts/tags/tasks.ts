import { defineTask } from '../../jobs/task.ts';
import { orgScope } from '../../tenancy/auth/scope.ts';
import { evaluateTags } from './evaluation/evaluate.ts';

/** Re-evaluates an account's resources after a policy change. */
export const evaluateTagsTask = defineTask('evaluate_tags', (deps, { organizationId, accountId }) =>
  evaluateTags(deps, orgScope(organizationId, null), accountId, false),
);
