import { randomUUID } from 'node:crypto';
import { Prisma } from '../../../prisma/generated/client/client.ts';
import { Role } from '../../../prisma/generated/client/enums.ts';
import type { Db } from '../../kit/db.ts';
import { AppError } from '../../kit/errors.ts';

/** Who registers, as they are kept. */
export interface NewUser {
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string;
  readonly createdAt: Date;
}

/** Keeps a new user.
 *  @param mayRenew whether a user of this address who belongs to no organization any more is made anew: they keep their id,
 *  and what proved who they were before proves nothing any more
 *  @returns the user's id
 *  @throws {AppError} CONFLICT when the address is taken */
export async function insertUser(db: Db, user: NewUser, mayRenew: boolean): Promise<string> {
  if (mayRenew) {
    const leftId = await lockLeftUser(db, user.email);
    if (leftId !== null) return renewUser(db, leftId, user);
  }
  const row = await db.user.create({ data: user, select: { id: true } }).catch((cause: unknown) => {
    if (!isTaken(cause)) throw cause;
    throw new AppError('CONFLICT', `email "${user.email}" is registered already: log in, or reset the password`, {
      cause,
    });
  });
  return row.id;
}

/** The user of an address who belongs to no organization, kept locked until the transaction ends; null where there is none. */
async function lockLeftUser(db: Db, email: string): Promise<string | null> {
  const rows = await db.$queryRaw<{ id: string; isMember: boolean }[]>`/* lockLeftUser */
    SELECT u.id, EXISTS (SELECT 1 FROM memberships m WHERE m.user_id = u.id) AS "isMember"
    FROM users u WHERE u.email = ${email} FOR UPDATE OF u`;
  return rows[0] && !rows[0].isMember ? rows[0].id : null;
}

async function renewUser(db: Db, id: string, { name, passwordHash }: NewUser): Promise<string> {
  const owned = { where: { userId: id } };
  await db.recoveryCode.deleteMany(owned);
  await db.passkey.deleteMany(owned);
  await db.challenge.deleteMany(owned);
  await db.passwordReset.deleteMany(owned);
  const forgotten = { totpSecret: null, totpConfirmedAt: null, totpLastStep: null };
  await db.user.update({ where: { id }, data: { name, passwordHash, ...forgotten }, select: { id: true } });
  return id;
}

/** Keeps a new organization with its Super Admin.
 *  @returns its id */
export async function insertOrganization(
  db: Db,
  organization: { name: string; ownerId: string; createdAt: Date },
): Promise<string> {
  const { name, ownerId, createdAt } = organization;
  const { id } = await db.organization.create({
    data: { name, trustExternalId: randomUUID(), createdAt },
    select: { id: true },
  });
  const membership = { organizationId: id, userId: ownerId, role: Role.super_admin, joinedAt: createdAt };
  await db.membership.create({ data: membership, select: { id: true } });
  return id;
}

/** How many organizations there are. Holds a lock until the transaction ends, so that of two first ones one is first. */
export async function lockAndCountOrganizations(db: Db): Promise<number> {
  await db.$executeRaw`/* lockAndCountOrganizations */ SELECT pg_advisory_xact_lock(hashtext('costkeep first user'))`;
  return db.organization.count();
}

function isTaken(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002';
}
