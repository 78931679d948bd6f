import type { Prisma, Budget as BudgetRow } from '../../../prisma/generated/client/client.ts';
import type { CostMetric } from '../../facts/costs/question.ts';
import type { Db } from '../../kit/db.ts';
import { amountText, parseAmount } from '../../kit/money.ts';
import type { PageRequest } from '../../kit/page.ts';
import type { Sort } from '../../kit/sort.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import type { Budget, BudgetValues } from './budget.ts';
import { inside } from './target-store.ts';

/** Fields that are stored, so that the database sorts by them. REST's spelling. */
export const storedSortFields = ['name', 'amount', 'created_at', 'updated_at'] as const;

/** Which budgets are read; null means any. */
export interface BudgetFilter {
  readonly accountIds: readonly string[] | null;
  readonly providers: readonly string[] | null;
  readonly services: readonly string[] | null;
  /** Null: the newest first. */
  readonly sort: Sort<(typeof storedSortFields)[number]> | null;
}

/** Budgets that the scope sees, and how many there are in all.
 *  @param page null for all: an organization has a few hundred at most */
export async function listBudgets(
  db: Db,
  scope: OrgScope,
  filter: BudgetFilter,
  page: PageRequest | null,
): Promise<{ rows: Budget[]; total: number }> {
  const where: Prisma.BudgetWhereInput = {
    AND: [
      inside(scope),
      filter.accountIds ? { accountId: { in: [...filter.accountIds] } } : {},
      filter.providers ? { provider: { in: [...filter.providers] } } : {},
      filter.services ? { service: { in: [...filter.services] } } : {},
    ],
  };
  const orderBy = [orderOf(filter.sort), { id: 'desc' as const }];
  const [rows, total] = await Promise.all([
    db.budget.findMany({ where, orderBy, ...(page && { skip: page.skip, take: page.take }) }),
    db.budget.count({ where }),
  ]);
  return { rows: rows.map(budgetOf), total };
}

function orderOf(sort: BudgetFilter['sort']): Prisma.BudgetOrderByWithRelationInput {
  switch (sort?.field) {
    case undefined:
      return { createdAt: 'desc' };
    case 'name':
      return { name: sort.direction };
    case 'amount':
      return { amount: sort.direction };
    case 'created_at':
      return { createdAt: sort.direction };
    case 'updated_at':
      return { updatedAt: sort.direction };
  }
}

/** A budget that the scope sees, or null. */
export async function findBudget(db: Db, scope: OrgScope, id: string): Promise<Budget | null> {
  const row = await db.budget.findFirst({ where: { AND: [inside(scope), { id }] } });
  return row && budgetOf(row);
}

/** Reads a budget that the scope sees and keeps it until the transaction ends: changes of it come one after another. */
export async function lockBudget(db: Db, scope: OrgScope, id: string): Promise<Budget | null> {
  await db.$executeRaw`/* lockBudget */
    SELECT 1 FROM budgets WHERE organization_id = ${scope.organizationId}::uuid AND id = ${id}::uuid FOR NO KEY UPDATE`;
  return findBudget(db, scope, id);
}

/** Keeps a budget from changes until the transaction ends.
 *  @returns false when it has changed since it was read, or is gone */
export async function holdBudget(db: Db, { organizationId, id, updatedAt }: Budget): Promise<boolean> {
  const rows = await db.$queryRaw<object[]>`/* holdBudget */
    SELECT 1 FROM budgets WHERE organization_id = ${organizationId}::uuid AND id = ${id}::uuid
      AND updated_at = ${updatedAt} FOR SHARE`;
  return rows.length > 0;
}

/** How many budgets the organization has, seen by the scope or not. */
export function countBudgets(db: Db, { organizationId }: OrgScope): Promise<number> {
  return db.budget.count({ where: { organizationId } });
}

/** The organization's own currency, ISO 4217. */
export async function organizationCurrency(db: Db, { organizationId }: OrgScope): Promise<string> {
  const where = { id: organizationId };
  return (await db.organization.findUniqueOrThrow({ where, select: { currency: true } })).currency;
}

/** Writes a new budget. */
export async function insertBudget(db: Db, budget: Budget): Promise<Budget> {
  const { id, organizationId, currency, createdById, createdAt, updatedAt } = budget;
  const row = await db.budget.create({
    data: { ...stored(budget), id, organizationId, currency, createdById, createdAt, updatedAt },
  });
  return budgetOf(row);
}

/** Writes a budget that is locked as it is from now on. */
export async function updateBudgetRow(db: Db, budget: Budget): Promise<void> {
  const { id, organizationId, isInherited, inheritedScope, updatedAt } = budget;
  const data = { ...stored(budget), isInherited, inheritedScope: [...inheritedScope], updatedAt };
  await db.budget.updateMany({ where: { organizationId, id }, data });
}

/** Takes a budget away, and its alerts with it.
 *  @returns false when it is gone already */
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

function budgetOf(row: BudgetRow): Budget {
  const { amount, alertThresholds, costMetric, period: _period, ...rest } = row;
  return {
    ...rest,
    period: 'monthly',
    amount: parseAmount(amount.toFixed()),
    thresholds: alertThresholds.map((threshold) => parseAmount(threshold.toFixed())),
    // Written here alone, of a value that the type names.
    costMetric: costMetric as CostMetric,
  };
}
