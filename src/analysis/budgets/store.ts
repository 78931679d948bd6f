import {
  Prisma,
  type Budget as BudgetRow,
  type BudgetAlert as AlertRow,
} from '../../../prisma/generated/client/client.ts';
import type { CostMetric } from '../../facts/costs/query.ts';
import type { Db } from '../../kit/db.ts';
import { type Amount, amountText, amountToNumber, parseAmount } from '../../kit/money.ts';
import { columnOf } from '../../kit/page.ts';
import { newestFirst, type Sort } from '../../kit/sort.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import type { Budget, BudgetValues } from './budget.ts';
import { aboutTargets, type TargetArgs } from './target.ts';
import { inside, Records } from '../../tenancy/accounts/about.ts';
import { dayOf, instantOf } from '../../kit/time/period.ts';
import type { BudgetPeriod, Period } from './period.ts';

/** Stored sort fields, sorted by the database, in REST spelling. */
export const storedSortFields = ['name', 'amount', 'created_at', 'updated_at'] as const;

/** The budgets of organizations. */
export const budgets = new Records<BudgetRow, Budget>({
  noun: 'Budget',
  plural: 'budgets',
  resourceType: 'budget',
  limit: 500,
  model: (db) => db.budget,
  parse: budgetOf,
  details: ({ name, amount, currency, thresholds }, accountId) => ({
    name,
    amount: amountToNumber(amount),
    currency,
    account_id: accountId,
    alert_thresholds: thresholds.map((threshold) => Number(amountText(threshold))),
  }),
});

/** Filters of a budget list by stored columns; null means any. */
export interface BudgetFilters extends TargetArgs {
  readonly period?: readonly BudgetPeriod[] | null;
}

/** Selects the budgets that pass the filters. */
export function about({ period, ...targets }: BudgetFilters) {
  return { ...aboutTargets(targets), ...(period && { period: { in: [...period] } }) };
}

/** Returns all budgets in the scope: an organization has at most a few hundred.
 *  @param sort null: newest first */
export async function listBudgets(
  db: Db,
  scope: OrgScope,
  query: BudgetFilters = {},
  sort: Sort<(typeof storedSortFields)[number]> | null = null,
): Promise<Budget[]> {
  const { field, direction } = sort ?? newestFirst;
  const rows = await db.budget.findMany({
    where: { AND: [inside(scope), about(query)] },
    orderBy: [{ [columnOf(field)]: direction }, { id: 'desc' }],
  });
  return rows.map(budgetOf);
}

/** Locks a budget until the transaction ends.
 *  @returns false if it has changed since it was read, or is gone */
export async function holdBudget(db: Db, { organizationId, id, updatedAt }: Budget): Promise<boolean> {
  const rows = await db.$queryRaw<object[]>`/* holdBudget */
    SELECT 1 FROM budgets WHERE organization_id = ${organizationId}::uuid AND id = ${id}::uuid
      AND updated_at = ${updatedAt} FOR SHARE`;
  return rows.length > 0;
}

/** Returns the organization's currency, ISO 4217. */
export async function organizationCurrency(db: Db, { organizationId }: OrgScope): Promise<string> {
  const where = { id: organizationId };
  return (await db.organization.findUniqueOrThrow({ where, select: { currency: true } })).currency;
}

/** Converts fields of a budget to columns. */
export function stored({ amount, thresholds, ...fields }: Partial<BudgetValues>) {
  return {
    ...fields,
    ...(amount !== undefined && { amount: amountText(amount) }),
    ...(thresholds && { alertThresholds: thresholds.map(amountText) }),
  };
}

/** Columns that `budgetOf` needs: all. */
export const budgetColumns = Object.fromEntries(
  Object.keys(Prisma.BudgetScalarFieldEnum).map((column) => [column, true]),
) as Record<keyof BudgetRow, true>;

/** Converts a row to a budget. */
export function budgetOf(row: BudgetRow): Budget {
  const { amount, alertThresholds, costMetric, period, ...rest } = row;
  return {
    ...rest,
    amount: parseAmount(amount.toFixed()),
    thresholds: alertThresholds.map((threshold) => parseAmount(threshold.toFixed())),
    // Only written here, with values of these types.
    costMetric: costMetric as CostMetric,
    period: period as BudgetPeriod,
  };
}

/** A budget threshold that was reached in a period. */
export interface BudgetAlert {
  readonly budgetId: string;
  readonly period: Pick<Period, 'kind' | 'start'>;
  /** In percent. */
  readonly threshold: Amount;
  /** Spend when the threshold was found to be reached, in the budget's currency. */
  readonly spend: Amount;
  readonly triggeredAt: Date;
  /** Not announced: it was already reached when the budget was created or changed, as was a higher one. */
  readonly isSilent: boolean;
}

/** Records thresholds reached in a period. Exactly one of several concurrent workers succeeds for each.
 *  @returns those not recorded before */
export async function insertAlerts(db: Db, alerts: readonly BudgetAlert[]): Promise<BudgetAlert[]> {
  const made: AlertRow[] = [];
  for (const { budgetId, period, threshold, spend, triggeredAt, isSilent } of alerts) {
    const rows = await db.$queryRaw<AlertRow[]>`/* insertAlerts */
      INSERT INTO budget_alerts (budget_id, period, period_start, threshold, spend, triggered_at, is_silent)
      VALUES (${budgetId}::uuid, ${period.kind}, ${period.start}::date, ${amountText(threshold)}::numeric,
        ${amountText(spend)}::numeric, ${triggeredAt}, ${isSilent})
      ON CONFLICT DO NOTHING
      RETURNING budget_id AS "budgetId", period, period_start AS "periodStart", threshold, spend,
        triggered_at AS "triggeredAt", is_silent AS "isSilent"`;
    made.push(...rows);
  }
  return made.map(alertOf);
}

/** Identifies an alert. */
export function alertKey(budgetId: string, { kind, start }: BudgetAlert['period'], threshold: Amount): string {
  return `${budgetId} ${kind} ${start} ${threshold}`;
}

/** Lists the alerts of budgets in periods by `alertKey`, lowest threshold first. */
export async function listAlerts(
  db: Db,
  of: readonly { readonly budget: Pick<Budget, 'id' | 'organizationId'>; readonly period: BudgetAlert['period'] }[],
): Promise<Map<string, BudgetAlert>> {
  const groups = Map.groupBy(of, ({ period }) => `${period.kind} ${period.start}`);
  const inPeriods = [...groups.values()].map((same) => ({
    budgetId: { in: same.map(({ budget }) => budget.id) },
    period: same[0]?.period.kind ?? '',
    periodStart: instantOf(same[0]?.period.start ?? '1000-01-01'),
  }));
  const organizationIds = [...new Set(of.map(({ budget }) => budget.organizationId))];
  const rows = await db.budgetAlert.findMany({
    where: { budget: { organizationId: { in: organizationIds } }, OR: inPeriods },
    orderBy: { threshold: 'asc' },
  });
  const alerts = rows.map(alertOf);
  return new Map(alerts.map((alert) => [alertKey(alert.budgetId, alert.period, alert.threshold), alert]));
}

function alertOf(row: AlertRow): BudgetAlert {
  const { period, periodStart, threshold, spend, ...rest } = row;
  return {
    ...rest,
    // Only written here, with the period of a budget.
    period: { kind: period as BudgetPeriod, start: dayOf(periodStart) },
    threshold: parseAmount(new Prisma.Decimal(threshold).toFixed()),
    spend: parseAmount(new Prisma.Decimal(spend).toFixed()),
  };
}
