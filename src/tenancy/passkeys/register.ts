import {
  generateRegistrationOptions,
  verifyRegistrationResponse,
  type PublicKeyCredentialCreationOptionsJSON,
} from '@simplewebauthn/server';
import type { Deps } from '../../kit/deps.ts';
import { AppError, arg, conflict, fix, invalid, message } from '../../kit/errors/errors.ts';
import { idToBytes } from '../../kit/ids.ts';
import { recordFactorChange, type UserActor } from '../login/account.ts';
import { answeredChallenge, askForNewPasskey, challengeMs } from '../login/login.ts';
import { parseName } from '../login/input.ts';
import type { Viewer } from '../auth/scope.ts';
import { requireRecentLogin } from '../sessions/recent.ts';
import { parseRegistration, relyingParty } from './response.ts';
import {
  insertPasskey,
  listCredentialNames,
  lockAndCountPasskeys,
  type CredentialName,
  type Passkey,
} from './store.ts';

type RegisterDeps = Pick<Deps, 'db' | 'clock' | 'config'>;

/** Maximum number of passkeys per user. */
const passkeysPerUser = 50;

/** COSE: EdDSA, ES256 and RS256; every authenticator supports one of them. */
const algorithms = [-8, -7, -257];

/** Starts the registration of a passkey. Prefers discoverable credentials with user verification, which passwordless
 *  login requires; other authenticators can still serve as a second factor.
 *  @returns input for `PublicKeyCredential.parseCreationOptionsFromJSON`; valid once and for 5 minutes
 *  @throws {AppError} FORBIDDEN if the login is not recent */
export async function registrationOptions(
  deps: RegisterDeps,
  viewer: Viewer,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  await requireRecentLogin(deps, viewer);
  const { userId, email, name } = viewer;
  const party = relyingParty(deps.config);
  const [challenge, known] = await Promise.all([
    askForNewPasskey(deps.db, deps, userId),
    listCredentialNames(deps.db, { id: userId }),
  ]);
  return generateRegistrationOptions({
    rpName: party.name,
    rpID: party.id,
    userID: idToBytes(userId),
    userName: email,
    userDisplayName: name,
    challenge: Buffer.from(challenge, 'base64url'),
    timeout: challengeMs,
    attestationType: 'none',
    excludeCredentials: known.map(describeCredential),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    supportedAlgorithmIDs: algorithms,
  });
}

/** Stores the passkey created by the caller's browser.
 *  @param input `response`: result of `navigator.credentials.create` as JSON
 *  @throws {AppError} VALIDATION_ERROR naming the field, and if the challenge is unknown; CONFLICT if the passkey is
 *  already registered, or the caller has too many; FORBIDDEN if the login is not recent */
export async function registerPasskey(
  deps: RegisterDeps & Pick<Deps, 'queue' | 'secrets'>,
  viewer: Viewer,
  actor: UserActor,
  input: { name: string; response: unknown },
): Promise<Passkey> {
  await requireRecentLogin(deps, viewer);
  const name = parseName(input.name, 'name');
  const { credential, ...made } = await verify(deps, viewer, input.response);
  return deps.db.$transaction(async (db) => {
    const count = await lockAndCountPasskeys(db, viewer.userId);
    if (count >= passkeysPerUser) throw conflict`You have ${count} passkeys, the maximum${fix}remove one first`;
    const passkey = await insertPasskey(db, {
      userId: viewer.userId,
      name,
      credentialId: Buffer.from(credential.id, 'base64url'),
      publicKey: credential.publicKey,
      counter: BigInt(credential.counter),
      transports: credential.transports ?? [],
      deviceType: made.credentialDeviceType,
      backedUp: made.credentialBackedUp,
      createdAt: deps.clock.now(),
    });
    if (!passkey)
      throw conflict`${arg('response')} belongs to a passkey that is already registered${fix}use another authenticator`;
    const entry = {
      action: 'passkey_added',
      resourceType: 'passkey',
      resourceId: passkey.id,
      details: { name },
    } as const;
    await recordFactorChange(db, deps, { viewer, actor }, entry);
    return passkey;
  });
}

/** Descriptor of a credential for authenticators. */
export function describeCredential({ credentialId, transports }: CredentialName) {
  const id = Buffer.from(credentialId).toString('base64url');
  return transports.length === 0 ? { id } : { id, transports: [...transports] };
}

async function verify(deps: RegisterDeps, viewer: Viewer, value: unknown) {
  const { response, challenge } = parseRegistration(value);
  const asked = await answeredChallenge(deps, 'passkey_registration', challenge);
  if (asked?.userId !== viewer.userId)
    throw invalid`${arg('response')} does not match any pending options${fix}request new options, which work once, within 5 minutes`;
  const party = relyingParty(deps.config);
  const expected = { expectedChallenge: challenge, expectedOrigin: party.origin, expectedRPID: party.id };
  const options = { response, ...expected, requireUserVerification: false, supportedAlgorithmIDs: algorithms };
  const result = await verifyRegistrationResponse(options).catch((cause: unknown) => {
    throw refused(cause);
  });
  if (!result.verified) throw refused(null);
  return result.registrationInfo;
}

/** The verification's message contains only client input and `PUBLIC_URL`. */
function refused(cause: unknown): AppError {
  const reason = cause instanceof Error ? `: ${cause.message.slice(0, 300)}` : '';
  return new AppError('VALIDATION_ERROR', message`${arg('response')} does not match the requested passkey${reason}`, {
    cause,
  });
}
