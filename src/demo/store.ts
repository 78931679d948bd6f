import type { Db } from '../kit/db.ts';

/** Gives a user another password.
 *  @param passwordHash Argon2id in PHC string format */
export async function setPasswordHash(db: Db, email: string, passwordHash: string): Promise<void> {
  await db.user.updateMany({ where: { email }, data: { passwordHash } });
}
