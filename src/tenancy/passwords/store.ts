import type { Db } from '../../kit/db.ts';

/** The owner of a password. */
export interface Owner {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
}

type Hash = Uint8Array<ArrayBuffer>;

/** Finds a user by address or id; null if there is none. Locks them until the transaction ends, so that password
 *  changes are serialized. */
export async function lockOwner(db: Db, key: { email: string } | { userId: string }): Promise<Owner | null> {
  const [email, userId] = 'email' in key ? [key.email, null] : [null, key.userId];
  const rows = await db.$queryRaw<Owner[]>`/* lockOwner */
    SELECT id AS "userId", email, name FROM users
    WHERE email = ${email} OR id = ${userId}::uuid FOR NO KEY UPDATE`;
  return rows[0] ?? null;
}

/** Counts the links sent to the user since an instant. */
export function countResets(db: Db, userId: string, since: Date): Promise<number> {
  return db.passwordReset.count({ where: { userId, createdAt: { gt: since } } });
}

/** Inserts a link. False if it already exists, because its job is running again. */
export async function insertReset(
  db: Db,
  reset: { id: string; userId: string; tokenHash: Hash; createdAt: Date; expiresAt: Date },
): Promise<boolean> {
  const { count } = await db.passwordReset.createMany({ data: [reset], skipDuplicates: true });
  return count > 0;
}

/** The user of a valid link. */
export async function findReset(db: Db, tokenHash: Hash, now: Date): Promise<string | null> {
  const where = { tokenHash, usedAt: null, expiresAt: { gt: now } };
  const reset = await db.passwordReset.findFirst({ where, select: { userId: true } });
  return reset?.userId ?? null;
}

/** Consumes a link. False if another request already did, or it has expired. */
export async function takeReset(db: Db, tokenHash: Hash, now: Date): Promise<boolean> {
  const where = { tokenHash, usedAt: null, expiresAt: { gt: now } };
  const { count } = await db.passwordReset.updateMany({ where, data: { usedAt: now } });
  return count > 0;
}

/** Stores a new password, and invalidates all other reset links. */
export async function replacePassword(db: Db, userId: string, passwordHash: string, now: Date): Promise<void> {
  await db.user.update({ where: { id: userId }, data: { passwordHash }, select: { id: true } });
  await db.passwordReset.updateMany({ where: { userId, usedAt: null }, data: { usedAt: now } });
}
