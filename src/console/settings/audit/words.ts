import { isRecord } from '../../api/refusal.ts';
import { moment, words } from '../../words/format.ts';
import type { Action } from './page.tsx';

/** All recorded actions; one that is missing here fails to compile. */
const every: Readonly<Record<Action, true>> = {
  ACCOUNT_ACCESS_CHANGED: true,
  ACCOUNT_CONNECTED: true,
  ACCOUNT_DISCONNECTED: true,
  ACCOUNT_UPDATED: true,
  ALERT_RULE_CREATED: true,
  ALERT_RULE_DELETED: true,
  ALERT_RULE_UPDATED: true,
  ANOMALY_CHANGED: true,
  API_TOKEN_CREATED: true,
  API_TOKEN_REVOKED: true,
  BUDGET_CREATED: true,
  BUDGET_DELETED: true,
  BUDGET_UPDATED: true,
  CREDENTIALS_UPDATED: true,
  DATA_EXPORTED: true,
  EXCHANGE_RATES_CHANGED: true,
  FAILED_LOGIN: true,
  FILE_DELETED: true,
  FILE_UPLOADED: true,
  INVITE_ACCEPTED: true,
  INVITE_RESENT: true,
  INVITE_REVOKED: true,
  INVITE_SENT: true,
  INVOICE_AMOUNT_REMOVED: true,
  INVOICE_AMOUNT_SET: true,
  LOGIN: true,
  LOGOUT: true,
  NOTIFICATION_PREFERENCES_CHANGED: true,
  ORGANIZATION_SWITCHED: true,
  OWNERSHIP_TRANSFERRED: true,
  PASSKEY_ADDED: true,
  PASSKEY_REMOVED: true,
  PASSKEY_RENAMED: true,
  PASSWORD_CHANGED: true,
  PASSWORD_RESET_REQUESTED: true,
  RECOMMENDATION_CHANGED: true,
  RECOVERY_CODES_RENEWED: true,
  REPORT_GENERATED: true,
  REPORT_SCHEDULE_CREATED: true,
  REPORT_SCHEDULE_DELETED: true,
  REPORT_SCHEDULE_UPDATED: true,
  ROLE_CHANGED: true,
  SESSION_REVOKED: true,
  SETTINGS_CHANGED: true,
  SYNC_CANCELLED: true,
  SYNC_REQUESTED: true,
  TAG_POLICY_CREATED: true,
  TAG_POLICY_DELETED: true,
  TAG_POLICY_UPDATED: true,
  TWO_FACTOR_DISABLED: true,
  TWO_FACTOR_ENABLED: true,
  UNKNOWN: true,
  USER_REGISTERED: true,
  USER_REMOVED: true,
  USER_RENAMED: true,
  USER_UNLOCKED: true,
};

/** All recorded actions, in alphabetical order. */
export const actions: readonly Action[] = Object.keys(every).filter(isAction);

function isAction(key: string): key is Action {
  return key in every;
}

/** Detail of an entry, formatted for people. */
export interface Fact {
  readonly name: string;
  readonly text: string;
}

/** Lists an entry's details: changes as `before → after`, lists separated by commas, other values as they are. */
export function factsOf(details: Readonly<Record<string, unknown>>): Fact[] {
  return Object.entries(details).map(([key, value]) => ({ name: words(key), text: textOf(value) }));
}

function textOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return wordOf(value);
  if (Array.isArray(value)) return listOf(value);
  if (!isRecord(value)) return String(value);
  const change = changeOf(value);
  if (change) return `${textOf(change[0])} → ${textOf(change[1])}`;
  const facts = factsOf(value);
  return facts.length === 0 ? 'none' : facts.map(({ name, text }) => `${name.toLowerCase()} ${text}`).join(', ');
}

function listOf(values: readonly unknown[]): string {
  if (values.length === 0) return 'none';
  return values.map(textOf).join(values.some(isRecord) ? '; ' : ', ');
}

/** Formats instants in the user's time zone and API enum values without underscores. */
function wordOf(value: string): string {
  if (/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(value)) return moment(value);
  return /^[a-z]+(_[a-z0-9]+)+$/.test(value) ? value.replaceAll('_', ' ') : value;
}

/** Returns the old and new value if a value contains nothing else. */
function changeOf(value: Readonly<Record<string, unknown>>): readonly [unknown, unknown] | null {
  if (Object.keys(value).length !== 2) return null;
  if ('from' in value && 'to' in value) return [value['from'], value['to']];
  return 'before' in value && 'after' in value ? [value['before'], value['after']] : null;
}
