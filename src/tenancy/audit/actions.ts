/** What the audit log records, one word per act whatever surface it came through, each with what it means to a reader. */
export const auditActions = {
  user_registered: 'A user and an organization of their own were made.',
  login: 'A session was opened.',
  logout: 'A session was ended by its user.',
  failed_login: 'Somebody tried to log in with a wrong password or code.',
  session_revoked: 'A session was ended otherwise.',
  settings_changed: 'A setting of the organization was changed.',
  exchange_rates_changed: 'Exchange rates were set or taken away.',
  account_connected: 'A cloud account was connected.',
  account_updated: 'A cloud account’s name or settings were changed.',
  account_disconnected: 'A cloud account was disconnected.',
  credentials_updated: 'The credentials of a cloud account were replaced.',
  sync_requested: 'A sync of a cloud account was asked for.',
  sync_cancelled: 'A sync of a cloud account was cancelled.',
  data_exported: 'Figures or a list were taken away as a file.',
} as const satisfies Record<string, string>;

/** What the audit log records. */
export type AuditAction = keyof typeof auditActions;
