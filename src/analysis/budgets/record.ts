import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import { amountText, type Amount } from '../../kit/money.ts';
import type { Month } from '../../kit/period.ts';
import { insertAlerts } from './alert-store.ts';
import { reachedThresholds, type Budget } from './budget.ts';

/** What had been spent in a month when it was looked at. */
export interface Reading {
  readonly month: Month;
  /** In the budget's currency. */
  readonly spend: Amount;
}

/** Writes down which thresholds a spend reaches, each once a month, and has those told that were not written down before:
 *  in the caller's transaction, so that a threshold is told if, and only if, it is written down.
 *  @param notify `each`: every threshold that is new. `highest`: of those that had passed when the budget was made, or was
 *  changed, the highest alone */
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

/** Who is told, and how, is `actions/alerts`' to know. */
async function queueNotification(
  db: Db,
  { queue }: Pick<Deps, 'queue'>,
  { id: budgetId, organizationId }: Budget,
  { month, threshold }: { month: Month; threshold: Amount },
): Promise<void> {
  const payload = { organizationId, budgetId, month, threshold: amountText(threshold) };
  await queue.add('tell_budget_alert', payload, { within: db });
}
