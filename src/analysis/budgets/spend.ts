import { exactSpendOf, type ExactRequest, type ExactSpend } from '../../facts/costs/exact.ts';
import { openLedger, type CostLedger } from '../../facts/costs/history.ts';
import type { Deps } from '../../kit/deps.ts';
import { mapConcurrently } from '../../kit/limiter.ts';
import { addDays, addMonths, firstDay, type Day, type DayRange, type Month } from '../../kit/period.ts';
import { ownerScopes } from '../../tenancy/auth/owner-scope.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import type { Budget } from './budget.ts';

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
export function questionOf(budget: Budget): Omit<ExactRequest, 'range'> {
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
