import type { Db } from '../../kit/db.ts';

/** Whose password it is. */
export interface Owner {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
}

type Hash = Uint8Array<ArrayBuffer>;

/** The user of an address, null where there is none. Locked until the transaction ends: changes of one password come one
 *  after another. */
export async function lockOwner(db: Db, key: { email: string } | { userId: string }): Promise<Owner | null> {
  const [email, userId] = 'email' in key ? [key.email, null] : [null, key.userId];
  const rows = await db.$queryRaw<Owner[]>`/* lockOwner */
    SELECT id AS "userId", email, name FROM users
    WHERE email = ${email} OR id = ${userId}::uuid FOR NO KEY UPDATE`;
  return rows[0] ?? null;
}

/** How many links the user was sent since then. */
export function countResets(db: Db, userId: string, since: Date): Promise<number> {
  return db.passwordReset.count({ where: { userId, createdAt: { gt: since } } });
}

/** Keeps a link. False where it is kept already: the job that makes it runs a second time. */
export async function insertReset(
  db: Db,
  reset: { id: string; userId: string; tokenHash: Hash; createdAt: Date; expiresAt: Date },
): Promise<boolean> {
  const { count } = await db.passwordReset.createMany({ data: [reset], skipDuplicates: true });
  return count > 0;
}

/** Whom a link that is still good belongs to. */
export async function findReset(db: Db, tokenHash: Hash, now: Date): Promise<string | null> {
  const where = { tokenHash, usedAt: null, expiresAt: { gt: now } };
  const reset = await db.passwordReset.findFirst({ where, select: { userId: true } });
  return reset?.userId ?? null;
}

/** Uses a link up. False where another request was first, or it has expired. */
export async function takeReset(db: Db, tokenHash: Hash, now: Date): Promise<boolean> {
  const where = { tokenHash, usedAt: null, expiresAt: { gt: now } };
  const { count } = await db.passwordReset.updateMany({ where, data: { usedAt: now } });
  return count > 0;
}

/** Keeps a new password, and ends the links that would lead to another one. */
export async function replacePassword(db: Db, userId: string, passwordHash: string, now: Date): Promise<void> {
  await db.user.update({ where: { id: userId }, data: { passwordHash }, select: { id: true } });
  await db.passwordReset.updateMany({ where: { userId, usedAt: null }, data: { usedAt: now } });
}
