import { storedWord, type StoredWord } from '../../kit/stored-word.ts';

/** What entries of the audit log are about: a record by its name, exported data by the name of its routes. */
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

/** What an entry of the audit log is about. */
export type AuditResourceType = keyof typeof auditResourceTypes;

/** What an entry is about, from its column. Exports once had the hyphens of their routes. */
export function resourceTypeOf(stored: string): StoredWord<AuditResourceType> {
  return storedWord(auditResourceTypes, stored.replaceAll('-', '_'));
}
