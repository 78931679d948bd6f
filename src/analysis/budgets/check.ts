import type { Deps } from '../../kit/deps.ts';
import { mapConcurrently } from '../../kit/process/limiter.ts';
import {
  addDays,
  addMonths,
  dayOf,
  firstDay,
  instantOf,
  monthOf,
  type Day,
  type Month,
} from '../../kit/time/period.ts';
import { orgScope } from '../../tenancy/auth/scope.ts';
import { listAlerts, holdBudget, listBudgets, insertAlerts } from './store.ts';
import { reachedThresholds, type Budget } from './budget.ts';
import { atOnce, elapsed, openBudgets, spendOfAll, type Opened } from './spend.ts';
import type { Db } from '../../kit/db.ts';
import { amountText, type Amount } from '../../kit/money.ts';

type CheckDeps = Pick<Deps, 'db' | 'pool' | 'clock' | 'queue' | 'engine'>;

/** First days of a month during which the previous month is checked too, because its last days are still being billed. */
const lateDays = 7;

/** Checks all budgets of an organization against their spend, and announces thresholds reached for the first time in their
 *  month. Idempotent, also when run concurrently; a spend that falls and rises again is not announced again. */
export async function checkBudgets(deps: CheckDeps, organizationId: string): Promise<void> {
  const rows = await listBudgets(deps.db, orgScope(organizationId, null));
  if (rows.length === 0) return;
  const today = dayOf(deps.clock.now());
  const opened = await openBudgets(deps, organizationId, rows);
  for (const month of monthsToCheck(today)) {
    const judged = opened.filter(({ budget }) => month === monthOf(today) || isFrom(month, budget.updatedAt));
    await checkMonth(deps, judged, { month, today });
  }
}

/** Returns the current month; in its first days preceded by the previous one. */
function monthsToCheck(today: Day): Month[] {
  const month = monthOf(today);
  return addDays(firstDay(month), lateDays) > today ? [addMonths(month, -1), month] : [month];
}

/** Returns whether a budget was last changed by the end of a month: a past month is checked against the budget as it was
 *  then. */
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
  await mapConcurrently(news, atOnce, ({ budget, spend }) => announce(deps, budget, { month, spend }));
}

function keyOf({ budgetId, threshold }: { budgetId: string; threshold: bigint }): string {
  return `${budgetId} ${threshold}`;
}

/** Announces reached thresholds, unless the budget has changed since it was read: the change runs its own check. */
async function announce(deps: CheckDeps, budget: Opened['budget'], reading: Reading): Promise<void> {
  await deps.db.$transaction(async (db) => {
    if (!(await holdBudget(db, budget))) return;
    await recordReached(db, deps, budget, { ...reading, notify: 'each' });
  });
}

/** The spend in a month at the time of reading. */
export interface Reading {
  readonly month: Month;
  /** In the budget's currency. */
  readonly spend: Amount;
}

/** Records the thresholds that a spend reaches, each once a month, and queues notifications for the new ones, in the
 *  caller's transaction, so that a threshold is announced if and only if it is recorded.
 *  @param notify `each`: every new threshold. `highest`: only the highest, for thresholds that had already passed when the
 *    budget was created or changed */
export async function recordReached(
  db: Db,
  deps: Pick<Deps, 'queue' | 'clock'>,
  budget: Budget,
  { month, spend, notify }: Reading & { notify: 'each' | 'highest' },
): Promise<void> {
  const reached = reachedThresholds(budget, spend);
  const highest = reached.at(-1);
  const made = await insertAlerts(
    db,
    reached.map((threshold) => ({
      budgetId: budget.id,
      month,
      threshold,
      spend,
      triggeredAt: deps.clock.now(),
      isSilent: notify === 'highest' && threshold !== highest,
    })),
  );
  for (const { threshold, isSilent } of made)
    if (!isSilent) await queueNotification(db, deps, budget, { month, threshold });
}

/** Queues a notification. Recipients and channels are up to `actions/alerts`. */
async function queueNotification(
  db: Db,
  { queue }: Pick<Deps, 'queue'>,
  { id: budgetId, organizationId }: Budget,
  { month, threshold }: { month: Month; threshold: Amount },
): Promise<void> {
  const payload = { organizationId, budgetId, month, threshold: amountText(threshold) };
  await queue.add('tell_budget_alert', payload, { within: db });
}
