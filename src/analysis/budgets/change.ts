import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import { newId } from '../../kit/ids.ts';
import { dayOf } from '../../kit/time/period.ts';
import { checkAccount, freed, type Author } from '../../tenancy/accounts/about.ts';
import type { Actor } from '../../tenancy/audit/store.ts';
import type { Viewer } from '../../tenancy/auth/scope.ts';
import type { Budget } from './budget.ts';
import { requireChannels } from './channels.ts';
import { recordReached, type Reading } from './check.ts';
import type { FigureDeps } from './figures.ts';
import { parseBudget, parseBudgetChange, type BudgetChange, type BudgetInput } from './input.ts';
import { periodOn } from './period.ts';
import { openBudgets, spendOf } from './spend.ts';
import { budgets, organizationCurrency, stored } from './store.ts';
import { checkTag, targetNames } from './target.ts';

type ChangeDeps = FigureDeps & Pick<Deps, 'queue'>;

/** Budget fields that affect which thresholds are reached. */
const evaluatedFields = [
  'amount',
  'period',
  'thresholds',
  ...targetNames,
  'costMetric',
] as const satisfies readonly (keyof Budget)[];

/** Creates a budget owned by the caller. Announces the highest of the thresholds that the spend of the current period has
 *  already reached.
 *  @throws {AppError} VALIDATION_ERROR naming the field; FORBIDDEN for a budget of all accounts if the caller does not have
 *    access to all */
export async function createBudget(
  deps: ChangeDeps,
  viewer: Viewer,
  actor: Actor,
  input: BudgetInput,
): Promise<Budget> {
  const { scope, userId: createdById } = viewer;
  const { organizationId } = scope;
  const { currency: given, ...values } = parseBudget(input);
  const currency = given ?? (await organizationCurrency(deps.db, scope));
  await checkAccount(deps.db, scope, values.accountId, 'budgets');
  const now = deps.clock.now();
  const own = { id: newId(now), organizationId, createdById, createdAt: now, updatedAt: now, ...freed };
  const reading = await readNow(deps, {
    ...values,
    emails: [...values.emails],
    channelIds: [...values.channelIds],
    currency,
    ...own,
  });
  return deps.db.$transaction(async (db) => {
    const made = await addBudget(db, { viewer, actor, now }, { ...values, currency });
    if (reading) await recordReached(db, deps, made, { ...reading, notify: 'highest' });
    return made;
  });
}

/** Adds a budget of an account without costs within a transaction: no threshold is reached.
 *  @throws {AppError} as `createBudget` */
export async function addUnspentBudget(db: Db, by: Author, input: BudgetInput): Promise<void> {
  const { currency, ...values } = parseBudget(input);
  await addBudget(db, by, { ...values, currency: currency ?? (await organizationCurrency(db, by.viewer.scope)) });
}

async function addBudget(
  db: Db,
  by: Author,
  { currency, ...values }: ReturnType<typeof parseBudget> & { readonly currency: string },
): Promise<Budget> {
  const { scope } = by.viewer;
  await checkTag(db, scope, values, values);
  await requireChannels(db, scope, values.channelIds);
  return budgets.add(db, by, { ...stored(values), currency });
}

/** Updates the given fields of a budget. Announces the highest of the thresholds reached because of the change, unless
 *  already announced in the current period. Setting its accounts removes the filter that was added when a former owner left.
 *  @throws {AppError} VALIDATION_ERROR when nothing is given, or naming the field; BUDGET_NOT_FOUND; FORBIDDEN for a
 *    budget of all accounts if the caller does not have access to all */
export async function updateBudget(
  deps: ChangeDeps,
  viewer: Viewer,
  actor: Actor,
  { id, ifUnmodifiedSince, ...change }: BudgetChange & { readonly id: string },
): Promise<Budget> {
  const { scope } = viewer;
  const changes = parseBudgetChange(change);
  if (changes.accountId !== undefined) await checkAccount(deps.db, scope, changes.accountId, 'budgets');
  const owner = changes.accountId === undefined ? {} : freed;
  const isReevaluated = evaluatedFields.some((field) => field in changes);
  const update = { data: { ...stored(changes), ...owner }, changed: Object.keys(change), ifUnmodifiedSince };
  for (;;) {
    const before = await budgets.find(deps.db, scope, id);
    const reading = isReevaluated ? await readNow(deps, { ...before, ...changes, ...owner }) : null;
    const changed = await deps.db.$transaction(async (db) => {
      // The spend was read for the state before the lock.
      if (!isSame(await budgets.lock(db, scope, id), before)) return null;
      await checkTag(db, scope, { ...before, ...changes }, changes);
      await requireChannels(db, scope, changes.channelIds);
      const after = await budgets.change(db, { viewer, actor, now: deps.clock.now() }, before, update);
      if (reading) await recordReached(db, deps, after, { ...reading, notify: 'highest' });
      return after;
    });
    if (changed) return changed;
  }
}

/** Returns whether a budget has neither changed nor got a new owner: a former owner's scope stays on it as a filter, which a
 *  concurrent change must not remove unseen. */
function isSame(locked: Budget, before: Budget): boolean {
  if (locked.updatedAt.getTime() !== before.updatedAt.getTime()) return false;
  return locked.createdById === before.createdById && locked.isInherited === before.isInherited;
}

/** Reads the spend on a budget in its current period, which need not be stored yet. */
async function readNow(deps: FigureDeps, budget: Budget): Promise<Reading | null> {
  const today = dayOf(deps.clock.now());
  const period = periodOn(budget.period, today);
  const [opened] = await openBudgets(deps, budget.organizationId, [budget]);
  return opened ? { period, spend: (await spendOf(deps, opened, period, today)).amount } : null;
}
