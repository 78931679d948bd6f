import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import { arg, unauthorized } from '../../kit/errors.ts';
import { boundCode, takeCode } from '../second-factor/code.ts';
import { listSecondFactors } from '../second-factor/store.ts';
import { awaitSecondFactor } from './challenge.ts';
import { boundPassword, parseEmail } from './input.ts';
import { attemptLogin } from './lockout.ts';
import { delayRefusal, openLogin, recordFailedLogin } from './open-login.ts';
import { verifyPassword } from './password.ts';
import { answerLogin, type AwaitedFactor, type LoginAnswer, type OpenSession, type Origin } from './session.ts';
import { findCredentials, lockPassword, type Credentials } from './store.ts';

const wrongPassword = () => unauthorized`The email or the password is wrong`;

/** What a login needs of the outside world. */
export type LoginDeps = Pick<Deps, 'db' | 'pool' | 'clock' | 'config' | 'secrets'>;

/** How one attempt went. */
interface Attempt {
  readonly startedMs: number;
  /** Null where the address is unknown. */
  readonly user: Credentials | null;
  /** Null where it was right, or was not looked at yet. */
  readonly wrong: 'password' | 'code' | null;
}

type Opened = OpenSession | AwaitedFactor;

/** Logs in with email and password, into the organization used last, else the one joined first. Where the user has a second
 *  factor and no code came, the answer is a challenge in place of tokens: half a login, which neither counts as a failure
 *  nor makes earlier ones forgotten.
 *  @param input `totpCode`: TOTP or recovery code; not looked at where the user has no second factor
 *  @throws {AppError} VALIDATION_ERROR naming the field; UNAUTHORIZED for a wrong password and an unknown address alike, and
 *  for a wrong code; ACCOUNT_LOCKED after too many; FORBIDDEN when the user no longer belongs to an organization */
export async function login(
  deps: LoginDeps,
  origin: Origin,
  input: { email: string; password: string; totpCode?: string | null },
): Promise<LoginAnswer> {
  const email = parseEmail(input.email);
  const password = boundPassword(input.password);
  const code = input.totpCode === undefined || input.totpCode === null ? null : boundCode(input.totpCode, 'totp_code');
  let attempt: Attempt | undefined;
  const note = (tried: Attempt) => void (attempt = tried);
  const opened = await attemptLogin(
    deps,
    email,
    () => tryLogin({ deps, origin, note }, email, { password, code }),
    isSession,
  );
  if (!opened) return refuse(deps, origin, attempt);
  return isSession(opened) ? answerLogin(deps, opened) : opened;
}

interface Trial {
  deps: LoginDeps;
  origin: Origin;
  note: (tried: Attempt) => void;
}

/** Does the same, and takes as long, for an address that nobody has: what only a known one has to write is written later. */
async function tryLogin(
  { deps, origin, note }: Trial,
  email: string,
  given: { password: string; code: string | null },
): Promise<Opened | null> {
  const startedMs = performance.now();
  const user = await findCredentials(deps.db, email);
  const isCorrect = await verifyPassword(given.password, user?.passwordHash ?? null, deps.config.passwordCost);
  const opened = user && isCorrect ? await open({ deps, origin }, user, given.code) : null;
  note({ startedMs, user, wrong: opened ? null : user && isCorrect ? 'code' : 'password' });
  return opened;
}

/** Null: the code was wrong. */
function open(
  { deps, origin }: Pick<Trial, 'deps' | 'origin'>,
  user: Credentials,
  code: string | null,
): Promise<Opened | null> {
  return deps.db.$transaction(async (db): Promise<Opened | null> => {
    if (!(await lockPassword(db, user))) throw wrongPassword();
    const methods = await listSecondFactors(db, user.userId);
    if (methods.length === 0) return openLogin(db, deps, origin, { user, method: 'password' });
    if (code === null) return { challengeToken: await awaitSecondFactor(db, deps, user.userId), methods };
    const taken = await takeCode(db, deps, user.userId, code);
    return taken && openLogin(db, deps, origin, { user, method: `password + ${taken}` });
  });
}

async function refuse(deps: LoginDeps, origin: Origin, attempt: Attempt | undefined): Promise<never> {
  if (!attempt) throw new Error('A login was refused that was never tried');
  const { user, wrong } = attempt;
  if (user && wrong) await deps.db.$transaction((db: Db) => recordFailedLogin(db, origin, user, { wrong }));
  await delayRefusal(attempt.startedMs);
  throw wrong === 'code' ? unauthorized`${arg('totp_code')} is wrong or was already used` : wrongPassword();
}

function isSession(opened: Opened): opened is OpenSession {
  return 'sessionId' in opened;
}
