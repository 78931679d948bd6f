import type { Role } from '../../../prisma/generated/client/enums.ts';

/** Roles per permission, beyond reading. Reads are open to every member unless listed here. */
const rolesWith = {
  'organization.delete': ['super_admin'],
  'organization.transfer': ['super_admin'],
  'billing.write': ['super_admin'],
  'organization.write': ['super_admin', 'admin'],
  'rates.write': ['super_admin', 'admin'],
  'members.write': ['super_admin', 'admin'],
  'audit.read': ['super_admin', 'admin'],
  'accounts.write': ['super_admin', 'admin'],
  'invoices.write': ['super_admin', 'admin'],
  'metrics.write': ['super_admin', 'admin'],
  'channels.write': ['super_admin', 'admin'],
  'alert_rules.write': ['super_admin', 'admin'],
  'tag_policies.write': ['super_admin', 'admin'],
  'virtual_tags.write': ['super_admin', 'admin'],
  'budgets.write': ['super_admin', 'admin', 'member'],
  'anomalies.write': ['super_admin', 'admin', 'member'],
  'recommendations.write': ['super_admin', 'admin', 'member'],
  'reports.write': ['super_admin', 'admin', 'member'],
  'annotations.write': ['super_admin', 'admin', 'member'],
  'views.share': ['super_admin', 'admin', 'member'],
  'views.write': ['super_admin', 'admin', 'member', 'viewer'],
  'notifications.write': ['super_admin', 'admin', 'member'],
  'self.write': ['super_admin', 'admin', 'member', 'viewer'],
} as const satisfies Record<string, readonly Role[]>;

/** An action restricted to some roles. */
export type Permission = keyof typeof rolesWith;

/** Whether a role has a permission. Account scope is separate: it decides which records it applies to. */
export function can(role: Role, permission: Permission): boolean {
  const roles: readonly Role[] = rolesWith[permission];
  return roles.includes(role);
}
