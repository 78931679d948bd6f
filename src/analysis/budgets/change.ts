import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import { invalid, notFound, fix } from '../../kit/errors/errors.ts';
import { newId, requireById } from '../../kit/ids.ts';
import { amountText, microsToNumber, roundAmount } from '../../kit/money.ts';
import { dayOf, monthOf } from '../../kit/time/period.ts';
import type { AuditAction } from '../../tenancy/audit/actions.ts';
import type { Actor } from '../../tenancy/audit/store.ts';
import type { Viewer } from '../../tenancy/auth/scope.ts';
import type { Budget } from './budget.ts';
import type { FigureDeps } from './figures.ts';
import { budgetLimits, parseBudget, parseBudgetChange, type BudgetChange, type BudgetInput } from './input.ts';
import { recordReached, type Reading } from './check.ts';
import { elapsed, openBudgets, spendOf } from './spend.ts';
import {
  countBudgets,
  deleteBudgetRow,
  findBudget,
  insertBudget,
  lockBudget,
  organizationCurrency,
  updateBudgetRow,
} from './store.ts';
import { auditAbout, checkAccount, writeAbout } from '../../tenancy/accounts/about.ts';

type ChangeDeps = FigureDeps & Pick<Deps, 'queue'>;

/** Budget fields that affect which thresholds are reached. */
const judged = ['amount', 'thresholds', 'accountId', 'provider', 'service', 'costMetric'] as const;

/** Creates a budget owned by the caller. Announces the highest of the thresholds that this month's spend has already passed.
 *  @throws {AppError} VALIDATION_ERROR naming the field; FORBIDDEN for all accounts if the caller does not have access to
 *    all */
export async function createBudget(
  deps: ChangeDeps,
  viewer: Viewer,
  actor: Actor,
  input: BudgetInput,
): Promise<Budget> {
  const { scope } = viewer;
  const { currency, ...parsed } = parseBudget(input);
  const owned = { createdById: viewer.userId, inheritedScope: [], isInherited: false };
  const now = deps.clock.now();
  const values = {
    ...parsed,
    ...owned,
    id: newId(now),
    organizationId: scope.organizationId,
    currency: currency ?? (await organizationCurrency(deps.db, scope)),
    createdAt: now,
    updatedAt: now,
  };
  await checkAccount(deps.db, scope, values.accountId, 'budgets');
  const reading = await readNow(deps, values);
  return writeAbout(values.accountId, () =>
    deps.db.$transaction(async (db) => {
      if ((await countBudgets(db, scope)) >= budgetLimits.budgets)
        throw invalid`An organization can have at most ${budgetLimits.budgets} budgets${fix}delete one first`;
      const made = await insertBudget(db, values);
      await recordAct(db, actor, 'budget_created', { states: [made] });
      if (reading) await recordReached(db, deps, made, { ...reading, notify: 'highest' });
      return made;
    }),
  );
}

/** Updates the given fields of a budget. Announces the highest of the thresholds passed because of the change, unless
 *  already announced this month. Setting its accounts removes the filter that was added when a former owner left.
 *  @throws {AppError} VALIDATION_ERROR when nothing is given, or naming the field; BUDGET_NOT_FOUND; FORBIDDEN for all
 *    accounts if the caller does not have access to all */
export async function updateBudget(
  deps: ChangeDeps,
  viewer: Viewer,
  actor: Actor,
  { id, ...change }: BudgetChange & { readonly id: string },
): Promise<Budget> {
  const { scope } = viewer;
  const changes = parseBudgetChange(change);
  if (changes.accountId !== undefined) await checkAccount(deps.db, scope, changes.accountId, 'budgets');
  const freed = changes.accountId === undefined ? {} : { isInherited: false, inheritedScope: [] };
  const apply = (budget: Budget): Budget => ({ ...budget, ...changes, ...freed });
  const isJudgedAnew = judged.some((field) => field in changes);
  for (;;) {
    const before = await requireById('Budget', id, () => findBudget(deps.db, scope, id));
    const reading = isJudgedAnew ? await readNow(deps, apply(before)) : null;
    const changed = await writeAbout(changes.accountId ?? null, () =>
      deps.db.$transaction(async (db) => {
        // The spend was read for the state before the lock.
        if (!isSame(await lockBudget(db, scope, id), before)) return null;
        const after = { ...apply(before), updatedAt: laterThan(before.updatedAt, deps.clock.now()) };
        await updateBudgetRow(db, after);
        await recordAct(db, actor, 'budget_updated', { states: [before, after], changed: Object.keys(change) });
        if (reading) await recordReached(db, deps, after, { ...reading, notify: 'highest' });
        return after;
      }),
    );
    if (changed) return changed;
  }
}

/** Returns whether a budget has neither changed nor got a new owner: a former owner's scope stays on it as a filter, which a
 *  concurrent change must not remove unseen. */
function isSame(locked: Budget | null, before: Budget): boolean {
  if (locked?.updatedAt.getTime() !== before.updatedAt.getTime()) return false;
  return locked.createdById === before.createdById && locked.isInherited === before.isInherited;
}

/** Deletes a budget and its alerts.
 *  @throws {AppError} BUDGET_NOT_FOUND */
export async function deleteBudget(deps: Pick<Deps, 'db'>, { scope }: Viewer, actor: Actor, id: string): Promise<void> {
  await deps.db.$transaction(async (db) => {
    const budget = await requireById('Budget', id, () => lockBudget(db, scope, id));
    if (!(await deleteBudgetRow(db, scope, id))) throw notFound('Budget', id);
    await recordAct(db, actor, 'budget_deleted', { states: [budget] });
  });
}

/** Reads the current month's spend on a budget, which need not be stored yet. */
async function readNow(deps: FigureDeps, budget: Budget): Promise<Reading | null> {
  const today = dayOf(deps.clock.now());
  const month = monthOf(today);
  const [opened] = await openBudgets(deps, budget.organizationId, [budget]);
  return opened ? { month, spend: (await spendOf(deps, opened, elapsed(month, today))).amount } : null;
}

/** Returns a later time for a change: `updatedAt` identifies a state and must be unique. */
function laterThan(before: Date, now: Date): Date {
  return now > before ? now : new Date(before.getTime() + 1);
}

async function recordAct(
  db: Db,
  actor: Actor,
  action: AuditAction,
  budgets: { states: readonly Budget[]; changed?: readonly string[] },
): Promise<void> {
  await auditAbout(db, actor, { action, resourceType: 'budget', ...budgets }, (budget) => ({
    name: budget.name,
    amount: microsToNumber(roundAmount(budget.amount)),
    currency: budget.currency,
    account_id: budget.accountId,
    alert_thresholds: budget.thresholds.map((threshold) => Number(amountText(threshold))),
  }));
}
