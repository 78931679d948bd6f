import { setTimeout as delay } from 'node:timers/promises';
import { createHash, randomBytes } from 'node:crypto';
import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import { type AppError, arg, fix, forbidden, unauthorized } from '../../kit/errors/errors.ts';
import { writeAudit } from '../audit/store.ts';
import {
  answerLogin,
  type AwaitedFactor,
  type Login,
  type LoginAnswer,
  type LoginMethod,
  openSession,
  type OpenSession,
  type Origin,
} from '../sessions/open.ts';
import {
  countTry,
  type Credentials,
  endChallenge,
  findAwaited,
  findCredentials,
  insertChallenge,
  listOrganizationIds,
  lockPassword,
  type StoredChallenge,
  takeChallenge,
} from './store.ts';
import { boundCode, takeCode } from '../second-factor/code.ts';
import { listSecondFactors } from '../second-factor/store.ts';
import { boundPassword, parseEmail } from './input.ts';
import { attemptLogin } from './lockout.ts';
import { verifyPassword } from './password.ts';

/** Whoever logs in. */
interface Person {
  readonly userId: string;
  readonly email: string;
}

/** A refusal takes this long, whatever it had to write: writing costs a few milliseconds, and only a known address has
 *  somewhere to write to. Far above what a refusal needs on a machine that is not overloaded. */
const refusalMs = 200;

/** Opens a session for a user who has proven who they are, in the organization used last, else the one joined first. Call
 *  it inside the transaction that used up what they proved it with.
 *  @throws {AppError} FORBIDDEN when the user no longer belongs to an organization */
export async function openLogin(
  db: Db,
  deps: Pick<Deps, 'clock' | 'secrets'>,
  origin: Origin,
  proven: { user: Person; method: LoginMethod },
): Promise<OpenSession> {
  const { user, method } = proven;
  const [organizationId] = await listOrganizationIds(db, user.userId);
  if (!organizationId) {
    throw forbidden`"${user.email}" no longer belongs to an organization${fix}ask for an invitation`;
  }
  const actor = { organizationId, userId: user.userId, email: user.email, ...origin };
  const session = await openSession(db, deps, actor, method);
  await writeAudit(db, actor, {
    action: 'login',
    resourceType: 'session',
    resourceId: session.sessionId,
    details: { method },
  });
  return session;
}

/** Records a failed login. Nobody is signed in, so the entry names the address that was tried, in every organization that
 *  it could have opened.
 *  @param reason what was wrong: `password`, `code` or `passkey`, and why where it tells something */
export async function recordFailedLogin(
  db: Db,
  origin: Origin,
  user: Person,
  reason: { wrong: 'password' | 'code' | 'passkey'; why?: string },
): Promise<void> {
  for (const organizationId of await listOrganizationIds(db, user.userId)) {
    const actor = { organizationId, userId: null, email: user.email, ...origin };
    await writeAudit(db, actor, {
      action: 'failed_login',
      resourceType: 'user',
      resourceId: user.userId,
      details: { ...reason },
    });
  }
}

/** Waits until a refusal has taken as long as every refusal does.
 *  @param startedMs `performance.now()` when the work began that a known address makes longer */
export async function delayRefusal(startedMs: number): Promise<void> {
  await delay(Math.max(0, startedMs + refusalMs - performance.now()));
}

const wrongPassword = () => unauthorized`The email or the password is wrong`;

/** What a login needs of the outside world. */
type LoginDeps = Pick<Deps, 'db' | 'pool' | 'clock' | 'config' | 'secrets'>;

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
