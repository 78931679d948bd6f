import type { Role } from '../../../prisma/generated/client/enums.ts';
import type { Db } from '../../kit/db.ts';

/** A user, as the operator sees them. */
export interface ListedUser {
  readonly email: string;
  readonly name: string;
  readonly organizations: readonly { readonly id: string; readonly name: string; readonly role: Role }[];
  readonly totp: boolean;
  readonly passkeys: number;
  readonly createdAt: Date;
  readonly lastLoginAt: Date | null;
}

/** Lists all users of the server by address. */
export async function listUsers(db: Db): Promise<ListedUser[]> {
  const users = await db.user.findMany({
    select: {
      email: true,
      name: true,
      totpConfirmedAt: true,
      createdAt: true,
      lastLoginAt: true,
      _count: { select: { passkeys: true } },
      memberships: {
        select: { role: true, organization: { select: { id: true, name: true } } },
        orderBy: { joinedAt: 'asc' },
      },
    },
    orderBy: { email: 'asc' },
  });
  return users.map(({ memberships, totpConfirmedAt, _count: count, ...user }) => ({
    ...user,
    organizations: memberships.map(({ role, organization }) => ({ ...organization, role })),
    totp: totpConfirmedAt !== null,
    passkeys: count.passkeys,
  }));
}

/** Finds organizations by id or name. */
export function findOrganizations(db: Db, given: string): Promise<{ id: string; name: string }[]> {
  const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(given);
  return db.organization.findMany({
    where: isId ? { id: given } : { name: given },
    select: { id: true, name: true },
    orderBy: { createdAt: 'asc' },
    take: 20,
  });
}

/** Deletes TOTP and the recovery codes of a user; with `passkeys`, these too.
 *  @returns what was deleted, and the number of remaining passkeys */
export async function deleteSecondFactors(
  db: Db,
  userId: string,
  passkeys: boolean,
): Promise<{ totp: boolean; recoveryCodes: number; passkeys: number; remaining: number }> {
  const forgotten = { totpSecret: null, totpConfirmedAt: null, totpLastStep: null };
  const { count } = await db.user.updateMany({
    where: { id: userId, totpConfirmedAt: { not: null } },
    data: forgotten,
  });
  const codes = await db.recoveryCode.deleteMany({ where: { userId } });
  const keys = passkeys ? await db.passkey.deleteMany({ where: { userId } }) : { count: 0 };
  const remaining = await db.passkey.count({ where: { userId } });
  return { totp: count > 0, recoveryCodes: codes.count, passkeys: keys.count, remaining };
}
