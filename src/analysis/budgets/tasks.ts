import { defineTask } from '../../jobs/task.ts';
import { checkBudgets } from './check.ts';

/** Checks an organization's budgets: after each evaluation, and when exchange rates change. */
export const checkBudgetsTask = defineTask('check_budgets', (deps, { organizationId }) =>
  checkBudgets(deps, organizationId),
);
