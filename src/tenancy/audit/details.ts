import type { Prisma } from '../../../prisma/generated/client/client.ts';
import { unknownWord, type StoredWord } from '../../kit/stored-word.ts';
import type { OrgScope } from '../auth/scope.ts';
import type { AuditAction } from './actions.ts';

/** Returns the details of an entry that the caller may see. For a caller restricted to some accounts, nothing
 *  reveals the existence of others:
 *  - lists of accounts are reduced to theirs,
 *  - exports keep only operation and format, since filters and size may concern any account,
 *  - actions of other versions keep nothing, since their content is unknown,
 *  - exchange rates keep nothing, since the currencies may be those of any account,
 *  - budgets, rules, schedules, saved views and dashboards that cover other accounts, too, keep nothing,
 *  - virtual tags lose their rules and splits, which may name values of any account,
 *  - removed members lose the count of transferred records, which may include accounts. */
export function visibleDetails(action: StoredWord<AuditAction>, details: Prisma.JsonValue, scope: OrgScope): object {
  if (!isObject(details)) return {};
  const { accountIds } = scope;
  if (accountIds === null) return details;
  const own = new Set(accountIds);
  return withoutOthers(reduced(action, details, own), own, false);
}

/** Actions on records about one account (`account_id`) or all, which are hidden from restricted callers. */
const aboutOne: ReadonlySet<StoredWord<AuditAction>> = new Set([
  'budget_created',
  'budget_updated',
  'budget_deleted',
  'alert_rule_created',
  'alert_rule_updated',
  'alert_rule_deleted',
]);

/** Actions on records about some accounts (`account_ids`), which are hidden from callers without access to all of them. Entries of
 *  earlier versions do not have all accounts. */
const aboutSeveral: ReadonlySet<StoredWord<AuditAction>> = new Set([
  'report_schedule_created',
  'report_schedule_updated',
  'report_schedule_deleted',
  'saved_view_created',
  'saved_view_updated',
  'saved_view_deleted',
  'dashboard_created',
  'dashboard_updated',
  'dashboard_deleted',
]);

const onVirtualTags: ReadonlySet<StoredWord<AuditAction>> = new Set([
  'virtual_tag_created',
  'virtual_tag_updated',
  'virtual_tag_deleted',
]);

function reduced(
  action: StoredWord<AuditAction>,
  details: Prisma.JsonObject,
  own: ReadonlySet<Prisma.JsonValue>,
): Prisma.JsonObject {
  if (action === 'exchange_rates_changed' || action === unknownWord) return {};
  const { account_id: accountId, account_ids: accountIds } = details;
  if (aboutOne.has(action) && accountId === null) return {};
  if (aboutSeveral.has(action) && !(Array.isArray(accountIds) && accountIds.every((id) => own.has(id)))) return {};
  const { operation, format } = details;
  if (action === 'data_exported')
    return { ...(operation !== undefined && { operation }), ...(format !== undefined && { format }) };
  if (action === 'user_removed') return without(details, 'passed');
  return onVirtualTags.has(action) ? without(details, 'rules', 'splits') : details;
}

function without(details: Prisma.JsonObject, ...keys: readonly string[]): Prisma.JsonObject {
  return Object.fromEntries(Object.entries(details).filter(([key]) => !keys.includes(key)));
}

/** @param isAboutAccounts whether the value is below a key with `account` in its name */
function withoutOthers(details: Prisma.JsonObject, own: ReadonlySet<string>, isAboutAccounts: boolean): object {
  const entries = Object.entries(details).map(([key, value]) => [
    key,
    value === undefined ? null : visible(value, own, isAboutAccounts || /account/i.test(key)),
  ]);
  return Object.fromEntries(entries);
}

function visible(value: Prisma.JsonValue, own: ReadonlySet<string>, isAboutAccounts: boolean): unknown {
  if (Array.isArray(value))
    return value.flatMap((item) => {
      const seen = visible(item, own, isAboutAccounts);
      return seen === null && item !== null ? [] : [seen];
    });
  if (isObject(value)) return withoutOthers(value, own, isAboutAccounts);
  return isAboutAccounts && typeof value === 'string' && !own.has(value) ? null : value;
}

function isObject(value: Prisma.JsonValue): value is Prisma.JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
