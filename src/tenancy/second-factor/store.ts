import type { Db } from '../../kit/db.ts';
import { type SecondFactorMethod, secondFactorMethods } from '../sessions/open.ts';

/** Those of the users who have a second factor: a confirmed TOTP secret, or at least one passkey. */
export async function hasSecondFactor(db: Db, userIds: readonly string[]): Promise<Set<string>> {
  if (userIds.length === 0) return new Set();
  const rows = await db.$queryRaw<{ id: string }[]>`/* hasSecondFactor */
    SELECT u.id FROM users u
    WHERE u.id = ANY(${[...userIds]}::uuid[])
      AND (u.totp_confirmed_at IS NOT NULL OR EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = u.id))`;
  return new Set(rows.map((row) => row.id));
}

/** What the user can prove a second factor with, the ways that need nothing else first; empty where they have none. */
export async function listSecondFactors(db: Db, userId: string): Promise<SecondFactorMethod[]> {
  const [user] = await db.$queryRaw<{ totp: boolean; passkey: boolean; recovery: boolean }[]>`/* listSecondFactors */
    SELECT u.totp_confirmed_at IS NOT NULL AS totp,
           EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = u.id) AS passkey,
           EXISTS (SELECT 1 FROM recovery_codes c WHERE c.user_id = u.id AND c.used_at IS NULL) AS recovery
    FROM users u WHERE u.id = ${userId}::uuid`;
  // Recovery codes stand in for a second factor; they are none by themselves.
  if (!user || !(user.totp || user.passkey)) return [];
  const { totp, recoveryCode, webauthn } = secondFactorMethods;
  return [...(user.totp ? [totp] : []), ...(user.recovery ? [recoveryCode] : []), ...(user.passkey ? [webauthn] : [])];
}

/** How many recovery codes the user has yet to use. */
export function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  return db.recoveryCode.count({ where: { userId, usedAt: null } });
}

/** A user's TOTP as it is stored. */
export interface StoredTotp {
  /** AES-256-GCM; null where none was ever set up. */
  readonly secret: Uint8Array | null;
  /** Null: set up but not confirmed. */
  readonly confirmedAt: Date | null;
}

/** The user's TOTP. @throws {Error} when there is no such user */
export async function readTotp(db: Db, userId: string): Promise<StoredTotp> {
  const select = { totpSecret: true, totpConfirmedAt: true };
  const user = await db.user.findUniqueOrThrow({ where: { id: userId }, select });
  return { secret: user.totpSecret, confirmedAt: user.totpConfirmedAt };
}

/** Keeps a secret that is yet to be confirmed, in place of an earlier one. False where TOTP is on already. */
export async function proposeTotp(db: Db, userId: string, secret: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const data = { totpSecret: secret, totpLastStep: null };
  const { count } = await db.user.updateMany({ where: { id: userId, totpConfirmedAt: null }, data });
  return count > 0;
}

/** Turns TOTP on. False where it was on already, or another secret was proposed meanwhile.
 *  @param step the time step of the code that confirmed it, which is used up by that */
export async function enableTotp(
  db: Db,
  userId: string,
  totp: { secret: Uint8Array; step: bigint; now: Date },
): Promise<boolean> {
  const where = { id: userId, totpConfirmedAt: null, totpSecret: new Uint8Array(totp.secret) };
  const data = { totpConfirmedAt: totp.now, totpLastStep: totp.step };
  return (await db.user.updateMany({ where, data })).count > 0;
}

/** Turns TOTP off and destroys its secret. False where it was off. */
export async function deleteTotp(db: Db, userId: string): Promise<boolean> {
  const data = { totpSecret: null, totpConfirmedAt: null, totpLastStep: null };
  const { count } = await db.user.updateMany({ where: { id: userId, totpConfirmedAt: { not: null } }, data });
  return count > 0;
}

/** Uses a time step up. False where a code of it, or of a later one, was taken before, or the secret has changed: of many
 *  who bring the same code at once one gets true.
 *  @param totp the secret as it was read, and as it is to be kept: encrypted anew where its key was rotated */
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

/** TOTP secrets as they are stored, by user, in the order of their ids.
 *  @param after the last id of the page before; null for the first */
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

/** Keeps the same secret, encrypted anew. False where it has changed since it was read. */
export async function replaceTotpSecret(
  db: Db,
  userId: string,
  { read, kept }: { read: Uint8Array; kept: Uint8Array },
): Promise<boolean> {
  const where = { id: userId, totpSecret: new Uint8Array(read) };
  return (await db.user.updateMany({ where, data: { totpSecret: new Uint8Array(kept) } })).count > 0;
}

/** Keeps recovery codes in place of all earlier ones. */
export async function replaceRecoveryCodes(
  db: Db,
  userId: string,
  hashes: readonly Uint8Array<ArrayBuffer>[],
  now: Date,
): Promise<void> {
  await deleteRecoveryCodes(db, userId);
  await db.recoveryCode.createMany({ data: hashes.map((codeHash) => ({ userId, codeHash, createdAt: now })) });
}

/** Takes every recovery code away, used or not. */
export async function deleteRecoveryCodes(db: Db, userId: string): Promise<void> {
  await db.recoveryCode.deleteMany({ where: { userId } });
}

/** Uses a recovery code up. False where the user has none with any of these hashes, or used it before.
 *  @param hashes of the one code, by each key that may have hashed it */
export async function takeRecoveryCode(
  db: Db,
  userId: string,
  hashes: Uint8Array<ArrayBuffer>[],
  now: Date,
): Promise<boolean> {
  const where = { userId, codeHash: { in: hashes }, usedAt: null };
  return (await db.recoveryCode.updateMany({ where, data: { usedAt: now } })).count > 0;
}
