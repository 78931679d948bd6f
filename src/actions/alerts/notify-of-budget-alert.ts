import { readAlertedBudget, type AlertedBudget } from '../../analysis/budgets/alerted.ts';
import type { Deps } from '../../kit/deps.ts';
import type { Amount } from '../../kit/money.ts';
import type { Month } from '../../kit/period.ts';
import { announce } from '../notifications/announce.ts';
import { budgetAnnouncement } from './budget-announcement.ts';
import { findAccountName } from './store.ts';

/** A threshold of a budget that was reached in a month. */
export interface ReachedThreshold {
  readonly organizationId: string;
  readonly budgetId: string;
  readonly month: Month;
  /** In percent. */
  readonly threshold: Amount;
}

/** Tells who is to know of it that a budget has reached a threshold: once, however often it is called. Nobody, when the budget
 *  is gone, or its owner. */
export async function notifyOfBudgetAlert(
  deps: Pick<Deps, 'db' | 'pool' | 'clock' | 'queue' | 'engine'>,
  reached: ReachedThreshold,
): Promise<void> {
  const { organizationId } = reached;
  const alerted = await readAlertedBudget(deps, reached);
  if (alerted === null) return;
  const { budget } = alerted;
  const { accountId } = budget;
  const account = accountId === null ? null : await findAccountName(deps.db, organizationId, accountId);
  const announcement = budgetAnnouncement(alerted, account);
  const recipients = recipientsOf(alerted);
  await deps.db.$transaction((db) => announce(db, deps, organizationId, { announcement, recipients }));
}

function recipientsOf({ budget, scope }: AlertedBudget) {
  return {
    owner: budget.createdById,
    addresses: budget.emails,
    slackOf: budget.slack ? budget.createdById : null,
    about: { accountIds: budget.accountId === null ? scope.accountIds : [budget.accountId] },
  };
}
