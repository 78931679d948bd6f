import {
  generateAuthenticationOptions,
  verifyAuthenticationResponse,
  type AuthenticationResponseJSON,
  type PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import type { Deps } from '../../kit/deps.ts';
import { arg, conflict, fix, operation, unauthorized } from '../../kit/errors/errors.ts';
import { idToBytes } from '../../kit/ids.ts';
import {
  answeredChallenge,
  askForPasskey,
  type Awaited,
  awaitedFactor,
  challengeMs,
  challengeOver,
  challengeTries,
  delayRefusal,
  openLogin,
  recordFailedLogin,
} from '../login/login.ts';
import { countTry, endChallenge } from '../login/store.ts';
import { parseEmail } from '../login/input.ts';
import { attemptLogin, refuseWhileLocked } from '../login/lockout.ts';
import { answerLogin, type Login, type OpenSession, type Origin } from '../sessions/open.ts';
import { type Answered, falseCredentials, parseAuthentication, relyingParty } from './response.ts';
import { describeCredential } from './register.ts';
import { type CredentialName, findPasskey, listCredentialNames, notePasskeyUse, type StoredPasskey } from './store.ts';

type PasskeyDeps = Pick<Deps, 'db' | 'pool' | 'clock' | 'config' | 'secrets'>;

/** Starts a passkey login without a password, which requires user verification.
 *  @param email the user's address; null: any passkey that the authenticator finds itself. For an address without
 *  passkeys, known or not, returns decoy credentials
 *  @returns input for `PublicKeyCredential.parseRequestOptionsFromJSON`; valid once and for 5 minutes
 *  @throws {AppError} VALIDATION_ERROR if the address is invalid */
export async function loginOptions(
  deps: Pick<PasskeyDeps, 'db' | 'clock' | 'config' | 'secrets'>,
  email: string | null,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const address = email === null ? null : parseEmail(email);
  const known = address === null ? [] : await listCredentialNames(deps.db, { email: address });
  const invented = address === null ? [] : falseCredentials(deps.secrets, address);
  return optionsFor(deps, null, known.length > 0 ? known : invented);
}

/** Returns the options. The passkey must verify the user only if there is no password. */
async function optionsFor(
  deps: Pick<PasskeyDeps, 'db' | 'clock' | 'config'>,
  awaited: Awaited | null,
  credentials: readonly CredentialName[],
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const challenge = await askForPasskey(deps.db, deps, awaited);
  return generateAuthenticationOptions({
    rpID: relyingParty(deps.config).id,
    challenge: Buffer.from(challenge, 'base64url'),
    timeout: challengeMs,
    allowCredentials: credentials.map(describeCredential),
    userVerification: awaited ? 'preferred' : 'required',
  });
}

/** Starts a passkey challenge as the second factor after a correct password.
 *  @returns input for `PublicKeyCredential.parseRequestOptionsFromJSON`; valid once and for 5 minutes
 *  @throws {AppError} UNAUTHORIZED if the challenge is over; CONFLICT if the user has no passkey */
export async function secondFactorOptions(
  deps: Pick<PasskeyDeps, 'db' | 'clock' | 'config'>,
  challengeToken: string,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const awaited = await awaitedFactor(deps, challengeToken);
  const known = await listCredentialNames(deps.db, { id: awaited.userId });
  if (known.length === 0)
    throw conflict`The user has no passkey${fix}send a code to ${operation('POST /auth/verify-2fa')}`;
  return optionsFor(deps, awaited, known);
}

/** Logs in with a passkey: as a second factor, or on its own with user verification. A passkey cannot be guessed, so
 *  a wrong one does not count towards the lockout; but while the address is locked, even a valid one is rejected.
 *  @param input `response`: result of `navigator.credentials.get` as JSON; `email` if it was requested by address
 *  @throws {AppError} VALIDATION_ERROR naming the field; UNAUTHORIZED if the passkey is not accepted, for whatever
 *  reason, or the challenge is over; ACCOUNT_LOCKED; FORBIDDEN if the user no longer belongs to an organization */
export async function logInWithPasskey(
  deps: PasskeyDeps,
  origin: Origin,
  input: { response: unknown; challengeToken: string | null; email: string | null },
): Promise<Login> {
  const answered = parseAuthentication(input.response);
  const email = input.email === null ? null : parseEmail(input.email);
  const awaited = input.challengeToken === null ? null : await awaitedFactor(deps, input.challengeToken);
  // After a correct password, the lock may be revealed; with only an invalid passkey it must not be, since that would
  // reveal its owner.
  if (awaited) await refuseWhileLocked(deps, awaited.email);
  const limits = { now: deps.clock.now(), tries: challengeTries };
  if (awaited && !(await countTry(deps.db, awaited.id, limits))) throw challengeOver();
  const startedMs = performance.now();
  const passkey = await findPasskey(deps.db, Buffer.from(answered.response.id, 'base64url'));
  const wanted = passkey && (email === null || passkey.email === email) ? passkey : null;
  const use = await verify(deps, answered, { passkey: wanted, awaited });
  const session = wanted && use && (await open(deps, origin, { passkey: wanted, awaited, use }));
  if (session) return answerLogin(deps, session);
  return refuse(deps, origin, {
    passkey,
    startedMs,
    why: use ? 'its counter did not increase' : 'it was not accepted',
  });
}

interface Use {
  readonly counter: bigint;
  readonly backedUp: boolean;
}

/** Null: not accepted. The challenge is consumed either way. */
async function verify(
  deps: PasskeyDeps,
  { response, challenge }: Answered<AuthenticationResponseJSON>,
  { passkey, awaited }: { passkey: StoredPasskey | null; awaited: Awaited | null },
): Promise<Use | null> {
  const asked = await answeredChallenge(deps, 'passkey_authentication', challenge);
  if (!asked || !passkey || asked.secondFactorId !== (awaited?.id ?? null)) return null;
  if (asked.userId !== null && asked.userId !== passkey.userId) return null;
  const { userHandle } = response.response;
  if (userHandle !== undefined && userHandle !== idToBytes(passkey.userId).toString('base64url')) return null;
  const party = relyingParty(deps.config);
  const credential = { id: response.id, publicKey: new Uint8Array(passkey.publicKey) };
  const expected = { expectedChallenge: challenge, expectedOrigin: party.origin, expectedRPID: party.id };
  const result = await verifyAuthenticationResponse({
    response,
    ...expected,
    // The counter is checked when the use is recorded, where only one of two concurrent requests can succeed.
    credential: { ...credential, counter: 0 },
    requireUserVerification: awaited === null,
  }).catch(() => null);
  if (!result?.verified) return null;
  const { newCounter, credentialBackedUp } = result.authenticationInfo;
  return { counter: BigInt(newCounter), backedUp: credentialBackedUp };
}

/** Null: the counter did not increase. */
async function open(
  deps: PasskeyDeps,
  origin: Origin,
  { passkey, awaited, use }: { passkey: StoredPasskey; awaited: Awaited | null; use: Use },
): Promise<OpenSession | null> {
  const attempt = () =>
    deps.db.$transaction(async (db): Promise<{ session: OpenSession | null }> => {
      const isForward = await notePasskeyUse(db, passkey.id, { ...use, now: deps.clock.now() });
      if (!isForward) return { session: null };
      if (awaited && !(await endChallenge(db, awaited.id))) throw challengeOver();
      const method = awaited ? 'password + passkey' : 'passkey';
      return { session: await openLogin(db, deps, origin, { user: passkey, method }) };
    });
  const done = await attemptLogin(deps, passkey.email, attempt, ({ session }) => session !== null);
  return done?.session ?? null;
}

/** Rejects with the same message and duration whether or not the passkey is known. */
async function refuse(
  deps: PasskeyDeps,
  origin: Origin,
  { passkey, startedMs, why }: { passkey: StoredPasskey | null; startedMs: number; why: string },
): Promise<never> {
  if (passkey) await deps.db.$transaction((db) => recordFailedLogin(db, origin, passkey, { wrong: 'passkey', why }));
  await delayRefusal(startedMs);
  throw unauthorized`${arg('response')} was not accepted${fix}request new options, which work once`;
}
