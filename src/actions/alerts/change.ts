import { auditAbout, checkAccount, writeAbout } from '../../tenancy/accounts/about.ts';
import { queueChecks } from '../../jobs/checks.ts';
import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import { invalid, notFound, fix } from '../../kit/errors/errors.ts';
import { newId, requireById } from '../../kit/ids.ts';
import { amountText } from '../../kit/money.ts';
import type { AuditAction } from '../../tenancy/audit/actions.ts';
import type { Actor } from '../../tenancy/audit/store.ts';
import type { OrgScope, Viewer } from '../../tenancy/auth/scope.ts';
import { parseChange } from '../../kit/record-fields.ts';
import { checkTag, parseRule, ruleFields, ruleLimits, type RuleChange, type RuleInput } from './input.ts';
import { conditionFields, type AlertRule } from './rule.ts';
import { countRules, deleteRuleRow, insertRule, lockRule, updateRuleRow } from './store.ts';

export { pageRules } from './store.ts';

type RuleDeps = Pick<Deps, 'db' | 'clock' | 'queue'>;

/** Creates a rule owned by the caller and queues its evaluation against the last complete day.
 *  @throws {AppError} VALIDATION_ERROR naming the field; FORBIDDEN for all accounts if the caller does not have access to
 *    all */
export async function createAlertRule(
  deps: RuleDeps,
  viewer: Viewer,
  actor: Actor,
  input: RuleInput,
): Promise<AlertRule> {
  const { scope } = viewer;
  const values = parseRule(input);
  const now = deps.clock.now();
  const owned = { createdById: viewer.userId, inheritedScope: [], isInherited: false };
  const fresh = { id: newId(now), organizationId: scope.organizationId, createdAt: now, updatedAt: now };
  const rule = { ...values, ...owned, ...fresh, lastTriggeredAt: null, judgedFrom: null };
  return deps.db.$transaction(async (db) => {
    await checkAccount(db, scope, rule.accountId, 'alert rules');
    if ((await countRules(db, scope)) >= ruleLimits.rules)
      throw invalid`An organization can have at most ${ruleLimits.rules} alert rules${fix}delete one first`;
    const made = await writeAbout(rule.accountId, () => insertRule(db, rule));
    await recordAct(db, actor, 'alert_rule_created', { states: [made] });
    await queueChecks(deps, scope.organizationId, db);
    return made;
  });
}

/** Updates the given fields of a rule. If its condition changes, the last complete day is evaluated again, unless the rule
 *  has already fired for that day. Setting its accounts removes the filter that was added when a former owner left.
 *  @throws {AppError} VALIDATION_ERROR when nothing is given, or naming the field; NOT_FOUND; FORBIDDEN for all accounts if
 *    the caller does not have access to all */
export async function updateAlertRule(
  deps: RuleDeps,
  viewer: Viewer,
  actor: Actor,
  { id, ...change }: RuleChange & { readonly id: string },
): Promise<AlertRule> {
  const { scope } = viewer;
  // The tag is checked when its key and value are both known.
  const changes = parseChange(ruleFields, change);
  const freed = changes.accountId === undefined ? {} : { isInherited: false, inheritedScope: [] };
  return deps.db.$transaction(async (db) => {
    if (changes.accountId !== undefined) await checkAccount(db, scope, changes.accountId, 'alert rules');
    const before = await lockedRule(db, scope, id);
    const isAnew = conditionFields.some((field) => field in changes && changes[field] !== before[field]);
    const now = deps.clock.now();
    const after: AlertRule = {
      ...before,
      ...changes,
      ...freed,
      judgedFrom: isAnew ? null : before.judgedFrom,
      // Strictly increasing, so that results read for one state are not applied to another.
      updatedAt: now > before.updatedAt ? now : new Date(before.updatedAt.getTime() + 1),
    };
    checkTag(after);
    await writeAbout(after.accountId, () => updateRuleRow(db, after));
    await recordAct(db, actor, 'alert_rule_updated', { states: [before, after], changed: Object.keys(change) });
    if (isAnew) await queueChecks(deps, scope.organizationId, db);
    return after;
  });
}

/** Deletes a rule.
 *  @throws {AppError} NOT_FOUND */
export async function deleteAlertRule(
  deps: Pick<Deps, 'db'>,
  { scope }: Viewer,
  actor: Actor,
  id: string,
): Promise<void> {
  await deps.db.$transaction(async (db) => {
    const rule = await lockedRule(db, scope, id);
    if (!(await deleteRuleRow(db, scope, id))) throw notFound('Alert rule', id);
    await recordAct(db, actor, 'alert_rule_deleted', { states: [rule] });
  });
}

function lockedRule(db: Db, scope: OrgScope, id: string): Promise<AlertRule> {
  return requireById('Alert rule', id, () => lockRule(db, scope, id));
}

async function recordAct(
  db: Db,
  actor: Actor,
  action: AuditAction,
  rules: { states: readonly AlertRule[]; changed?: readonly string[] },
): Promise<void> {
  await auditAbout(db, actor, { action, resourceType: 'alert_rule', ...rules }, (rule) => {
    const { name, metric, operator, enabled, accountId } = rule;
    return { name, metric, operator, threshold: Number(amountText(rule.threshold)), enabled, account_id: accountId };
  });
}
