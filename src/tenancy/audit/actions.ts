/** What the audit log records, one word per act whatever surface it came through, each with what it means to a reader. */
export const auditActions = {
  user_registered: 'A user and an organization of their own were made.',
  login: 'A session was opened.',
  logout: 'A session was ended by its user.',
  failed_login: 'Somebody tried to log in with a wrong password or code.',
  session_revoked: 'A session was ended otherwise.',
  organization_switched: 'A user left for, or came from, another organization of theirs in the same login.',
  api_token_created: 'A user made an API token.',
  api_token_revoked: 'A user revoked an API token.',
  invite_sent: 'Somebody was invited by mail.',
  invite_resent: 'An invitation was sent again, with a new link.',
  invite_revoked: 'An invitation was taken back.',
  invite_accepted: 'Somebody accepted an invitation and became a member.',
  role_changed: 'A member was given another role.',
  account_access_changed: 'The cloud accounts that a member may see were changed.',
  user_removed: 'A member was removed; what they created passed to the Super Admin.',
  user_unlocked: 'The lock of a member’s login was lifted.',
  ownership_transferred: 'Another member was made the Super Admin.',
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
