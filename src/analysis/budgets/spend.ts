import { exactSpendOf, type ExactRequest, type ExactSpend } from '../../facts/costs/history/exact.ts';
import { readLedger, type Ledger } from '../../facts/costs/ledger.ts';
import type { Deps } from '../../kit/deps.ts';
import { AppError } from '../../kit/errors/errors.ts';
import { mapConcurrently } from '../../kit/process/limiter.ts';
import { addDays, dayOf, type Day, type DayRange } from '../../kit/time/period.ts';
import { ownerScopes, type Owned } from '../../tenancy/auth/owner-scope.ts';
import { orgScope, type OrgScope } from '../../tenancy/auth/scope.ts';
import { reachedThresholds, type Budget } from './budget.ts';
import type { Lane } from '../../kit/process/threads.ts';
import { forecastPeriodOf } from '../forecast/run.ts';
import { costsByService } from '../../facts/costs/run.ts';
import type { Amount } from '../../kit/money.ts';
import { elapsed, periodOn, type Period } from './period.ts';
import { askAbout, costArgsOf } from './target.ts';
import { alertKey, budgetOf, budgets, listAlerts, type BudgetAlert } from './store.ts';

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

/** Returns the exact spend on a budget's target in a period up to today, in the budget's currency. */
export function spendOf(
  deps: Pick<Deps, 'pool' | 'engine'>,
  { budget, ledger }: Pick<Opened, 'budget' | 'ledger'>,
  period: Period,
  today: Day,
): Promise<ExactSpend> {
  return exactSpendOf(deps, ledger, { range: elapsed(period, today), ...questionOf(budget) });
}

/** Returns a budget's target as a cost request. */
function questionOf(budget: Budget): Omit<ExactRequest, 'range'> {
  const { currency, costMetric } = budget;
  return { currency, costMetric, ...askAbout(budget) };
}

/** Returns the spend of many budgets, each in its current period; null if it cannot be read in time: no list depends on an
 *  expensive budget. */
export async function spendOfAll(
  deps: Pick<Deps, 'pool' | 'engine'>,
  opened: readonly Opened[],
  today: Day,
): Promise<Map<string, ExactSpend | null>> {
  const spends = await mapConcurrently(opened, atOnce, (one) =>
    orUnavailable(spendOf(deps, one, periodOn(one.budget.period, today), today)),
  );
  return new Map(spends.map((spend, index) => [opened[index]?.budget.id ?? '', spend]));
}

/** Replaces an error of reading costs, such as a timeout, with null. */
export async function orUnavailable<Read>(read: Promise<Read>): Promise<Read | null> {
  return read.catch((error: unknown) => {
    if (error instanceof AppError) return null;
    throw error;
  });
}

/** Forecasts the spend on a budget's target at the end of its current period, in the budget's currency, rounded to 6
 *  decimals. Null without a basis for a forecast.
 *  @param lane priority of the computation */
export async function forecastOf(
  deps: Pick<Deps, 'pool' | 'engine'>,
  { budget, ledger }: Pick<Opened, 'budget' | 'ledger'>,
  today: Day,
  lane: Lane = 'request',
): Promise<number | null> {
  const { start, end } = periodOn(budget.period, today);
  return (await forecastPeriodOf(deps, ledger, { ...questionOf(budget), range: { start, end }, today, lane })).forecast;
}

/** Data for the announcement of a reached threshold. */
export interface AlertedBudget {
  readonly budget: Budget;
  /** The owner's current scope, which all figures are computed in. */
  readonly scope: OrgScope;
  /** With the current spend. */
  readonly alert: BudgetAlert;
  /** Forecast spend by the end of the period, in the budget's currency; null without a forecast, if it cannot be computed in
   *  time, or if the period is over. */
  readonly forecast: number | null;
  /** Costs without an exchange rate, by currency, which all figures exclude. */
  readonly excluded: ExactSpend['unconverted'];
  /** Missing bills, whose costs all figures exclude, too. */
  readonly missingBills: ExactSpend['missingBills'];
  /** The services with the highest cost, in the budget's currency; empty if the budget covers one service, or if costs are in
   *  another currency or cannot be read in time. */
  readonly services: readonly { service: string; cost: number }[];
}

const servicesAtMost = 5;

/** Reads the data for announcing a threshold that a budget reached in a period.
 *  @returns null if the budget, its alert or its owner is gone, or if the spend is below the threshold by now, such as in a smaller
 *    scope of the owner */
export async function readAlertedBudget(
  deps: Pick<Deps, 'db' | 'pool' | 'clock' | 'engine'>,
  reached: { organizationId: string; budgetId: string; period: Period; threshold: Amount },
): Promise<AlertedBudget | null> {
  const { organizationId, budgetId, period, threshold } = reached;
  const [row] = await budgets.select(deps.db, orgScope(organizationId, null), [budgetId], {});
  if (!row) return null;
  const budget = budgetOf(row);
  const alert = (await listAlerts(deps.db, [{ budget, period }])).get(alertKey(budget.id, period, threshold));
  const [opened] = await openBudgets(deps, organizationId, [budget]);
  if (!alert || !opened) return null;
  const today = dayOf(deps.clock.now());
  const isCurrent = budget.period === period.kind && today < period.end;
  const { amount: spend, unconverted: excluded, missingBills } = await spendOf(deps, opened, period, today);
  if (!reachedThresholds(budget, spend).includes(threshold)) return null;
  const forecast = isCurrent ? await orUnavailable(forecastOf(deps, opened, today, 'job')) : null;
  const services = await orUnavailable(largestServices(deps, opened, elapsed(period, today)));
  const figures = { alert: { ...alert, spend }, forecast, excluded, missingBills, services: services ?? [] };
  return { budget, scope: opened.scope, ...figures };
}

async function largestServices(
  deps: Pick<Deps, 'pool' | 'clock' | 'engine'>,
  { budget, scope }: { budget: Budget; scope: OrgScope },
  { start, end }: DayRange,
): Promise<AlertedBudget['services']> {
  const { costMetric, currency } = budget;
  if (budget.service !== null) return [];
  const answer = await costsByService(deps, scope, {
    startDate: start,
    endDate: addDays(end, -1),
    costMetric,
    ...costArgsOf(budget),
  });
  if (answer.currency !== currency) return [];
  const positive = answer.groups.filter(({ cost }) => cost > 0);
  return positive.slice(0, servicesAtMost).map((group) => ({ service: group.service, cost: group.cost }));
}
