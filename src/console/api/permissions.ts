import type { ResultOf } from './graphql.ts';
import type { MeQuery } from './me.tsx';

/** Member roles, as the API spells them. */
export type Role = NonNullable<ResultOf<typeof MeQuery>['me']>['role'];

/** Which roles are offered an act. The API decides by its own table; this one only keeps from the screen what that refuses. */
const rolesWith = {
  'organization.delete': ['SUPER_ADMIN'],
  'organization.transfer': ['SUPER_ADMIN'],
  'billing.read': ['SUPER_ADMIN'],
  'organization.write': ['SUPER_ADMIN', 'ADMIN'],
  'rates.write': ['SUPER_ADMIN', 'ADMIN'],
  'members.write': ['SUPER_ADMIN', 'ADMIN'],
  'audit.read': ['SUPER_ADMIN', 'ADMIN'],
  'accounts.write': ['SUPER_ADMIN', 'ADMIN'],
  'alert_rules.write': ['SUPER_ADMIN', 'ADMIN'],
  'tag_policies.write': ['SUPER_ADMIN', 'ADMIN'],
  'budgets.write': ['SUPER_ADMIN', 'ADMIN', 'MEMBER'],
  'anomalies.write': ['SUPER_ADMIN', 'ADMIN', 'MEMBER'],
  'recommendations.write': ['SUPER_ADMIN', 'ADMIN', 'MEMBER'],
  'reports.write': ['SUPER_ADMIN', 'ADMIN', 'MEMBER'],
  'notifications.write': ['SUPER_ADMIN', 'ADMIN', 'MEMBER'],
} as const satisfies Record<string, readonly Role[]>;

/** An act that not every role may do. */
export type Permission = keyof typeof rolesWith;

/** Whether a member of this role is offered it. */
export function may(role: Role, permission: Permission): boolean {
  const roles: readonly Role[] = rolesWith[permission];
  return roles.includes(role);
}
