import type { Db } from '../../kit/db.ts';
import { orgScope, type Viewer } from '../../tenancy/auth/scope.ts';

/** An organization as the command line lists it. */
export interface NamedOrganization {
  readonly id: string;
  readonly name: string;
}

/** More than can be listed in a message. */
const listed = 20;

/** Organizations by id, by name or by the email of a member, oldest first; without any of them, the oldest ones.
 *  No scope: the operator of the server asks. */
export function findOrganizations(
  db: Db,
  by: { readonly organization: string | null; readonly email: string | null },
): Promise<NamedOrganization[]> {
  const { organization, email } = by;
  const isId = organization !== null && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(organization);
  return db.organization.findMany({
    where: {
      ...(organization === null ? {} : isId ? { id: organization } : { name: organization }),
      ...(email === null ? {} : { memberships: { some: { user: { email: email.toLowerCase() } } } }),
    },
    select: { id: true, name: true },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: listed,
  });
}

/** The Super Admin of an organization, for whom the operator acts; null when it has none. */
export async function findOwner(db: Db, organizationId: string): Promise<Viewer | null> {
  const owner = await db.membership.findFirst({
    where: { organizationId, role: 'super_admin' },
    select: { role: true, user: { select: { id: true, email: true, name: true } } },
    orderBy: { id: 'asc' },
  });
  if (!owner) return null;
  const { id, email, name } = owner.user;
  const scope = orgScope(organizationId, null);
  return {
    userId: id,
    email,
    name,
    role: owner.role,
    sessionId: null,
    token: null,
    twoFactorSetupRequired: false,
    scope,
  };
}
