import type { Prisma } from '../../../prisma/generated/client/client.ts';
import type { OrgScope } from '../auth/scope.ts';
import type { AuditAction } from './actions.ts';

/** The details of an entry as the caller may see them. To who is restricted to some accounts nothing tells that there are
 *  others: lists of accounts are cut down to theirs; of an export, whose filters and size may speak of any account, only
 *  what it was remains; of a budget or an alert rule over all accounts, that there was one; and how many things a removed member left to the Super Admin, accounts among them, is left out. */
export function visibleDetails(action: AuditAction, details: Prisma.JsonValue, scope: OrgScope): object {
  if (!isObject(details)) return {};
  const { accountIds } = scope;
  if (accountIds === null) return details;
  return withoutOthers(reduced(action, details), new Set(accountIds), false);
}

/** Of what who sees some accounts only does not find when it is about all of them. */
const aboutAll: ReadonlySet<AuditAction> = new Set([
  'budget_created',
  'budget_updated',
  'budget_deleted',
  'alert_rule_created',
  'alert_rule_updated',
  'alert_rule_deleted',
  'report_schedule_created',
  'report_schedule_updated',
  'report_schedule_deleted',
]);

function reduced(action: AuditAction, details: Prisma.JsonObject): Prisma.JsonObject {
  if (aboutAll.has(action) && details['account_id'] === null) return {};
  if (action !== 'data_exported' && action !== 'user_removed') return details;
  const { operation, format } = details;
  if (action === 'data_exported')
    return { ...(operation !== undefined && { operation }), ...(format !== undefined && { format }) };
  const { passed: _passed, ...rest } = details;
  return rest;
}

/** @param isAboutAccounts whether the value stands below a key with `account` in its name */
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
