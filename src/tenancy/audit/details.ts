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
 *  - budgets, rules, schedules and saved views over all accounts keep nothing,
 *  - removed members lose the count of transferred records, which may include accounts. */
export function visibleDetails(action: StoredWord<AuditAction>, details: Prisma.JsonValue, scope: OrgScope): object {
  if (!isObject(details)) return {};
  const { accountIds } = scope;
  if (accountIds === null) return details;
  return withoutOthers(reduced(action, details), new Set(accountIds), false);
}

/** Actions on records that are hidden from restricted callers if they cover all accounts. */
const aboutAll: ReadonlySet<StoredWord<AuditAction>> = new Set([
  'budget_created',
  'budget_updated',
  'budget_deleted',
  'alert_rule_created',
  'alert_rule_updated',
  'alert_rule_deleted',
  'report_schedule_created',
  'report_schedule_updated',
  'report_schedule_deleted',
  'saved_view_created',
  'saved_view_updated',
  'saved_view_deleted',
]);

function reduced(action: StoredWord<AuditAction>, details: Prisma.JsonObject): Prisma.JsonObject {
  if (action === 'exchange_rates_changed' || action === unknownWord) return {};
  if (aboutAll.has(action) && details['account_id'] === null) return {};
  if (action !== 'data_exported' && action !== 'user_removed') return details;
  const { operation, format } = details;
  if (action === 'data_exported')
    return { ...(operation !== undefined && { operation }), ...(format !== undefined && { format }) };
  const { passed: _passed, ...rest } = details;
  return rest;
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
