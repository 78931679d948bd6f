import type { Db } from '../../kit/db.ts';
import { orgScope, type OrgScope } from './scope.ts';

/** Owner of something that is computed later, such as a budget or a schedule. */
export interface Owned {
  readonly createdById: string;
  /** The accounts visible to former owners; meaningless unless it is inherited. */
  readonly inheritedScope: readonly string[];
  /** Whether `inheritedScope` restricts the owner's scope. */
  readonly isInherited: boolean;
}

/** The scope that something is computed in: its owner's current scope, restricted to the scopes of its former
 *  owners.
 *  @returns null if the owner is no longer a member of the organization */
export async function ownerScope(db: Db, organizationId: string, owned: Owned): Promise<OrgScope | null> {
  const scopes = await ownerScopes(db, organizationId, [owned]);
  return scopes.get(owned) ?? null;
}

/** Reads the scopes of many things in one query. Those missing from the map have an owner who is no longer a member. */
export async function ownerScopes<Thing extends Owned>(
  db: Db,
  organizationId: string,
  things: readonly Thing[],
): Promise<Map<Thing, OrgScope>> {
  const userIds = [...new Set(things.map((thing) => thing.createdById))];
  const members = await db.membership.findMany({
    where: { organizationId, userId: { in: userIds } },
    select: { userId: true, restricted: true, accountAccess: true },
  });
  const accessOf = new Map(members.map((member) => [member.userId, member.restricted ? member.accountAccess : null]));
  const scopes = new Map<Thing, OrgScope>();
  for (const thing of things) {
    const access = accessOf.get(thing.createdById);
    if (access !== undefined) scopes.set(thing, orgScope(organizationId, narrowed(access, thing)));
  }
  return scopes;
}

function narrowed(access: readonly string[] | null, { inheritedScope, isInherited }: Owned): readonly string[] | null {
  if (!isInherited) return access;
  return access === null ? inheritedScope : inheritedScope.filter((id) => access.includes(id));
}
