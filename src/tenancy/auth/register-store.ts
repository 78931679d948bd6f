import { randomUUID } from 'node:crypto';
import { Prisma } from '../../../prisma/generated/client/client.ts';
import { Role } from '../../../prisma/generated/client/enums.ts';
import type { Db } from '../../kit/db.ts';
import { AppError, arg, fix, message } from '../../kit/errors.ts';
import type { Credentials } from './store.ts';

/** Who registers, as they are kept. */
export interface NewUser {
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string;
  readonly createdAt: Date;
}

/** Keeps a new user.
 *  @returns the user's id
 *  @throws {AppError} CONFLICT when the address is taken */
export async function insertUser(db: Db, user: NewUser): Promise<string> {
  const row = await db.user.create({ data: user, select: { id: true } }).catch((cause: unknown) => {
    if (!isTaken(cause)) throw cause;
    throw new AppError(
      'CONFLICT',
      message`${arg('email', user.email)} is already registered${fix}log in, or reset the password`,
      { cause },
    );
  });
  return row.id;
}

/** Makes a user who no longer belongs to an organization anew, after a mail to their address: they keep their id, and what
 *  proved who they were before proves nothing any more.
 *  @returns the user's id; null where the address has no such user */
export async function renewLeftUser(db: Db, { email, name, passwordHash }: NewUser): Promise<string | null> {
  const left = await lockLeftUser(db, email);
  if (!left) return null;
  const owned = { where: { userId: left.id } };
  await db.recoveryCode.deleteMany(owned);
  await db.passkey.deleteMany(owned);
  await db.challenge.deleteMany(owned);
  await db.passwordReset.deleteMany(owned);
  const forgotten = { totpSecret: null, totpConfirmedAt: null, totpLastStep: null };
  await db.user.update({ where: { id: left.id }, data: { name, passwordHash, ...forgotten }, select: { id: true } });
  return left.id;
}

/** Takes a user back who no longer belongs to an organization, after their password alone: second factors stay.
 *  @param proven as it was when the password was verified
 *  @returns the user's id; null when they joined an organization or changed the password since */
export async function takeBackLeftUser(db: Db, proven: Credentials, name: string): Promise<string | null> {
  const left = await lockLeftUser(db, proven.email);
  if (left?.passwordHash !== proven.passwordHash) return null;
  await db.user.update({ where: { id: left.id }, data: { name }, select: { id: true } });
  return left.id;
}

/** The user of an address who belongs to no organization, kept locked until the transaction ends; null where there is none. */
async function lockLeftUser(db: Db, email: string): Promise<{ id: string; passwordHash: string } | null> {
  const rows = await db.$queryRaw<{ id: string; passwordHash: string; isMember: boolean }[]>`/* lockLeftUser */
    SELECT u.id, u.password_hash AS "passwordHash",
           EXISTS (SELECT 1 FROM memberships m WHERE m.user_id = u.id) AS "isMember"
    FROM users u WHERE u.email = ${email} FOR UPDATE OF u`;
  return rows[0] && !rows[0].isMember ? rows[0] : null;
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
