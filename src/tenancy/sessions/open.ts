import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import { fix, unauthorized } from '../../kit/errors/errors.ts';
import { newId } from '../../kit/ids.ts';
import { type Actor, userAgentCharacters } from '../audit/store.ts';
import { signAccessToken } from './access-token.ts';
import { firstRefreshToken, hashOf, refreshTokenMs } from './refresh-token.ts';
import type { Viewer } from '../auth/scope.ts';
import { findViewer, insertSession } from './store.ts';

/** A session after its transaction. */
export interface OpenSession {
  readonly sessionId: string;
  readonly userId: string;
  readonly refreshToken: string;
  /** When refreshing ends, and the user must log in again. */
  readonly expiresAt: Date;
}

/** Authentication method. */
export type LoginMethod =
  'password' | 'password + totp' | 'password + recovery_code' | 'password + passkey' | 'passkey';

/** Second-factor methods, as reported by a login. */
export const secondFactorMethods = { totp: 'totp', recoveryCode: 'recovery_code', webauthn: 'webauthn' } as const;

/** A second-factor method. */
export type SecondFactorMethod = (typeof secondFactorMethods)[keyof typeof secondFactorMethods];

/** The result of a login after a correct password with a second factor pending. */
export interface AwaitedFactor {
  /** Valid for 5 minutes, 5 attempts and one success. */
  readonly challengeToken: string;
  readonly methods: readonly SecondFactorMethod[];
}

/** The result of a login. */
export type LoginAnswer = Login | AwaitedFactor;

/** A session with its tokens. */
export interface Login {
  readonly viewer: Viewer;
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresAt: Date;
}

/** Origin of a request. */
export type Origin = Pick<Actor, 'ipAddress' | 'userAgent' | 'clock'>;

/** Whether the login is complete. */
export function isLogin(answer: object): answer is Login {
  return 'accessToken' in answer;
}

/** Opens a session for an authenticated user. Call it inside the transaction of the action.
 *  @param actor the user, in the organization of the session
 *  @param method how they authenticated */
export async function openSession(
  db: Db,
  deps: Pick<Deps, 'clock'>,
  actor: Actor & { userId: string },
  method: LoginMethod,
): Promise<OpenSession> {
  const createdAt = deps.clock.now();
  const expiresAt = new Date(createdAt.getTime() + refreshTokenMs);
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

/** Returns the tokens of a committed session.
 *  @throws {AppError} UNAUTHORIZED if the session or the membership ended concurrently */
export async function answerLogin(deps: Pick<Deps, 'pool' | 'clock' | 'config'>, session: OpenSession): Promise<Login> {
  const viewer = await findViewer(deps.pool, session, deps.clock.now());
  if (!viewer) throw unauthorized`The session has ended${fix}sign in again`;
  const { refreshToken, expiresAt } = session;
  return { viewer, accessToken: await signAccessToken(deps, session), refreshToken, expiresAt };
}
