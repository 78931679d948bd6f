import type { Db } from '../../kit/db.ts';
import { orgScope, type OrgScope } from './scope.ts';

/** Who owns what is computed later, such as a budget or a schedule. */
export interface Owned {
  readonly createdById: string;
  /** The accounts of the owners who have left; meaningless unless it is inherited. */
  readonly inheritedScope: readonly string[];
  /** Whether `inheritedScope` narrows what the owner sees. */
  readonly isInherited: boolean;
}

/** What a thing is computed in: the scope that its owner has now, never more than its owners before had.
 *  @returns null when the owner is no member of the organization any more */
export async function ownerScope(db: Db, organizationId: string, owned: Owned): Promise<OrgScope | null> {
  const scopes = await ownerScopes(db, organizationId, [owned]);
  return scopes.get(owned) ?? null;
}

/** The scopes of many things, in one query. What is not in the map has an owner who is no member any more. */
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
