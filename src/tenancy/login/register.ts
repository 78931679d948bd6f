import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import { type AppError, arg, fix, forbidden, invalid, mention } from '../../kit/errors/errors.ts';
import { type Actor, writeAudit } from '../audit/store.ts';
import { join, lockInvite } from '../invites/accept.ts';
import { listSecondFactors } from '../second-factor/store.ts';
import { awaitSecondFactor } from './login.ts';
import { parseEmail, parseName } from './input.ts';
import { attemptLogin } from './lockout.ts';
import { checkNewPassword, hashPassword, verifyPassword } from './password.ts';
import {
  type Credentials,
  findCredentials,
  insertOrganization,
  insertUser,
  isWithoutOrganizations,
  listOrganizationIds,
  lockAndCountOrganizations,
  type NewUser,
  renewLeftUser,
  takeBackLeftUser,
} from './store.ts';
import { answerLogin, type LoginAnswer, openSession, type Origin } from '../sessions/open.ts';

type RegisterDeps = Pick<Deps, 'db' | 'pool' | 'clock' | 'config' | 'secrets'>;

/** A new user and their organization: exactly one of the last two fields. */
export interface Registration {
  readonly email: string;
  readonly password: string;
  readonly name: string;
  /** Name of a new organization. */
  readonly organizationName?: string | null;
  /** Token of an invitation to an organization. */
  readonly inviteToken?: string | null;
}

/** Registers a user, as Super Admin of a new organization or as a member of the inviting one, and logs them in. A
 *  user without any organization registers again: with an invitation, which proves their address, or with their
 *  former password, which is only a partial login if they have a second factor.
 *  @throws {AppError} VALIDATION_ERROR naming the field; FORBIDDEN if the operator closed registration
 *  (`REGISTRATION`) and there is no invitation; CONFLICT if the address is taken; ACCOUNT_LOCKED */
export async function register(deps: RegisterDeps, origin: Origin, input: Registration): Promise<LoginAnswer> {
  const email = parseEmail(input.email);
  const name = parseName(input.name, 'name');
  const place = parsePlace(input);
  const names = [name, ...(place.organizationName === undefined ? [] : [place.organizationName])];
  checkNewPassword(deps.config, input.password, { email, names });
  if (place.organizationName !== undefined && deps.config.registration === 'invite')
    throw closed('This server accepts new users by invitation only');
  const left = place.inviteToken === undefined ? await findLeftUser(deps, email, input.password) : null;
  const passwordHash = await hashPassword(input.password, deps.config.passwordCost);
  const user = { email, name, passwordHash, createdAt: deps.clock.now() };
  const opened = await deps.db.$transaction(async (db) => {
    const ids =
      place.inviteToken === undefined
        ? await found(db, deps, origin, { user, left, organizationName: place.organizationName })
        : await joinInvited(db, origin, { user, token: place.inviteToken });
    const methods = await listSecondFactors(db, ids.userId);
    if (methods.length > 0) return { challengeToken: await awaitSecondFactor(db, deps, ids.userId), methods };
    return openSession(db, deps, { ...ids, email, ...origin }, 'password');
  });
  return 'sessionId' in opened ? answerLogin(deps, opened) : opened;
}

/** Whether the next user to register becomes the first one of this server. Shows no more than an attempt to register would. */
export async function awaitsFirstUser({ db, config }: Pick<Deps, 'db' | 'config'>): Promise<boolean> {
  return config.registration !== 'invite' && (await isWithoutOrganizations(db));
}

type Place =
  { organizationName: string; inviteToken?: undefined } | { organizationName?: undefined; inviteToken: string };

function parsePlace({ organizationName = null, inviteToken = null }: Registration): Place {
  if (inviteToken === null) {
    if (organizationName === null)
      throw invalid`${arg('organization_name')} is required, unless ${mention('invite_token')} is given`;
    return { organizationName: parseName(organizationName, 'organization_name') };
  }
  if (organizationName !== null)
    throw invalid`${arg('organization_name')} is not allowed with an invitation${fix}leave it out`;
  return { inviteToken };
}

/** Finds a user without any organization by their password. Resets the failure count only for a complete login:
 *  otherwise, knowledge of the password would allow unlimited attempts at codes. */
async function findLeftUser(deps: RegisterDeps, email: string, password: string): Promise<Credentials | null> {
  const user = await findCredentials(deps.db, email);
  if (!user || (await listOrganizationIds(deps.db, user.userId)).length > 0) return null;
  const attempt = async () => {
    if (!(await verifyPassword(password, user.passwordHash, deps.config.passwordCost))) return null;
    return { isWhole: (await listSecondFactors(deps.db, user.userId)).length === 0 };
  };
  return (await attemptLogin(deps, email, attempt, ({ isWhole }) => isWhole)) && user;
}

interface Ids {
  readonly organizationId: string;
  readonly userId: string;
}

async function found(
  db: Db,
  deps: RegisterDeps,
  origin: Origin,
  { user, left, organizationName }: { user: NewUser; left: Credentials | null; organizationName: string },
): Promise<Ids> {
  if (deps.config.registration === 'first' && (await lockAndCountOrganizations(db)) > 0)
    throw closed('Registration on this server is closed after the first user');
  const userId = (left && (await takeBackLeftUser(db, left, user.name))) ?? (await insertUser(db, user));
  const organizationId = await insertOrganization(db, {
    name: organizationName,
    ownerId: userId,
    createdAt: user.createdAt,
  });
  const actor = { organizationId, userId, email: user.email, ...origin };
  await recordRegistration(db, actor, user.name, { organization_name: organizationName });
  return { organizationId, userId };
}

async function joinInvited(db: Db, origin: Origin, { user, token }: { user: NewUser; token: string }): Promise<Ids> {
  const invite = await lockInvite(db, token, user.createdAt);
  if (invite.email !== user.email) throw invalid`${arg('email')} must be the address that the invitation was sent to`;
  const { organizationId } = invite;
  const userId = (await renewLeftUser(db, user)) ?? (await insertUser(db, user));
  const actor = { organizationId, userId, email: user.email, ...origin };
  await recordRegistration(db, actor, user.name, { invited: true });
  await join(db, origin, invite, { userId, now: user.createdAt });
  return { organizationId, userId };
}

async function recordRegistration(
  db: Db,
  actor: Actor & Ids,
  name: string,
  how: { organization_name: string } | { invited: true },
): Promise<void> {
  const details = { name, ...how };
  await writeAudit(db, actor, { action: 'user_registered', resourceType: 'user', resourceId: actor.userId, details });
}

function closed(reason: string): AppError {
  return forbidden`${reason}${fix}ask an Admin for an invitation`;
}
