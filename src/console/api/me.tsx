import { createContext, type ReactNode, useContext } from 'react';
import { graphql, type ResultOf } from './graphql.ts';

/** Signed-in user with organization and role. */
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
      defaultDashboard {
        own
        organization
      }
      organization {
        id
        name
        currency
        accountCount
        memberCount
        requireTwoFactor
        fiscalYearStartMonth
        ownerTagKey
        mailConfigured
        costsLoaded
        sampleData
      }
      organizations {
        id
        name
        role
      }
    }
  }
`);

/** The signed-in user, as returned by the API. */
export type Me = NonNullable<ResultOf<typeof MeQuery>['me']>;

const MeContext = createContext<Me | null>(null);

/** Provides the signed-in user to the tree below. */
export function MeProvider({ me, children }: { readonly me: Me; readonly children: ReactNode }) {
  return <MeContext value={me}>{children}</MeContext>;
}

/** Returns the signed-in user. Works only below the shell, where one is guaranteed. */
export function useMe(): Me {
  const me = useContext(MeContext);
  if (!me) throw new Error('useMe() is used outside of MeProvider');
  return me;
}

/** Whether the caller's role has a permission; the UI hides actions without it. */
export function useMay(permission: Permission): boolean {
  return may(useMe().role, permission);
}

/** Member roles, spelled as in the API. */
export type Role = NonNullable<ResultOf<typeof MeQuery>['me']>['role'];

/** Roles by permission. This only hides UI; the API enforces its own table. */
const rolesWith = {
  'organization.delete': ['SUPER_ADMIN'],
  'organization.transfer': ['SUPER_ADMIN'],
  'organization.write': ['SUPER_ADMIN', 'ADMIN'],
  'rates.write': ['SUPER_ADMIN', 'ADMIN'],
  'members.write': ['SUPER_ADMIN', 'ADMIN'],
  'audit.read': ['SUPER_ADMIN', 'ADMIN'],
  'accounts.write': ['SUPER_ADMIN', 'ADMIN'],
  'invoices.write': ['SUPER_ADMIN', 'ADMIN'],
  'metrics.write': ['SUPER_ADMIN', 'ADMIN'],
  'channels.write': ['SUPER_ADMIN', 'ADMIN'],
  'alert_rules.write': ['SUPER_ADMIN', 'ADMIN'],
  'tag_policies.write': ['SUPER_ADMIN', 'ADMIN'],
  'virtual_tags.write': ['SUPER_ADMIN', 'ADMIN'],
  'budgets.write': ['SUPER_ADMIN', 'ADMIN', 'MEMBER'],
  'anomalies.write': ['SUPER_ADMIN', 'ADMIN', 'MEMBER'],
  'recommendations.write': ['SUPER_ADMIN', 'ADMIN', 'MEMBER'],
  'reports.write': ['SUPER_ADMIN', 'ADMIN', 'MEMBER'],
  'annotations.write': ['SUPER_ADMIN', 'ADMIN', 'MEMBER'],
  'views.share': ['SUPER_ADMIN', 'ADMIN', 'MEMBER'],
  'notifications.write': ['SUPER_ADMIN', 'ADMIN', 'MEMBER'],
} as const satisfies Record<string, readonly Role[]>;

/** Permission that not every role has. */
export type Permission = keyof typeof rolesWith;

/** Whether a role has a permission. */
export function may(role: Role, permission: Permission): boolean {
  const roles: readonly Role[] = rolesWith[permission];
  return roles.includes(role);
}
