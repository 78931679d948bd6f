import type {
  AlertFiring as FiringRow,
  AlertRule as RuleRow,
  Prisma,
} from '../../../prisma/generated/client/client.ts';
import type { Db } from '../../kit/db.ts';
import { requireById } from '../../kit/ids.ts';
import { amountText, parseAmount, type Amount } from '../../kit/money.ts';
import { pageOfModel, type PageRequest, type Rows } from '../../kit/page.ts';
import { dayOf, instantOf, type Day } from '../../kit/time/period.ts';
import { parseSort, type SortBy } from '../../kit/sort.ts';
import { aboutTargets, targetsOf } from '../../analysis/budgets/target.ts';
import { inside } from '../../tenancy/accounts/about.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import type { AlertRule, RuleValues } from './rule.ts';

/** Sort fields of rules, in REST spelling. */
export const ruleSortFields = ['name', 'threshold', 'last_triggered_at', 'created_at'] as const;

/** Filters of a rule list; null means any. */
export interface RuleQuery {
  readonly accountId?: readonly string[] | null;
  readonly provider?: readonly string[] | null;
  readonly service?: readonly string[] | null;
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
  const where = {
    AND: [inside(scope), aboutTargets(targetsOf(target)), typeof enabled === 'boolean' ? { enabled } : {}],
  };
  const sort = parseSort(sortBy, ruleSortFields);
  return pageOfModel<Prisma.AlertRuleWhereInput>(db.alertRule, where, sort, {
    ...page,
    nullable: ['last_triggered_at'],
  });
}

/** Returns the selected fields of a rule whose accounts are all in the caller's scope.
 *  @throws {AppError} NOT_FOUND for an unknown id, one of another organization, and one outside the scope alike */
export function readRule(
  { db }: { readonly db: Db },
  scope: OrgScope,
  id: string,
  query: Pick<Prisma.AlertRuleDefaultArgs, 'select' | 'include'>,
) {
  const where = { AND: [inside(scope), { id }] };
  return requireById('Alert rule', id, () => db.alertRule.findFirst({ ...query, where }));
}

/** Returns selected rules by id in the scope. */
export function selectRulesById(
  db: Db,
  scope: OrgScope,
  ids: readonly string[],
  query: Pick<Prisma.AlertRuleDefaultArgs, 'select' | 'include'>,
) {
  return db.alertRule.findMany({ ...query, where: { AND: [inside(scope), { id: { in: [...ids] } }] } });
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

async function findRule(db: Db, scope: OrgScope, id: string): Promise<AlertRule | null> {
  const row = await db.alertRule.findFirst({ where: { AND: [inside(scope), { id }] } });
  return row && ruleOf(row);
}

/** Lists an organization's enabled rules. */
export async function listEnabledRules(db: Db, organizationId: string): Promise<AlertRule[]> {
  const rows = await db.alertRule.findMany({ where: { organizationId, enabled: true }, orderBy: { id: 'asc' } });
  return rows.map(ruleOf);
}

/** Reads a rule in the scope and locks it until the transaction ends; null if there is none. */
export async function lockRule(db: Db, scope: OrgScope, id: string): Promise<AlertRule | null> {
  await db.$executeRaw`/* lockRule */
    SELECT 1 FROM alert_rules
    WHERE organization_id = ${scope.organizationId}::uuid AND id = ${id}::uuid FOR NO KEY UPDATE`;
  return findRule(db, scope, id);
}

/** Locks a rule until the transaction ends.
 *  @returns false if it has changed since it was read, has a new owner, or is gone */
export async function holdRule(db: Db, { organizationId, id, updatedAt, createdById }: AlertRule): Promise<boolean> {
  const rows = await db.$queryRaw<object[]>`/* holdRule */
    SELECT 1 FROM alert_rules WHERE organization_id = ${organizationId}::uuid AND id = ${id}::uuid
      AND updated_at = ${updatedAt} AND created_by_id = ${createdById}::uuid FOR NO KEY UPDATE`;
  return rows.length > 0;
}

/** Counts the organization's rules, inside or outside the scope. */
export function countRules(db: Db, { organizationId }: OrgScope): Promise<number> {
  return db.alertRule.count({ where: { organizationId } });
}

export async function insertRule(db: Db, rule: AlertRule): Promise<AlertRule> {
  const { id, organizationId, createdById, createdAt, updatedAt } = rule;
  const data = { ...stored(rule), id, organizationId, createdById, createdAt, updatedAt };
  return ruleOf(await db.alertRule.create({ data }));
}

/** Writes a locked rule. */
export async function updateRuleRow(db: Db, rule: AlertRule): Promise<void> {
  const { id, organizationId, isInherited, inheritedScope, updatedAt, judgedFrom } = rule;
  const data = {
    ...stored(rule),
    isInherited,
    inheritedScope: [...inheritedScope],
    updatedAt,
    judgedFrom: judgedFrom && instantOf(judgedFrom),
  };
  await db.alertRule.updateMany({ where: { organizationId, id }, data });
}

/** Sets the first day to evaluate, if it is not set and the rule has not changed since it was read. */
export async function setJudgedFrom(db: Db, { organizationId, id, updatedAt }: AlertRule, day: Day): Promise<void> {
  const where = { organizationId, id, updatedAt, judgedFrom: null };
  await db.alertRule.updateMany({ where, data: { judgedFrom: instantOf(day) } });
}

/** Deletes a rule and its firings.
 *  @returns false if it is already gone */
export async function deleteRuleRow(db: Db, scope: OrgScope, id: string): Promise<boolean> {
  const { count } = await db.alertRule.deleteMany({ where: { AND: [inside(scope), { id }] } });
  return count > 0;
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

/** Lists rule firings from a day on. */
export async function listFirings(db: Db, organizationId: string, from: Day): Promise<{ ruleId: string; day: Day }[]> {
  const where = { rule: { organizationId }, day: { gte: instantOf(from) } };
  const rows = await db.alertFiring.findMany({ where, select: { ruleId: true, day: true } });
  return rows.map(({ ruleId, day }) => ({ ruleId, day: dayOf(day) }));
}

/** Returns an account's name for announcements, regardless of scope. Null if there is no such account. */
export async function findAccountName(db: Db, organizationId: string, id: string): Promise<string | null> {
  const row = await db.account.findFirst({ where: { organizationId, id }, select: { name: true } });
  return row?.name ?? null;
}

function stored(values: RuleValues) {
  const { name, metric, operator, threshold, accountId, provider, service, tagKey, tagValue } = values;
  const { emails, slack, enabled } = values;
  const condition = { metric, operator, threshold: amountText(threshold) };
  const target = { accountId, provider, service, tagKey, tagValue };
  return { name, ...condition, ...target, emails: [...emails], slack, enabled };
}

function ruleOf(row: RuleRow): AlertRule {
  return {
    ...row,
    threshold: parseAmount(row.threshold.toFixed()),
    judgedFrom: row.judgedFrom && dayOf(row.judgedFrom),
  };
}
