import { costsByService } from '../../facts/costs/run.ts';
import type { Deps } from '../../kit/deps.ts';
import type { Amount } from '../../kit/money.ts';
import { addDays, dayOf, monthOf, type Month } from '../../kit/period.ts';
import { orgScope, type OrgScope } from '../../tenancy/auth/scope.ts';
import { listAlerts, type BudgetAlert } from './alert-store.ts';
import type { Budget } from './budget.ts';
import { forecastOf } from './forecast.ts';
import { elapsed, openBudgets } from './spend.ts';
import { findBudget } from './store.ts';

/** What is told of a threshold that was reached. */
export interface AlertedBudget {
  readonly budget: Budget;
  /** What its owner may see. */
  readonly scope: OrgScope;
  readonly alert: BudgetAlert;
  /** What will have been spent by the end of the month, in the budget's currency; null where nothing can be forecast, or the
   *  month is over. */
  readonly forecast: number | null;
  /** The services that cost most, in the budget's currency; empty where costs are answered in another one. */
  readonly services: readonly { service: string; cost: number }[];
}

const servicesAtMost = 5;

/** Reads what is told of a threshold that a budget reached in a month.
 *  @returns null when the budget, its alert or its owner is gone */
export async function readAlertedBudget(
  deps: Pick<Deps, 'db' | 'pool' | 'clock' | 'engine'>,
  reached: { organizationId: string; budgetId: string; month: Month; threshold: Amount },
): Promise<AlertedBudget | null> {
  const { organizationId, budgetId, month, threshold } = reached;
  const budget = await findBudget(deps.db, orgScope(organizationId, null), budgetId);
  if (!budget) return null;
  const alert = (await listAlerts(deps.db, [budget], [month])).find((one) => one.threshold === threshold);
  const [opened] = await openBudgets(deps, organizationId, [budget]);
  if (!alert || !opened) return null;
  const today = dayOf(deps.clock.now());
  const forecast = month === monthOf(today) ? await forecastOf(deps, opened, today, 'job') : null;
  return { budget, scope: opened.scope, alert, forecast, services: await largestServices(deps, opened, month) };
}

async function largestServices(
  deps: Pick<Deps, 'pool' | 'clock' | 'engine'>,
  { budget, scope }: { budget: Budget; scope: OrgScope },
  month: Month,
): Promise<AlertedBudget['services']> {
  const { accountId, provider, service, costMetric, currency } = budget;
  if (service !== null) return [];
  const { start, end } = elapsed(month, dayOf(deps.clock.now()));
  const answer = await costsByService(deps, scope, {
    startDate: start,
    endDate: addDays(end, -1),
    costMetric,
    accountId: accountId === null ? null : [accountId],
    provider: provider === null ? null : [provider],
  });
  if (answer.currency !== currency) return [];
  const positive = answer.groups.filter(({ cost }) => cost > 0);
  return positive.slice(0, servicesAtMost).map((group) => ({ service: group.service, cost: group.cost }));
}
