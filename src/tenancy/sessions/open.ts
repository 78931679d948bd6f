import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import { fix, unauthorized } from '../../kit/errors/errors.ts';
import { newId } from '../../kit/ids.ts';
import { type Actor, userAgentCharacters } from '../audit/store.ts';
import { signAccessToken } from './access-token.ts';
import { firstRefreshToken, hashOf, refreshTokenDays } from './refresh-token.ts';
import type { Viewer } from '../auth/scope.ts';
import { findViewer, insertSession } from './store.ts';

/** A session as its transaction leaves it. */
export interface OpenSession {
  readonly sessionId: string;
  readonly userId: string;
  readonly refreshToken: string;
  /** When refreshing ends, and the user has to log in again. */
  readonly expiresAt: Date;
}

/** How a user proved who they are. */
export type LoginMethod =
  'password' | 'password + totp' | 'password + recovery_code' | 'password + passkey' | 'passkey';

/** How a second factor can be proven, as a login tells it. */
export const secondFactorMethods = { totp: 'totp', recoveryCode: 'recovery_code', webauthn: 'webauthn' } as const;

/** One of them. */
export type SecondFactorMethod = (typeof secondFactorMethods)[keyof typeof secondFactorMethods];

/** What a client gets when the password was right and a second factor is awaited. */
export interface AwaitedFactor {
  /** Good for 5 minutes, 5 tries and one success. */
  readonly challengeToken: string;
  readonly methods: readonly SecondFactorMethod[];
}

/** What a login leads to. */
export type LoginAnswer = Login | AwaitedFactor;

/** What a client gets to act in a session. */
export interface Login {
  readonly viewer: Viewer;
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresAt: Date;
}

/** Where a request came from. */
export type Origin = Pick<Actor, 'ipAddress' | 'userAgent' | 'clock'>;

const msPerDay = 86_400_000;

/** Whether there are tokens already. */
export function isLogin(answer: object): answer is Login {
  return 'accessToken' in answer;
}

/** Opens a session for a user who has proven who they are. Call it inside the transaction of the act.
 *  @param actor the user, in the organization that the session is for
 *  @param method how they have proven it */
export async function openSession(
  db: Db,
  deps: Pick<Deps, 'clock'>,
  actor: Actor & { userId: string },
  method: LoginMethod,
): Promise<OpenSession> {
  const createdAt = deps.clock.now();
  const expiresAt = new Date(createdAt.getTime() + refreshTokenDays * msPerDay);
  const token = firstRefreshToken(newId(createdAt));
  await insertSession(db, {
    id: token.sessionId,
    organizationId: actor.organizationId,
    userId: actor.userId,
    refreshHash: hashOf(token),
    ipAddress: actor.ipAddress,
    userAgent: actor.userAgent.slice(0, userAgentCharacters),
    method,
    createdAt,
    expiresAt,
  });
  return { sessionId: token.sessionId, userId: actor.userId, refreshToken: token.text, expiresAt };
}

/** Hands the tokens of a committed session to its user.
 *  @throws {AppError} UNAUTHORIZED when the session or the membership ended in this very moment */
export async function answerLogin(deps: Pick<Deps, 'pool' | 'clock' | 'config'>, session: OpenSession): Promise<Login> {
  const viewer = await findViewer(deps.pool, session, deps.clock.now());
  if (!viewer) throw unauthorized`The session has ended${fix}log in again`;
  const { refreshToken, expiresAt } = session;
  return { viewer, accessToken: await signAccessToken(deps, session), refreshToken, expiresAt };
}
