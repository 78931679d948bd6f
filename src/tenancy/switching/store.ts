import type { Role } from '../../../prisma/generated/client/enums.ts';
import type { Db } from '../../kit/db.ts';
import type { LoginMethod } from '../auth/session.ts';

/** An organization that a user belongs to. */
export interface OwnOrganization {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
}

/** Every organization of the user, by name. Not many: a person joins a few.
 *  @param only this one; null for all */
export async function listOrganizations(db: Db, userId: string, only: string | null): Promise<OwnOrganization[]> {
  const rows = await db.membership.findMany({
    where: { userId, ...(only !== null && { organizationId: only }) },
    select: { role: true, organization: { select: { id: true, name: true } } },
    orderBy: [{ organization: { name: 'asc' } }, { id: 'asc' }],
  });
  return rows.map(({ role, organization }) => ({ ...organization, role }));
}

/** How the user of a session has proven who they are. */
export async function readMethod(db: Db, sessionId: string): Promise<LoginMethod> {
  const [row] = await db.$queryRaw<[{ method: LoginMethod }]>`/* readMethod */
    SELECT method FROM sessions WHERE id = ${sessionId}::uuid`;
  return row.method;
}

/** Has a session end no later than this. */
export async function limitSession(db: Db, sessionId: string, expiresAt: Date): Promise<void> {
  await db.session.update({ where: { id: sessionId }, data: { expiresAt }, select: { id: true } });
}
