import type { Deps } from '../../kit/deps.ts';
import { mapConcurrently } from '../../kit/limiter.ts';
import { addDays, addMonths, dayOf, firstDay, instantOf, monthOf, type Day, type Month } from '../../kit/period.ts';
import { orgScope } from '../../tenancy/auth/scope.ts';
import { listAlerts } from './alert-store.ts';
import { reachedThresholds } from './budget.ts';
import { recordReached, type Reading } from './record.ts';
import { atOnce, elapsed, openBudgets, spendOfAll, type Opened } from './spend.ts';
import { holdBudget, listBudgets } from './store.ts';

type CheckDeps = Pick<Deps, 'db' | 'pool' | 'clock' | 'queue' | 'engine'>;

/** So many days of a month the one before is looked at too: its last days are billed then. */
const lateDays = 7;

/** Holds every budget of an organization against what is spent of it, and has the thresholds told that are reached for the
 *  first time in their month. Doing it twice, or twice at once, tells nothing twice; a spend that falls and rises again tells
 *  nothing again. */
export async function checkBudgets(deps: CheckDeps, organizationId: string): Promise<void> {
  const any = { accountIds: null, providers: null, services: null, sort: null };
  const rows = await listBudgets(deps.db, orgScope(organizationId, null), any);
  if (rows.length === 0) return;
  const today = dayOf(deps.clock.now());
  const opened = await openBudgets(deps, organizationId, rows);
  for (const month of monthsToCheck(today)) {
    const judged = opened.filter(({ budget }) => month === monthOf(today) || isFrom(month, budget.updatedAt));
    await checkMonth(deps, judged, { month, today });
  }
}

/** The running month; in its first days the one before as well, which comes first. */
function monthsToCheck(today: Day): Month[] {
  const month = monthOf(today);
  return addDays(firstDay(month), lateDays) > today ? [addMonths(month, -1), month] : [month];
}

/** A month that has ended is judged by what the budget said then. */
function isFrom(month: Month, updatedAt: Date): boolean {
  return updatedAt < instantOf(firstDay(addMonths(month, 1)));
}

async function checkMonth(
  deps: CheckDeps,
  opened: readonly Opened[],
  { month, today }: { month: Month; today: Day },
): Promise<void> {
  const budgets = opened.map(({ budget }) => budget);
  const known = new Set((await listAlerts(deps.db, budgets, [month])).map(keyOf));
  const spends = await spendOfAll(deps, opened, elapsed(month, today));
  const news = opened.flatMap((one) => {
    const spend = spends.get(one.budget.id)?.amount ?? 0n;
    const reached = reachedThresholds(one.budget, spend);
    const isNew = reached.some((threshold) => !known.has(keyOf({ budgetId: one.budget.id, threshold })));
    return isNew ? [{ ...one, spend }] : [];
  });
  await mapConcurrently(news, atOnce, ({ budget, spend }) => tell(deps, budget, { month, spend }));
}

function keyOf({ budgetId, threshold }: { budgetId: string; threshold: bigint }): string {
  return `${budgetId} ${threshold}`;
}

/** What was read of a budget that has changed since says nothing: the change looks at it itself. */
async function tell(deps: CheckDeps, budget: Opened['budget'], reading: Reading): Promise<void> {
  await deps.db.$transaction(async (db) => {
    if (!(await holdBudget(db, budget))) return;
    await recordReached(db, deps, budget, { ...reading, notify: 'each' });
  });
}
