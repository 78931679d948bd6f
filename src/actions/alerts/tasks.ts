import { defineTask } from '../../jobs/task.ts';
import { parseAmount } from '../../kit/money.ts';
import { parseMonth } from '../../kit/time/period.ts';
import { checkAlertRules } from './check.ts';
import { notifyOfBudgetAlert } from './notify-of-budget-alert.ts';
import { orgScope } from '../../tenancy/auth/scope.ts';
import { notifyOfAnomaly } from './notify-of-anomaly.ts';

/** Evaluates an organization's alert rules for the last complete days: after each evaluation, when a rule is created or
 *  changed, and when exchange rates change. */
export const checkAlertRulesTask = defineTask('check_alert_rules', (deps, { organizationId }) =>
  checkAlertRules(deps, organizationId),
);

/** Announces that a budget has reached a threshold; queued by `analysis/budgets`. */
export const notifyOfBudgetAlertTask = defineTask(
  'tell_budget_alert',
  async (deps, { month: text, threshold, ...ids }) => {
    const month = parseMonth(text);
    if (month === null) throw new Error(`Not a month: ${text}`);
    await notifyOfBudgetAlert(deps, { ...ids, month, threshold: parseAmount(threshold) });
  },
);

/** Notifies members of a new anomaly; queued by name from `analysis/anomalies`. */
export const notifyOfAnomalyTask = defineTask('tell_anomaly', (deps, { organizationId, anomalyId }) =>
  notifyOfAnomaly(deps, orgScope(organizationId, null), anomalyId),
);
