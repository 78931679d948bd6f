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
import { failedLogin } from './account.ts';
import { boundPassword, parseEmail } from './input.ts';
import { attemptLogin } from './lockout.ts';
import { verifyPassword } from './password.ts';

/** The user of a login attempt. */
interface Person {
  readonly userId: string;
  readonly email: string;
}

/** Minimum duration of a rejection in milliseconds, regardless of its writes: they take a few milliseconds and only
 *  happen for known addresses, which timing must not reveal. Far above the time a rejection needs on a machine that
 *  is not overloaded. */
const refusalMs = 200;

/** Opens a session for an authenticated user, in the last used organization, otherwise the first joined one. Call it
 *  inside the transaction that consumed the credentials.
 *  @throws {AppError} FORBIDDEN if the user no longer belongs to an organization */
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
  const entry = {
    action: 'login',
    resourceType: 'session',
    resourceId: session.sessionId,
    details: { method },
  } as const;
  await writeAudit(db, actor, entry);
  return session;
}

/** Audits a failed login. There is no signed-in user, so the entry names the address, in every organization that it
 *  could have opened. */
export async function recordFailedLogin(
  db: Db,
  origin: Origin,
  user: Person,
  reason: Parameters<typeof failedLogin>[1],
): Promise<void> {
  for (const organizationId of await listOrganizationIds(db, user.userId)) {
    const actor = { organizationId, userId: null, email: user.email, ...origin };
    await writeAudit(db, actor, failedLogin(user.userId, reason));
  }
}

/** Waits until a rejection has taken its minimum duration.
 *  @param startedMs `performance.now()` at the start of the work that takes longer for a known address */
export async function delayRefusal(startedMs: number): Promise<void> {
  await delay(Math.max(0, startedMs + refusalMs - performance.now()));
}

const wrongPassword = () => unauthorized`The email or the password is wrong`;

/** Dependencies of a login. */
type LoginDeps = Pick<Deps, 'db' | 'pool' | 'clock' | 'config' | 'secrets'>;

/** Outcome of one attempt. */
interface Attempt {
  readonly startedMs: number;
  /** Null if the address is unknown. */
  readonly user: Credentials | null;
  /** Null if correct or not checked yet. */
  readonly wrong: 'password' | 'code' | null;
}

type Opened = OpenSession | AwaitedFactor;

/** Logs in with email and password, into the last used organization, otherwise the first joined one. If the user has
 *  a second factor and no code is given, returns a challenge instead of tokens: a partial login, which neither
 *  counts as a failure nor resets the count.
 *  @param input `totpCode`: TOTP or recovery code; ignored if the user has no second factor
 *  @throws {AppError} VALIDATION_ERROR naming the field; UNAUTHORIZED for a wrong password, an unknown address, or a
 *  wrong code; ACCOUNT_LOCKED after too many; FORBIDDEN if the user no longer belongs to an organization */
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

/** Runs one attempt, with the same work and time for an unknown address; writes that only known addresses need happen later. */
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

/** Null: wrong code. */
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
  if (!attempt) throw new Error('A login was rejected without an attempt');
  const { user, wrong } = attempt;
  if (user && wrong) await deps.db.$transaction((db: Db) => recordFailedLogin(db, origin, user, { wrong }));
  await delayRefusal(attempt.startedMs);
  throw wrong === 'code' ? unauthorized`${arg('totp_code')} is wrong or was already used` : wrongPassword();
}

function isSession(opened: Opened): opened is OpenSession {
  return 'sessionId' in opened;
}

/** Maximum attempts at a second factor before the password is required again. */
export const challengeTries = 5;

/** Lifetime of a challenge in milliseconds. */
export const challengeMs = 300_000;
const tokenBytes = 32;

/** Stored form of a challenge or its token: SHA-256. Both are random, so they do not need a slow hash. */
function hashOf(challenge: string): Uint8Array<ArrayBuffer> {
  return createHash('sha256').update(challenge).digest();
}

/** A pending second factor of a user. */
export interface Awaited {
  readonly id: string;
  readonly userId: string;
  readonly email: string;
}

/** Starts a second-factor challenge for a user whose password was correct.
 *  @returns the token required with the response, valid for 5 minutes */
export function awaitSecondFactor(db: Db, deps: Pick<Deps, 'clock'>, userId: string): Promise<string> {
  return keep(db, deps, { kind: 'second_factor', userId, secondFactorId: null });
}

/** Starts a passkey challenge.
 *  @param whose the required user and their pending second factor; null: any user
 *  @returns the WebAuthn challenge in base64url, valid once and for 5 minutes */
export function askForPasskey(db: Db, deps: Pick<Deps, 'clock'>, whose: Awaited | null): Promise<string> {
  const [userId, secondFactorId] = [whose?.userId ?? null, whose?.id ?? null];
  return keep(db, deps, { kind: 'passkey_authentication', userId, secondFactorId });
}

/** Starts the registration of a passkey.
 *  @returns the WebAuthn challenge in base64url, valid once and for 5 minutes */
export function askForNewPasskey(db: Db, deps: Pick<Deps, 'clock'>, userId: string): Promise<string> {
  return keep(db, deps, { kind: 'passkey_registration', userId, secondFactorId: null });
}

/** Finds the pending second factor of a token.
 *  @throws {AppError} UNAUTHORIZED if the token is unknown or no longer valid */
export async function awaitedFactor(deps: Pick<Deps, 'db' | 'clock'>, token: string): Promise<Awaited> {
  const found = await findAwaited(deps.db, hashOf(token), { now: deps.clock.now(), tries: challengeTries });
  if (!found) throw challengeOver();
  return found;
}

/** Consumes the challenge of a WebAuthn response, which is valid once whether or not the response is. Null if it is
 *  unknown, already answered, or expired. */
export function answeredChallenge(
  deps: Pick<Deps, 'db' | 'clock'>,
  kind: 'passkey_registration' | 'passkey_authentication',
  challenge: string,
): Promise<StoredChallenge | null> {
  return takeChallenge(deps.db, kind, hashOf(challenge), deps.clock.now());
}

/** The error for a second factor without a valid challenge. */
export function challengeOver(): AppError {
  return unauthorized`${arg('challenge_token')} is invalid or expired${fix}sign in with the password again`;
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

/** Completes a login with a TOTP or recovery code. A wrong code counts like a wrong password.
 *  @throws {AppError} VALIDATION_ERROR naming the field; UNAUTHORIZED for a wrong code, and if the challenge is
 *  over: it allows 5 attempts and one success within 5 minutes; ACCOUNT_LOCKED after too many failures */
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

/** Null: wrong code. Not an exception, because the writes of a failure must be committed. */
function tryCode(deps: VerifyDeps, origin: Origin, awaited: Awaited, code: string): Promise<OpenSession | null> {
  return deps.db.$transaction(async (db) => {
    // A preceding attempt in the queue may have ended the challenge.
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
