import { defineTask } from '../../jobs/task.ts';
import { parseAmount } from '../../kit/money.ts';
import { parseMonth } from '../../kit/period.ts';
import { checkAlertRules } from './check.ts';
import { notifyOfBudgetAlert } from './notify-of-budget-alert.ts';
import { orgScope } from '../../tenancy/auth/scope.ts';
import { notifyOfAnomaly } from './notify-of-anomaly.ts';

/** Holds an organization's alert rules against the last complete days: after each evaluation, when a rule is made or changed,
 *  and when exchange rates change. */
export const checkAlertRulesTask = defineTask('check_alert_rules', (deps, { organizationId }) =>
  checkAlertRules(deps, organizationId),
);

/** Tells that a budget has reached a threshold, which `analysis/budgets` found. */
export const notifyOfBudgetAlertTask = defineTask(
  'tell_budget_alert',
  async (deps, { month: text, threshold, ...ids }) => {
    const month = parseMonth(text);
    if (month === null) throw new Error(`Not a month: ${text}`);
    await notifyOfBudgetAlert(deps, { ...ids, month, threshold: parseAmount(threshold) });
  },
);

/** Tells who wants to know of an anomaly that was just found (`analysis/anomalies` queues it, by name). */
export const notifyOfAnomalyTask = defineTask('tell_anomaly', (deps, { organizationId, anomalyId }) =>
  notifyOfAnomaly(deps, orgScope(organizationId, null), anomalyId),
);
