import type { AlertFiring as FiringRow, AlertRule as RuleRow } from '../../../prisma/generated/client/client.ts';
import type { Db } from '../../kit/db.ts';
import { amountText, parseAmount, type Amount } from '../../kit/money.ts';
import type { PageRequest, Rows } from '../../kit/page.ts';
import { dayOf, instantOf, type Day } from '../../kit/time/period.ts';
import { parseSort, type SortBy } from '../../kit/sort.ts';
import { aboutTargets, type TargetArgs } from '../../analysis/budgets/target.ts';
import { Records } from '../../tenancy/accounts/about.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import type { AlertRule } from './rule.ts';

/** Sort fields of rules, in REST spelling. */
export const ruleSortFields = ['name', 'threshold', 'last_triggered_at', 'created_at'] as const;

/** The rules of organizations; at most 200 each, because all are evaluated after each evaluation of an account. */
export const rules = new Records<RuleRow, AlertRule>({
  noun: 'Alert rule',
  plural: 'alert rules',
  resourceType: 'alert_rule',
  limit: 200,
  model: (db) => db.alertRule,
  parse: ruleOf,
  details: ({ name, metric, operator, threshold, enabled }, accountId) => ({
    name,
    metric,
    operator,
    threshold: Number(amountText(threshold)),
    enabled,
    account_id: accountId,
  }),
});

/** Filters of a rule list; null means any. */
interface RuleQuery extends TargetArgs {
  readonly enabled?: boolean | null;
  readonly sortBy?: SortBy<typeof ruleSortFields> | null;
}

/** Returns a page of selected rules that are entirely inside the caller's scope, newest first by default. */
export function pageRules(
  { db }: { readonly db: Db },
  scope: OrgScope,
  { enabled, sortBy, ...target }: RuleQuery,
  page: PageRequest & { select: { id: true } },
): Rows {
  const filters = [aboutTargets(target), { enabled: enabled ?? undefined }];
  const sort = parseSort(sortBy, ruleSortFields);
  return rules.page(db, scope, { filters, sort, nullable: ['last_triggered_at'] }, page);
}

/** Returns the newest firings of rules in the scope, in request order. The limit per rule is applied in the database. */
export async function listNewestFirings(
  db: Db,
  { organizationId, accountIds }: OrgScope,
  asked: readonly { readonly ruleId: string; readonly first: number }[],
): Promise<FiringRow[][]> {
  const ids = [...new Set(asked.map(({ ruleId }) => ruleId))];
  const rows = await db.$queryRaw<FiringRow[]>`/* listNewestFirings */
    SELECT f.rule_id AS "ruleId", f.day, f.figure, f.threshold, f.fired_at AS "firedAt"
    FROM alert_rules r CROSS JOIN LATERAL (
      SELECT * FROM alert_firings f WHERE f.rule_id = r.id ORDER BY f.day DESC LIMIT ${Math.max(...asked.map(({ first }) => first))}
    ) f
    WHERE r.organization_id = ${organizationId}::uuid AND r.id = ANY(${ids}::uuid[])
      AND (${accountIds}::uuid[] IS NULL OR r.account_id = ANY(${accountIds}::uuid[])) ORDER BY f.day DESC`;
  const firings = Map.groupBy(rows, ({ ruleId }) => ruleId);
  return asked.map(({ ruleId, first }) => (firings.get(ruleId) ?? []).slice(0, first));
}

/** Lists an organization's enabled rules. */
export async function listEnabledRules(db: Db, organizationId: string): Promise<AlertRule[]> {
  const rows = await db.alertRule.findMany({ where: { organizationId, enabled: true }, orderBy: { id: 'asc' } });
  return rows.map(ruleOf);
}

/** Locks a rule until the transaction ends.
 *  @returns false if it has changed since it was read, has a new owner, or is gone */
export async function holdRule(db: Db, { organizationId, id, updatedAt, createdById }: AlertRule): Promise<boolean> {
  const rows = await db.$queryRaw<object[]>`/* holdRule */
    SELECT 1 FROM alert_rules WHERE organization_id = ${organizationId}::uuid AND id = ${id}::uuid
      AND updated_at = ${updatedAt} AND created_by_id = ${createdById}::uuid FOR NO KEY UPDATE`;
  return rows.length > 0;
}

/** Sets the first day to evaluate, if it is not set and the rule has not changed since it was read. */
export async function setEvaluatedFrom(db: Db, { organizationId, id, updatedAt }: AlertRule, day: Day): Promise<void> {
  const where = { organizationId, id, updatedAt, evaluatedFrom: null };
  await db.alertRule.updateMany({ where, data: { evaluatedFrom: instantOf(day) } });
}

/** Records a firing on a day. Exactly one of several concurrent workers succeeds.
 *  @returns false if it was already recorded */
export async function insertFiring(
  db: Db,
  rule: AlertRule,
  firing: { day: Day; figure: Amount; firedAt: Date },
): Promise<boolean> {
  const { day, figure, firedAt } = firing;
  const rows = await db.$queryRaw<object[]>`/* insertFiring */
    INSERT INTO alert_firings (rule_id, day, figure, threshold, fired_at)
    VALUES (${rule.id}::uuid, ${day}::date, ${amountText(figure)}::numeric, ${amountText(rule.threshold)}::numeric,
      ${firedAt})
    ON CONFLICT DO NOTHING RETURNING 1`;
  if (rows.length === 0) return false;
  const where = { organizationId: rule.organizationId, id: rule.id };
  await db.alertRule.updateMany({ where, data: { lastTriggeredAt: firedAt } });
  return true;
}

/** Lists rule firings since a day, inclusive. */
export async function listFirings(db: Db, organizationId: string, from: Day): Promise<{ ruleId: string; day: Day }[]> {
  const where = { rule: { organizationId }, day: { gte: instantOf(from) } };
  const rows = await db.alertFiring.findMany({ where, select: { ruleId: true, day: true } });
  return rows.map(({ ruleId, day }) => ({ ruleId, day: dayOf(day) }));
}

/** Returns the name of an account and the last day for which its bills are complete, for announcements, regardless of scope; null
 *  if it is gone. */
export async function findAccount(
  db: Db,
  organizationId: string,
  id: string,
): Promise<{ name: string; completeThrough: Day | null } | null> {
  const select = { name: true, completeThrough: true };
  const row = await db.account.findFirst({ where: { organizationId, id }, select });
  return row && { name: row.name, completeThrough: row.completeThrough && dayOf(row.completeThrough) };
}

function ruleOf(row: RuleRow): AlertRule {
  return {
    ...row,
    threshold: parseAmount(row.threshold.toFixed()),
    evaluatedFrom: row.evaluatedFrom && dayOf(row.evaluatedFrom),
  };
}
