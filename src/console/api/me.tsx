import { createContext, type ReactNode, useContext } from 'react';
import { graphql, type ResultOf } from './graphql.ts';

/** Who is signed in, where, as what. */
export const MeQuery = graphql(`
  query Me {
    me {
      user {
        id
        email
        name
      }
      role
      accountAccess
      twoFactorEnabled
      twoFactorSetupRequired
      secondFactors
      recoveryCodesLeft
      organization {
        id
        name
        currency
        accountCount
        memberCount
        requireTwoFactor
      }
      organizations {
        id
        name
        role
      }
    }
  }
`);

/** The caller, as the API tells. */
export type Me = NonNullable<ResultOf<typeof MeQuery>['me']>;

const MeContext = createContext<Me | null>(null);

/** Gives everything below the caller. */
export function MeProvider({ me, children }: { readonly me: Me; readonly children: ReactNode }) {
  return <MeContext value={me}>{children}</MeContext>;
}

/** The caller. Only below the shell, where there is one. */
export function useMe(): Me {
  const me = useContext(MeContext);
  if (!me) throw new Error('useMe() stands outside of MeProvider');
  return me;
}

/** Whether the caller's role may do it: what it may not is not offered. */
export function useMay(permission: Permission): boolean {
  return may(useMe().role, permission);
}

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
