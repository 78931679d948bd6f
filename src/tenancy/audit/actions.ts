import { storedWord, type StoredWord } from '../../kit/stored-word.ts';

/** Actions in the audit log, one word each for all surfaces, with their descriptions. */
export const auditActions = {
  user_registered: 'A user registered with a new organization.',
  login: 'A user signed in.',
  logout: 'A user signed out.',
  failed_login: 'A login failed because of a wrong password or code.',
  session_revoked: 'A session was revoked.',
  user_renamed: 'A user changed their display name.',
  two_factor_enabled: 'A user set up TOTP.',
  two_factor_disabled: 'A user turned TOTP off.',
  recovery_codes_renewed: 'A user’s recovery codes were replaced.',
  passkey_added: 'A user registered a passkey.',
  passkey_renamed: 'A user renamed a passkey.',
  passkey_removed: 'A user removed a passkey.',
  password_reset_requested: 'A password reset was requested.',
  password_changed: 'A user’s password was changed or reset.',
  organization_switched: 'A user switched to or from another of their organizations.',
  api_token_created: 'A user created an API token.',
  api_token_revoked: 'A user revoked an API token.',
  invite_sent: 'An invitation was sent.',
  invite_resent: 'An invitation was sent again, with a new link.',
  invite_revoked: 'An invitation was revoked.',
  invite_accepted: 'An invitation was accepted.',
  role_changed: 'A member’s role was changed.',
  account_access_changed: 'A member’s access to cloud accounts was changed.',
  user_removed: 'A member was removed; their records were transferred to the Super Admin.',
  user_unlocked: 'A member’s login was unlocked.',
  ownership_transferred: 'Ownership was transferred to another member.',
  settings_changed: 'A setting of the organization was changed.',
  exchange_rates_changed: 'Exchange rates were set or removed.',
  account_connected: 'A cloud account was connected.',
  account_updated: 'A cloud account’s name or settings were changed.',
  account_disconnected: 'A cloud account was disconnected.',
  credentials_updated: 'The credentials of a cloud account were replaced.',
  file_uploaded: 'A bill file was uploaded to an account.',
  file_deleted: 'An uploaded bill file was deleted.',
  sync_requested: 'A sync of a cloud account was requested.',
  sync_cancelled: 'A sync of a cloud account was cancelled.',
  tag_policy_created: 'A tag policy was created.',
  tag_policy_updated: 'A tag policy was changed.',
  tag_policy_deleted: 'A tag policy and its violations were deleted.',
  budget_created: 'A budget was created.',
  budget_updated: 'A budget was changed.',
  budget_deleted: 'A budget and its alerts were deleted.',
  alert_rule_created: 'An alert rule was created.',
  alert_rule_updated: 'An alert rule was changed.',
  alert_rule_deleted: 'An alert rule was deleted.',
  recommendation_changed: 'A recommendation’s status was changed, or its snooze was set or ended.',
  anomaly_changed: 'The status of an anomaly was changed.',
  report_generated: 'A report was requested by a member or a schedule.',
  report_schedule_created: 'A report schedule was created.',
  report_schedule_updated: 'A report schedule was changed.',
  report_schedule_deleted: 'A report schedule was deleted; its reports were kept.',
  notification_preferences_changed: 'A member changed notification preferences or the chat webhook.',
  data_exported: 'Data was exported as a file.',
} as const satisfies Record<string, string>;

/** An action in the audit log. */
export type AuditAction = keyof typeof auditActions;

/** Subjects of audit entries: the name of a record, or for exported data the name of its routes. */
export const auditResourceTypes = {
  account: 'A connected cloud account.',
  alert_rule: 'An alert rule.',
  anomaly: 'An anomaly.',
  api_token: 'An API token.',
  budget: 'A budget.',
  invite: 'An invitation.',
  member: 'A member of the organization.',
  notification_preferences: 'Notification preferences of a member.',
  organization: 'The organization.',
  passkey: 'A passkey.',
  recommendation: 'A recommendation.',
  report: 'A report.',
  report_schedule: 'A report schedule.',
  session: 'A session.',
  tag_policy: 'A tag policy.',
  user: 'A user.',
  accounts: 'Exported list of accounts.',
  alert_rules: 'Exported list of alert rules.',
  anomalies: 'Exported list of anomalies.',
  audit_logs: 'Exported audit log.',
  auth: 'Exported list of API tokens, passkeys or sessions.',
  budgets: 'Exported list of budgets.',
  costs: 'Exported costs.',
  coverage: 'Exported commitment coverage.',
  forecast: 'Exported forecast.',
  inventory: 'Exported list of resources.',
  org: 'Exported list of members, invitations or exchange rates.',
  recommendations: 'Exported list of recommendations.',
  reports: 'Exported list of reports or report schedules.',
  tag_policies: 'Exported list of tag policies.',
  tags: 'Exported list of tag keys or tag violations.',
} as const satisfies Record<string, string>;

/** The subject of an audit entry. */
export type AuditResourceType = keyof typeof auditResourceTypes;

/** Reads an entry's subject from its column. Exports formerly used the hyphens of their routes. */
export function resourceTypeOf(stored: string): StoredWord<AuditResourceType> {
  return storedWord(auditResourceTypes, stored.replaceAll('-', '_'));
}
