import { createContext, useContext, type ReactNode } from 'react';
import { graphql, type ResultOf } from './graphql.ts';
import { may, type Permission } from './permissions.ts';

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
