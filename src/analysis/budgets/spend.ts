import { exactSpendOf, type ExactRequest, type ExactSpend } from '../../facts/costs/exact.ts';
import { openLedger, type CostLedger } from '../../facts/costs/history.ts';
import type { Deps } from '../../kit/deps.ts';
import { mapConcurrently } from '../../kit/limiter.ts';
import { addDays, addMonths, firstDay, dayOf, monthOf, type Day, type DayRange, type Month } from '../../kit/period.ts';
import { ownerScopes } from '../../tenancy/auth/owner-scope.ts';
import { orgScope, type OrgScope } from '../../tenancy/auth/scope.ts';
import type { Budget } from './budget.ts';
import type { Lane } from '../../kit/threads.ts';
import { forecastMonthOf } from '../forecast/run.ts';
import { costsByService } from '../../facts/costs/run.ts';
import type { Amount } from '../../kit/money.ts';
import { listAlerts, findBudget, type BudgetAlert } from './store.ts';

/** Questions that are asked of the database at a time. */
export const atOnce = 4;

/** A budget with the scope that its owner has now, and what that scope's costs are made of. */
export interface Opened {
  readonly budget: Budget;
  readonly scope: OrgScope;
  readonly ledger: CostLedger;
}

/** Opens the books of budgets in the scopes of their owners. Left out are those whose owner is no member any more. */
export async function openBudgets(
  deps: Pick<Deps, 'db' | 'pool' | 'engine'>,
  organizationId: string,
  budgets: readonly Budget[],
): Promise<Opened[]> {
  const scopes = await ownerScopes(deps.db, organizationId, budgets);
  const ledgers = new Map<string, Promise<CostLedger>>();
  const opened: Opened[] = [];
  for (const [budget, scope] of scopes) {
    const key = JSON.stringify(scope.accountIds);
    const pending = ledgers.get(key) ?? openLedger(deps, scope);
    ledgers.set(key, pending);
    opened.push({ budget, scope, ledger: await pending });
  }
  return opened;
}

/** The days of a month up to today. */
export function elapsed(month: Month, today: Day): DayRange {
  const [start, next, tomorrow] = [firstDay(month), firstDay(addMonths(month, 1)), addDays(today, 1)];
  return { start, end: next < tomorrow ? next : tomorrow };
}

/** What was spent on what a budget is about, in its currency, exactly. */
export function spendOf(
  deps: Pick<Deps, 'pool' | 'engine'>,
  { budget, ledger }: Pick<Opened, 'budget' | 'ledger'>,
  range: DayRange,
): Promise<ExactSpend> {
  return exactSpendOf(deps, ledger, { range, ...questionOf(budget) });
}

/** What a budget is about, as a question about costs. */
function questionOf(budget: Budget): Omit<ExactRequest, 'range'> {
  const { currency, costMetric, accountId, provider, service } = budget;
  return {
    currency,
    costMetric,
    accountIds: accountId === null ? null : [accountId],
    providers: provider === null ? null : [provider],
    services: service === null ? null : [service],
  };
}

/** The same of many budgets. */
export async function spendOfAll(
  deps: Pick<Deps, 'pool' | 'engine'>,
  opened: readonly Opened[],
  range: DayRange,
): Promise<Map<string, ExactSpend>> {
  const spends = await mapConcurrently(opened, atOnce, (one) => spendOf(deps, one, range));
  return new Map(spends.map((spend, index) => [opened[index]?.budget.id ?? '', spend]));
}

/** What will have been spent on what a budget is about when the running month is over, in the budget's currency, rounded to 6
 *  decimals. Null where there is nothing to forecast it from.
 *  @param lane who waits for it */
export async function forecastOf(
  deps: Pick<Deps, 'pool' | 'engine'>,
  { budget, ledger }: Pick<Opened, 'budget' | 'ledger'>,
  today: Day,
  lane: Lane = 'request',
): Promise<number | null> {
  return (await forecastMonthOf(deps, ledger, { ...questionOf(budget), today, lane })).forecast;
}

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
