import type { Db } from '../../kit/db.ts';
import type { OrgScope } from '../auth/scope.ts';

/** A member of the organization, as other members see them. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

/** The members of the organization among some users. In SQL of our own, which takes less CPU time than Prisma's: almost every
 *  list leads to members. */
export function listPeople(db: Db, { organizationId }: OrgScope, userIds: readonly string[]): Promise<Person[]> {
  return db.$queryRaw<Person[]>`/* listPeople */ SELECT u.id, u.name, u.email FROM users u
    WHERE u.id = ANY(${[...userIds]}::uuid[])
      AND EXISTS (SELECT 1 FROM memberships m WHERE m.user_id = u.id AND m.organization_id = ${organizationId}::uuid)`;
}
