import type { Deps } from '../../kit/deps.ts';
import { eachConcurrently } from '../../kit/process/limiter.ts';
import { dayOf, instantOf, monthOf } from '../../kit/time/period.ts';
import { orgScope } from '../../tenancy/auth/scope.ts';
import { alertKey, listAlerts, holdBudget, listBudgets, insertAlerts } from './store.ts';
import { reachedThresholds, type Budget } from './budget.ts';
import { openPeriods, type Period } from './period.ts';
import { atOnce, openBudgets, spendOf, type Opened } from './spend.ts';
import type { Db } from '../../kit/db.ts';
import { amountText, type Amount } from '../../kit/money.ts';

type CheckDeps = Pick<Deps, 'db' | 'pool' | 'clock' | 'queue' | 'engine'>;

/** Checks all budgets of an organization against their spend, and announces thresholds reached for the first time in their
 *  period. Idempotent, even when run concurrently; a spend that falls and rises again is not announced again.
 *  @throws the first error of a budget, after all others were checked */
export async function checkBudgets(deps: CheckDeps, organizationId: string): Promise<void> {
  const rows = await listBudgets(deps.db, orgScope(organizationId, null));
  if (rows.length === 0) return;
  const today = dayOf(deps.clock.now());
  const due = (await openBudgets(deps, organizationId, rows)).flatMap((one) =>
    openPeriods(one.budget.period, today)
      .filter((period) => today < period.end || isFrom(period, one.budget.updatedAt))
      .map((period) => ({ ...one, period })),
  );
  const known = await listAlerts(deps.db, due);
  await eachConcurrently(due, atOnce, async (one) => {
    const { budget, period } = one;
    const spend = (await spendOf(deps, one, period, today)).amount;
    const isNew = (threshold: Amount) => !known.has(alertKey(budget.id, period, threshold));
    if (reachedThresholds(budget, spend).some(isNew)) await announce(deps, budget, { period, spend });
  });
}

/** Returns whether a budget was last changed by the end of a period: a past period is checked against the budget as it was
 *  then. */
function isFrom({ end }: Period, updatedAt: Date): boolean {
  return updatedAt < instantOf(end);
}

/** Announces reached thresholds, unless the budget has changed since it was read: the next check uses the new budget. */
async function announce(deps: CheckDeps, budget: Opened['budget'], reading: Reading): Promise<void> {
  await deps.db.$transaction(async (db) => {
    if (!(await holdBudget(db, budget))) return;
    await recordReached(db, deps, budget, { ...reading, notify: 'each' });
  });
}

/** The spend in a period at the time of reading. */
export interface Reading {
  readonly period: Period;
  /** In the budget's currency. */
  readonly spend: Amount;
}

/** Records the thresholds that a spend reaches, each once per period, and queues notifications for the new ones, in the
 *  caller's transaction, so that a threshold is announced if and only if it is recorded.
 *  @param notify `each`: every new threshold. `highest`: only the highest, for thresholds already reached when the budget
 *    was created or changed */
export async function recordReached(
  db: Db,
  deps: Pick<Deps, 'queue' | 'clock'>,
  budget: Budget,
  { period, spend, notify }: Reading & { notify: 'each' | 'highest' },
): Promise<void> {
  const reached = reachedThresholds(budget, spend);
  const highest = reached.at(-1);
  const made = await insertAlerts(
    db,
    reached.map((threshold) => ({
      budgetId: budget.id,
      period,
      threshold,
      spend,
      triggeredAt: deps.clock.now(),
      isSilent: notify === 'highest' && threshold !== highest,
    })),
  );
  for (const { threshold, isSilent } of made)
    if (!isSilent) await queueNotification(db, deps, budget, { period, threshold });
}

/** Queues a notification. Recipients and channels are up to `actions/alerts`. */
async function queueNotification(
  db: Db,
  { queue }: Pick<Deps, 'queue'>,
  { id: budgetId, organizationId }: Budget,
  { period, threshold }: { period: Period; threshold: Amount },
): Promise<void> {
  const payload = {
    organizationId,
    budgetId,
    period: period.kind,
    month: monthOf(period.start),
    threshold: amountText(threshold),
  };
  await queue.add('tell_budget_alert', payload, { within: db });
}
