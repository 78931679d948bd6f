import { words } from '../../words/names.ts';
import type { Action } from './queries.ts';

/** Everything that the log records: a word of the API that is missing here does not compile. */
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
  INVITE_ACCEPTED: true,
  INVITE_RESENT: true,
  INVITE_REVOKED: true,
  INVITE_SENT: true,
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

/** What the log records, in the order of the alphabet. */
export const actions: readonly Action[] = Object.keys(every).filter(isAction);

function isAction(key: string): key is Action {
  return key in every;
}

/** The same to choose from. */
export const actionChoices = actions.map((value) => ({ value, label: words(value) }));
