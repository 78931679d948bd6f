import { defineTask } from '../../jobs/task.ts';
import { checkBudgets } from './check.ts';

/** Holds an organization's budgets against what is spent: after each evaluation, and when exchange rates change. */
export const checkBudgetsTask = defineTask('check_budgets', (deps, { organizationId }) =>
  checkBudgets(deps, organizationId),
);
