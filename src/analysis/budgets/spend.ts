import { exactSpendOf, type ExactRequest, type ExactSpend } from '../../facts/costs/history/exact.ts';
import { readLedger, type Ledger } from '../../facts/costs/ledger.ts';
import type { Deps } from '../../kit/deps.ts';
import { mapConcurrently } from '../../kit/process/limiter.ts';
import {
  addDays,
  addMonths,
  firstDay,
  dayOf,
  monthOf,
  type Day,
  type DayRange,
  type Month,
} from '../../kit/time/period.ts';
import { ownerScopes, type Owned } from '../../tenancy/auth/owner-scope.ts';
import { orgScope, type OrgScope } from '../../tenancy/auth/scope.ts';
import type { Budget } from './budget.ts';
import type { Lane } from '../../kit/process/threads.ts';
import { forecastMonthOf } from '../forecast/run.ts';
import { costsByService } from '../../facts/costs/run.ts';
import type { Amount } from '../../kit/money.ts';
import { askAbout } from './target.ts';
import { budgetOf, budgets, listAlerts, type BudgetAlert } from './store.ts';

/** Maximum number of concurrent database queries. */
export const atOnce = 4;

/** A record with its owner's current scope and the ledger of that scope. */
export interface InOwnScope<Record extends Owned> {
  readonly record: Record;
  readonly scope: OrgScope;
  readonly ledger: Ledger;
}

/** Loads the ledgers of records in their owners' scopes. Omits records whose owner is no longer a member. */
export async function openOwned<Record extends Owned>(
  deps: Pick<Deps, 'db' | 'pool' | 'engine'>,
  organizationId: string,
  records: readonly Record[],
): Promise<InOwnScope<Record>[]> {
  const ledgers = new Map<string, Promise<Ledger>>();
  const opened: InOwnScope<Record>[] = [];
  for (const [record, scope] of await ownerScopes(deps.db, organizationId, records)) {
    const key = JSON.stringify(scope.accountIds);
    const pending = ledgers.get(key) ?? readLedger(deps.pool, scope);
    ledgers.set(key, pending);
    opened.push({ record, scope, ledger: await pending });
  }
  return opened;
}

/** A budget with its owner's current scope and the ledger of that scope. */
export type Opened = Omit<InOwnScope<Budget>, 'record'> & { readonly budget: Budget };

/** Loads the ledgers of budgets in their owners' scopes. Omits budgets whose owner is no longer a member. */
export async function openBudgets(
  deps: Pick<Deps, 'db' | 'pool' | 'engine'>,
  organizationId: string,
  all: readonly Budget[],
): Promise<Opened[]> {
  const opened = await openOwned(deps, organizationId, all);
  return opened.map(({ record: budget, ...rest }) => ({ budget, ...rest }));
}

/** Returns the days of a month up to today. */
export function elapsed(month: Month, today: Day): DayRange {
  const [start, next, tomorrow] = [firstDay(month), firstDay(addMonths(month, 1)), addDays(today, 1)];
  return { start, end: next < tomorrow ? next : tomorrow };
}

/** Returns the exact spend on a budget's target, in the budget's currency. */
export function spendOf(
  deps: Pick<Deps, 'pool' | 'engine'>,
  { budget, ledger }: Pick<Opened, 'budget' | 'ledger'>,
  range: DayRange,
): Promise<ExactSpend> {
  return exactSpendOf(deps, ledger, { range, ...questionOf(budget) });
}

/** Returns a budget's target as a cost request. */
function questionOf(budget: Budget): Omit<ExactRequest, 'range'> {
  const { currency, costMetric } = budget;
  return { currency, costMetric, ...askAbout(budget) };
}

/** Same for many budgets. */
export async function spendOfAll(
  deps: Pick<Deps, 'pool' | 'engine'>,
  opened: readonly Opened[],
  range: DayRange,
): Promise<Map<string, ExactSpend>> {
  const spends = await mapConcurrently(opened, atOnce, (one) => spendOf(deps, one, range));
  return new Map(spends.map((spend, index) => [opened[index]?.budget.id ?? '', spend]));
}

/** Forecasts the spend on a budget's target at the end of the current month, in the budget's currency, rounded to 6
 *  decimals. Null without a basis for a forecast.
 *  @param lane priority of the computation */
export async function forecastOf(
  deps: Pick<Deps, 'pool' | 'engine'>,
  { budget, ledger }: Pick<Opened, 'budget' | 'ledger'>,
  today: Day,
  lane: Lane = 'request',
): Promise<number | null> {
  return (await forecastMonthOf(deps, ledger, { ...questionOf(budget), today, lane })).forecast;
}

/** Data for the announcement of a reached threshold. */
export interface AlertedBudget {
  readonly budget: Budget;
  /** The owner's scope. */
  readonly scope: OrgScope;
  readonly alert: BudgetAlert;
  /** Forecast spend by the end of the month, in the budget's currency; null without a forecast, or if the month is over. */
  readonly forecast: number | null;
  /** The services with the highest cost, in the budget's currency; empty if costs are in another one. */
  readonly services: readonly { service: string; cost: number }[];
}

const servicesAtMost = 5;

/** Reads the data for announcing a threshold that a budget reached in a month.
 *  @returns null if the budget, its alert or its owner is gone */
export async function readAlertedBudget(
  deps: Pick<Deps, 'db' | 'pool' | 'clock' | 'engine'>,
  reached: { organizationId: string; budgetId: string; month: Month; threshold: Amount },
): Promise<AlertedBudget | null> {
  const { organizationId, budgetId, month, threshold } = reached;
  const [row] = await budgets.select(deps.db, orgScope(organizationId, null), [budgetId], {});
  if (!row) return null;
  const budget = budgetOf(row);
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
