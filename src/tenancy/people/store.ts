import type { Db } from '../../kit/db.ts';
import type { OrgScope } from '../auth/scope.ts';

/** A member of the organization, as other members see them. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

/** The members of the organization among some users. */
export function listPeople(db: Db, { organizationId }: OrgScope, userIds: readonly string[]): Promise<Person[]> {
  return db.user.findMany({
    where: { id: { in: [...userIds] }, memberships: { some: { organizationId } } },
    select: { id: true, name: true, email: true },
  });
}
