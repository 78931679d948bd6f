import { randomUUID } from 'node:crypto';
import type { Db } from '../../kit/db.ts';
import { Prisma } from '../../../prisma/generated/client/client.ts';
import { type ChallengeKind, Role } from '../../../prisma/generated/client/enums.ts';
import { AppError, arg, fix, message } from '../../kit/errors/errors.ts';

/** A user's credentials for login. */
export interface Credentials {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string;
}

/** Finds the user of an address; null if there is none. */
export async function findCredentials(db: Db, email: string): Promise<Credentials | null> {
  const user = await db.user.findUnique({
    where: { email },
    select: { id: true, email: true, name: true, passwordHash: true },
  });
  return user && { userId: user.id, email: user.email, name: user.name, passwordHash: user.passwordHash };
}

/** Changes a user's display name.
 *  @param db an open transaction
 *  @returns the former name */
export async function renameUser(db: Db, userId: string, name: string): Promise<string> {
  const [row] = await db.$queryRaw<{ name: string }[]>`/* renameUser */
    SELECT name FROM users WHERE id = ${userId}::uuid FOR NO KEY UPDATE`;
  await db.user.update({ where: { id: userId }, data: { name }, select: { id: true } });
  return row?.name ?? name;
}

/** Whether a user's password is still the verified one. Locks it until the transaction ends, so that a login with
 *  the old password cannot race with a change. */
export async function lockPassword(db: Db, user: Pick<Credentials, 'userId' | 'passwordHash'>): Promise<boolean> {
  const rows = await db.$queryRaw<object[]>`/* lockPassword */
    SELECT 1 FROM users WHERE id = ${user.userId}::uuid AND password_hash = ${user.passwordHash} FOR NO KEY UPDATE`;
  return rows.length > 0;
}

/** All organizations of the user: last used first, then first joined. Unpaged, since users join only a few. */
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

/** A new user's columns. */
export interface NewUser {
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string;
  readonly createdAt: Date;
}

/** Inserts a user.
 *  @returns the user's id
 *  @throws {AppError} CONFLICT if the address is taken */
export async function insertUser(db: Db, user: NewUser): Promise<string> {
  const row = await db.user.create({ data: user, select: { id: true } }).catch((cause: unknown) => {
    if (!isTaken(cause)) throw cause;
    throw new AppError(
      'CONFLICT',
      message`${arg('email', user.email)} is already registered${fix}sign in, or reset the password`,
      { cause },
    );
  });
  return row.id;
}

/** Re-registers a user without any organization after verifying their address by email: the id stays, all former
 *  credentials are deleted.
 *  @returns the user's id; null if the address has no such user */
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

/** Re-registers a user without any organization by password only: second factors stay.
 *  @param proven the credentials when the password was verified
 *  @returns the user's id; null if they have joined an organization or changed the password since */
export async function takeBackLeftUser(db: Db, proven: Credentials, name: string): Promise<string | null> {
  const left = await lockLeftUser(db, proven.email);
  if (left?.passwordHash !== proven.passwordHash) return null;
  await db.user.update({ where: { id: left.id }, data: { name }, select: { id: true } });
  return left.id;
}

/** Finds and locks a user without any organization until the transaction ends; null if there is none. */
async function lockLeftUser(db: Db, email: string): Promise<{ id: string; passwordHash: string } | null> {
  const rows = await db.$queryRaw<{ id: string; passwordHash: string; isMember: boolean }[]>`/* lockLeftUser */
    SELECT u.id, u.password_hash AS "passwordHash",
           EXISTS (SELECT 1 FROM memberships m WHERE m.user_id = u.id) AS "isMember"
    FROM users u WHERE u.email = ${email} FOR UPDATE OF u`;
  return rows[0] && !rows[0].isMember ? rows[0] : null;
}

/** Inserts an organization with its Super Admin.
 *  @returns its id */
export async function insertOrganization(
  db: Db,
  organization: { name: string; ownerId: string; createdAt: Date },
): Promise<string> {
  const { name, ownerId, createdAt } = organization;
  const { id } = await db.organization.create({
    data: { name, trustExternalId: randomUUID(), createdAt, isCurrencyChosen: false },
    select: { id: true },
  });
  const membership = { organizationId: id, userId: ownerId, role: Role.super_admin, joinedAt: createdAt };
  await db.membership.create({ data: membership, select: { id: true } });
  return id;
}

/** Counts the organizations. Holds a lock until the transaction ends, so that only one can be the first. */
export async function lockAndCountOrganizations(db: Db): Promise<number> {
  await db.$executeRaw`/* lockAndCountOrganizations */ SELECT pg_advisory_xact_lock(hashtext('costkeep first user'))`;
  return db.organization.count();
}

/** Whether the database has no organization. */
export async function isWithoutOrganizations(db: Db): Promise<boolean> {
  return (await db.organization.findFirst({ select: { id: true } })) === null;
}

function isTaken(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002';
}

/** An open challenge for a user. */
export interface StoredChallenge {
  readonly id: string;
  /** Null: the response identifies the user. */
  readonly userId: string | null;
  /** The pending second factor that a WebAuthn challenge belongs to. */
  readonly secondFactorId: string | null;
}

/** Inserts a challenge. */
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

/** Finds the pending second factor of a token, with its user; null if it is unknown, expired, or out of attempts. */
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

/** Counts an attempt at a pending second factor. False if it is no longer open, or out of attempts. */
export async function countTry(db: Db, id: string, limits: { now: Date; tries: number }): Promise<boolean> {
  const { count } = await db.challenge.updateMany({
    where: { id, expiresAt: { gt: limits.now }, attempts: { lt: limits.tries } },
    data: { attempts: { increment: 1 } },
  });
  return count > 0;
}

/** Deletes a WebAuthn challenge, so that only one of several concurrent responses can use it. Null if it is unknown,
 *  already answered, or expired. */
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

/** Deletes a completed challenge. False if another request already did. */
export async function endChallenge(db: Db, id: string): Promise<boolean> {
  const { count } = await db.challenge.deleteMany({ where: { OR: [{ id }, { secondFactorId: id }] } });
  return count > 0;
}

/** Deletes all challenges of a user: a new password invalidates them. */
export async function deleteChallenges(db: Db, userId: string): Promise<void> {
  await db.challenge.deleteMany({ where: { userId } });
}
