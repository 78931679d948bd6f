import type { Db } from '../../kit/db.ts';

/** Those of the users who have a second factor: a confirmed TOTP secret, or at least one passkey. */
export async function hasSecondFactor(db: Db, userIds: readonly string[]): Promise<Set<string>> {
  if (userIds.length === 0) return new Set();
  const rows = await db.$queryRaw<{ id: string }[]>`/* hasSecondFactor */
    SELECT u.id FROM users u
    WHERE u.id = ANY(${[...userIds]}::uuid[])
      AND (u.totp_confirmed_at IS NOT NULL OR EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = u.id))`;
  return new Set(rows.map((row) => row.id));
}
