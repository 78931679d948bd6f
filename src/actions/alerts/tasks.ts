import { z } from 'zod';
import { defineTask } from '../../jobs/task.ts';
import { parseAmount } from '../../kit/money.ts';
import { parseMonth } from '../../kit/period.ts';
import { checkAlertRules } from './check.ts';
import { notifyOfBudgetAlert } from './notify-of-budget-alert.ts';

/** Holds an organization's alert rules against the last complete days: after each evaluation, when a rule is made or changed,
 *  and when exchange rates change. */
export const checkAlertRulesTask = defineTask({
  name: 'check_alert_rules',
  input: z.object({ organizationId: z.string() }),
  run: (deps, { organizationId }) => checkAlertRules(deps, organizationId),
});

/** Tells that a budget has reached a threshold, which `analysis/budgets` found. */
export const notifyOfBudgetAlertTask = defineTask({
  name: 'tell_budget_alert',
  input: z.object({ organizationId: z.string(), budgetId: z.string(), month: z.string(), threshold: z.string() }),
  async run(deps, { month: text, threshold, ...ids }) {
    const month = parseMonth(text);
    if (month === null) throw new Error(`Not a month: ${text}`);
    await notifyOfBudgetAlert(deps, { ...ids, month, threshold: parseAmount(threshold) });
  },
});
