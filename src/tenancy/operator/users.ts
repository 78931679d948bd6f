import { randomBytes } from 'node:crypto';
import { Role } from '../../../prisma/generated/client/enums.ts';
import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import { AppError, arg, conflict, fix, invalid, message } from '../../kit/errors/errors.ts';
import { newId } from '../../kit/ids.ts';
import { writeAudit } from '../audit/store.ts';
import { parseEmail, parseName } from '../login/input.ts';
import { lockedUntil, unlockLogin } from '../login/lockout.ts';
import { hashPassword } from '../login/password.ts';
import { deleteChallenges, findCredentials, insertOrganization, insertUser } from '../login/store.ts';
import { resetUrl } from '../mail/letters.ts';
import { linkTokenHash, newLinkToken } from '../mail/queue-mail.ts';
import { findMembership, insertMembership } from '../members/store.ts';
import { insertReset, lockOwner, type Owner, replacePassword } from '../passwords/store.ts';
import { revokeSessionsOf } from '../sessions/store.ts';
import { deleteTokensOf } from '../tokens/store.ts';
import { auditOperator, byCommandLine, commandLine } from './audit.ts';
import { deleteSecondFactors, findOrganizations, listUsers as listStored, type ListedUser } from './store.ts';

type OperatorDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'secrets'>;

/** Lifetime of a link in milliseconds, like that of password reset links in emails. */
const linkMs = 3_600_000;

/** A new user. */
export interface NewMember {
  readonly email: string;
  /** Default: the part of the address before the @. */
  readonly name: string | null;
  /** Id or name of an organization, or the name of a new one. */
  readonly organization: string;
  readonly isNewOrganization: boolean;
  readonly role: Role;
}

/** A created user or membership, with the link that the operator passes on. */
export interface Created {
  readonly email: string;
  readonly organization: { readonly id: string; readonly name: string };
  readonly role: Role;
  /** Sets the password, once; null if the user existed and has one. */
  readonly passwordUrl: string | null;
}

/** Creates a user in a new or existing organization, or adds an existing user to it. The password is set by a link,
 *  so that only the user knows it.
 *  @throws {AppError} VALIDATION_ERROR; NOT_FOUND for an unknown organization; CONFLICT if the user is already a member */
export async function createUser(deps: OperatorDeps, input: NewMember): Promise<Created> {
  const email = parseEmail(input.email, 'email');
  const name = parseName(input.name ?? email.split('@')[0] ?? '', 'name');
  const passwordHash = await unknownPassword(deps);
  const createdAt = deps.clock.now();
  return deps.db.$transaction(async (db) => {
    const found = input.isNewOrganization ? null : await theOrganization(db, input.organization);
    const known = await findCredentials(db, email);
    if (known && input.isNewOrganization) await refuseSecond(db, { email, userId: known.userId }, input.organization);
    const userId = known?.userId ?? (await insertUser(db, { email, name, passwordHash, createdAt }));
    const { organization, role } =
      found === null ? await newOrganization(db, input, userId, createdAt) : { organization: found, role: input.role };
    if (known) await lockOwner(db, { email });
    if (found !== null) await joinAs(db, found, { email, userId, role, joinedAt: createdAt });
    const actor = { ...commandLine, organizationId: organization.id, userId: null, email: null };
    const details = { name: known?.name ?? name, email, role, ...byCommandLine };
    await writeAudit(db, actor, { action: 'user_registered', resourceType: 'user', resourceId: userId, details });
    return { email, organization, role, passwordUrl: known ? null : await newLink(db, deps, userId) };
  });
}

/** Rejects a repeated command, which would create a second organization of the same name. */
async function refuseSecond(db: Db, user: { email: string; userId: string }, organization: string): Promise<void> {
  for (const { id, name } of await findOrganizations(db, organization.trim()))
    if (await findMembership(db, id, { userId: user.userId }))
      throw conflict`"${user.email}" is already a member of an organization named "${name}" (${id})${fix}choose another name for the new one`;
}

async function newOrganization(db: Db, { organization, role }: NewMember, ownerId: string, createdAt: Date) {
  if (role !== Role.super_admin)
    throw invalid`${arg('role', role)} is not possible for the first user of an organization, who is its Super Admin${fix}leave it out`;
  const name = parseName(organization, 'new_organization');
  return { organization: { id: await insertOrganization(db, { name, ownerId, createdAt }), name }, role };
}

async function theOrganization(db: Db, given: string): Promise<{ id: string; name: string }> {
  const [one, ...others] = await findOrganizations(db, given);
  if (!one)
    throw new AppError('NOT_FOUND', message`There is no organization "${given}"${fix}give its id or exact name`);
  if (others.length === 0) return one;
  const ids = [one, ...others].map(({ id }) => id).join(', ');
  throw conflict`Several organizations are named "${given}"${fix}give the id of one: ${ids}`;
}

async function joinAs(
  db: Db,
  { id: organizationId, name }: { id: string; name: string },
  { email, ...member }: { email: string; userId: string; role: Role; joinedAt: Date },
): Promise<void> {
  if (member.role === Role.super_admin)
    throw invalid`${arg('role', member.role)} is taken in "${name}": an organization has one Super Admin${fix}choose admin, member or viewer`;
  if (await findMembership(db, organizationId, { userId: member.userId }))
    throw conflict`"${email}" is already a member of "${name}"`;
  await insertMembership(db, { organizationId, access: null, ...member });
}

/** Ends all sessions of a user, makes the password unusable and returns a link that sets a new one. A lock of the login ends.
 *  @throws {AppError} NOT_FOUND */
export async function resetUserPassword(
  deps: OperatorDeps,
  input: string,
): Promise<{ email: string; passwordUrl: string; sessionsEnded: number }> {
  const passwordHash = await unknownPassword(deps);
  const at = deps.clock.now();
  return deps.db.$transaction(async (db) => {
    const { userId, email } = await theUser(db, input);
    await replacePassword(db, userId, passwordHash, at);
    const ended = await endLogins(db, userId, at);
    await unlockLogin(db, deps, email);
    await auditOperator(db, userId, { action: 'password_changed', details: { sessions_ended: ended } });
    return { email, passwordUrl: await newLink(db, deps, userId), sessionsEnded: ended };
  });
}

/** Removes TOTP and the recovery codes of a user, and with `passkeys` also the passkeys, and ends their sessions.
 *  @throws {AppError} NOT_FOUND; CONFLICT if there is nothing to remove */
export async function disableSecondFactors(
  deps: OperatorDeps,
  input: string,
  { passkeys }: { readonly passkeys: boolean },
): Promise<{ email: string; totp: boolean; passkeys: number; remaining: number; sessionsEnded: number }> {
  return deps.db.$transaction(async (db) => {
    const { userId, email } = await theUser(db, input);
    const { recoveryCodes, ...removed } = await deleteSecondFactors(db, userId, passkeys);
    if (!removed.totp && recoveryCodes === 0 && removed.passkeys === 0) throw nothingToRemove(email, removed.remaining);
    const ended = await endLogins(db, userId, deps.clock.now());
    const details = { totp: removed.totp, passkeys_removed: removed.passkeys, sessions_ended: ended };
    await auditOperator(db, userId, { action: 'two_factor_disabled', details });
    return { email, ...removed, sessionsEnded: ended };
  });
}

function nothingToRemove(email: string, passkeys: number): AppError {
  if (passkeys === 0) return conflict`"${email}" has no second factor`;
  return conflict`"${email}" has no TOTP, only passkeys (${passkeys})${fix}add --passkeys to remove them`;
}

/** Ends all sessions of a user, and with `tokens` revokes their API tokens.
 *  @throws {AppError} NOT_FOUND */
export async function endUserSessions(
  deps: OperatorDeps,
  input: string,
  { tokens }: { readonly tokens: boolean },
): Promise<{ email: string; sessionsEnded: number; tokensRevoked: number }> {
  return deps.db.$transaction(async (db) => {
    const { userId, email } = await theUser(db, input);
    const ended = await endLogins(db, userId, deps.clock.now());
    const revoked = tokens ? await deleteTokensOf(db, userId) : 0;
    const details = { sessions_ended: ended, api_tokens_revoked: revoked };
    await auditOperator(db, userId, { action: 'session_revoked', details });
    return { email, sessionsEnded: ended, tokensRevoked: revoked };
  });
}

/** Resets the failed logins of a user.
 *  @returns the end of the lock; null if the login was not locked
 *  @throws {AppError} NOT_FOUND */
export async function unlockUser(
  deps: OperatorDeps,
  input: string,
): Promise<{ email: string; lockedUntil: Date | null }> {
  return deps.db.$transaction(async (db) => {
    const { userId, email } = await theUser(db, input);
    const until = (await lockedUntil(deps, [email])).get(email) ?? null;
    await unlockLogin(db, deps, email);
    await auditOperator(db, userId, { action: 'user_unlocked' });
    return { email, lockedUntil: until };
  });
}

/** Lists all users of the server by address, with the end of their locks. */
export async function listUsers(deps: OperatorDeps): Promise<(ListedUser & { readonly lockedUntil: Date | null })[]> {
  const users = await listStored(deps.db);
  const locks = await lockedUntil(
    deps,
    users.map(({ email }) => email),
  );
  return users.map((user) => ({ ...user, lockedUntil: locks.get(user.email) ?? null }));
}

async function theUser(db: Db, input: string): Promise<Owner> {
  const email = parseEmail(input, 'email');
  const owner = await lockOwner(db, { email });
  if (owner) return owner;
  throw new AppError(
    'NOT_FOUND',
    message`There is no user "${email}"${fix}list them with "npm run admin -- list-users"`,
  );
}

/** Returns the number of ended sessions. */
async function endLogins(db: Db, userId: string, at: Date): Promise<number> {
  await deleteChallenges(db, userId);
  return revokeSessionsOf(db, userId, null, at);
}

/** The hash of a random password, which is discarded. */
function unknownPassword({ config }: OperatorDeps): Promise<string> {
  return hashPassword(randomBytes(32).toString('base64url'), config.passwordCost);
}

async function newLink(db: Db, deps: OperatorDeps, userId: string): Promise<string> {
  const createdAt = deps.clock.now();
  const token = newLinkToken();
  const times = { createdAt, expiresAt: new Date(createdAt.getTime() + linkMs) };
  await insertReset(db, { id: newId(createdAt), userId, tokenHash: linkTokenHash(token), ...times });
  return resetUrl(deps.config, token);
}
