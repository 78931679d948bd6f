import { randomUUID } from 'node:crypto';
import type { Db } from '../../kit/db.ts';
import { Prisma } from '../../../prisma/generated/client/client.ts';
import { type ChallengeKind, Role } from '../../../prisma/generated/client/enums.ts';
import { AppError, arg, fix, message } from '../../kit/errors/errors.ts';

/** A user as a login finds them. */
export interface Credentials {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string;
}

/** The user of an address, null where there is none. */
export async function findCredentials(db: Db, email: string): Promise<Credentials | null> {
  const user = await db.user.findUnique({
    where: { email },
    select: { id: true, email: true, name: true, passwordHash: true },
  });
  return user && { userId: user.id, email: user.email, name: user.name, passwordHash: user.passwordHash };
}

/** Gives a user another display name.
 *  @param db an open transaction
 *  @returns the one they had */
export async function renameUser(db: Db, userId: string, name: string): Promise<string> {
  const [row] = await db.$queryRaw<{ name: string }[]>`/* renameUser */
    SELECT name FROM users WHERE id = ${userId}::uuid FOR NO KEY UPDATE`;
  await db.user.update({ where: { id: userId }, data: { name }, select: { id: true } });
  return row?.name ?? name;
}

/** Whether a user's password still is the one that was verified. It stays so until the transaction ends: a login with the
 *  old one cannot slip past a change. */
export async function lockPassword(db: Db, user: Pick<Credentials, 'userId' | 'passwordHash'>): Promise<boolean> {
  const rows = await db.$queryRaw<object[]>`/* lockPassword */
    SELECT 1 FROM users WHERE id = ${user.userId}::uuid AND password_hash = ${user.passwordHash} FOR NO KEY UPDATE`;
  return rows.length > 0;
}

/** Every organization of the user, the one used last first, then the one joined first. Not many: a person joins a few. */
export async function listOrganizationIds(db: Db, userId: string): Promise<string[]> {
  const rows = await db.$queryRaw<{ organizationId: string }[]>`/* listOrganizationIds */
    SELECT m.organization_id AS "organizationId"
    FROM memberships m
    LEFT JOIN LATERAL (
      SELECT max(s.last_used_at) AS used FROM sessions s
      WHERE s.organization_id = m.organization_id AND s.user_id = m.user_id
    ) last ON true
    WHERE m.user_id = ${userId}::uuid
    ORDER BY last.used DESC NULLS LAST, m.joined_at, m.id`;
  return rows.map((row) => row.organizationId);
}

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

/** A question that was put to a user and is still open. */
export interface StoredChallenge {
  readonly id: string;
  /** Null: whoever answers names themselves. */
  readonly userId: string | null;
  /** The awaited second factor that a WebAuthn challenge belongs to. */
  readonly secondFactorId: string | null;
}

/** Keeps a challenge. */
export async function insertChallenge(
  db: Db,
  challenge: {
    kind: ChallengeKind;
    tokenHash: Uint8Array<ArrayBuffer>;
    userId: string | null;
    secondFactorId: string | null;
    createdAt: Date;
    expiresAt: Date;
  },
): Promise<void> {
  await db.challenge.create({ data: challenge, select: { id: true } });
}

/** The awaited second factor of a token, with its user; null when it is unknown, has expired, or was tried too often. */
export async function findAwaited(
  db: Db,
  tokenHash: Uint8Array<ArrayBuffer>,
  limits: { now: Date; tries: number },
): Promise<{ id: string; userId: string; email: string } | null> {
  const row = await db.challenge.findFirst({
    where: { kind: 'second_factor', tokenHash, expiresAt: { gt: limits.now }, attempts: { lt: limits.tries } },
    select: { id: true, user: { select: { id: true, email: true } } },
  });
  return row?.user ? { id: row.id, userId: row.user.id, email: row.user.email } : null;
}

/** Counts a try at an awaited second factor. False when it is no longer open, or was tried too often. */
export async function countTry(db: Db, id: string, limits: { now: Date; tries: number }): Promise<boolean> {
  const { count } = await db.challenge.updateMany({
    where: { id, expiresAt: { gt: limits.now }, attempts: { lt: limits.tries } },
    data: { attempts: { increment: 1 } },
  });
  return count > 0;
}

/** Takes a WebAuthn challenge away, so that it is good once: of many who answer it at once one gets it. Null when it is
 *  unknown, was answered, or has expired. */
export async function takeChallenge(
  db: Db,
  kind: ChallengeKind,
  tokenHash: Uint8Array<ArrayBuffer>,
  now: Date,
): Promise<StoredChallenge | null> {
  const rows = await db.$queryRaw<(StoredChallenge & { expiresAt: Date })[]>`/* takeChallenge */
    DELETE FROM challenges WHERE token_hash = ${tokenHash} AND kind = ${kind}::"ChallengeKind"
    RETURNING id, user_id AS "userId", second_factor_id AS "secondFactorId", expires_at AS "expiresAt"`;
  const [row] = rows;
  return row && row.expiresAt > now ? row : null;
}

/** Takes a challenge away once it has led to its end. False where another request did. */
export async function endChallenge(db: Db, id: string): Promise<boolean> {
  const { count } = await db.challenge.deleteMany({ where: { OR: [{ id }, { secondFactorId: id }] } });
  return count > 0;
}

/** Takes away whatever a user was asked: a new password makes it void. */
export async function deleteChallenges(db: Db, userId: string): Promise<void> {
  await db.challenge.deleteMany({ where: { userId } });
}
