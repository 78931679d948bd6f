import { createHash, randomBytes } from 'node:crypto';
import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import { arg, fix, unauthorized, type AppError } from '../../kit/errors.ts';
import { findAwaited, insertChallenge, takeChallenge, type StoredChallenge } from './challenge-store.ts';

/** How often a second factor may be tried before the password has to be given again. */
export const challengeTries = 5;

/** How long a challenge is good. */
export const challengeMs = 300_000;
const tokenBytes = 32;

/** What the database keeps of a challenge or of its token: SHA-256. Both are random, so they need no slow hash. */
function hashOf(challenge: string): Uint8Array<ArrayBuffer> {
  return createHash('sha256').update(challenge).digest();
}

/** A second factor that is awaited of a user. */
export interface Awaited {
  readonly id: string;
  readonly userId: string;
  readonly email: string;
}

/** Asks a user whose password was right for the second factor.
 *  @returns the token that the answer has to come with, good for 5 minutes */
export function awaitSecondFactor(db: Db, deps: Pick<Deps, 'clock'>, userId: string): Promise<string> {
  return keep(db, deps, { kind: 'second_factor', userId, secondFactorId: null });
}

/** Asks for a passkey.
 *  @param whose the user it has to be of, and the awaited second factor it is to be; null: anybody's
 *  @returns the WebAuthn challenge in base64url, good once and for 5 minutes */
export function askForPasskey(db: Db, deps: Pick<Deps, 'clock'>, whose: Awaited | null): Promise<string> {
  const [userId, secondFactorId] = [whose?.userId ?? null, whose?.id ?? null];
  return keep(db, deps, { kind: 'passkey_authentication', userId, secondFactorId });
}

/** Asks a user to make a passkey.
 *  @returns the WebAuthn challenge in base64url, good once and for 5 minutes */
export function askForNewPasskey(db: Db, deps: Pick<Deps, 'clock'>, userId: string): Promise<string> {
  return keep(db, deps, { kind: 'passkey_registration', userId, secondFactorId: null });
}

/** The second factor that a token stands for.
 *  @throws {AppError} UNAUTHORIZED when the token is unknown or no longer good */
export async function awaitedFactor(deps: Pick<Deps, 'db' | 'clock'>, token: string): Promise<Awaited> {
  const found = await findAwaited(deps.db, hashOf(token), { now: deps.clock.now(), tries: challengeTries });
  if (!found) throw challengeOver();
  return found;
}

/** Takes the challenge that a WebAuthn answer names, which is good once whatever the answer is worth. Null when it is none
 *  of ours, was answered, or has expired. */
export function answeredChallenge(
  deps: Pick<Deps, 'db' | 'clock'>,
  kind: 'passkey_registration' | 'passkey_authentication',
  challenge: string,
): Promise<StoredChallenge | null> {
  return takeChallenge(deps.db, kind, hashOf(challenge), deps.clock.now());
}

/** The refusal of a second factor that nothing awaits. */
export function challengeOver(): AppError {
  return unauthorized`${arg('challenge_token')} is invalid or expired${fix}log in with the password again`;
}

async function keep(
  db: Db,
  { clock }: Pick<Deps, 'clock'>,
  question: Omit<Parameters<typeof insertChallenge>[1], 'tokenHash' | 'createdAt' | 'expiresAt'>,
): Promise<string> {
  const token = randomBytes(tokenBytes).toString('base64url');
  const createdAt = clock.now();
  const expiresAt = new Date(createdAt.getTime() + challengeMs);
  await insertChallenge(db, { ...question, tokenHash: hashOf(token), createdAt, expiresAt });
  return token;
}
