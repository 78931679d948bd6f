import { requireChannels } from '../../analysis/budgets/channels.ts';
import { checkTag } from '../../analysis/budgets/target.ts';
import { queueChecks } from '../../jobs/checks.ts';
import type { Deps } from '../../kit/deps.ts';
import { amountText } from '../../kit/money.ts';
import { parseChange, parseRecord } from '../../kit/record-fields.ts';
import { freed } from '../../tenancy/accounts/about.ts';
import type { Actor } from '../../tenancy/audit/store.ts';
import type { OrgScope, Viewer } from '../../tenancy/auth/scope.ts';
import type { Db } from '../../kit/db.ts';
import { requireMetric } from '../../facts/metrics/run.ts';
import { checkRule, ruleFields, type RuleChange, type RuleInput } from './input.ts';
import { conditionFields, type AlertRule } from './rule.ts';
import { rules } from './store.ts';

export { pageRules } from './store.ts';

type RuleDeps = Pick<Deps, 'db' | 'clock' | 'queue'>;

/** Creates a rule owned by the caller and queues its evaluation against the last complete day.
 *  @throws {AppError} VALIDATION_ERROR naming the field; FORBIDDEN for a rule of all accounts if the caller does not have
 *    access to all */
export async function createAlertRule(
  deps: RuleDeps,
  viewer: Viewer,
  actor: Actor,
  input: RuleInput,
): Promise<AlertRule> {
  const values = parseRecord(ruleFields, input);
  checkRule(values);
  const data = { ...values, threshold: amountText(values.threshold) };
  return deps.db.$transaction(async (db) => {
    await checkTag(db, viewer.scope, values, values);
    await requireChannels(db, viewer.scope, values.channelIds);
    await checkMetric(db, viewer.scope, values.unitMetricKey);
    const made = await rules.add(db, { viewer, actor, now: deps.clock.now() }, data);
    await queueChecks(deps, viewer.scope.organizationId, db);
    return made;
  });
}

/** Updates the given fields of a rule. If its condition changes, the last complete day is evaluated again, unless the rule
 *  has already fired for that day. Setting its accounts removes the filter that was added when a former owner left.
 *  @throws {AppError} VALIDATION_ERROR when nothing is given, or naming the field; NOT_FOUND; FORBIDDEN for a rule of all
 *    accounts if the caller does not have access to all */
export async function updateAlertRule(
  deps: RuleDeps,
  viewer: Viewer,
  actor: Actor,
  { id, ifUnmodifiedSince, ...change }: RuleChange & { readonly id: string },
): Promise<AlertRule> {
  const { scope } = viewer;
  const changes = parseChange(ruleFields, change);
  return deps.db.$transaction(async (db) => {
    const before = await rules.lock(db, scope, id);
    checkRule({ ...before, ...changes });
    await checkTag(db, scope, { ...before, ...changes }, changes);
    await requireChannels(db, scope, changes.channelIds);
    await checkMetric(db, scope, changes.unitMetricKey ?? null);
    const isAnew = conditionFields.some((field) => field in changes && changes[field] !== before[field]);
    const data = {
      ...changes,
      ...(changes.threshold !== undefined && { threshold: amountText(changes.threshold) }),
      ...(changes.accountId !== undefined && freed),
      ...(isAnew && { evaluatedFrom: null }),
    };
    const by = { viewer, actor, now: deps.clock.now() };
    const after = await rules.change(db, by, before, { data, changed: Object.keys(change), ifUnmodifiedSince });
    if (isAnew) await queueChecks(deps, scope.organizationId, db);
    return after;
  });
}

/** Checks that the unit metric of a rule exists.
 *  @throws {AppError} VALIDATION_ERROR if the organization has no metric with the key */
async function checkMetric(db: Db, scope: OrgScope, key: string | null): Promise<void> {
  if (key !== null) await requireMetric({ db }, scope, key, 'unit_metric_key');
}
