import type { Deps } from '../../kit/deps.ts';
import { arg, unauthorized } from '../../kit/errors.ts';
import { boundCode, takeCode } from '../second-factor/code.ts';
import { awaitedFactor, challengeOver, challengeTries, type Awaited } from './challenge.ts';
import { countTry, endChallenge } from './challenge-store.ts';
import { attemptLogin } from './lockout.ts';
import { openLogin, recordFailedLogin } from './open-login.ts';
import { answerLogin, type Login, type OpenSession, type Origin } from './session.ts';

type VerifyDeps = Pick<Deps, 'db' | 'pool' | 'clock' | 'config' | 'secrets'>;

/** Ends a login that awaits a second factor, with a TOTP or recovery code. A wrong one counts as a wrong password does.
 *  @throws {AppError} VALIDATION_ERROR naming the field; UNAUTHORIZED for a wrong code, and when the challenge is over: it
 *  takes 5 tries and one success in 5 minutes; ACCOUNT_LOCKED after too many failures */
export async function verifySecondFactor(
  deps: VerifyDeps,
  origin: Origin,
  input: { challengeToken: string; code: string },
): Promise<Login> {
  const code = boundCode(input.code, 'code');
  const awaited = await awaitedFactor(deps, input.challengeToken);
  const session = await attemptLogin(deps, awaited.email, () => tryCode(deps, origin, awaited, code));
  if (!session) throw unauthorized`${arg('code')} is wrong or was already used`;
  return answerLogin(deps, session);
}

/** Null: the code was wrong. What that writes must be kept, so it is no exception here. */
function tryCode(deps: VerifyDeps, origin: Origin, awaited: Awaited, code: string): Promise<OpenSession | null> {
  return deps.db.$transaction(async (db) => {
    // Whoever was before us in the queue may have ended it.
    if (!(await countTry(db, awaited.id, { now: deps.clock.now(), tries: challengeTries }))) throw challengeOver();
    const method = await takeCode(db, deps, awaited.userId, code);
    if (!method) {
      await recordFailedLogin(db, origin, awaited, { wrong: 'code' });
      return null;
    }
    await endChallenge(db, awaited.id);
    return openLogin(db, deps, origin, { user: awaited, method: `password + ${method}` });
  });
}
