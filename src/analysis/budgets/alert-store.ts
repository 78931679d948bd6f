import { Prisma, type BudgetAlert as AlertRow } from '../../../prisma/generated/client/client.ts';
import type { Db } from '../../kit/db.ts';
import { amountText, parseAmount, type Amount } from '../../kit/money.ts';
import { firstDay, instantOf, monthAt, type Month } from '../../kit/period.ts';

/** A threshold that was reached in a month. */
export interface BudgetAlert {
  readonly budgetId: string;
  /** UTC. */
  readonly month: Month;
  /** In percent. */
  readonly threshold: Amount;
  /** What had been spent when it was found to be reached, in the budget's currency. */
  readonly spend: Amount;
  readonly triggeredAt: Date;
  /** Nobody was told: it had passed when the budget was made, and a higher one with it. */
  readonly isSilent: boolean;
}

/** Writes down that thresholds were reached in a month. Of many workers that do so at once, one is the first.
 *  @returns those that were not written down before */
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

/** The alerts of budgets in some months, the lowest threshold first. */
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
