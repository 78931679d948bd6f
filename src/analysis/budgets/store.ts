import {
  Prisma,
  type Budget as BudgetRow,
  type BudgetAlert as AlertRow,
} from '../../../prisma/generated/client/client.ts';
import type { CostMetric } from '../../facts/costs/query.ts';
import type { Db } from '../../kit/db.ts';
import { requireById } from '../../kit/ids.ts';
import { amountText, parseAmount, type Amount } from '../../kit/money.ts';
import { columnOf, inOrderOf, pageOfModel, type PageRequest, type Rows } from '../../kit/page.ts';
import type { Sort } from '../../kit/sort.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import type { Budget, BudgetValues } from './budget.ts';
import { aboutTargets, type Targets } from './target.ts';
import { inside } from '../../tenancy/accounts/about.ts';
import { firstDay, instantOf, monthAt, type Month } from '../../kit/time/period.ts';

/** Stored sort fields, sorted by the database, in REST spelling. */
export const storedSortFields = ['name', 'amount', 'created_at', 'updated_at'] as const;

/** Filters of budgets; null means any. */
export interface BudgetFilter extends Targets {
  /** Null: newest first. */
  readonly sort: Sort<(typeof storedSortFields)[number]> | null;
}

/** Returns a page of selected budgets in the scope and their total number. */
export function selectBudgets(
  db: Db,
  scope: OrgScope,
  { sort, ...targets }: BudgetFilter,
  page: { select: { id: true } } & PageRequest,
): Rows {
  return pageOfModel(db.budget, { AND: [inside(scope), aboutTargets(targets)] }, sort, page);
}

/** Returns selected budgets in the scope, in the order of their ids. */
export async function selectBudgetsById(
  db: Db,
  scope: OrgScope,
  ids: readonly string[],
  query: Pick<Prisma.BudgetDefaultArgs, 'select' | 'include'>,
) {
  const rows = await db.budget.findMany({ ...query, where: { AND: [inside(scope), { id: { in: [...ids] } }] } });
  return inOrderOf(ids, rows);
}

/** Returns all budgets in the scope: an organization has at most a few hundred. */
export async function listBudgets(db: Db, scope: OrgScope, filter: BudgetFilter): Promise<Budget[]> {
  const { field, direction } = filter.sort ?? { field: 'created_at', direction: 'desc' };
  const rows = await db.budget.findMany({
    where: { AND: [inside(scope), aboutTargets(filter)] },
    orderBy: [{ [columnOf(field)]: direction }, { id: 'desc' }],
  });
  return rows.map(budgetOf);
}

/** Returns a budget in the scope, or null. */
export async function findBudget(db: Db, scope: OrgScope, id: string): Promise<Budget | null> {
  const row = await db.budget.findFirst({ where: { AND: [inside(scope), { id }] } });
  return row && budgetOf(row);
}

/** Returns the selected fields of a budget whose accounts are all in the caller's scope.
 *  @throws {AppError} BUDGET_NOT_FOUND for an unknown id, and one outside the scope alike */
export function readBudget(
  { db }: { readonly db: Db },
  scope: OrgScope,
  id: string,
  query: Pick<Prisma.BudgetDefaultArgs, 'select' | 'include'>,
) {
  return requireById('Budget', id, () => db.budget.findFirst({ ...query, where: { AND: [inside(scope), { id }] } }));
}

/** Reads a budget in the scope and locks it until the transaction ends, which serializes changes. */
export async function lockBudget(db: Db, scope: OrgScope, id: string): Promise<Budget | null> {
  await db.$executeRaw`/* lockBudget */
    SELECT 1 FROM budgets WHERE organization_id = ${scope.organizationId}::uuid AND id = ${id}::uuid FOR NO KEY UPDATE`;
  return findBudget(db, scope, id);
}

/** Locks a budget until the transaction ends.
 *  @returns false if it has changed since it was read, or is gone */
export async function holdBudget(db: Db, { organizationId, id, updatedAt }: Budget): Promise<boolean> {
  const rows = await db.$queryRaw<object[]>`/* holdBudget */
    SELECT 1 FROM budgets WHERE organization_id = ${organizationId}::uuid AND id = ${id}::uuid
      AND updated_at = ${updatedAt} FOR SHARE`;
  return rows.length > 0;
}

/** Counts the organization's budgets, inside or outside the scope. */
export function countBudgets(db: Db, { organizationId }: OrgScope): Promise<number> {
  return db.budget.count({ where: { organizationId } });
}

/** Returns the organization's currency, ISO 4217. */
export async function organizationCurrency(db: Db, { organizationId }: OrgScope): Promise<string> {
  const where = { id: organizationId };
  return (await db.organization.findUniqueOrThrow({ where, select: { currency: true } })).currency;
}

export async function insertBudget(db: Db, budget: Budget): Promise<Budget> {
  const { id, organizationId, currency, createdById, createdAt, updatedAt } = budget;
  const row = await db.budget.create({
    data: { ...stored(budget), id, organizationId, currency, createdById, createdAt, updatedAt },
  });
  return budgetOf(row);
}

/** Writes a locked budget. */
export async function updateBudgetRow(db: Db, budget: Budget): Promise<void> {
  const { id, organizationId, isInherited, inheritedScope, updatedAt } = budget;
  const data = { ...stored(budget), isInherited, inheritedScope: [...inheritedScope], updatedAt };
  await db.budget.updateMany({ where: { organizationId, id }, data });
}

/** Deletes a budget and its alerts.
 *  @returns false if it is already gone */
export async function deleteBudgetRow(db: Db, scope: OrgScope, id: string): Promise<boolean> {
  const { count } = await db.budget.deleteMany({ where: { AND: [inside(scope), { id }] } });
  return count > 0;
}

function stored(values: BudgetValues) {
  const { name, amount, period, accountId, provider, service, thresholds, emails, slack, costMetric } = values;
  return {
    name,
    amount: amountText(amount),
    period,
    accountId,
    provider,
    service,
    alertThresholds: thresholds.map(amountText),
    emails: [...emails],
    slack,
    costMetric,
  };
}

/** Columns that `budgetOf` needs: all. */
export const budgetColumns = Object.fromEntries(
  Object.keys(Prisma.BudgetScalarFieldEnum).map((column) => [column, true]),
) as Record<keyof BudgetRow, true>;

/** Converts a row to a budget. */
export function budgetOf(row: BudgetRow): Budget {
  const { amount, alertThresholds, costMetric, period: _period, ...rest } = row;
  return {
    ...rest,
    period: 'monthly',
    amount: parseAmount(amount.toFixed()),
    thresholds: alertThresholds.map((threshold) => parseAmount(threshold.toFixed())),
    // Only written here, with a value of that type.
    costMetric: costMetric as CostMetric,
  };
}

/** A budget threshold that was reached in a month. */
export interface BudgetAlert {
  readonly budgetId: string;
  /** UTC. */
  readonly month: Month;
  /** In percent. */
  readonly threshold: Amount;
  /** Spend when the threshold was found to be reached, in the budget's currency. */
  readonly spend: Amount;
  readonly triggeredAt: Date;
  /** Not announced: it had already passed when the budget was created, as had a higher one. */
  readonly isSilent: boolean;
}

/** Records thresholds reached in a month. Exactly one of several concurrent workers succeeds for each.
 *  @returns those not recorded before */
export async function insertAlerts(db: Db, alerts: readonly BudgetAlert[]): Promise<BudgetAlert[]> {
  const made: AlertRow[] = [];
  for (const { budgetId, month, threshold, spend, triggeredAt, isSilent } of alerts) {
    const rows = await db.$queryRaw<AlertRow[]>`/* insertAlerts */
      INSERT INTO budget_alerts (budget_id, month, threshold, spend, triggered_at, is_silent)
      VALUES (${budgetId}::uuid, ${firstDay(month)}::date, ${amountText(threshold)}::numeric,
        ${amountText(spend)}::numeric, ${triggeredAt}, ${isSilent})
      ON CONFLICT DO NOTHING
      RETURNING budget_id AS "budgetId", month, threshold, spend, triggered_at AS "triggeredAt", is_silent AS "isSilent"`;
    made.push(...rows);
  }
  return made.map(alertOf);
}

/** Lists the alerts of budgets in some months, lowest threshold first. */
export async function listAlerts(
  db: Db,
  budgets: readonly { readonly id: string; readonly organizationId: string }[],
  months: readonly Month[],
): Promise<BudgetAlert[]> {
  const rows = await db.budgetAlert.findMany({
    where: {
      budgetId: { in: budgets.map(({ id }) => id) },
      budget: { organizationId: { in: [...new Set(budgets.map(({ organizationId }) => organizationId))] } },
      month: { in: months.map((month) => instantOf(firstDay(month))) },
    },
    orderBy: { threshold: 'asc' },
  });
  return rows.map(alertOf);
}

function alertOf(row: AlertRow): BudgetAlert {
  const { month, threshold, spend, ...rest } = row;
  return {
    ...rest,
    month: monthAt(month),
    threshold: parseAmount(new Prisma.Decimal(threshold).toFixed()),
    spend: parseAmount(new Prisma.Decimal(spend).toFixed()),
  };
}
