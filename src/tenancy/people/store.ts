import type { Db } from '../../kit/db.ts';
import type { OrgScope } from '../auth/scope.ts';

/** A member of the organization, as visible to other members. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

/** Lists those of the users that are members of the organization. Uses raw SQL, which takes less CPU time than
 *  Prisma, because almost every list references members. */
export function listPeople(db: Db, { organizationId }: OrgScope, userIds: readonly string[]): Promise<Person[]> {
  return db.$queryRaw<Person[]>`/* listPeople */ SELECT u.id, u.name, u.email FROM users u
    WHERE u.id = ANY(${[...userIds]}::uuid[])
      AND EXISTS (SELECT 1 FROM memberships m WHERE m.user_id = u.id AND m.organization_id = ${organizationId}::uuid)`;
}

/** Reads a member by user id, and keeps them from being removed until the transaction ends; null if there is none.
 *  @param db an open transaction */
export async function holdMember(
  db: Db,
  { organizationId }: OrgScope,
  userId: string,
): Promise<{ readonly email: string; readonly access: readonly string[] | null } | null> {
  await db.$executeRaw`/* holdMember */ SELECT 1 FROM memberships
    WHERE organization_id = ${organizationId}::uuid AND user_id = ${userId}::uuid FOR KEY SHARE`;
  const row = await db.membership.findFirst({
    where: { organizationId, userId },
    select: { restricted: true, accountAccess: true, user: { select: { email: true } } },
  });
  return row && { email: row.user.email, access: row.restricted ? row.accountAccess : null };
}
