import type { Db } from '../../kit/db.ts';
import { type SecondFactorMethod, secondFactorMethods } from '../sessions/open.ts';

/** Returns which of the users have a second factor: a confirmed TOTP secret, or at least one passkey. */
export async function hasSecondFactor(db: Db, userIds: readonly string[]): Promise<Set<string>> {
  if (userIds.length === 0) return new Set();
  const rows = await db.$queryRaw<{ id: string }[]>`/* hasSecondFactor */
    SELECT u.id FROM users u
    WHERE u.id = ANY(${[...userIds]}::uuid[])
      AND (u.totp_confirmed_at IS NOT NULL OR EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = u.id))`;
  return new Set(rows.map((row) => row.id));
}

/** The user's available second-factor methods, those without prior steps first; empty without a second factor. */
export async function listSecondFactors(db: Db, userId: string): Promise<SecondFactorMethod[]> {
  const [user] = await db.$queryRaw<{ totp: boolean; passkey: boolean; recovery: boolean }[]>`/* listSecondFactors */
    SELECT u.totp_confirmed_at IS NOT NULL AS totp,
           EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = u.id) AS passkey,
           EXISTS (SELECT 1 FROM recovery_codes c WHERE c.user_id = u.id AND c.used_at IS NULL) AS recovery
    FROM users u WHERE u.id = ${userId}::uuid`;
  // Recovery codes replace a second factor; they are not one themselves.
  if (!user || !(user.totp || user.passkey)) return [];
  const { totp, recoveryCode, webauthn } = secondFactorMethods;
  return [...(user.totp ? [totp] : []), ...(user.recovery ? [recoveryCode] : []), ...(user.passkey ? [webauthn] : [])];
}

/** Counts the user's unused recovery codes. */
export function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  return db.recoveryCode.count({ where: { userId, usedAt: null } });
}

/** A user's stored TOTP settings. */
export interface StoredTotp {
  /** AES-256-GCM; null if never set up. */
  readonly secret: Uint8Array | null;
  /** Null: unconfirmed. */
  readonly confirmedAt: Date | null;
}

/** Reads the user's TOTP settings. @throws {Error} if the user does not exist */
export async function readTotp(db: Db, userId: string): Promise<StoredTotp> {
  const select = { totpSecret: true, totpConfirmedAt: true };
  const user = await db.user.findUniqueOrThrow({ where: { id: userId }, select });
  return { secret: user.totpSecret, confirmedAt: user.totpConfirmedAt };
}

/** Stores an unconfirmed secret, replacing an earlier one. False if TOTP is already enabled. */
export async function proposeTotp(db: Db, userId: string, secret: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const data = { totpSecret: secret, totpLastStep: null };
  return (await db.user.updateMany({ where: { id: userId, totpConfirmedAt: null }, data })).count > 0;
}

/** Enables TOTP. False if it was already enabled, or the secret was replaced meanwhile.
 *  @param step time step of the confirming code, which is thereby consumed */
export async function enableTotp(
  db: Db,
  userId: string,
  totp: { secret: Uint8Array; step: bigint; now: Date },
): Promise<boolean> {
  const where = { id: userId, totpConfirmedAt: null, totpSecret: new Uint8Array(totp.secret) };
  const data = { totpConfirmedAt: totp.now, totpLastStep: totp.step };
  return (await db.user.updateMany({ where, data })).count > 0;
}

/** Disables TOTP and deletes its secret. False if it was disabled. */
export async function deleteTotp(db: Db, userId: string): Promise<boolean> {
  const data = { totpSecret: null, totpConfirmedAt: null, totpLastStep: null };
  return (await db.user.updateMany({ where: { id: userId, totpConfirmedAt: { not: null } }, data })).count > 0;
}

/** Consumes a time step. False if a code of it or of a later one was already used, or the secret has changed: of
 *  several concurrent requests with the same code, only one gets true.
 *  @param totp the secret as read, and as it should be stored: re-encrypted if its key was rotated */
export async function takeStep(
  db: Db,
  userId: string,
  totp: { step: bigint; read: Uint8Array; kept: Uint8Array },
): Promise<boolean> {
  const isLater = [{ totpLastStep: null }, { totpLastStep: { lt: totp.step } }];
  const where = { id: userId, totpConfirmedAt: { not: null }, totpSecret: new Uint8Array(totp.read), OR: isLater };
  const data = { totpLastStep: totp.step, totpSecret: new Uint8Array(totp.kept) };
  return (await db.user.updateMany({ where, data })).count > 0;
}

/** Lists stored TOTP secrets ordered by user id.
 *  @param after last id of the previous page; null for the first page */
export async function listTotpSecrets(
  db: Db,
  after: string | null,
  take: number,
): Promise<{ id: string; secret: Uint8Array }[]> {
  const where = { totpSecret: { not: null }, ...(after === null ? {} : { id: { gt: after } }) };
  const select = { id: true, totpSecret: true } as const;
  const users = await db.user.findMany({ where, select, orderBy: { id: 'asc' }, take });
  return users.flatMap(({ id, totpSecret }) => (totpSecret ? [{ id, secret: totpSecret }] : []));
}

/** Stores the re-encrypted secret. False if it has changed since it was read. */
export async function replaceTotpSecret(
  db: Db,
  userId: string,
  { read, kept }: { read: Uint8Array; kept: Uint8Array },
): Promise<boolean> {
  const where = { id: userId, totpSecret: new Uint8Array(read) };
  return (await db.user.updateMany({ where, data: { totpSecret: new Uint8Array(kept) } })).count > 0;
}

/** Replaces all recovery codes of a user. */
export async function replaceRecoveryCodes(
  db: Db,
  userId: string,
  hashes: readonly Uint8Array<ArrayBuffer>[],
  now: Date,
): Promise<void> {
  await deleteRecoveryCodes(db, userId);
  await db.recoveryCode.createMany({ data: hashes.map((codeHash) => ({ userId, codeHash, createdAt: now })) });
}

/** Deletes all recovery codes of a user, used or not. */
async function deleteRecoveryCodes(db: Db, userId: string): Promise<void> {
  await db.recoveryCode.deleteMany({ where: { userId } });
}

/** Deletes the recovery codes of a user who no longer has a second factor that they could replace. */
export async function endRecoveryCodes(db: Db, userId: string): Promise<void> {
  if ((await hasSecondFactor(db, [userId])).size === 0) await deleteRecoveryCodes(db, userId);
}

/** Consumes a recovery code. False if the user has none with any of these hashes, or already used it.
 *  @param hashes hashes of the code by each key that may have been used */
export async function takeRecoveryCode(
  db: Db,
  userId: string,
  hashes: Uint8Array<ArrayBuffer>[],
  now: Date,
): Promise<boolean> {
  const where = { userId, codeHash: { in: hashes }, usedAt: null };
  return (await db.recoveryCode.updateMany({ where, data: { usedAt: now } })).count > 0;
}
