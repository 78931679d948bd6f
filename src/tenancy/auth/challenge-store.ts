import type { ChallengeKind } from '../../../prisma/generated/client/enums.ts';
import type { Db } from '../../kit/db.ts';

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
