import type { Db } from '../../kit/db.ts';
import { orgScope, type Viewer } from '../../tenancy/auth/scope.ts';

/** Sets a user's password.
 *  @param passwordHash Argon2id in PHC string format */
export async function setPasswordHash(db: Db, email: string, passwordHash: string): Promise<void> {
  await db.user.updateMany({ where: { email }, data: { passwordHash } });
}

/** Finds a user in the organization they joined first, for operator actions.
 *  @throws {Error} if no user has this address */
export async function findUser(db: Db, email: string): Promise<Viewer> {
  const { role, organizationId, user } = await db.membership.findFirstOrThrow({
    where: { user: { email } },
    select: { role: true, organizationId: true, user: { select: { id: true, name: true } } },
    orderBy: [{ joinedAt: 'asc' }, { id: 'asc' }],
  });
  const scope = orgScope(organizationId, null);
  const way = { sessionId: null, token: null, twoFactorSetupRequired: false };
  return { userId: user.id, email, name: user.name, role, ...way, scope };
}
